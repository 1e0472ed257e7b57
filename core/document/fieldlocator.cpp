// SPDX-License-Identifier: GPL-3.0-or-later
#include "document/fieldlocator.h"

#include "document/datablock.h"
#include "document/text.h"
#include "quant/blocklayout.h"
#include "quant/dequantize.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace gguf {

namespace {

std::string valueTypeText(std::uint32_t id)
{
    const std::optional<ValueType> type = valueTypeFromId(id);
    return type ? fmt::format("{} ({})", id, valueTypeName(*type)) : fmt::format("{} (unknown)", id);
}

std::string tensorTypeText(const Tensor& tensor)
{
    return tensor.type ? fmt::format("{} ({})", tensor.typeId, tensor.type->name)
                       : fmt::format("{} (unknown)", tensor.typeId);
}

/// Elements whose size varies: the one that holds the offset, by binary search over their starts.
std::uint64_t elementAt(const ValueView& array, std::uint64_t offset)
{
    std::uint64_t low = 0;
    std::uint64_t high = array.available();
    while (high - low > 1) {
        const std::uint64_t middle = low + (high - low) / 2;
        if (array.element(middle).range().offset <= offset)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/// E8M0: a power of two, biased by 127 (OCP Microscaling 1.0); 0xFF is NaN.
double fromE8m0(std::uint8_t bits)
{
    return bits == 0xFF ? NAN : std::ldexp(1.0, int{bits} - 127);
}

/// UE4M3: 4 bits of exponent biased by 7, 3 of mantissa, no sign (OCP FP8); 0x7F is NaN.
double fromUe4m3(std::uint8_t bits)
{
    const int exponent = (bits >> 3) & 0xF;
    const int mantissa = bits & 0x7;
    if ((bits & 0x7F) == 0x7F)
        return NAN;
    return exponent == 0 ? std::ldexp(mantissa, -9) : std::ldexp(8 + mantissa, exponent - 10);
}

} // namespace

std::span<const std::byte> FieldLocator::bytesOf(ByteRange range) const
{
    const std::span<const std::byte> held = m_document.bytes(range);
    if (!held.empty() || range.offset < m_bytesOffset)
        return held;
    const std::uint64_t within = range.offset - m_bytesOffset;
    if (within > m_bytes.size() || range.length > m_bytes.size() - within)
        return {};
    return m_bytes.subspan(static_cast<std::size_t>(within), static_cast<std::size_t>(range.length));
}

std::string FieldLocator::decoded(ByteRange range, std::string_view type) const
{
    const std::span<const std::byte> bytes = bytesOf(range);
    if (bytes.empty())
        return {};
    const ByteOrder order = m_document.byteOrder();
    const auto has
        = [&](std::string_view name, std::size_t size) { return type == name && bytes.size() == size; };
    if (has("u8", 1))
        return fmt::format("{}", loadAs<std::uint8_t>(bytes.data(), order));
    if (has("i8", 1))
        return fmt::format("{}", loadAs<std::int8_t>(bytes.data(), order));
    if (has("u16", 2))
        return fmt::format("{}", loadAs<std::uint16_t>(bytes.data(), order));
    if (has("i16", 2))
        return fmt::format("{}", loadAs<std::int16_t>(bytes.data(), order));
    if (has("u32", 4))
        return fmt::format("{}", loadAs<std::uint32_t>(bytes.data(), order));
    if (has("u32le", 4)) // stored byte by byte, whatever the file's order
        return fmt::format("{}", loadAs<std::uint32_t>(bytes.data(), ByteOrder::Little));
    if (has("i32", 4))
        return fmt::format("{}", loadAs<std::int32_t>(bytes.data(), order));
    if (has("u64", 8))
        return fmt::format("{}", loadAs<std::uint64_t>(bytes.data(), order));
    if (has("i64", 8))
        return fmt::format("{}", loadAs<std::int64_t>(bytes.data(), order));
    if (has("f16", 2))
        return fmt::format("{}", halfToFloat(loadAs<std::uint16_t>(bytes.data(), order)));
    if (has("bf16", 2))
        return fmt::format("{}", bfloat16ToFloat(loadAs<std::uint16_t>(bytes.data(), order)));
    if (has("f32", 4))
        return fmt::format("{}", loadAs<float>(bytes.data(), order));
    if (has("f64", 8))
        return fmt::format("{}", loadAs<double>(bytes.data(), order));
    if (has("e8m0", 1))
        return fmt::format("{}", fromE8m0(loadAs<std::uint8_t>(bytes.data(), order)));
    if (has("ue4m3", 1))
        return fmt::format("{}", fromUe4m3(loadAs<std::uint8_t>(bytes.data(), order)));
    return hexBytes(bytes.first(std::min<std::size_t>(bytes.size(), 32)));
}

void FieldLocator::describe(Location& location, ByteRange range, std::string name, std::string type) const
{
    // A field that the region's end cuts off keeps what is there of it.
    const std::uint64_t end = std::min(range.end(), location.region.range.end());
    location.range = {range.offset, end - range.offset};
    location.value = decoded(location.range, type);
    location.type = std::move(type);
    location.field = std::move(name);
    location.path.push_back(location.field);
}

void FieldLocator::locate(Location& location) const
{
    switch (location.region.kind) {
    case RegionKind::Header:
        return locateInHeader(location);
    case RegionKind::MetadataPair:
        return locateInPair(location);
    case RegionKind::TensorRecord:
        return locateInRecord(location);
    case RegionKind::TensorData:
        return locateInData(location);
    case RegionKind::HeaderPadding:
    case RegionKind::TensorPadding:
    case RegionKind::Gap:
    case RegionKind::Trailing:
    case RegionKind::Unread:
        location.type = "u8";
        location.value = decoded({location.offset, 1}, "u8");
        return;
    case RegionKind::Missing:
        return;
    }
}

void FieldLocator::locateInHeader(Location& location) const
{
    const std::uint32_t countBytes = m_document.header() ? m_document.header()->countBytes : 8;
    const char* countType = countBytes == 4 ? "u32" : "u64";
    const std::uint64_t offset = location.offset;
    if (offset < 4) {
        describe(location, {0, 4}, "magic", "char[4]");
        const std::span<const std::byte> bytes = bytesOf(location.range);
        location.value = visibleText({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    } else if (offset < 8) {
        describe(location, {4, 4}, "version", "u32");
    } else if (offset < 8 + countBytes) {
        describe(location, {8, countBytes}, "tensor count", countType);
    } else {
        describe(location, {8 + std::uint64_t{countBytes}, countBytes}, "metadata count", countType);
    }
}

void FieldLocator::locateInPair(Location& location) const
{
    const MetadataEntry& entry = m_document.metadata(*location.region.metadata);
    const std::uint32_t countBytes = m_document.header()->countBytes;
    const char* lengthType = countBytes == 4 ? "u32" : "u64";
    const std::uint64_t keyStart = entry.offset + countBytes;
    if (location.offset < keyStart)
        return describe(location, {entry.offset, countBytes}, "key length", lengthType);
    if (entry.valueOffset < keyStart + 4 || location.offset < entry.valueOffset - 4) {
        const std::uint64_t end = entry.valueOffset < keyStart + 4 ? entry.end : entry.valueOffset - 4;
        describe(location, {keyStart, end - keyStart}, "key", "str");
        location.value = visibleText(m_document.key(*location.region.metadata), kMostPathText);
        return;
    }
    if (location.offset < entry.valueOffset) {
        describe(location, entry.typeRange(), "value type", "u32");
        if (const std::span<const std::byte> bytes = bytesOf(entry.typeRange()); !bytes.empty())
            location.value = valueTypeText(loadAs<std::uint32_t>(bytes.data(), m_document.byteOrder()));
        return;
    }
    locateInValue(location, m_document.value(*location.region.metadata));
}

void FieldLocator::locateInValue(Location& location, ValueView value) const
{
    const std::uint32_t countBytes = m_document.header()->countBytes;
    const char* lengthType = countBytes == 4 ? "u32" : "u64";
    bool isElement = false; // its path names it already
    while (value.type() == ValueType::Array) {
        const std::uint64_t start = value.range().offset;
        const std::uint64_t elements = start + 4 + countBytes;
        if (location.offset < start + 4) {
            describe(location, {start, 4}, "element type", "u32");
            location.value = valueTypeText(value.elementTypeId());
            return;
        }
        if (location.offset < elements)
            return describe(location, {start + 4, countBytes}, "count", lengthType);

        const std::uint64_t available = value.available();
        const std::optional<ValueType> type = valueTypeFromId(value.elementTypeId());
        const std::uint32_t size = type ? valueTypeSize(*type) : 0;
        const std::uint64_t index = !type || available == 0 ? available
            : size != 0                                     ? (location.offset - elements) / size
                                                            : elementAt(value, location.offset);
        if (index >= available || !value.element(index).range().contains(location.offset)) {
            // What the file has of an element that is not whole.
            const std::uint64_t from = available == 0 ? elements : value.element(available - 1).range().end();
            return describe(location, {from, location.region.range.end() - from}, "unfinished value", {});
        }
        location.element = index;
        location.path.push_back(fmt::format("element {}", index));
        isElement = true;
        value = value.element(index);
    }

    const ByteRange range = value.range();
    if (value.type() == ValueType::String) {
        if (location.offset < range.offset + countBytes)
            return describe(location, {range.offset, countBytes}, "length", lengthType);
        describe(location, {range.offset + countBytes, range.length - countBytes}, "text", "str");
        location.value = value.text();
        return;
    }
    describe(location, range, "value", std::string(valueTypeName(value.type())));
    location.value = value.text();
    if (isElement)
        location.path.pop_back();
}

void FieldLocator::locateInRecord(Location& location) const
{
    const Tensor tensor = m_document.tensor(*location.region.tensor);
    const std::uint32_t countBytes = m_document.header()->countBytes;
    const char* countType = countBytes == 4 ? "u32" : "u64";
    const std::uint64_t nameStart = tensor.record.offset + countBytes;
    const std::uint64_t firstDim = tensor.dimsOffset + 4;
    const std::uint64_t typeStart = firstDim + std::uint64_t{tensor.dimCount} * countBytes;
    if (location.offset < nameStart)
        return describe(location, {tensor.record.offset, countBytes}, "name length", countType);
    if (location.offset < tensor.dimsOffset) {
        describe(location, {nameStart, tensor.dimsOffset - nameStart}, "name", "str");
        location.value = visibleText(tensor.name, kMostPathText);
    } else if (location.offset < firstDim) {
        describe(location, {tensor.dimsOffset, 4}, "dimension count", "u32");
    } else if (location.offset < typeStart) {
        const std::uint64_t index = (location.offset - firstDim) / countBytes;
        describe(location, {firstDim + index * countBytes, countBytes}, fmt::format("dims[{}]", index),
            countBytes == 4 ? "u32" : "i64");
    } else if (location.offset < typeStart + 4) {
        describe(location, {typeStart, 4}, "type", "u32");
        location.value = tensorTypeText(tensor);
    } else {
        describe(location, {typeStart + 4, 8}, "offset", "u64");
    }
}

void FieldLocator::locateInData(Location& location) const
{
    const Tensor tensor = m_document.tensor(*location.region.tensor);
    location.type = tensor.typeName();
    if (!tensor.type || !tensor.rowBytes || *tensor.rowBytes == 0 || !tensor.dataBytes || !tensor.fileOffset)
        return;
    const TensorTypeInfo& type = *tensor.type;
    const std::uint64_t within = location.offset - *tensor.fileOffset;
    if (within >= *tensor.dataBytes - type.tensorExtraBytes) {
        const std::uint64_t start = *tensor.fileOffset + *tensor.dataBytes - type.tensorExtraBytes;
        return describe(location, {start, type.tensorExtraBytes}, "tensor scale", {});
    }
    const std::optional<DataBlock> place = dataBlockAt(tensor, location.offset);
    if (!place)
        return;
    location.row = place->row;
    location.block = place->block;
    if (place->rows > 1) {
        location.path.push_back(fmt::format("rows {} to {}", place->row, place->row + place->rows - 1));
        if (place->isMeta())
            return describe(location, place->range, "row scales", {});
        location.path.push_back(fmt::format("block {} of each", *place->block));
        location.type = fmt::format("{} x {} block", place->rows, type.name);
        location.range
            = {place->range.offset, std::min(place->range.end(), location.region.range.end()) - place->range.offset};
        return;
    }
    if (place->isMeta()) {
        location.path.push_back(fmt::format("row {}", place->row));
        const char* metaType = type.rowMetaBytes == 2 ? "f16" : type.rowMetaBytes == 4 ? "f32" : "";
        return describe(location, place->range, "row scale", metaType);
    }
    const std::uint64_t rowLength = tensor.dims().empty() ? 1 : static_cast<std::uint64_t>(tensor.dims()[0]);
    location.element = place->row * rowLength + *place->block * type.blockLength;
    location.path.push_back(
        fmt::format("row {}, {} {}", place->row, type.blockLength == 1 ? "element" : "block", *place->block));
    locateInBlock(location, tensor, place->range);
}

void FieldLocator::locateInBlock(Location& location, const Tensor& tensor, ByteRange block) const
{
    location.range = block;
    location.type = fmt::format("{} block", tensor.type->name);
    const std::span<const BlockField> fields = blockFields(*tensor.type);
    const auto within = static_cast<std::uint32_t>(location.offset - block.offset);
    for (const BlockField& field : fields) {
        if (within < field.offset || within - field.offset >= field.size || field.count == 0)
            continue;
        const std::uint32_t elementBytes = std::max(1u, field.size / field.count);
        const std::uint32_t index = (within - field.offset) / elementBytes;
        const bool isScalar = tensor.type->blockLength == 1;
        describe(location, {block.offset + field.offset + index * elementBytes, elementBytes},
            field.count == 1 ? std::string(field.name) : fmt::format("{}[{}]", field.name, index),
            std::string(field.elementType));
        if (isScalar)
            location.path.pop_back(); // "row 3, element 17" says it all
        return;
    }
}

} // namespace gguf
