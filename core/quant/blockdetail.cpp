// SPDX-License-Identifier: GPL-3.0-or-later
#include "quant/blockdetail.h"

#include "quant/blockdecoders.h"
#include "quant/dequantize.h"

#include <array>

namespace gguf {

namespace {

/// Keeps what a block decoder emits.
struct DetailWriter
{
    std::vector<BlockElement>& elements;

    void operator()(unsigned element, int quant, float level, float scale) const
    {
        elements[element] = {quant, level, scale, std::nullopt, scale * level};
    }
    void operator()(unsigned element, int quant, float level, float scale, float offset) const
    {
        elements[element] = {quant, level, scale, offset, scale * level + offset};
    }
};

double entryValue(std::string_view type, const std::byte* at, ByteOrder order)
{
    if (type == "i8")
        return loadAs<std::int8_t>(at, order);
    if (type == "u8" || type == "e8m0" || type == "ue4m3")
        return loadAs<std::uint8_t>(at, order);
    if (type == "f16")
        return halfToFloat(loadAs<std::uint16_t>(at, order));
    if (type == "bf16")
        return bfloat16ToFloat(loadAs<std::uint16_t>(at, order));
    if (type == "u16")
        return loadAs<std::uint16_t>(at, order);
    if (type == "i16")
        return loadAs<std::int16_t>(at, order);
    if (type == "u32le")
        return loadAs<std::uint32_t>(at, ByteOrder::Little);
    if (type == "i32")
        return loadAs<std::int32_t>(at, order);
    if (type == "i64")
        return static_cast<double>(loadAs<std::int64_t>(at, order));
    return type == "f64" ? loadAs<double>(at, order) : static_cast<double>(loadAs<float>(at, order));
}

std::vector<BlockGroup> groupsOf(const std::vector<BlockElement>& elements)
{
    // By bits, so that a scale that is not a number makes one group too.
    const auto bits = [](const std::optional<float>& value) {
        return value ? std::optional(std::bit_cast<std::uint32_t>(*value)) : std::nullopt;
    };
    std::vector<BlockGroup> groups;
    for (std::uint32_t i = 0; i < elements.size(); ++i) {
        const BlockElement& element = elements[i];
        if (groups.empty() || bits(groups.back().scale) != bits(element.scale)
            || bits(groups.back().offset) != bits(element.offset))
            groups.push_back({i, 0, element.scale, element.offset});
        ++groups.back().count;
    }
    return groups;
}

/// ik_llama.cpp's Q8_KV: each row begins with its scale and the sum of its quants; its blocks are quants alone.
bool isQ8KV(const TensorTypeInfo& type)
{
    return type.id == 151;
}

bool canTakeApart(const TensorTypeInfo& type)
{
    return canDequantize(type) || isQ8KV(type);
}

std::vector<BlockElement> elementsOf(
    const TensorTypeInfo& type, ByteOrder order, std::span<const std::byte> bytes, std::span<const std::byte> meta)
{
    std::vector<BlockElement> elements(type.blockLength);
    if (isQ8KV(type)) {
        const float scale = meta.size() < sizeof(float) ? 1.0f : loadAs<float>(meta.data(), order);
        for (unsigned i = 0; i < type.blockLength; ++i) {
            const int quant = loadAs<std::int8_t>(bytes.data() + i, order);
            DetailWriter{elements}(i, quant, static_cast<float>(quant), scale);
        }
        return elements;
    }
    const bool isBlock = blocks::withDecoder(
        type, [&](auto decoder) { decoder.decode(bytes.data(), order, DetailWriter{elements}); });
    if (!isBlock) {
        float value = 0;
        dequantize(type, order, bytes, std::span(&value, 1));
        elements[0] = {std::nullopt, value, 1.0f, std::nullopt, value};
    }
    return elements;
}

} // namespace

std::optional<BlockDetail> blockDetail(
    const TensorTypeInfo& type, ByteOrder order, std::span<const std::byte> bytes, std::span<const std::byte> meta)
{
    if (!canTakeApart(type) || bytes.size() != type.blockBytes)
        return std::nullopt;
    BlockDetail detail;
    detail.elements = elementsOf(type, order, bytes, meta);
    detail.groups = groupsOf(detail.elements);
    for (const BlockField& field : blockFields(type)) {
        BlockFieldValues values{field, {}};
        const std::uint32_t step = field.size / field.count;
        for (std::uint32_t i = 0; i < field.count; ++i)
            values.entries.push_back(
                entryValue(field.elementType, bytes.data() + field.offset + i * step, order));
        detail.fields.push_back(std::move(values));
    }
    return detail;
}

std::vector<MetaField> rowMetaFields(const TensorTypeInfo& type, ByteOrder order, std::span<const std::byte> meta)
{
    const std::uint32_t each = type.rowMetaBytes;
    if (each == 0 || meta.size() != std::size_t{each} * type.rowsInterleaved)
        return {};
    if (isQ8KV(type))
        return {{"scale", 0, 4, "f32", {entryValue("f32", meta.data(), order)}},
            {"sum", 4, 4, "i32", {entryValue("i32", meta.data() + 4, order)}}};
    // A float or half for each row (facts on ik_llama.cpp's types); of more bytes nothing is known.
    const std::string_view number = each == 4 ? "f32" : each == 2 ? "f16" : "u8";
    MetaField scales{
        type.rowsInterleaved > 1 ? "scales" : "scale", 0, static_cast<std::uint32_t>(meta.size()), number, {}};
    for (std::size_t at = 0; at < meta.size() && (each == 2 || each == 4); at += each)
        scales.values.push_back(entryValue(number, meta.data() + at, order));
    return {scales};
}

std::vector<std::uint32_t> blockElementsAt(const TensorTypeInfo& type, std::uint32_t offset)
{
    if (!canTakeApart(type) || offset >= type.blockBytes)
        return {};
    if (type.blockLength == 1)
        return {0};
    // Found by trying: what changes in the decoded block when a bit of the byte does. One pattern would not
    // do: in some a bit changes nothing, such as the grid codes that share a weight.
    std::vector<bool> depends(type.blockLength, false);
    for (const unsigned fill : std::array{0x35u, 0x5Au, 0x2Eu, 0x13u}) {
        std::vector<std::byte> block(type.blockBytes, std::byte{static_cast<unsigned char>(fill)});
        const std::vector<BlockElement> before = elementsOf(type, ByteOrder::Little, block, {});
        for (unsigned bit = 0; bit < 8; ++bit) {
            block[offset] ^= std::byte{static_cast<unsigned char>(1u << bit)};
            const std::vector<BlockElement> after = elementsOf(type, ByteOrder::Little, block, {});
            block[offset] ^= std::byte{static_cast<unsigned char>(1u << bit)};
            for (std::size_t i = 0; i < before.size(); ++i) {
                if (before[i].quant != after[i].quant || before[i].level != after[i].level
                    || before[i].scale != after[i].scale || before[i].offset != after[i].offset)
                    depends[i] = true;
            }
        }
    }
    std::vector<std::uint32_t> elements;
    for (std::uint32_t i = 0; i < depends.size(); ++i) {
        if (depends[i])
            elements.push_back(i);
    }
    return elements;
}

} // namespace gguf
