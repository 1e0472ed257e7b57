// SPDX-License-Identifier: GPL-3.0-or-later
#include "document/text.h"
#include "format/filetype.h"
#include "parse/meaningchecks.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace gguf::meaning {

namespace {

constexpr std::size_t kLayersListed = 10;
constexpr std::uint64_t kElementsLookedAt = 1'000'000;

/// The layer number of a name such as blk.12.attn_q.weight under this prefix ("blk.").
std::optional<std::uint32_t> layerOf(std::string_view name, std::string_view prefix)
{
    if (!name.starts_with(prefix))
        return {};
    std::uint32_t layer = 0;
    std::size_t digits = 0;
    for (const char character : name.substr(prefix.size())) {
        if (character == '.' && digits > 0)
            return layer;
        if (character < '0' || character > '9' || ++digits > 6)
            return {};
        layer = layer * 10 + static_cast<std::uint32_t>(character - '0');
    }
    return {};
}

/// Layers from `first` to before `end`.
struct Run
{
    std::uint64_t first, end;
};

/// "3, 5 to 9, 12", at most kLayersListed runs.
std::string runsText(const std::vector<Run>& runs)
{
    std::string text;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        if (i == kLayersListed)
            return text + ", ...";
        text += i == 0 ? "" : ", ";
        text += runs[i].end - runs[i].first == 1 ? fmt::format("{}", runs[i].first)
                                                 : fmt::format("{} to {}", runs[i].first, runs[i].end - 1);
    }
    return text;
}

/// Adds what lies between `first` and `end`, if anything, to the last run or as a new one.
void addRun(std::vector<Run>& runs, std::uint64_t first, std::uint64_t end)
{
    if (first >= end)
        return;
    if (!runs.empty() && runs.back().end == first)
        runs.back().end = end;
    else
        runs.push_back({first, end});
}

/// Layers may be left out on purpose: a per-layer array that holds 0 says which (pruned models).
bool leavesLayersOut(const Document& document)
{
    for (const char* suffix : {".attention.head_count", ".attention.head_count_kv", ".feed_forward_length"}) {
        const auto value = document.findValue(fmt::format("{}{}", document.architecture(), suffix));
        if (!value || value->type() != ValueType::Array)
            continue;
        for (std::uint64_t i = 0; i < std::min<std::uint64_t>(value->available(), kElementsLookedAt); ++i) {
            const ValueView element = value->element(i);
            if (element.type() != ValueType::String && element.type() != ValueType::Array
                && element.asUnsigned() == 0)
                return true;
        }
    }
    return false;
}

void checkBlockCount(DocumentBuilder& builder, const std::string& key, std::string_view prefix)
{
    const Document& document = builder.document();
    const auto stated = document.unsignedValue(key);
    const auto index = document.findKey(key);
    if (!stated || !index)
        return;
    std::vector<std::uint32_t> present;
    for (std::size_t i = 0; i < document.tensorCount(); ++i) {
        if (const auto layer = layerOf(document.tensorName(i), prefix);
            layer && (present.empty() || present.back() != *layer))
            present.push_back(*layer);
    }
    if (present.empty())
        return; // named in another way
    std::ranges::sort(present);
    present.erase(std::unique(present.begin(), present.end()), present.end());

    // Layers that predict further tokens are counted by some converters and not by others.
    const std::uint64_t extra
        = document.unsignedValue(fmt::format("{}.nextn_predict_layers", document.architecture())).value_or(0);
    // Runs, since the stated count may be anything.
    std::vector<Run> missing, surplus;
    if (!leavesLayersOut(document)) {
        const std::uint64_t needed = *stated - std::min(extra, *stated);
        std::uint64_t next = 0;
        for (const std::uint32_t layer : present) {
            addRun(missing, next, std::min<std::uint64_t>(layer, needed));
            next = std::uint64_t{layer} + 1;
        }
        addRun(missing, next, needed);
    }
    for (const std::uint32_t layer : present) {
        if (layer >= *stated && layer - *stated >= extra)
            addRun(surplus, layer, std::uint64_t{layer} + 1);
    }
    if (missing.empty() && surplus.empty())
        return;
    std::string found = fmt::format("{} = {}", visibleText(key, 100), *stated);
    if (!missing.empty())
        found += fmt::format(", no tensors for layer {}", runsText(missing));
    if (!surplus.empty())
        found += fmt::format(", tensors for layer {} beyond it", runsText(surplus));
    builder.addProblem(Rule::BlockCountMismatch, document.metadata(*index).valueRange(),
        metadataSubject(*index), found,
        fmt::format("tensors for each layer from 0 to {}, and no others", *stated == 0 ? 0 : *stated - 1));
}

/// Elements of each type among the weights that a file type decides: matrices, without the embedding and
/// output, for which most recipes choose other types.
struct Mix
{
    std::map<std::string_view, std::uint64_t> elements;
    std::uint64_t total = 0;
    /// Elements in rows that the default type's blocks do not divide: those fall back to other types.
    std::uint64_t excused = 0;
};

