// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/auditreport.h"

#include "audit/label.h"
#include "audit/mix.h"
#include "report/jsonwriter.h"
#include "report/output.h"

#include <filesystem>

using gguf::Label;
using gguf::Mix;
using gguf::MixSum;
using gguf::RecipeVerdict;

namespace {

std::optional<double> shareOf(std::uint64_t part, std::uint64_t whole)
{
    if (whole == 0)
        return std::nullopt;
    return static_cast<double>(part) / static_cast<double>(whole);
}

void writeSum(JsonWriter& json, const MixSum& sum, const MixSum& total)
{
    json.member("tensors", sum.tensors);
    json.member("elements", sum.parameters());
    json.member("bytes", sum.bytes);
    json.member("share", shareOf(sum.bytes, total.bytes));
    json.member("bits_per_weight", sum.bitsPerWeight());
    if (sum.unsized > 0)
        json.member("unknown_size", sum.unsized);
}

/// Bytes by type: {"Q4_K": 1024, "F32": 16}.
void writeParts(JsonWriter& json, const Mix& mix, const std::vector<std::pair<std::uint32_t, MixSum>>& parts)
{
    json.key("types");
    json.beginObject();
    for (const auto& [type, sum] : parts)
        json.member(mix.types[type].name, sum.bytes);
    json.endObject();
}

void writeFileType(JsonWriter& json, const Label& label)
{
    json.key("file_type");
    if (!label.fileType)
        return json.value(nullptr);
    json.beginObject();
    json.member("value", *label.fileType);
    const gguf::FileTypeInfo* info = label.info();
    json.member("name", info ? std::optional(info->name) : std::nullopt);
    json.member("label", info && !info->label.empty() ? std::optional(info->label) : std::nullopt);
    json.member("owner", info ? std::optional(info->owner) : std::nullopt);
    json.member("guessed", label.guessed);
    json.endObject();
}

void writeImatrix(JsonWriter& json, const gguf::ImatrixKeys& keys)
{
    json.key("imatrix");
    if (!keys.present)
        return json.value(nullptr);
    json.beginObject();
    json.member("file", keys.file);
    json.member("dataset", keys.dataset);
    json.member("entries_count", keys.entries);
    json.member("chunks_count", keys.chunks);
    json.endObject();
}

std::string_view verdictName(RecipeVerdict::Kind kind)
{
    switch (kind) {
    case RecipeVerdict::Kind::Equal:
        return "equal";
    case RecipeVerdict::Kind::Deviates:
        return "deviates";
    case RecipeVerdict::Kind::ForkMix:
        return "fork";
    case RecipeVerdict::Kind::Unknown:
        break;
    }
    return "unknown";
}

void writeRecipe(JsonWriter& json, const RecipeVerdict& recipe, const gguf::Document& document)
{
    json.key("recipe");
    json.beginObject();
    json.member("name", recipe.name.empty() ? std::nullopt : std::optional(std::string_view(recipe.name)));
    json.member("verdict", verdictName(recipe.kind));
    json.member("explanation", recipe.explanation);
    json.key("deviations");
    json.beginArray();
    for (const gguf::Deviation& deviation : recipe.deviations) {
        json.beginObject();
        json.member("tensor", document.tensorName(deviation.tensor));
        json.member("type", deviation.found);
        json.member("stock", deviation.stock);
        json.member("reason", deviation.reason);
        json.member("byte_change", deviation.byteChange);
        json.endObject();
    }
    json.endArray();
    json.member("deviating_bytes", recipe.deviatingBytes);
    json.key("fallbacks");
    json.beginArray();
    for (const std::size_t tensor : recipe.fallbackTensors)
        json.value(document.tensorName(tensor));
    json.endArray();
    json.endObject();
}

} // namespace

void AuditReport::write(Output& output, const std::string& file, const gguf::Document& document)
{
    const auto tensors = gguf::auditTensors(document);
    const Mix mix = gguf::computeMix(tensors);
    const Label label
        = gguf::auditLabel(document, tensors, mix, std::filesystem::path(file).filename().string());

    JsonWriter json(output);
    json.beginObject();
    json.member("file", file);
    json.member("status", gguf::statusName(document.status()));
    writeFileType(json, label);
    json.member("file_name_label",
        label.nameLabel.empty() ? std::nullopt : std::optional(std::string_view(label.nameLabel)));
    const Mix::Type* dominant = mix.dominantType();
    json.member("dominant_type", dominant ? std::optional(std::string_view(dominant->name)) : std::nullopt);
    json.member("bits_per_weight", mix.total.bitsPerWeight());
    json.member("tensors", mix.total.tensors);
    json.member("elements", mix.total.parameters());
    json.member("bytes", mix.total.bytes);
    if (mix.total.unsized > 0)
        json.member("unknown_size", mix.total.unsized);
    json.member("expert_count", mix.expertCount);
    json.member("quantization_version", label.quantizationVersion);

    json.key("by_type");
    json.beginArray();
    for (const Mix::Type& type : mix.types) {
        json.beginObject();
        json.member("type", type.name);
        json.member("type_id", type.id);
        writeSum(json, type.sum, mix.total);
        json.endObject();
    }
    json.endArray();

    json.key("by_role");
    json.beginArray();
    for (const Mix::Role& role : mix.roles) {
        json.beginObject();
        json.member("role", role.name);
        json.member("kind", gguf::roleKindName(role.kind));
        json.member("group", gguf::tensorGroupName(role.group));
        writeSum(json, role.sum, mix.total);
        writeParts(json, mix, role.byType);
        json.endObject();
    }
    json.endArray();

    json.key("by_layer");
    json.beginArray();
    for (const Mix::Column& column : mix.columns) {
        json.beginObject();
        const bool isLayer = column.kind == Mix::Column::Kind::Layer;
        json.member("layer", isLayer ? std::optional(column.layer) : std::nullopt);
        json.member("list", isLayer ? std::optional(std::string_view(column.list)) : std::nullopt);
        json.member("label", column.label);
        writeSum(json, column.sum, mix.total);
        writeParts(json, mix, column.byType);
        json.endObject();
    }
    json.endArray();

    json.key("by_kind");
    json.beginArray();
    for (std::size_t i = 0; i < mix.byKind.size(); ++i) {
        if (mix.byKind[i].tensors == 0)
            continue;
        json.beginObject();
        json.member("kind", gguf::roleKindName(static_cast<gguf::RoleKind>(i)));
        writeSum(json, mix.byKind[i], mix.total);
        json.endObject();
    }
    json.endArray();

    json.key("by_group");
    json.beginArray();
    for (std::size_t i = 0; i < mix.byGroup.size(); ++i) {
        if (mix.byGroup[i].tensors == 0)
            continue;
        json.beginObject();
        json.member("group", gguf::tensorGroupName(static_cast<gguf::TensorGroup>(i)));
        writeSum(json, mix.byGroup[i], mix.total);
        json.endObject();
    }
    json.endArray();

    writeImatrix(json, label.imatrix);
    writeRecipe(json, label.recipe, document);
    const gguf::FileTypeInfo* best = label.bestFit ? gguf::findFileType(*label.bestFit) : nullptr;
    json.member("best_fit", best ? std::optional(best->name) : std::nullopt);
    json.member("best_fit_deviations", best ? std::optional(label.bestFitTensors) : std::nullopt);
    json.member("best_fit_deviating_bytes", best ? std::optional(label.bestFitBytes) : std::nullopt);
    json.key("remarks");
    json.beginArray();
    for (const std::string& remark : label.remarks)
        json.value(remark);
    json.endArray();
    json.endObject();
    json.endLine();
}
