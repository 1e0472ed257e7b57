// SPDX-License-Identifier: GPL-3.0-or-later
#include "audit/label.h"

#include "document/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>
#include <tuple>

namespace gguf {

namespace {

/// The types that llama-quantize makes only with an importance matrix.
constexpr std::array<std::uint32_t, 6> kNeedImatrix{
    16, 17, 18, 19, 22, 29}; // IQ2_XXS IQ2_XS IQ3_XXS IQ1_S IQ2_S IQ1_M

std::string_view fileTypeName(std::uint32_t id)
{
    const FileTypeInfo* info = findFileType(id);
    return info ? info->name : std::string_view("unknown");
}

/// How far a recipe is from the file.
struct Distance
{
    std::uint64_t bytes = 0, tensors = 0;
    friend auto operator<=>(const Distance&, const Distance&) = default;
};

/// Stops counting beyond `limit`.
Distance distanceTo(const RecipeModel& model, std::span<const AuditTensor> tensors, std::uint32_t fileType,
    const RecipeVariant& variant, const Distance& limit)
{
    Distance distance;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        if (model.stock(i, fileType, variant).accepts(tensors[i].typeId))
            continue;
        // A tensor without data still differs.
        distance.bytes += tensors[i].bytes.value_or(0);
        ++distance.tensors;
        if (distance > limit)
            break;
    }
    return distance;
}

struct Fit
{
    RecipeVariant variant;
    Distance distance{std::numeric_limits<std::uint64_t>::max(), std::numeric_limits<std::uint64_t>::max()};
};

/// The variant of the file type's recipe that comes nearest; an earlier one wins where they tie. The opposite
/// of what the keys tell about the importance matrix counts only where it fits exactly.
Fit nearestVariant(const RecipeModel& model, std::span<const AuditTensor> tensors, std::uint32_t fileType)
{
    Fit best;
    for (const RecipeVariant& variant : model.variants()) {
        const Distance distance = distanceTo(model, tensors, fileType, variant, best.distance);
        if (distance < best.distance && (!variant.otherImatrix || distance.tensors == 0))
            best = {variant, distance};
        if (best.distance.tensors == 0)
            break;
    }
    return best;
}

std::string typeText(std::uint32_t id)
{
    const TensorTypeInfo* info = findTensorType(id);
    return info ? std::string(info->name) : fmt::format("type {}", id);
}

Deviation describe(
    const AuditTensor& tensor, std::size_t index, const StockType& stock, std::string_view recipe)
{
    Deviation deviation;
    deviation.tensor = index;
    deviation.found = tensor.typeName();
    if (stock.kind == StockType::Kind::Kept) {
        deviation.stock = "unquantized";
        deviation.reason
            = fmt::format("llama-quantize never quantizes this tensor; here it is {}.", deviation.found);
        return deviation;
    }
    deviation.stock = typeText(stock.type);
    const std::string wanted = typeText(stock.fallbackFrom.value_or(stock.type));
    deviation.reason = stock.rule.empty()
        ? fmt::format(
            "{} leaves this tensor at its default, {}; here it is {}.", recipe, wanted, deviation.found)
        : fmt::format("{} gives {} {}; here it is {}.", recipe, wanted, stock.rule, deviation.found);
    if (stock.fallbackFrom)
        deviation.reason
            += fmt::format(" {} stands in, since the row is no multiple of {}'s block: {} left over.",
                deviation.stock, wanted, countText(stock.fallbackRest, "element"));
    const TensorTypeInfo* info = findTensorType(stock.type);
    const auto size = info
        ? tensorSize(*info, {tensor.dims.data(), std::min<std::size_t>(tensor.dimCount, 4)})
        : std::nullopt;
    if (size && tensor.bytes)
        deviation.byteChange = static_cast<std::int64_t>(*tensor.bytes - size->dataBytes);
    return deviation;
}

/// Whether the tensors can be judged by llama.cpp's rules at all; if not, the verdict that says why.
std::optional<RecipeVerdict> cannotJudge(
    std::span<const AuditTensor> tensors, const ModelFacts& facts, std::optional<std::uint32_t> fileType)
{
    RecipeVerdict verdict;
    if (tensors.empty()) {
        verdict.explanation = "The file has no tensors, so there is no mix to judge.";
        return verdict;
    }
    for (const AuditTensor& tensor : tensors) {
        if (!tensor.type) {
            verdict.explanation = fmt::format(
                "The type {} of a tensor is unknown, so no recipe can be judged.", tensor.typeId);
            return verdict;
        }
        if (tensor.type->status != TypeStatus::Current) {
            verdict.kind = RecipeVerdict::Kind::ForkMix;
            verdict.explanation
                = fmt::format("An ik_llama.cpp or other fork mix: {} is {}. Its rules differ from "
                              "llama.cpp's, so differences are not called deviations.",
                    tensor.type->name,
                    tensor.type->status == TypeStatus::Fork ? fmt::format("a type of {}", tensor.type->owner)
                                                            : "a type that llama.cpp does not write");
            return verdict;
        }
    }
    const FileTypeInfo* info = fileType ? findFileType(*fileType) : nullptr;
    if (info && info->owner != "llama.cpp" && info->owner != "ggml") {
        verdict.kind = RecipeVerdict::Kind::ForkMix;
        verdict.explanation
            = fmt::format("A fork mix: file type {} ({}) belongs to {}, whose recipes are not known here.",
                *fileType, info->name, info->owner);
        return verdict;
    }
    if (facts.architecture.empty()) {
        verdict.explanation = facts.shard ? "This is a later part of a split model: the keys that its recipe "
                                            "depends on are in the first part."
                                          : "general.architecture is missing, and recipes depend on it.";
        return verdict;
    }
    std::size_t diffusion = 0, adapter = 0;
    for (const AuditTensor& tensor : tensors) {
        const TensorGroup group = placeTensor(tensor.name).group;
        diffusion += group == TensorGroup::Diffusion;
        adapter += group == TensorGroup::Adapter;
    }
    if (diffusion * 2 > tensors.size()) {
        verdict.explanation
            = "This is a diffusion model. llama.cpp has no stock recipes for them, and those of the "
              "conversion tools are not recorded in the file.";
        return verdict;
    }
    if (adapter > 0) {
        verdict.explanation = "This is an adapter. llama-quantize has no recipe for adapters.";
        return verdict;
    }
    return std::nullopt;
}

void findBestFit(Label& label, const RecipeModel& model, std::span<const AuditTensor> tensors,
    std::optional<std::uint32_t> stated)
{
    Distance best{std::numeric_limits<std::uint64_t>::max(), std::numeric_limits<std::uint64_t>::max()};
    const auto consider = [&](std::uint32_t fileType) {
        for (const RecipeVariant& variant : model.variants()) {
            if (variant.otherImatrix)
                continue;
            const Distance distance = distanceTo(model, tensors, fileType, variant, best);
            if (distance < best) {
                best = distance;
                label.bestFit = fileType;
            }
        }
    };
    if (stated)
        consider(*stated); // first, so that it wins where others fit as well
    for (const std::uint32_t fileType : recipeFileTypes()) {
        if (best.tensors == 0)
            break;
        consider(fileType);
    }
    label.bestFitBytes = best.bytes;
    label.bestFitTensors = best.tensors;
}

std::string variantText(const RecipeVariant& variant, bool imatrix)
{
    std::string text;
    if (variant.oldFallback)
        text += " Rows that do not fit were handled as by llama.cpp before March 2026.";
    if (variant.oldExclusions)
        text += " It quantizes tensors that llama.cpp has left alone since July 2026.";
    if (variant.withoutDraftLayers)
        text += " Layers of draft heads were not counted, as in llama.cpp of June 2026.";
    if (variant.otherImatrix)
        text += imatrix
            ? " It fits only the mix made without an importance matrix, though the keys tell of one."
            : " It fits only the mix made with an importance matrix, though no key tells of one.";
    return text;
}

void fillDeviations(RecipeVerdict& verdict, const RecipeModel& model, std::span<const AuditTensor> tensors)
{
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        const StockType stock = model.stock(i, *verdict.fileType, verdict.variant);
        if (!stock.accepts(tensors[i].typeId)) {
            verdict.deviations.push_back(describe(tensors[i], i, stock, verdict.name));
            verdict.deviatingBytes += tensors[i].bytes.value_or(0);
        } else if (stock.fallbackFrom) {
            verdict.fallbackTensors.push_back(i);
        }
    }
    verdict.fallbacks = verdict.fallbackTensors.size();
}

