// SPDX-License-Identifier: GPL-3.0-or-later
#include "document/document.h"

#include "document/text.h"

#include <algorithm>
#include <fmt/format.h>

namespace gguf {

namespace {

std::uint64_t loadCount(const std::byte* bytes, const Header& header)
{
    return header.countBytes == 4 ? loadAs<std::uint32_t>(bytes, header.byteOrder)
                                  : loadAs<std::uint64_t>(bytes, header.byteOrder);
}

std::string_view asText(const std::byte* bytes, std::uint64_t length)
{
    return {reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(length)};
}

} // namespace

std::string_view statusName(Status status)
{
    switch (status) {
    case Status::Parsing:
        return "parsing";
    case Status::Ok:
        return "ok";
    case Status::Partial:
        return "partial";
    case Status::Foreign:
        return "foreign";
    case Status::Unreadable:
        return "unreadable";
    case Status::Cancelled:
        return "cancelled";
    }
    return "";
}

std::optional<double> Tensor::bitsPerWeight() const
{
    if (!dataBytes || !elements || *elements == 0)
        return {};
    return 8.0 * static_cast<double>(*dataBytes) / static_cast<double>(*elements);
}

std::optional<ByteRange> Tensor::dataRange() const
{
    if (!fileOffset || !dataBytes || *dataBytes > UINT64_MAX - *fileOffset)
        return {};
    return ByteRange{*fileOffset, *dataBytes};
}

std::string Tensor::typeName() const
{
    return type ? std::string(type->name) : fmt::format("type {}", typeId);
}

std::string_view Document::pronomId() const
{
    // SPEC-gguf.ksy, meta/xref: PRONOM knows versions 2 and 3.
    if (!m_header)
        return {};
    return m_header->version == 2 ? "fmt/2097" : m_header->version == 3 ? "fmt/2098" : "";
}

const std::byte* Document::imageAt(std::uint64_t offset, std::uint64_t length) const
{
    auto segment = std::ranges::upper_bound(m_segments, offset, {}, &Segment::offset);
    if (segment == m_segments.begin())
        return nullptr;
    --segment;
    const std::uint64_t within = offset - segment->offset;
    if (within > segment->length || length > segment->length - within)
        return nullptr;
    return segment->bytes.get() + within;
}

std::span<const std::byte> Document::bytes(ByteRange range) const
{
    const std::byte* start = imageAt(range.offset, range.length);
    return start ? std::span(start, static_cast<std::size_t>(range.length)) : std::span<const std::byte>{};
}

std::span<const std::byte> Document::bytesFrom(std::uint64_t offset) const
{
    auto segment = std::ranges::upper_bound(m_segments, offset, {}, &Segment::offset);
    if (segment == m_segments.begin())
        return {};
    --segment;
    const std::uint64_t within = offset - segment->offset;
    if (within >= segment->length)
        return {};
    return {segment->bytes.get() + within, static_cast<std::size_t>(segment->length - within)};
}

std::uint64_t Document::imageEnd() const
{
    return m_segments.empty() ? 0 : m_segments.back().offset + m_segments.back().length;
}

std::uint64_t Document::valueLength(ValueType type, std::uint64_t offset) const
{
    struct Level
    {
        ValueType type;
        std::uint64_t left;
    };
    const std::uint32_t countBytes = m_header->countBytes;
    std::uint64_t at = offset;
    std::vector<Level> levels; // of arrays being walked; the parser allowed no more than kMaxNesting
    Level current{type, 1};
    for (;;) {
        while (current.left == 0) {
            if (levels.empty())
                return at - offset;
            current = levels.back();
            levels.pop_back();
        }
        if (const std::uint32_t size = valueTypeSize(current.type)) {
            if (current.left > (m_fileSize - at) / size)
                return 0;
            at += current.left * size;
            current.left = 0;
        } else if (current.type == ValueType::String) {
            const std::byte* length = imageAt(at, countBytes);
            if (!length)
                return 0;
            const std::uint64_t bytes = loadCount(length, *m_header);
            if (bytes > m_fileSize - at - countBytes)
                return 0;
            at += countBytes + bytes;
            --current.left;
        } else {
            const std::byte* head = imageAt(at, 4 + std::uint64_t{countBytes});
            const auto inner
                = head ? valueTypeFromId(loadAs<std::uint32_t>(head, m_header->byteOrder)) : std::nullopt;
            if (!inner || levels.size() > kMaxNesting)
                return 0;
            --current.left;
            levels.push_back(current);
            current = {*inner, loadCount(head + 4, *m_header)};
            const auto* positions = arrayIndex(at);
            at += 4 + countBytes;
            if (positions && !positions->empty()) {
                at = positions->back();
                current.left -= (positions->size() - 1) * kArrayStride;
            }
        }
    }
}

const std::vector<std::uint64_t>* Document::arrayIndex(std::uint64_t valueOffset) const
{
    std::size_t low = 0;
    std::size_t high = m_arrayIndex.size();
    while (low < high) {
        const std::size_t middle = low + (high - low) / 2;
        if (m_arrayIndex[middle].valueOffset < valueOffset)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == m_arrayIndex.size() || m_arrayIndex[low].valueOffset != valueOffset)
        return nullptr;
    return m_arrayIndex[low].positions.get();
}

std::string_view Document::key(std::size_t index) const
{
    const MetadataEntry& entry = m_metadata[index];
    const std::uint64_t start = entry.offset + m_header->countBytes;
    const std::uint64_t length = entry.valueOffset - 4 - start;
    const std::byte* bytes = imageAt(start, length);
    return bytes ? asText(bytes, length) : std::string_view{};
}

ValueView Document::value(std::size_t index) const
{
    const MetadataEntry& entry = m_metadata[index];
    return {*this, entry.type, entry.valueRange(), entry.complete};
}

std::optional<std::size_t> Document::findKey(std::string_view wanted) const
{
    if (m_keyTable) {
        const auto found
            = m_keyTable->find(hashBytes(wanted), [&](std::uint32_t number) { return key(number) == wanted; });
        return found ? std::optional<std::size_t>(*found) : std::nullopt;
    }
    for (std::size_t i = m_metadata.size(); i-- > 0;) {
        if (!m_metadata[i].recovered && key(i) == wanted)
            return i;
    }
    return {};
}

std::optional<ValueView> Document::findValue(std::string_view wanted) const
{
    const auto index = findKey(wanted);
    return index ? std::optional(value(*index)) : std::nullopt;
}

std::string_view Document::stringValue(std::string_view wanted) const
{
    const auto found = findValue(wanted);
    return found && found->type() == ValueType::String ? found->asString() : std::string_view{};
}

std::optional<std::uint64_t> Document::unsignedValue(std::string_view wanted) const
{
    const auto found = findValue(wanted);
    if (!found || !isInteger(found->type()) || !found->complete())
        return {};
    return found->asUnsigned();
}

std::string_view Document::tensorName(std::size_t index) const
{
    const TensorRecord& record = m_tensors[index];
    const std::byte* bytes = imageAt(record.offset + m_header->countBytes, record.nameLength);
    return bytes ? asText(bytes, record.nameLength) : std::string_view{};
}

std::uint32_t Document::tensorTypeId(std::size_t index) const
{
    const TensorRecord& record = m_tensors[index];
    const std::uint64_t countBytes = m_header->countBytes;
    const std::byte* bytes = imageAt(
        record.offset + countBytes + record.nameLength + 4 + std::uint64_t{record.dimCount} * countBytes, 4);
    return bytes ? loadAs<std::uint32_t>(bytes, m_header->byteOrder) : 0;
}

Tensor Document::tensor(std::size_t index) const
{
    const TensorRecord& record = m_tensors[index];
    const Header& header = *m_header;
    const std::uint64_t dimsAt = std::uint64_t{header.countBytes} + record.nameLength;
    const std::uint64_t length = dimsAt + 4 + std::uint64_t{record.dimCount} * header.countBytes + 12;

    Tensor tensor;
    tensor.index = index;
    tensor.recovered = record.recovered;
    tensor.record = {record.offset, length};
    tensor.dimsOffset = record.offset + dimsAt;
    tensor.dimCount = record.dimCount;
    const std::byte* bytes = imageAt(record.offset, length);
    if (!bytes)
        return tensor;
    tensor.name = asText(bytes + header.countBytes, record.nameLength);
    bytes += dimsAt + 4;
    for (std::uint32_t i = 0; i < record.dimCount; ++i, bytes += header.countBytes)
        tensor.dimValues[i] = static_cast<std::int64_t>(loadCount(bytes, header));
    tensor.typeId = loadAs<std::uint32_t>(bytes, header.byteOrder);
    tensor.offset = loadAs<std::uint64_t>(bytes + 4, header.byteOrder);

    if (m_typeChoices) {
        const auto choice = std::ranges::lower_bound(*m_typeChoices, tensor.typeId, {}, &TypeChoice::typeId);
        if (choice != m_typeChoices->end() && choice->typeId == tensor.typeId && !choice->fitting.empty())
            tensor.type = choice->fitting.front();
    }
    if (!tensor.type)
        tensor.type = findTensorType(tensor.typeId);

    if (const auto size = tensor.type ? tensorSize(*tensor.type, tensor.dims()) : std::nullopt) {
        tensor.elements = size->elements;
        tensor.blocks = size->blocks;
        tensor.rowBytes = size->rowBytes;
        tensor.dataBytes = size->dataBytes;
        tensor.padding = (m_alignment - size->dataBytes % m_alignment) % m_alignment;
    } else {
        tensor.elements = elementCount(tensor.dims());
    }
    if (m_dataOffset && tensor.offset <= UINT64_MAX - *m_dataOffset)
        tensor.fileOffset = *m_dataOffset + tensor.offset;
    return tensor;
}

std::size_t Document::tensorInOffsetOrder(std::size_t rank) const
{
    return m_offsetOrder ? m_offsetOrder->byOffset[rank] : rank;
}

std::size_t Document::offsetRank(std::size_t index) const
{
    return m_offsetOrder ? m_offsetOrder->rank[index] : index;
}

TensorSpace Document::tensorSpace(std::size_t index) const
{
    const Tensor own = tensor(index);
    TensorSpace space;
    space.required = own.dataBytes;
    if (!own.fileOffset)
        return space;
    const std::uint64_t start = *own.fileOffset;
    const std::uint64_t inFile = start < m_fileSize ? m_fileSize - start : 0;
    space.present = std::min(inFile, own.dataBytes.value_or(inFile));

    const std::size_t next = offsetRank(index) + 1;
    const bool isLast = next == tensorCount();
    space.reserved = isLast ? inFile : tensor(tensorInOffsetOrder(next)).offset - own.offset;
    if (isLast || !own.dataBytes)
        return space;
    const std::uint64_t needed = *own.dataBytes;
    if (needed > *space.reserved)
        space.overlap = needed - *space.reserved;
    else if (*space.reserved - needed > *own.padding)
        space.gap = *space.reserved - needed - *own.padding;
    return space;
}

std::optional<std::size_t> Document::findTensor(std::string_view name) const
{
    for (std::size_t i = 0; i < m_tensors.size(); ++i) {
        if (tensorName(i) == name)
            return i;
    }
    return {};
}

Verdicts Document::verdicts() const
{
    Verdicts verdicts;
    for (std::size_t i = 0; i < m_problems.size(); ++i) {
        const Judges& judges = m_problems[i].judges;
        if (judges.spec && !verdicts.specReason)
            verdicts.specReason = i;
        if (judges.ggml == GgmlVerdict::RefusesToOpen && !verdicts.ggmlOpensReason)
            verdicts.ggmlOpensReason = i;
        if (judges.ggml != GgmlVerdict::Accepts && !verdicts.ggmlReadsReason)
            verdicts.ggmlReadsReason = i;
    }
    verdicts.specValid = !verdicts.specReason && m_status == Status::Ok;
    verdicts.ggmlOpens = !verdicts.ggmlOpensReason && m_status == Status::Ok;
    verdicts.ggmlReads = !verdicts.ggmlReadsReason && m_status == Status::Ok;
    return verdicts;
}

std::optional<std::size_t> Document::metadataOf(const Subject& subject) const
{
    const bool read = subject.kind == Subject::Kind::Metadata && subject.index < m_metadata.size()
        && !m_metadata[subject.index].recovered;
    return read ? std::optional(subject.index) : std::nullopt;
}

std::optional<std::size_t> Document::tensorOf(const Subject& subject) const
{
    const bool read = subject.kind == Subject::Kind::Tensor && subject.index < m_tensors.size()
        && !m_tensors[subject.index].recovered;
    return read ? std::optional(subject.index) : std::nullopt;
}

std::string Document::subjectName(const Subject& subject) const
{
    switch (subject.kind) {
    case Subject::Kind::File:
        return "file";
    case Subject::Kind::Header:
        return "header";
    case Subject::Kind::Metadata:
        return metadataOf(subject) ? visibleText(key(subject.index), 200)
                                   : fmt::format("metadata pair {}", subject.index + 1);
    case Subject::Kind::Tensor:
        return tensorOf(subject) ? visibleText(tensorName(subject.index), 200)
                                 : fmt::format("tensor {}", subject.index + 1);
    }
    return {};
}

std::span<const TensorTypeInfo* const> Document::fittingLayouts(std::uint32_t typeId) const
{
    if (!m_typeChoices)
        return {};
    const auto choice = std::ranges::lower_bound(*m_typeChoices, typeId, {}, &TypeChoice::typeId);
    if (choice == m_typeChoices->end() || choice->typeId != typeId)
        return {};
    return choice->fitting;
}

} // namespace gguf
