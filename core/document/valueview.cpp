// SPDX-License-Identifier: GPL-3.0-or-later
#include "document/valueview.h"

#include "document/document.h"
#include "document/text.h"

#include <algorithm>
#include <fmt/format.h>

namespace gguf {

namespace {

// Array bytes before the elements: element type (4) and count.
std::uint64_t arrayHead(const Header& header)
{
    return 4 + std::uint64_t{header.countBytes};
}

} // namespace

ValueView::ValueView(const Document& document, ValueType type, ByteRange range, bool complete)
    : m_document(&document)
    , m_type(type)
    , m_complete(complete)
    , m_range(range)
{
}

const std::byte* ValueView::data() const
{
    const std::uint32_t size = valueTypeSize(m_type);
    return m_range.length < size ? nullptr : m_document->imageAt(m_range.offset, size);
}

std::uint64_t ValueView::asUnsigned() const
{
    return static_cast<std::uint64_t>(asSigned());
}

std::int64_t ValueView::asSigned() const
{
    const std::byte* bytes = data();
    if (!bytes)
        return 0;
    const ByteOrder order = m_document->byteOrder();
    switch (m_type) {
    case ValueType::UInt8:
    case ValueType::Bool:
        return loadAs<std::uint8_t>(bytes, order);
    case ValueType::Int8:
        return loadAs<std::int8_t>(bytes, order);
    case ValueType::UInt16:
        return loadAs<std::uint16_t>(bytes, order);
    case ValueType::Int16:
        return loadAs<std::int16_t>(bytes, order);
    case ValueType::UInt32:
        return loadAs<std::uint32_t>(bytes, order);
    case ValueType::Int32:
        return loadAs<std::int32_t>(bytes, order);
    case ValueType::UInt64:
    case ValueType::Int64:
        return loadAs<std::int64_t>(bytes, order);
    case ValueType::Float32:
    case ValueType::Float64:
    case ValueType::String:
    case ValueType::Array:
        break;
    }
    return 0;
}

double ValueView::asDouble() const
{
    const std::byte* bytes = data();
    if (!bytes)
        return 0;
    if (m_type == ValueType::Float32)
        return static_cast<double>(loadAs<float>(bytes, m_document->byteOrder()));
    if (m_type == ValueType::Float64)
        return loadAs<double>(bytes, m_document->byteOrder());
    if (m_type == ValueType::UInt64)
        return static_cast<double>(asUnsigned());
    return static_cast<double>(asSigned());
}

std::uint64_t ValueView::stringLength() const
{
    const auto& header = m_document->header();
    if (m_type != ValueType::String || !header || m_range.length < header->countBytes)
        return 0;
    const std::byte* bytes = m_document->imageAt(m_range.offset, header->countBytes);
    if (!bytes)
        return 0;
    return header->countBytes == 4 ? loadAs<std::uint32_t>(bytes, header->byteOrder)
                                   : loadAs<std::uint64_t>(bytes, header->byteOrder);
}

std::string_view ValueView::asString() const
{
    if (m_type != ValueType::String || m_range.length < m_document->header()->countBytes)
        return {};
    const std::uint32_t head = m_document->header()->countBytes;
    const std::uint64_t length = std::min(stringLength(), m_range.length - head);
    const std::byte* bytes = m_document->imageAt(m_range.offset + head, length);
    return bytes ? std::string_view(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(length))
                 : std::string_view{};
}

std::uint32_t ValueView::elementTypeId() const
{
    if (m_type != ValueType::Array || m_range.length < 4)
        return 0;
    const std::byte* bytes = m_document->imageAt(m_range.offset, 4);
    return bytes ? loadAs<std::uint32_t>(bytes, m_document->byteOrder()) : 0;
}

std::uint64_t ValueView::count() const
{
    const auto& header = m_document->header();
    if (m_type != ValueType::Array || !header || m_range.length < arrayHead(*header))
        return 0;
    const std::byte* bytes = m_document->imageAt(m_range.offset + 4, header->countBytes);
    if (!bytes)
        return 0;
    return header->countBytes == 4 ? loadAs<std::uint32_t>(bytes, header->byteOrder)
                                   : loadAs<std::uint64_t>(bytes, header->byteOrder);
}

std::uint64_t ValueView::available() const
{
    // Only the outermost array of the pair in which reading stopped can be incomplete and have elements.
    return m_complete ? count() : std::min(count(), m_document->m_partialValueElements);
}

ValueView ValueView::element(std::uint64_t index) const
{
    const Header& header = *m_document->header();
    const ValueType type = valueTypeFromId(elementTypeId()).value_or(ValueType::UInt8);
    const std::uint64_t first = m_range.offset + arrayHead(header);
    if (const std::uint32_t size = valueTypeSize(type))
        return {*m_document, type, {first + index * size, size}, true};

    std::uint64_t at = first;
    std::uint64_t position = 0;
    if (const auto* positions = m_document->arrayIndex(m_range.offset); positions && !positions->empty()) {
        const std::uint64_t step
            = std::min<std::uint64_t>(index / Document::kArrayStride, positions->size() - 1);
        at = (*positions)[static_cast<std::size_t>(step)];
        position = step * Document::kArrayStride;
    }
    for (;; ++position) {
        const std::uint64_t length = m_document->valueLength(type, at);
        if (position == index || length == 0)
            return {*m_document, type, {at, length}, length != 0};
        at += length;
    }
}

ValueView ValueView::elementAfter(const ValueView& element) const
{
    const std::uint64_t at = element.range().end();
    const std::uint32_t size = valueTypeSize(element.type());
    const std::uint64_t length = size != 0 ? size : m_document->valueLength(element.type(), at);
    return {*m_document, element.type(), {at, length}, length != 0};
}

std::string ValueView::text(std::size_t maxBytes) const
{
    if (m_type != ValueType::String && m_type != ValueType::Array && !data())
        return {};
    switch (m_type) {
    case ValueType::UInt8:
    case ValueType::UInt16:
    case ValueType::UInt32:
    case ValueType::UInt64:
        return fmt::format("{}", asUnsigned());
    case ValueType::Int8:
    case ValueType::Int16:
    case ValueType::Int32:
    case ValueType::Int64:
        return fmt::format("{}", asSigned());
    case ValueType::Bool: {
        const std::uint64_t raw = asUnsigned();
        return raw == 0 ? "false" : raw == 1 ? "true" : fmt::format("true (stored as {})", raw);
    }
    case ValueType::Float32:
        return fmt::format("{}", loadAs<float>(data(), m_document->byteOrder()));
    case ValueType::Float64:
        return fmt::format("{}", loadAs<double>(data(), m_document->byteOrder()));
    case ValueType::String:
        return visibleText(asString(), maxBytes);
    case ValueType::Array:
        break;
    }

    const auto elementType = valueTypeFromId(elementTypeId());
    std::string out = elementType ? fmt::format("[{} x {}]", count(), valueTypeName(*elementType))
                                  : fmt::format("[{} x type {}]", count(), elementTypeId());
    const std::uint64_t shown = elementType ? available() : 0;
    for (std::uint64_t i = 0; i < shown; ++i) {
        if (out.size() >= maxBytes || i == 1000) {
            out += ", \xE2\x80\xA6";
            break;
        }
        out += i == 0 ? " " : ", ";
        const ValueView item = element(i);
        if (item.type() == ValueType::Array) {
            const auto inner = valueTypeFromId(item.elementTypeId());
            out += fmt::format("[{} x {}]", item.count(), inner ? valueTypeName(*inner) : "?");
        } else {
            out += item.text(maxBytes - std::min(maxBytes - 1, out.size()));
        }
    }
    return out;
}

} // namespace gguf