std::string plural(std::uint64_t count, std::string_view one, std::string_view many)
{
    return fmt::format("{} {}", count, count == 1 ? one : many);
}

void addRemarks(Label& label, std::span<const AuditTensor> tensors, const Mix& mix)
{
    const RecipeVerdict& recipe = label.recipe;
    if (label.meanings.size() > 1) {
        std::string others;
        for (const FileTypeInfo& info : label.meanings.subspan(1))
            others += fmt::format("{}{} ({})", others.empty() ? "" : ", ", info.name, info.owner);
        label.remarks.push_back(fmt::format("The number {} is used by others too: {}.",
            *label.fileType & ~std::uint64_t{kFileTypeGuessed}, others));
    }
    if (label.guessed)
        label.remarks.push_back(
            "The file type carries the bit for a guess: it was not stated when the file was made.");
    if (label.fileType && label.meanings.empty())
        label.remarks.push_back(fmt::format("The file type {} is unknown.", *label.fileType));

    const Mix::Type* dominant = mix.dominantType();
    if (dominant && label.info() && !label.info()->defaultType.empty()
        && dominant->name != label.info()->defaultType)
        label.remarks.push_back(fmt::format("{} stands for mostly {}, but most bytes are {}.",
            label.info()->name, label.info()->defaultType, dominant->name));
    if (label.fileType && recipe.kind == RecipeVerdict::Kind::Equal && recipe.fileType && label.info()
        && label.info()->name != recipe.name)
        label.remarks.push_back(fmt::format(
            "The file type says {}, but the mix is the one of {}.", label.info()->name, recipe.name));

    if (!label.imatrix.present) {
        const auto needs = std::ranges::count_if(tensors, [](const AuditTensor& tensor) {
            return std::ranges::find(kNeedImatrix, tensor.typeId) != kNeedImatrix.end();
        });
        if (needs > 0)
            label.remarks.push_back(
                fmt::format("{} of a type that llama-quantize makes only with an importance "
                            "matrix, but no quantize.imatrix.* key tells of one.",
                    needs == 1 ? "One tensor is" : fmt::format("{} tensors are", needs)));
    }
    const bool quantized = std::ranges::any_of(
        tensors, [](const AuditTensor& tensor) { return tensor.type && !isUnquantizedType(tensor.typeId); });
    if (quantized && !label.quantizationVersion)
        label.remarks.push_back("Tensors are quantized, but general.quantization_version is missing.");
}

} // namespace