Mix countMix(const Document& document, const TensorTypeInfo& defaultType)
{
    Mix mix;
    for (std::size_t i = 0; i < document.tensorCount(); ++i) {
        const Tensor tensor = document.tensor(i);
        if (!tensor.type || !tensor.elements || tensor.dimCount < 2 || tensor.dimValues[1] < 2
            || !tensor.name.ends_with(".weight") || tensor.name.starts_with("token_embd")
            || tensor.name.starts_with("output.") || tensor.name.find("norm") != std::string_view::npos
            || tensor.name.find("ffn_gate_inp") != std::string_view::npos)
            continue;
        const std::uint64_t elements = std::min<std::uint64_t>(*tensor.elements, std::uint64_t{1} << 40);
        mix.total += elements;
        mix.elements[tensor.type->name] += elements;
        if (defaultType.blockLength > 1
            && static_cast<std::uint64_t>(tensor.dimValues[0]) % defaultType.blockLength != 0)
            mix.excused += elements;
    }
    return mix;
}

void checkFileType(DocumentBuilder& builder)
{
    const Document& document = builder.document();
    const auto index = document.findKey("general.file_type");
    const auto stated = document.unsignedValue("general.file_type");
    if (!index || !stated || *stated > UINT32_MAX || document.tensorCount() == 0)
        return;
    const auto id = static_cast<std::uint32_t>(*stated);
    // A number can have several owners: the label is true if it is for one of them.
    const FileTypeInfo* label = nullptr;
    Mix mix;
    for (const FileTypeInfo& info : fileTypes(id)) {
        const TensorTypeInfo* type = findTensorType(info.defaultType);
        if (info.defaultType.empty() || !type)
            return;
        mix = countMix(document, *type);
        label = label ? label : &info;
        std::uint64_t agreeing = mix.elements[type->name] + mix.excused;
        // Outside the experts this recipe uses Q8_0 everywhere.
        if (info.name == "MXFP4_MOE" || info.name == "MXFP4")
            agreeing += mix.elements["Q8_0"];
        if (mix.total == 0 || agreeing >= mix.total / 10)
            return;
    }
    if (!label)
        return;
    const auto most
        = std::ranges::max_element(mix.elements, {}, [](const auto& entry) { return entry.second; });
    // Without a type that clearly prevails nobody can say that the label is wrong.
    if (most->first == label->defaultType || most->second < mix.total / 2)
        return;
    const auto percent = [&mix](std::uint64_t part) {
        return 100.0 * static_cast<double>(part) / static_cast<double>(mix.total);
    };
    builder.addProblem(Rule::FileTypeMismatch, document.metadata(*index).valueRange(),
        metadataSubject(*index),
        fmt::format("{} ({}), but {:.1f} % of the layers' weights are {}", id, label->name,
            percent(most->second), most->first),
        fmt::format("mostly {}", label->defaultType));
}

/// Types for which llama.cpp's quantizer demands an importance matrix (llama-quant.cpp).
bool needsImatrix(std::string_view type)
{
    return type == "IQ1_S" || type == "IQ1_M" || type == "IQ2_XXS" || type == "IQ2_XS" || type == "IQ2_S"
        || type == "IQ3_XXS";
}

void checkImatrix(DocumentBuilder& builder)
{
    const Document& document = builder.document();
    for (std::size_t i = 0; i < document.metadataCount(); ++i) {
        if (document.key(i).starts_with("quantize.imatrix."))
            return;
    }
    std::optional<std::size_t> first;
    std::size_t count = 0;
    const TensorTypeInfo* known = nullptr; // of the tensor before: neighbours often share it
    for (std::size_t i = 0; i < document.tensorCount(); ++i) {
        const std::uint32_t typeId = document.tensorTypeId(i);
        if (!known || known->id != typeId)
            known = findTensorType(typeId);
        if (!known || !needsImatrix(known->name))
            continue;
        const Tensor tensor = document.tensor(i);
        if (!tensor.type || !needsImatrix(tensor.type->name) || tensor.name == "token_embd.weight"
            || tensor.name == "output.weight")
            continue;
        ++count;
        if (!first)
            first = i;
    }
    if (!first)
        return;
    const Tensor tensor = document.tensor(*first);
    builder.addProblem(Rule::ImatrixMissing, {tensor.record.end() - 12, 4}, {Subject::Kind::Tensor, *first},
        fmt::format("{} in {}, {} such tensor{} in all", tensor.type->name, visibleText(tensor.name, 100),
            count, count == 1 ? "" : "s"),
        "quantize.imatrix.file and its companions");
}

} // namespace

void checkLayers(DocumentBuilder& builder, FileKind kind)
{
    const Document& document = builder.document();
    if (kind == FileKind::Projector) {
        checkBlockCount(builder, "clip.vision.block_count", "v.blk.");
        checkBlockCount(builder, "clip.audio.block_count", "a.blk.");
        return;
    }
    // A shard has only some of the layers.
    if (kind != FileKind::Model || document.unsignedValue("split.count").value_or(0) > 1)
        return;
    const std::string architecture(document.architecture());
    checkBlockCount(builder, architecture + ".block_count", "blk.");
    checkBlockCount(builder, architecture + ".block_count", "enc.blk.");
    const bool ownCount = document.findKey(architecture + ".decoder_block_count").has_value();
    checkBlockCount(builder, architecture + (ownCount ? ".decoder_block_count" : ".block_count"), "dec.blk.");
}

void checkTypes(DocumentBuilder& builder, FileKind kind)
{
    if (kind != FileKind::Model)
        return;
    if (builder.document().unsignedValue("split.count").value_or(0) <= 1)
        checkFileType(builder);
    checkImatrix(builder);
}

} // namespace gguf::meaning
