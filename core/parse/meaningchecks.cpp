// SPDX-License-Identifier: GPL-3.0-or-later
#include "parse/meaningchecks.h"

#include "document/text.h"
#include "format/knownkeys.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace gguf {

namespace meaning {

namespace {

bool isFloat(ValueType type)
{
    return type == ValueType::Float32 || type == ValueType::Float64;
}

std::string typeText(ValueType type, std::optional<ValueType> element)
{
    if (type != ValueType::Array)
        return std::string(valueTypeName(type));
    return element ? fmt::format("array of {}", valueTypeName(*element)) : "array";
}

std::string expectedText(const KnownKey& known)
{
    std::string text;
    const auto add = [&text](ValueTypeSet types, const char* prefix) {
        for (std::uint32_t id = 0; id < kValueTypeCount; ++id) {
            if (((static_cast<unsigned>(types) >> id) & 1u) != 0)
                text += fmt::format(
                    "{}{}{}", text.empty() ? "" : " or ", prefix, valueTypeName(ValueType{id}));
        }
    };
    add(known.types, "");
    add(known.elementTypes, "array of ");
    return text;
}

void checkType(DocumentBuilder& builder, std::size_t index)
{
    const Document& document = builder.document();
    const std::string_view key = document.key(index);
    if (key == "general.alignment")
        return; // has rules of its own
    const KnownKey* known = findKnownKey(key);
    if (!known)
        return;
    const ValueView value = document.value(index);
    std::optional<ValueType> element;
    if (value.type() == ValueType::Array)
        element = valueTypeFromId(value.elementTypeId());
    if (!known->fits(value.type(), element) && builder.wants(Rule::KeyWrongType))
        builder.addProblem(Rule::KeyWrongType, document.metadata(index).typeRange(), metadataSubject(index),
            fmt::format("{} for {}", typeText(value.type(), element), visibleText(key, 100)),
            expectedText(*known));
}

bool isFinite(const std::byte* bytes, ValueType type, ByteOrder order)
{
    return type == ValueType::Float32 ? std::isfinite(loadAs<float>(bytes, order))
                                      : std::isfinite(loadAs<double>(bytes, order));
}

void checkFinite(DocumentBuilder& builder, std::size_t index)
{
    const Document& document = builder.document();
    const ValueView value = document.value(index);
    if (isFloat(value.type())) {
        if (!std::isfinite(value.asDouble()))
            builder.addProblem(Rule::FloatNotFinite, value.range(), metadataSubject(index),
                fmt::format("{}", value.asDouble()));
        return;
    }
    if (value.type() != ValueType::Array)
        return;
    const auto element = valueTypeFromId(value.elementTypeId());
    if (!element || !isFloat(*element))
        return;
    std::uint64_t count = 0;
    std::optional<std::uint64_t> first;
    const std::uint32_t size = valueTypeSize(*element);
    const std::uint64_t available = value.available();
    for (std::uint64_t i = 0; i < available;) {
        // Runs of the image, not elements: a vocabulary has hundreds of thousands of scores.
        const std::uint64_t offset = value.element(i).range().offset;
        const std::span<const std::byte> bytes = document.bytesFrom(offset);
        const std::uint64_t run = std::min<std::uint64_t>(available - i, bytes.size() / size);
        for (std::uint64_t k = 0; k < run; ++k) {
            if (isFinite(bytes.data() + k * size, *element, document.byteOrder()))
                continue;
            ++count;
            if (!first)
                first = i + k;
        }
        i += std::max<std::uint64_t>(run, 1);
    }
    if (first)
        builder.addProblem(Rule::FloatNotFinite, value.element(*first).range(), metadataSubject(index),
            fmt::format("{} in element {}; {} such elements in all", value.element(*first).asDouble(), *first,
                count));
}

/// Families of image models, which are stored without architecture: told by how their tensors are named.
std::string_view imageFamily(const Document& document)
{
    struct Sign
    {
        std::string_view part, family;
    };
    static constexpr std::array<Sign, 6> kSigns{{
        {"double_blocks.", "an image model of the Flux kind"},
        {"joint_blocks.", "an image model of the Stable Diffusion 3 kind"},
        {"model.diffusion_model.", "a diffusion model"},
        {"input_blocks.", "a diffusion model of the Stable Diffusion kind"},
        {"patch_embedding.", "a video model of the Wan kind"},
        {"transformer_blocks.", "an image or video model"},
    }};
    // A thousand names tell; the table may hold millions.
    for (std::size_t i = 0; i < std::min<std::size_t>(document.tensorCount(), 1000); ++i) {
        const std::string_view name = document.tensorName(i);
        for (const Sign& sign : kSigns) {
            if (name.find(sign.part) != std::string_view::npos)
                return sign.family;
        }
    }
    return {};
}

bool isQuantized(const Tensor& tensor)
{
    return tensor.type && tensor.type->family != TypeFamily::Float
        && tensor.type->family != TypeFamily::Integer;
}

bool isImportanceMatrix(const Document& document)
{
    if (document.tensorCount() < 2)
        return false;
    const std::string_view name = document.tensorName(0);
    return document.findKey("imatrix.chunk_count")
        && (name.ends_with(".in_sum2") || name.ends_with(".counts"));
}

std::string_view kindText(FileKind kind)
{
    switch (kind) {
    case FileKind::Model:
    case FileKind::LaterShard:
        return {};
    case FileKind::VocabularyOnly:
        return "a vocabulary without weights";
    case FileKind::Projector:
        return "a projector for images or sound (mmproj), which goes with a language model";
    case FileKind::Adapter:
        return "a LoRA adapter, which goes with its base model";
    case FileKind::ControlVector:
        return "a control vector, which goes with a model";
    case FileKind::ImportanceMatrix:
        return "an importance matrix, which the quantizer uses";
    }
    return {};
}

struct ShardName
{
    std::uint64_t number; ///< from 1
    std::uint64_t count;
};

/// The numbers of a name such as model-00002-of-00003.gguf (llama.cpp's split format).
std::optional<ShardName> parseShardName(std::string_view name)
{
    constexpr std::string_view kPattern = "-#####-of-#####.gguf";
    if (name.size() < kPattern.size())
        return {};
    const std::string_view tail = name.substr(name.size() - kPattern.size());
    std::array<std::uint64_t, 2> numbers{};
    std::size_t digits = 0;
    for (std::size_t i = 0; i < tail.size(); ++i) {
        if (kPattern[i] == '#') {
            if (tail[i] < '0' || tail[i] > '9')
                return {};
            std::uint64_t& number = numbers[digits++ / 5];
            number = number * 10 + static_cast<std::uint64_t>(tail[i] - '0');
        } else if (tail[i] != kPattern[i]) {
            return {};
        }
    }
    return ShardName{numbers[0], numbers[1]};
}

} // namespace

FileKind fileKind(const Document& document)
{
    const std::string_view type = document.stringValue("general.type");
    const std::string_view architecture = document.architecture();
    if (type == "adapter" || document.findKey("adapter.type"))
        return FileKind::Adapter;
    if (type == "imatrix" || architecture == "imatrix" || isImportanceMatrix(document))
        return FileKind::ImportanceMatrix;
    if (architecture == "controlvector")
        return FileKind::ControlVector;
    if (type == "mmproj" || architecture == "clip")
        return FileKind::Projector;
    if (document.unsignedValue("split.count").value_or(0) > 1) {
        // Keys stand in the first shard only.
        return document.unsignedValue("split.no").value_or(0) > 0 ? FileKind::LaterShard : FileKind::Model;
    }
    if (type == "vocab" || (document.tensorCount() == 0 && document.findKey("tokenizer.ggml.tokens")))
        return FileKind::VocabularyOnly;
    return FileKind::Model;
}

void checkFileKind(DocumentBuilder& builder, FileKind kind)
{
    const std::string_view text = kindText(kind);
    if (text.empty())
        return;
    Subject subject;
    ByteRange range;
    for (const char* key : {"general.type", "general.architecture"}) {
        if (const auto index = builder.document().findKey(key)) {
            subject = metadataSubject(*index);
            range = builder.document().metadata(*index).valueRange();
            break;
        }
    }
    builder.addProblem(Rule::CompanionFile, range, subject, std::string(text));
}

void checkKeys(DocumentBuilder& builder, FileKind kind)
{
    const Document& document = builder.document();
    const ByteRange counts{8, document.header()->size() - 8};
    for (std::size_t i = 0; i < document.metadataCount(); ++i) {
        if (!document.metadata(i).complete || document.metadata(i).recovered)
            continue;
        checkType(builder, i);
        checkFinite(builder, i);
    }
    if (kind == FileKind::LaterShard)
        return;
    if (!document.findKey("general.architecture")) {
        const std::string_view family = imageFamily(document);
        builder.addProblem(Rule::ArchitectureMissing, counts, {Subject::Kind::Header, 0},
            family.empty() ? std::string() : fmt::format("tensor names of {}", family));
    }
    if (document.findKey("general.quantization_version"))
        return;
    for (std::size_t i = 0; i < document.tensorCount(); ++i) {
        const Tensor tensor = document.tensor(i);
        if (!isQuantized(tensor))
            continue;
        builder.addProblem(Rule::QuantizationVersionMissing, counts, {Subject::Kind::Header, 0},
            fmt::format("{} in {}", tensor.typeName(), visibleText(tensor.name, 100)),
            "the key, with the value 2");
        break;
    }
}

void checkSplit(DocumentBuilder& builder, const std::string& fileName)
{
    const Document& document = builder.document();
    const auto countKey = document.findKey("split.count");
    const auto numberKey = document.findKey("split.no");
    const std::uint64_t count = document.unsignedValue("split.count").value_or(0);
    const auto number = document.unsignedValue("split.no");
    const auto named = parseShardName(fileName);
    const auto mismatch = [&](std::optional<std::size_t> key, std::string found, std::string expected) {
        builder.addProblem(Rule::SplitMismatch, key ? document.metadata(*key).valueRange() : ByteRange{},
            key ? metadataSubject(*key) : Subject{}, std::move(found), std::move(expected));
    };

    if (count > 1 && countKey)
        builder.addProblem(Rule::SplitShard, document.metadata(*countKey).valueRange(),
            metadataSubject(*countKey), fmt::format("shard {} of {}", number.value_or(0) + 1, count));
    if (count > 1 && number && *number >= count)
        mismatch(numberKey, fmt::format("split.no {} with split.count {}", *number, count),
            fmt::format("0 to {}", count - 1));
    if (const auto total = document.unsignedValue("split.tensors.count");
        count > 1 && total && *total < document.tensorCount())
        mismatch(document.findKey("split.tensors.count"),
            fmt::format("{} in all shards, {} in this one", countText(*total, "tensor"), document.tensorCount()),
            "at least as many as this shard has");
    if (fileName.empty())
        return;
    const std::string shownName = visibleText(fileName, 200);
    if (count > 1 && !named)
        mismatch(countKey, fmt::format("the file name {}", shownName),
            fmt::format("a name that ends in -{:05}-of-{:05}.gguf", number.value_or(0) + 1, count));
    else if (count <= 1 && named && named->count > 1)
        mismatch(countKey, fmt::format("the file name {} without split keys", shownName),
            fmt::format(
                "split.no {} and split.count {}", named->number == 0 ? 0 : named->number - 1, named->count));
    else if (count > 1 && (named->count != count || (number && named->number != *number + 1)))
        mismatch(numberKey,
            fmt::format("split.no {} and split.count {} in {}", number.value_or(0), count, shownName),
            fmt::format(
                "split.no {} and split.count {}", named->number == 0 ? 0 : named->number - 1, named->count));
}

} // namespace meaning