std::string Label::fileTypeText() const
{
    if (!fileType)
        return {};
    return fmt::format("{} ({})", info() ? info()->name : "unknown", *fileType);
}

Label judgeRecipe(
    std::span<const AuditTensor> tensors, const ModelFacts& facts, std::optional<std::uint32_t> fileType)
{
    Label label;
    RecipeVerdict& verdict = label.recipe;
    if (auto refused = cannotJudge(tensors, facts, fileType)) {
        verdict = std::move(*refused);
        return label;
    }

    const RecipeModel model(tensors, facts);
    const bool known = fileType && std::ranges::binary_search(recipeFileTypes(), *fileType);
    findBestFit(label, model, tensors, known ? fileType : std::nullopt);

    Fit fit;
    if (known)
        fit = nearestVariant(model, tensors, *fileType);
    if (known && fit.distance.tensors > 0 && fileTypes(*fileType).size() > 1
        && 2 * fit.distance.tensors > tensors.size()) {
        const FileTypeInfo& other = fileTypes(*fileType)[1];
        verdict.kind = RecipeVerdict::Kind::ForkMix;
        verdict.explanation
            = fmt::format("A fork mix, it seems: the number {} also stands for {} of {}, and most tensors "
                          "do not follow llama.cpp's {}.",
                *fileType, other.name, other.owner, fileTypeName(*fileType));
        return label;
    }

    verdict.fileType = fileType;
    if (!known || (fit.distance.tensors > 0 && label.bestFitTensors == 0)) {
        // The label tells no recipe, or another recipe fits exactly.
        if (!label.bestFit || (!known && 2 * label.bestFitTensors > tensors.size())) {
            verdict.fileType.reset();
            verdict.explanation = fileType
                ? fmt::format(
                    "No stock recipe is known for the file type {}, and none comes near.", *fileType)
                : "The file states no file type, and no stock recipe comes near.";
            return label;
        }
        verdict.fileType = label.bestFit;
        fit = nearestVariant(model, tensors, *label.bestFit);
    }
    verdict.name = fileTypeName(*verdict.fileType);
    verdict.variant = fit.variant;
    fillDeviations(verdict, model, tensors);
    verdict.kind = verdict.deviations.empty() ? RecipeVerdict::Kind::Equal : RecipeVerdict::Kind::Deviates;
    verdict.explanation = verdict.deviations.empty()
        ? fmt::format("Every tensor has the type that llama-quantize gives it for {}.", verdict.name)
        : fmt::format("{} from what llama-quantize gives for {}.",
            plural(verdict.deviations.size(), "tensor differs", "tensors differ"), verdict.name);
    verdict.explanation += variantText(verdict.variant, facts.imatrix);
    if (verdict.fallbacks > 0)
        verdict.explanation
            += fmt::format(" {} a stand-in type, since the row is no multiple of the stock type's block.",
                plural(verdict.fallbacks, "tensor has", "tensors have"));
    if (facts.shard)
        verdict.explanation += " Only the tensors of this part of a split model were judged.";
    return label;
}

