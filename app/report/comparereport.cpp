// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/comparereport.h"

#include "audit/linediff.h"
#include "document/text.h"
#include "report/jsonwriter.h"
#include "report/output.h"

#include <fmt/format.h>

using gguf::ChangeKind;
using gguf::Comparison;
using gguf::ComparisonPart;
using gguf::Document;
using gguf::MetadataDifference;
using gguf::TensorDifference;

namespace {

std::string dimsText(std::span<const std::int64_t> dims)
{
    std::string text;
    for (const std::int64_t dim : dims)
        text += fmt::format("{}{}", text.empty() ? "" : " x ", dim);
    return text.empty() ? "scalar" : text;
}

/// "4.50 bits per weight"; where that is unknown, why.
std::string bpwText(const gguf::MixSum& sum)
{
    if (const std::optional<double> bits = sum.bitsPerWeight())
        return fmt::format("{:.2f} bits per weight", *bits);
    const std::string why = sum.whyNoBitsPerWeight();
    return why.empty() ? "no weights" : fmt::format("bits per weight unknown ({})", why);
}

std::string signedText(std::optional<std::int64_t> change)
{
    return change ? fmt::format("{:+}", *change) : "unknown";
}

char sign(ChangeKind kind)
{
    return kind == ChangeKind::Removed ? '-' : kind == ChangeKind::Added ? '+' : '~';
}

void writeParts(Output& output, std::string_view title, const std::vector<ComparisonPart>& parts)
{
    bool any = false;
    for (const ComparisonPart& part : parts) {
        if (!part.differs())
            continue;
        if (!any)
            output.write(fmt::format("\n{}\n", title));
        any = true;
        output.write(fmt::format(
            "  {:<24} {} to {} bytes, {} to {}; {} changed, {} only in A, {} only in B\n",
            gguf::visibleText(part.label), part.a.bytes, part.b.bytes, bpwText(part.a), bpwText(part.b),
            part.changed, part.removed, part.added));
    }
}

void writeMetadata(Output& output, const Comparison& comparison, const MetadataDifference& difference)
{
    output.write(fmt::format("  {} {}", sign(difference.kind), gguf::visibleText(difference.key)));
    if (difference.isText) {
        output.write(":\n");
        const gguf::LineDiff diff = gguf::lineDiff(
            comparison.a.value(*difference.a).asString(), comparison.b.value(*difference.b).asString());
        for (const gguf::DiffLine& line : diff.lines) {
            if (line.kind != gguf::DiffLine::Kind::Same) {
                output.write(
                    fmt::format("      {} {}\n", line.kind == gguf::DiffLine::Kind::Removed ? '-' : '+',
                        gguf::visibleText(line.text, 400)));
            }
        }
        if (diff.cut)
            output.write("      (the texts are longer; only this part was compared)\n");
        return;
    }
    if (difference.a)
        output.write(fmt::format("\n      A: {}", CompareReport::valueText(comparison.a, *difference.a)));
    if (difference.b)
        output.write(fmt::format("\n      B: {}", CompareReport::valueText(comparison.b, *difference.b)));
    if (difference.firstDifference)
        output.write(fmt::format("\n      first difference at element {}", *difference.firstDifference));
    output.write("\n");
}

void writeValue(
    JsonWriter& json, std::string_view member, const Document& document, std::optional<std::size_t> pair)
{
    json.key(member);
    if (!pair)
        return json.value(nullptr);
    const gguf::ValueView value = document.value(*pair);
    json.beginObject();
    json.member("type", gguf::valueTypeName(value.type()));
    if (value.type() == gguf::ValueType::Array) {
        const auto element = gguf::valueTypeFromId(value.elementTypeId());
        json.member("element_type", element ? std::optional(gguf::valueTypeName(*element)) : std::nullopt);
        json.member("count", value.count());
    } else if (value.type() == gguf::ValueType::String) {
        json.member("value", value.asString());
    } else {
        json.member("value", value.text());
    }
    json.endObject();
}

void writeSide(JsonWriter& json, std::string_view member, const gguf::MixSum& sum)
{
    json.key(member);
    json.beginObject();
    json.member("tensors", sum.tensors);
    json.member("elements", sum.parameters());
    json.member("bytes", sum.bytes);
    json.member("bits_per_weight", sum.bitsPerWeight());
    if (sum.unsized > 0)
        json.member("unknown_size", sum.unsized);
    json.endObject();
}

void writeTensor(
    JsonWriter& json, std::string_view member, const Document& document, std::optional<std::size_t> index)
{
    json.key(member);
    if (!index)
        return json.value(nullptr);
    const gguf::Tensor tensor = document.tensor(*index);
    json.beginObject();
    json.member("type", tensor.typeName());
    json.key("dims");
    json.beginArray();
    for (const std::int64_t dim : tensor.dims())
        json.value(dim);
    json.endArray();
    json.member("bytes", tensor.dataBytes);
    json.member("bits_per_weight", tensor.bitsPerWeight());
    json.endObject();
}

void writeJsonParts(JsonWriter& json, std::string_view member, std::string_view name,
    const std::vector<ComparisonPart>& parts)
{
    json.key(member);
    json.beginArray();
    for (const ComparisonPart& part : parts) {
        if (!part.differs())
            continue;
        json.beginObject();
        json.member(name, part.label);
        writeSide(json, "a", part.a);
        writeSide(json, "b", part.b);
        json.member("changed", part.changed);
        json.member("removed", part.removed);
        json.member("added", part.added);
        json.endObject();
    }
    json.endArray();
}

} // namespace

