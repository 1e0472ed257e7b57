// SPDX-License-Identifier: GPL-3.0-or-later
#include "document/bytemap.h"

#include "document/datalayout.h"
#include "document/fieldlocator.h"
#include "document/text.h"

#include <algorithm>

namespace gguf {

namespace {

/// The last of `count` things in file order that begins at or before an offset.
template <class StartOf>
std::optional<std::size_t> lastUpTo(std::size_t count, std::uint64_t offset, StartOf startOf)
{
    std::size_t low = 0;
    std::size_t high = count;
    while (low < high) {
        const std::size_t middle = low + (high - low) / 2;
        if (startOf(middle) <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low == 0 ? std::nullopt : std::optional(low - 1);
}

Region plainRegion(RegionKind kind, std::uint64_t offset, std::uint64_t end)
{
    return {kind, {offset, end - offset}, {}, {}, {}};
}

RegionKind regionKind(DataLayout::Kind kind)
{
    switch (kind) {
    case DataLayout::Kind::Data:
        return RegionKind::TensorData;
    case DataLayout::Kind::Padding:
        return RegionKind::TensorPadding;
    case DataLayout::Kind::Gap:
        return RegionKind::Gap;
    case DataLayout::Kind::AfterLast:
        break;
    }
    return RegionKind::Trailing;
}

} // namespace

std::string_view regionKindName(RegionKind kind)
{
    switch (kind) {
    case RegionKind::Header:
        return "header";
    case RegionKind::MetadataPair:
        return "metadata";
    case RegionKind::TensorRecord:
        return "tensor_record";
    case RegionKind::HeaderPadding:
        return "header_padding";
    case RegionKind::TensorData:
        return "tensor_data";
    case RegionKind::TensorPadding:
        return "tensor_padding";
    case RegionKind::Gap:
        return "gap";
    case RegionKind::Trailing:
        return "trailing";
    case RegionKind::Unread:
        return "unread";
    case RegionKind::Missing:
        return "missing";
    }
    return {};
}

std::string Location::pathText() const
{
    std::string text;
    for (const std::string& part : path) {
        if (!text.empty())
            text += " > ";
        text += part;
    }
    return text;
}

ByteMap::ByteMap(Document document)
    : m_document(std::move(document))
{
    if (m_document.header())
        m_tablesEnd = m_document.header()->size();
    if (m_document.metadataCount() > 0)
        m_tablesEnd = std::max(m_tablesEnd, m_document.metadata(m_document.metadataCount() - 1).end);
    if (m_document.tensorCount() > 0)
        m_tablesEnd = std::max(m_tablesEnd, m_document.tensor(m_document.tensorCount() - 1).record.end());
    m_tablesEnd = std::min(m_tablesEnd, m_document.fileSize());
}

/// Before m_tablesEnd: header, pairs and records; what lies between those that were found again is unread.
Region ByteMap::tableRegion(std::uint64_t offset) const
{
    const std::uint64_t headerEnd = std::min(m_document.header()->size(), m_tablesEnd);
    if (offset < headerEnd)
        return plainRegion(RegionKind::Header, 0, headerEnd);

    const auto metadataStart = [&](std::size_t i) { return m_document.metadata(i).offset; };
    const auto recordStart = [&](std::size_t i) { return m_document.tensorRecord(i).offset; };
    const auto pair = lastUpTo(m_document.metadataCount(), offset, metadataStart);
    const auto record = lastUpTo(m_document.tensorCount(), offset, recordStart);

    std::uint64_t nextStart = m_tablesEnd;
    if (const std::size_t next = record ? *record + 1 : 0; next < m_document.tensorCount())
        nextStart = std::min(nextStart, recordStart(next));
    if (const std::size_t next = pair ? *pair + 1 : 0; next < m_document.metadataCount())
        nextStart = std::min(nextStart, metadataStart(next));

    // The pair in which reading stopped may reach over what was found again behind it: it ends there.
    const auto until = [&](ByteRange range) {
        return ByteRange{range.offset, std::min(range.end(), nextStart) - range.offset};
    };
    std::uint64_t previousEnd = headerEnd;
    if (record && (!pair || recordStart(*record) > metadataStart(*pair))) {
        const ByteRange range = until(m_document.tensor(*record).record);
        if (offset < range.end())
            return {RegionKind::TensorRecord, range, {}, *record, {}};
        previousEnd = range.end();
    } else if (pair) {
        const ByteRange range = until(m_document.metadata(*pair).range());
        if (offset < range.end())
            return {RegionKind::MetadataPair, range, *pair, {}, {}};
        previousEnd = range.end();
    }
    return plainRegion(RegionKind::Unread, previousEnd, nextStart);
}

std::optional<Region> ByteMap::regionAt(std::uint64_t offset) const
{
    return regionAt(offset, SIZE_MAX);
}

std::optional<Region> ByteMap::regionAt(std::uint64_t offset, std::size_t nearRank) const
{
    const std::uint64_t size = m_document.fileSize();
    if (!m_document.header()) {
        if (offset >= size)
            return {};
        // Stopped inside the header of what is GGUF, or something else.
        const bool isHeader = m_document.status() == Status::Partial && size < Header{}.size();
        return plainRegion(isHeader ? RegionKind::Header : RegionKind::Unread, 0, size);
    }
    if (offset < m_tablesEnd)
        return tableRegion(offset);
    if (m_document.status() != Status::Ok || !m_document.dataOffset()) {
        if (offset >= size)
            return {};
        return plainRegion(
            m_document.status() == Status::Ok ? RegionKind::Trailing : RegionKind::Unread, m_tablesEnd, size);
    }

    Region region;
    const std::uint64_t dataOffset = *m_document.dataOffset();
    if (offset < dataOffset) {
        region = plainRegion(RegionKind::HeaderPadding, m_tablesEnd, dataOffset);
    } else {
        DataLayout::Stretch stretch = m_document.dataLayout()->at(m_document, offset, nearRank);
        if (stretch.kind == DataLayout::Kind::AfterLast && offset >= size)
            return {};
        region = {regionKind(stretch.kind), stretch.range, {}, stretch.tensor, std::move(stretch.owners),
            stretch.moreOwners};
    }
    // The file's end cuts a region in two: what is there, and what is missing.
    if (offset < size) {
        region.range.length = std::min(region.range.end(), size) - region.range.offset;
    } else {
        const std::uint64_t end = region.range.end();
        region.range.offset = std::max(region.range.offset, size);
        region.range.length = end - region.range.offset;
        region.kind = RegionKind::Missing;
    }
    return region;
}

std::optional<Region> ByteMap::next(const Region& region) const
{
    if (region.range.end() == UINT64_MAX)
        return {};
    return regionAt(region.range.end(), region.tensor ? m_document.offsetRank(*region.tensor) : SIZE_MAX);
}

std::optional<Region> ByteMap::previous(const Region& region) const
{
    return region.range.offset == 0 ? std::nullopt : regionAt(region.range.offset - 1);
}

std::vector<Region> ByteMap::regionsIn(ByteRange range, std::size_t most) const
{
    std::vector<Region> regions;
    std::optional<Region> region = range.length == 0 ? std::nullopt : regionAt(range.offset);
    while (region && region->range.offset < range.end() && regions.size() < most) {
        regions.push_back(*region);
        region = next(*region);
    }
    return regions;
}

std::vector<std::string> ByteMap::path(const Region& region) const
{
    const auto tensorName = [&] {
        return region.tensor ? visibleText(m_document.tensorName(*region.tensor), kMostPathText)
                             : std::string();
    };
    switch (region.kind) {
    case RegionKind::Header:
        return {"Header"};
    case RegionKind::MetadataPair:
        return {"Metadata", visibleText(m_document.key(*region.metadata), kMostPathText)};
    case RegionKind::TensorRecord:
        return {"Tensor table", tensorName()};
    case RegionKind::HeaderPadding:
        return {"Padding before the tensor data"};
    case RegionKind::TensorData:
        return {tensorName()};
    case RegionKind::TensorPadding:
        return {"Padding after " + tensorName()};
    case RegionKind::Gap:
        return {"Gap"};
    case RegionKind::Trailing:
        return {"Trailing bytes"};
    case RegionKind::Unread:
        return {"Unread bytes"};
    case RegionKind::Missing:
        if (!region.tensor)
            return {"Missing bytes"};
        return {(region.owners.empty() ? "Missing padding after " : "Missing bytes of ") + tensorName()};
    }
    return {};
}

Location ByteMap::locate(
    std::uint64_t offset, std::span<const std::byte> bytes, std::uint64_t bytesOffset) const
{
    Location location;
    location.offset = offset;
    const std::optional<Region> region = regionAt(offset);
    if (!region) {
        location.range = {offset, 0};
        location.path = {"Beyond the end"};
        return location;
    }
    location.region = *region;
    location.range = region->range;
    location.path = path(*region);
    FieldLocator(m_document, bytes, bytesOffset).locate(location);
    return location;
}

} // namespace gguf