namespace {

/// A reader that ignores general.alignment looks for the data at the next multiple of 32.
void checkAlignment(DocumentBuilder& builder)
{
    const Document& document = builder.document();
    const auto index = document.findKey("general.alignment");
    if (!index || document.tensorCount() == 0 || !document.dataOffset())
        return;
    const std::uint64_t end = document.tablesEnd();
    const std::uint64_t naive = end + (kDefaultAlignment - end % kDefaultAlignment) % kDefaultAlignment;
    if (naive != *document.dataOffset())
        builder.addProblem(Rule::AlignmentUnusual, document.metadata(*index).valueRange(),
            meaning::metadataSubject(*index),
            fmt::format("alignment {}, data at byte {}; with 32 it would be byte {}", document.alignment(),
                *document.dataOffset(), naive));
}

} // namespace

void checkMeaning(DocumentBuilder& builder, const std::string& fileName)
{
    if (!builder.document().header())
        return;
    const meaning::FileKind kind = meaning::fileKind(builder.document());
    meaning::checkFileKind(builder, kind);
    meaning::checkKeys(builder, kind);
    checkAlignment(builder);
    meaning::checkSplit(builder, fileName);
    meaning::checkTokenizer(builder, kind);
    meaning::checkLayers(builder, kind);
    meaning::checkTypes(builder, kind);
}

} // namespace gguf
