// SPDX-License-Identifier: GPL-3.0-or-later
#include "parse/recordprobe.h"

#include "format/tensortype.h"

#include <algorithm>

namespace gguf {

namespace {

constexpr std::int64_t kLargestDim = std::int64_t{1} << 40;

bool isPlausibleKey(std::string_view key)
{
    const auto allowed = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'
            || c == '.' || c == '-';
    };
    return key.find('.') != std::string_view::npos && std::ranges::all_of(key, allowed);
}

bool isPlausibleName(std::string_view name)
{
    return std::ranges::all_of(name, [](char c) { return c > 0x20 && c < 0x7F; });
}

} // namespace

RecordProbe::RecordProbe(std::span<const std::byte> bytes, std::uint64_t offset, const Document& document)
    : m_bytes(bytes)
    , m_offset(offset)
    , m_header(*document.header())
    , m_alignment(document.alignment())
    , m_fileSize(document.fileSize())
{
}

template <class T> std::optional<T> RecordProbe::load(std::uint64_t at) const
{
    if (at < m_offset || at > end() || end() - at < sizeof(T))
        return {};
    return loadAs<T>(m_bytes.data() + (at - m_offset), m_header.byteOrder);
}

std::optional<std::uint64_t> RecordProbe::loadCount(std::uint64_t at) const
{
    if (m_header.countBytes == 4)
        return load<std::uint32_t>(at);
    return load<std::uint64_t>(at);
}

std::optional<std::string_view> RecordProbe::stringAt(
    std::uint64_t at, std::uint64_t most, std::optional<std::uint64_t> instead) const
{
    const auto stated = loadCount(at);
    const auto length = stated && instead ? instead : stated;
    if (!length || *length > most)
        return {};
    const std::uint64_t start = at + m_header.countBytes;
    if (*length > end() - start)
        return {};
    return std::string_view(reinterpret_cast<const char*>(m_bytes.data() + (start - m_offset)),
        static_cast<std::size_t>(*length));
}

std::optional<std::uint64_t> RecordProbe::valueEnd(
    ValueType type, std::uint64_t at, std::vector<std::uint64_t>& positions)
{
    if (const std::uint32_t size = valueTypeSize(type)) {
        if (at > end() || end() - at < size)
            return {};
        if (type == ValueType::Bool && load<std::uint8_t>(at).value_or(2) > 1)
            return {};
        return at + size;
    }
    if (type == ValueType::String) {
        const auto text = stringAt(at, m_bytes.size());
        return text ? std::optional(at + m_header.countBytes + text->size()) : std::nullopt;
    }
    const auto element = valueTypeFromId(load<std::uint32_t>(at).value_or(UINT32_MAX));
    const auto count = loadCount(at + 4);
    if (!element || !count || *element == ValueType::Array)
        return {};
    std::uint64_t position = at + 4 + m_header.countBytes;
    const std::uint64_t left = end() - position;
    if (const std::uint32_t size = valueTypeSize(*element))
        return *count <= left / size ? std::optional(position + *count * size) : std::nullopt;
    if (*count > left / m_header.countBytes)
        return {};
    for (std::uint64_t i = 0; i < *count; ++i) {
        if (m_budget == 0)
            return {};
        --m_budget;
        if (i % Document::kArrayStride == 0)
            positions.push_back(position);
        const auto text = stringAt(position, m_bytes.size());
        if (!text)
            return {};
        position += m_header.countBytes + text->size();
    }
    if (*count <= 2 * Document::kArrayStride)
        positions.clear();
    return position;
}

std::optional<RecordProbe::Pair> RecordProbe::pairAt(std::uint64_t at, std::optional<std::uint64_t> keyLength)
{
    const auto key = stringAt(at, kLongestKey, keyLength);
    if (!key || key->empty() || !isPlausibleKey(*key))
        return {};
    Pair pair;
    pair.entry.offset = at;
    pair.entry.valueOffset = at + m_header.countBytes + key->size() + 4;
    pair.entry.recovered = true;
    const auto type = valueTypeFromId(load<std::uint32_t>(pair.entry.valueOffset - 4).value_or(UINT32_MAX));
    if (!type)
        return {};
    pair.entry.type = *type;
    const auto last = valueEnd(*type, pair.entry.valueOffset, pair.positions);
    if (!last)
        return {};
    pair.entry.end = *last;
    return pair;
}

std::optional<RecordProbe::Record> RecordProbe::recordAt(
    std::uint64_t at, std::optional<std::uint64_t> nameLength)
{
    const auto name = stringAt(at, kLongestName, nameLength);
    if (!name || name->empty() || !isPlausibleName(*name))
        return {};
    std::uint64_t position = at + m_header.countBytes + name->size();
    const auto dimCount = load<std::uint32_t>(position);
    if (!dimCount || *dimCount == 0 || *dimCount > kMaxDimsGgml)
        return {};
    position += 4;
    std::array<std::int64_t, kMaxDimsGgml> dims{};
    for (std::uint32_t i = 0; i < *dimCount; ++i, position += m_header.countBytes) {
        const auto dim = loadCount(position);
        if (!dim || *dim == 0 || *dim > static_cast<std::uint64_t>(kLargestDim))
            return {};
        dims[i] = static_cast<std::int64_t>(*dim);
    }
    const auto typeId = load<std::uint32_t>(position);
    const auto offset = load<std::uint64_t>(position + 4);
    const TensorTypeInfo* type = typeId ? findTensorType(*typeId) : nullptr;
    if (!type || !offset || *offset % m_alignment != 0)
        return {};
    Record record;
    record.record
        = {at, static_cast<std::uint32_t>(name->size()), static_cast<std::uint16_t>(*dimCount), true};
    record.end = position + 12;
    record.dataOffset = *offset;
    if (const auto size = tensorSize(*type, std::span(dims).first(*dimCount)))
        record.dataBytes = size->dataBytes;
    return record;
}

std::vector<RecordProbe::Pair> RecordProbe::pairsAt(std::uint64_t at, std::uint64_t most)
{
    std::vector<Pair> pairs;
    while (pairs.size() < most) {
        // The start of a tensor record can pass for a pair: its number of dimensions for a value type.
        auto pair = recordAt(at) ? std::nullopt : pairAt(at);
        if (!pair)
            break;
        at = pair->entry.end;
        pairs.push_back(std::move(*pair));
    }
    return pairs;
}

std::vector<RecordProbe::Record> RecordProbe::recordsAt(std::uint64_t at, std::uint64_t most)
{
    std::vector<Record> records;
    while (records.size() < most) {
        const auto record = recordAt(at);
        if (!record)
            break;
        at = record->end;
        records.push_back(*record);
    }
    return records;
}

std::optional<std::uint64_t> RecordProbe::findRun(std::uint64_t at)
{
    for (; at < end() && m_budget > 0; ++at) {
        const auto length = loadCount(at);
        if (!length)
            return {};
        if (*length == 0 || *length > kLongestKey)
            continue;
        if (const auto first = pairAt(at); first && (pairAt(first->entry.end) || recordAt(first->entry.end)))
            return at;
        if (const auto first = recordAt(at); first && recordAt(first->end))
            return at;
    }
    return {};
}

} // namespace gguf