std::string CompareReport::valueText(const Document& document, std::size_t pair)
{
    return document.value(pair).text(160);
}

std::string CompareReport::tensorText(const Comparison& comparison, const TensorDifference& difference)
{
    const auto describe = [](const gguf::Tensor& tensor) {
        return fmt::format("{}, {}", tensor.typeName(), dimsText(tensor.dims()));
    };
    if (difference.kind == ChangeKind::Removed)
        return describe(comparison.a.tensor(*difference.a));
    if (difference.kind == ChangeKind::Added)
        return describe(comparison.b.tensor(*difference.b));
    const gguf::Tensor a = comparison.a.tensor(*difference.a), b = comparison.b.tensor(*difference.b);
    std::string text;
    if (difference.type)
        text = fmt::format("{} to {}", a.typeName(), b.typeName());
    if (difference.dims)
        text += fmt::format("{}{} to {}", text.empty() ? "" : ", ", dimsText(a.dims()), dimsText(b.dims()));
    return text.empty() ? "size" : text;
}

void CompareReport::writeText(
    Output& output, const std::string& fileA, const std::string& fileB, const Comparison& comparison)
{
    const auto side
        = [&](char name, const std::string& file, const gguf::MixSum& total, const Document& document,
              std::uint64_t errors) {
              output.write(
                  fmt::format("{}: {}\n   {}, {}, {} of tensor data, {}\n",
                      name, gguf::visibleText(file), gguf::countText(document.metadataCount(), "key"),
                      gguf::countText(total.tensors, "tensor"), gguf::countText(total.bytes, "byte"),
                      bpwText(total)));
              if (errors > 0)
                  output.write(fmt::format("   {} {}: what could be read is compared\n", errors,
                      errors == 1 ? "error" : "errors"));
          };
    side('A', fileA, comparison.totalA, comparison.a, comparison.errorsA);
    side('B', fileB, comparison.totalB, comparison.b, comparison.errorsB);

    if (comparison.same()) {
        output.write("\nMetadata and tensor tables are the same. Tensor data was not compared.\n");
        return;
    }
    for (const gguf::HeaderDifference& difference : comparison.header)
        output.write(
            fmt::format("\nThe {} differs: {} and {}.\n", difference.name, difference.a, difference.b));

    output.write(fmt::format(
        "\nMetadata: {} differ, {} are the same\n", comparison.metadata.size(), comparison.sameMetadata));
    for (const MetadataDifference& difference : comparison.metadata)
        writeMetadata(output, comparison, difference);

    output.write(fmt::format(
        "\nTensors: {} differ, {} are the same\n", comparison.differences.size(), comparison.sameTensors));
    for (const TensorDifference& difference : comparison.differences) {
        output.write(
            fmt::format("  {} {}: {} ({} bytes)\n", sign(difference.kind), gguf::visibleText(difference.name),
                tensorText(comparison, difference), signedText(difference.byteChange)));
        if (output.failed())
            return;
    }
    writeParts(output, "By layer", comparison.layers);
    writeParts(output, "By role", comparison.roles);
    output.write("\nTensor data was not compared.\n");
}

void CompareReport::writeJson(
    Output& output, const std::string& fileA, const std::string& fileB, const Comparison& comparison)
{
    JsonWriter json(output);
    json.beginObject();
    json.member("a", fileA);
    json.member("b", fileB);
    json.member("same", comparison.same());
    json.key("errors");
    json.beginObject();
    json.member("a", comparison.errorsA);
    json.member("b", comparison.errorsB);
    json.endObject();
    json.key("header");
    json.beginArray();
    for (const gguf::HeaderDifference& difference : comparison.header) {
        json.beginObject();
        json.member("name", difference.name);
        json.member("a", difference.a);
        json.member("b", difference.b);
        json.endObject();
    }
    json.endArray();

    json.key("metadata");
    json.beginArray();
    for (const MetadataDifference& difference : comparison.metadata) {
        json.beginObject();
        json.member("key", difference.key);
        json.member("change", gguf::changeKindName(difference.kind));
        writeValue(json, "a", comparison.a, difference.a);
        writeValue(json, "b", comparison.b, difference.b);
        if (difference.firstDifference)
            json.member("first_difference", *difference.firstDifference);
        json.endObject();
    }
    json.endArray();
    json.member("metadata_same", comparison.sameMetadata);

    json.key("tensors");
    json.beginArray();
    for (const TensorDifference& difference : comparison.differences) {
        json.beginObject();
        json.member("name", difference.name);
        json.member("change", gguf::changeKindName(difference.kind));
        if (difference.kind == ChangeKind::Changed) {
            json.key("differs");
            json.beginArray();
            for (const auto& [what, differs] : {std::pair("type", difference.type),
                     std::pair("dims", difference.dims), std::pair("size", difference.size)}) {
                if (differs)
                    json.value(what);
            }
            json.endArray();
        }
        writeTensor(json, "a", comparison.a, difference.a);
        writeTensor(json, "b", comparison.b, difference.b);
        json.member("byte_change", difference.byteChange);
        json.endObject();
        if (output.failed())
            return;
    }
    json.endArray();
    json.member("tensors_same", comparison.sameTensors);

    json.key("totals");
    json.beginObject();
    writeSide(json, "a", comparison.totalA);
    writeSide(json, "b", comparison.totalB);
    json.endObject();
    writeJsonParts(json, "by_layer", "layer", comparison.layers);
    writeJsonParts(json, "by_role", "role", comparison.roles);
    json.endObject();
    json.endLine();
}