std::string fileNameLabel(std::string_view fileName)
{
    const auto upper = [](char c) { return static_cast<char>(std::toupper(static_cast<unsigned char>(c))); };
    const auto isWord = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    std::string name(fileName);
    std::ranges::transform(name, name.begin(), upper);

    std::size_t bestAt = 0, bestLength = 0;
    for (const FileTypeInfo& info : allFileTypes()) {
        std::string wanted(info.name == "ALL_F32" ? std::string_view("F32") : info.name);
        std::ranges::transform(wanted, wanted.begin(), upper);
        for (std::size_t at = name.rfind(wanted); at != std::string::npos;
             at = at == 0 ? std::string::npos : name.rfind(wanted, at - 1)) {
            std::size_t end = at + wanted.size();
            // A size that only names carry.
            for (const std::string_view size : {"_XXL", "_XL"}) {
                if (std::string_view(name).substr(end).starts_with(size)) {
                    end += size.size();
                    break;
                }
            }
            if ((at > 0 && isWord(name[at - 1])) || (end < name.size() && isWord(name[end])))
                continue;
            if (bestLength == 0 || at > bestAt || (at == bestAt && end - at > bestLength)) {
                bestAt = at;
                bestLength = end - at;
            }
            break;
        }
    }
    if (bestLength == 0)
        return {};
    const bool dynamic = bestAt >= 3 && std::string_view(name).substr(bestAt - 3, 3) == "UD-"
        && (bestAt == 3 || !isWord(name[bestAt - 4]));
    return (dynamic ? "UD-" : "") + name.substr(bestAt, bestLength);
}

Label auditLabel(
    const Document& document, std::span<const AuditTensor> tensors, const Mix& mix, std::string_view fileName)
{
    const ModelFacts facts = modelFacts(document);
    const auto stored = document.unsignedValue("general.file_type");
    std::optional<std::uint32_t> fileType;
    if (stored && *stored <= std::numeric_limits<std::uint32_t>::max())
        fileType = static_cast<std::uint32_t>(*stored) & ~kFileTypeGuessed;

    Label label = judgeRecipe(tensors, facts, fileType);
    const std::string_view type = document.stringValue("general.type");
    if (!tensors.empty() && (type == "imatrix" || type == "adapter")) {
        label = {};
        label.recipe.explanation = fmt::format(
            "general.type is {}: llama-quantize has no recipe for such files.", visibleText(type));
    }
    label.fileType = stored;
    label.guessed = stored && (*stored & kFileTypeGuessed);
    if (fileType)
        label.meanings = fileTypes(*fileType);
    label.nameLabel = fileNameLabel(fileName);
    label.quantizationVersion = document.unsignedValue("general.quantization_version");
    label.imatrix.present = facts.imatrix;
    label.imatrix.file = document.stringValue("quantize.imatrix.file");
    label.imatrix.dataset = document.stringValue("quantize.imatrix.dataset");
    label.imatrix.entries = document.unsignedValue("quantize.imatrix.entries_count");
    label.imatrix.chunks = document.unsignedValue("quantize.imatrix.chunks_count");
    addRemarks(label, tensors, mix);
    return label;
}

} // namespace gguf
