// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/htmlreport.h"

#include "audit/label.h"
#include "audit/mix.h"
#include "document/text.h"
#include "report/output.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

using gguf::Label;
using gguf::Mix;
using gguf::MixSum;

namespace {

/// What a page can hold and a person can read.
constexpr std::size_t kMostColumns = 260, kMostRoles = 120, kMostDeviations = 5000;

constexpr std::string_view kHead = R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<style>
body { font: 14px/1.45 sans-serif; color: #1c1c1e; background: #fff; margin: 2em auto; max-width: 1400px; padding: 0 1.5em; }
h1 { font-size: 1.5em; margin: 0 0 .2em; } h2 { font-size: 1.15em; margin: 1.8em 0 .5em; }
p { margin: .3em 0; } .file { color: #55555a; overflow-wrap: anywhere; }
table { border-collapse: collapse; } th, td { text-align: left; padding: .2em .8em .2em 0; vertical-align: top; }
th { border-bottom: 1px solid #b8b8bc; font-weight: 600; } td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; }
.swatch { display: inline-block; width: .9em; height: .9em; margin-right: .45em; vertical-align: -.1em; }
.bar { background: #ececef; width: 14em; } .bar div { height: .9em; margin-top: .25em; }
.scroll { overflow-x: auto; } .map { font-size: 10px; line-height: 1.2; } .map th { border: 0; font-weight: 400; padding: .1em .5em .1em 0; }
.map td { padding: .25em .2em; border: 1px solid #fff; text-align: center; min-width: 1.5em; } .map .odd { outline: 2px solid #1c1c1e; outline-offset: -2px; }
</style>
)";

std::string sizeText(std::uint64_t bytes)
{
    constexpr const char* kUnits[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    double value = static_cast<double>(bytes);
    std::size_t unit = 0;
    while (value >= 1024 && unit + 1 < std::size(kUnits)) {
        value /= 1024;
        ++unit;
    }
    return unit == 0 ? fmt::format("{} bytes", bytes) : fmt::format("{:.2f} {}", value, kUnits[unit]);
}

std::string bitsText(const MixSum& sum)
{
    if (sum.bitsPerWeight())
        return fmt::format("{:.2f}", *sum.bitsPerWeight());
    return sum.whyNoBitsPerWeight().empty() ? "" : "unknown";
}

std::string weightsText(const MixSum& sum)
{
    return sum.parameters() ? std::to_string(sum.elements) : "unknown";
}

double share(std::uint64_t part, std::uint64_t whole)
{
    return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

class Page
{
public:
    Page(Output& output, const gguf::Document& document, const HtmlReport::TypeColor& color,
        std::string_view fileName)
        : m_output(output)
        , m_color(color)
        , m_tensors(gguf::auditTensors(document))
        , m_mix(gguf::computeMix(m_tensors))
        , m_label(gguf::auditLabel(document, m_tensors, m_mix, fileName))
    {
    }

    void write(const std::string& file, const gguf::Document& document)
    {
        const std::string_view name = document.stringValue("general.name");
        const std::string title
            = name.empty() ? std::filesystem::path(file).filename().string() : std::string(name);
        m_output.write(kHead);
        m_output.write(
            fmt::format("<title>{}</title>\n</head>\n<body>\n<h1>{}</h1>\n<p class=\"file\">{}</p>\n",
                HtmlReport::escaped(title), HtmlReport::escaped(title), HtmlReport::escaped(file)));
        writeLabel();
        writeTypes();
        writeKinds();
        writeMap();
        writeDeviations();
        m_output.write("<p class=\"file\">Bits per weight: 8 times the bytes of the tensors, divided by the "
                       "number of their "
                       "weights; padding, header and metadata do not count.</p>\n</body>\n</html>\n");
    }

private:
    HtmlReport::Color colorOf(std::uint32_t type) const
    {
        return m_color ? m_color(type) : HtmlReport::Color();
    }

    void fact(std::string_view name, const std::string& value)
    {
        if (!value.empty())
            m_output.write(
                fmt::format("<tr><td>{}</td><td>{}</td></tr>\n", name, HtmlReport::escaped(value)));
    }

    void writeLabel()
    {
        const gguf::RecipeVerdict& recipe = m_label.recipe;
        m_output.write("<h2>Label and truth</h2>\n");
        m_output.write(fmt::format("<p>{}</p>\n<table>\n", HtmlReport::escaped(recipe.explanation)));
        fact("File type", m_label.fileType ? m_label.fileTypeText() : "not stated");
        fact("File name says", m_label.nameLabel);
        if (const Mix::Type* dominant = m_mix.dominantType())
            fact("Most bytes are",
                fmt::format("{}, {:.1f} %", dominant->name, share(dominant->sum.bytes, m_mix.total.bytes)));
        const std::string whyNoBits = m_mix.total.whyNoBitsPerWeight();
        fact("Bits per weight", whyNoBits.empty() ? bitsText(m_mix.total) : fmt::format("unknown ({})", whyNoBits));
        fact("Tensor data", fmt::format("{} ({} bytes)", sizeText(m_mix.total.bytes), m_mix.total.bytes));
        fact("Weights", fmt::format("{} in {}", weightsText(m_mix.total), gguf::countText(m_mix.total.tensors, "tensor")));
        if (const auto* best = m_label.bestFit ? gguf::findFileType(*m_label.bestFit) : nullptr)
            fact("Best fitting recipe",
                fmt::format("{} ({} {})", best->name, gguf::countText(m_label.bestFitTensors, "tensor"),
                    m_label.bestFitTensors == 1 ? "differs" : "differ"));
        fact("Importance matrix",
            !m_label.imatrix.present           ? "no quantize.imatrix.* key"
                : m_label.imatrix.file.empty() ? "used"
                                               : std::string(m_label.imatrix.file));
        if (m_label.quantizationVersion)
            fact("Quantization version", std::to_string(*m_label.quantizationVersion));
        m_output.write("</table>\n");
        for (const std::string& remark : m_label.remarks)
            m_output.write(fmt::format("<p>{}</p>\n", HtmlReport::escaped(remark)));
    }

    void sumCells(const MixSum& sum)
    {
        m_output.write(
            fmt::format("<td class=\"n\">{}</td><td class=\"n\">{:.1f} %</td><td class=\"n\">{}</td><td "
                        "class=\"n\">{}</td><td class=\"n\">{}</td>",
                sizeText(sum.bytes), share(sum.bytes, m_mix.total.bytes), sum.tensors, weightsText(sum),
                bitsText(sum)));
    }

    void writeTypes()
    {
        m_output.write(
            "<h2>Types</h2>\n<table>\n<tr><th>Type</th><th></th><th class=\"n\">Bytes</th><th "
            "class=\"n\">Share</th>"
            "<th class=\"n\">Tensors</th><th class=\"n\">Weights</th><th class=\"n\">BPW</th></tr>\n");
        for (const Mix::Type& type : m_mix.types) {
            const auto color = colorOf(type.id);
            m_output.write(
                fmt::format("<tr><td><span class=\"swatch\" style=\"background:{}\"></span>{}</td><td><div "
                            "class=\"bar\"><div style=\"width:{:.2f}%;background:{}\"></div></div></td>",
                    color.background, HtmlReport::escaped(type.name),
                    share(type.sum.bytes, m_mix.total.bytes), color.background));
            sumCells(type.sum);
            m_output.write("</tr>\n");
        }
        m_output.write("</table>\n");
    }

    void writeKinds()
    {
        m_output.write(
            "<h2>Parts of the model</h2>\n<table>\n<tr><th>Part</th><th class=\"n\">Bytes</th><th "
            "class=\"n\">Share</th>"
            "<th class=\"n\">Tensors</th><th class=\"n\">Weights</th><th class=\"n\">BPW</th></tr>\n");
        for (std::size_t i = 0; i < m_mix.byKind.size(); ++i) {
            if (m_mix.byKind[i].tensors == 0)
                continue;
            m_output.write(
                fmt::format("<tr><td>{}</td>", gguf::roleKindName(static_cast<gguf::RoleKind>(i))));
            sumCells(m_mix.byKind[i]);
            m_output.write("</tr>\n");
        }
        m_output.write("</table>\n");
    }

    void writeMap()
    {
        const std::size_t columns = std::min(m_mix.columns.size(), kMostColumns);
        const std::size_t roles = std::min(m_mix.roles.size(), kMostRoles);
        if (columns == 0)
            return;
        m_output.write(
            "<h2>Types by layer and role</h2>\n<p>A frame marks a type that most of its row does not have; + "
            "marks several types in one cell.</p>\n");
        if (columns < m_mix.columns.size() || roles < m_mix.roles.size())
            m_output.write(fmt::format("<p>Left out: {} and {}.</p>\n",
                gguf::countText(m_mix.columns.size() - columns, "layer"), gguf::countText(m_mix.roles.size() - roles, "role")));
        m_output.write("<div class=\"scroll\"><table class=\"map\">\n<tr><th></th>");
        for (std::size_t column = 0; column < columns; ++column)
            m_output.write(fmt::format("<th>{}</th>", HtmlReport::escaped(m_mix.columns[column].label)));
        m_output.write("<th class=\"n\">Bytes</th><th class=\"n\">BPW</th></tr>\n");
        auto cell = m_mix.cells.begin();
        for (std::size_t role = 0; role < roles; ++role) {
            m_output.write(fmt::format("<tr><th>{}</th>", HtmlReport::escaped(m_mix.roles[role].label)));
            const std::uint32_t usual = m_mix.majorityType(role);
            std::size_t column = 0;
            for (; cell != m_mix.cells.end() && cell->role == role; ++cell) {
                if (cell->column >= columns)
                    continue;
                for (; column < cell->column; ++column)
                    m_output.write("<td></td>");
                ++column;
                const Mix::Type& type = m_mix.types[cell->type];
                const auto color = colorOf(type.id);
                m_output.write(fmt::format("<td{} style=\"background:{};color:{}\">{}{}</td>",
                    cell->type != usual || cell->mixed ? " class=\"odd\"" : "", color.background, color.text,
                    HtmlReport::escaped(type.name), cell->mixed ? "+" : ""));
            }
            for (; column < columns; ++column)
                m_output.write("<td></td>");
            m_output.write(fmt::format("<td class=\"n\">{}</td><td class=\"n\">{}</td></tr>\n",
                sizeText(m_mix.roles[role].sum.bytes), bitsText(m_mix.roles[role].sum)));
            if (m_output.failed())
                return;
        }
        for (const bool bytes : {true, false}) {
            m_output.write(fmt::format("<tr><th>{}</th>", bytes ? "Bytes" : "BPW"));
            for (std::size_t column = 0; column < columns; ++column) {
                const MixSum& sum = m_mix.columns[column].sum;
                m_output.write(fmt::format("<td>{}</td>", bytes ? sizeText(sum.bytes) : bitsText(sum)));
            }
            m_output.write("</tr>\n");
        }
        m_output.write("</table></div>\n");
    }

    void writeDeviations()
    {
        const auto& deviations = m_label.recipe.deviations;
        if (deviations.empty())
            return;
        m_output.write(
            fmt::format("<h2>Tensors that differ from the recipe of {}</h2>\n<table>\n<tr><th>Tensor</th>"
                        "<th>Found</th><th>Stock</th><th>Why</th></tr>\n",
                HtmlReport::escaped(m_label.recipe.name)));
        const std::size_t count = std::min(deviations.size(), kMostDeviations);
        for (std::size_t i = 0; i < count; ++i) {
            const gguf::Deviation& deviation = deviations[i];
            m_output.write(fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
                HtmlReport::escaped(m_tensors[deviation.tensor].name), HtmlReport::escaped(deviation.found),
                HtmlReport::escaped(deviation.stock), HtmlReport::escaped(deviation.reason)));
        }
        m_output.write("</table>\n");
        if (count < deviations.size())
            m_output.write(fmt::format("<p>and {} more</p>\n", deviations.size() - count));
    }

    Output& m_output;
    const HtmlReport::TypeColor& m_color;
    std::vector<gguf::AuditTensor> m_tensors;
    Mix m_mix;
    Label m_label;
};

} // namespace

std::string HtmlReport::escaped(std::string_view text)
{
    std::string result;
    for (const char character : gguf::visibleText(text)) {
        switch (character) {
        case '&':
            result += "&amp;";
            break;
        case '<':
            result += "&lt;";
            break;
        case '>':
            result += "&gt;";
            break;
        case '"':
            result += "&quot;";
            break;
        case '\'':
            result += "&#39;";
            break;
        default:
            result += character;
        }
    }
    return result;
}

void HtmlReport::write(
    Output& output, const std::string& file, const gguf::Document& document, const TypeColor& color)
{
    Page(output, document, color, std::filesystem::path(file).filename().string()).write(file, document);
}
