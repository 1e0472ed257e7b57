// SPDX-License-Identifier: GPL-3.0-or-later
#include "panes/documenthexdata.h"

#include "document/datablock.h"
#include "document/text.h"
#include "models/numbertext.h"
#include "quant/blocklayout.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>

namespace {

constexpr std::size_t kMostRegions = 4096; ///< in one page
constexpr std::size_t kMostSpans = 8192;
constexpr std::size_t kNameBytes = 80;

QString visible(std::string_view text)
{
    return QString::fromStdString(gguf::visibleText(text, kNameBytes));
}

QString blockName(const gguf::DataBlock& place)
{
    const auto tr = [](const char* text) { return QCoreApplication::translate("HexPane", text); };
    if (place.rows > 1) {
        const QString rows = tr("rows %1 to %2").arg(place.row).arg(place.row + place.rows - 1);
        if (place.isMeta())
            return tr("%1: scales").arg(rows);
        return *place.block == 0 ? tr("%1, block 0 of each").arg(rows) : tr("block %1 of each").arg(*place.block);
    }
    if (place.isMeta())
        return tr("row %1: scale").arg(place.row);
    return *place.block == 0 ? tr("row %1, block 0").arg(place.row) : tr("block %1").arg(*place.block);
}

QString missingText(const gguf::ByteMap& map)
{
    const gguf::Document& document = map.document();
    const std::uint64_t size = document.fileSize();
    const std::optional<gguf::Region> region = map.regionAt(size);
    if (!region || region->kind != gguf::RegionKind::Missing)
        return {};
    const std::uint64_t end = std::max(region->range.end(), document.contentEnd().value_or(0));
    const QString bytes = NumberText::size(end - size);
    if (!region->tensor)
        return QCoreApplication::translate("HexPane", "The file ends here. %1 are missing.").arg(bytes);
    const QString name = visible(document.tensorName(*region->tensor));
    if (end > region->range.end())
        return QCoreApplication::translate("HexPane", "The file ends here. %1 are missing, from %2 on.").arg(bytes, name);
    return region->owners.empty()
        ? QCoreApplication::translate("HexPane", "The file ends here. %1 of padding after %2 are missing.").arg(bytes, name)
        : QCoreApplication::translate("HexPane", "The file ends here. %1 of %2 are missing.").arg(bytes, name);
}

} // namespace

QString regionName(const gguf::ByteMap& map, const gguf::Region& region)
{
    if (region.owners.size() > 1) {
        constexpr std::size_t kMostNames = 4;
        QStringList names;
        for (std::size_t i = 0; i < std::min(region.owners.size(), kMostNames); ++i)
            names += visible(map.document().tensorName(region.owners[i]));
        if (region.owners.size() > kMostNames || region.moreOwners)
            names += QStringLiteral("…");
        return QCoreApplication::translate("HexPane", "Overlap of %1").arg(names.join(QStringLiteral(", ")));
    }
    const std::vector<std::string> path = map.path(region);
    return path.empty() ? QString() : QString::fromStdString(path.back());
}

DocumentHexData::DocumentHexData(BlockCache& cache)
    : m_cache(cache)
    , m_map(gguf::Document())
{
}

void DocumentHexData::setMap(const gguf::ByteMap& map)
{
    m_map = map;
    m_missing = missingText(map);
    m_cachedRange = {};
}

void DocumentHexData::setColors(const TypePalette& colors)
{
    m_colors = colors;
    m_tints.clear();
    m_lanes.clear();
    m_cachedRange = {};
}

HexBytes DocumentHexData::bytesAt(quint64 offset, quint64 length)
{
    const BlockCache::Run run = m_cache.bytesAt(offset, length);
    switch (run.state) {
    case BlockCache::State::Present:
        return {HexBytes::State::Present, run.length,
            {reinterpret_cast<const unsigned char*>(run.bytes.data()), run.bytes.size()}};
    case BlockCache::State::Failed:
        return {HexBytes::State::Failed, run.length, {}};
    case BlockCache::State::Absent:
    case BlockCache::State::Wanted:
        break;
    }
    return {HexBytes::State::Absent, run.length, {}};
}

std::vector<HexSpan> DocumentHexData::spans(quint64 offset, quint64 length) const
{
    const HexRange asked{offset, length};
    if (asked == m_cachedRange && length > 0)
        return m_cachedSpans;
    std::vector<HexSpan> spans;
    for (const gguf::Region& region : m_map.regionsIn({offset, length}, kMostRegions))
        addRegion(spans, region, {offset, length});
    m_cachedRange = asked;
    m_cachedSpans = spans;
    return spans;
}

void DocumentHexData::addRegion(
    std::vector<HexSpan>& spans, const gguf::Region& region, gguf::ByteRange shown) const
{
    HexSpan span;
    span.offset = region.range.offset;
    span.length = region.range.length;
    span.boundary = HexSpan::Boundary::Line;
    span.hatched = region.owners.size() > 1;
    span.name = regionName(m_map, region);
    if (region.kind == gguf::RegionKind::TensorData && region.tensor) {
        const quint32 type = m_map.document().tensorTypeId(*region.tensor);
        if (!m_tints.contains(type)) {
            m_tints[type] = m_colors.tint(type);
            m_lanes[type] = m_colors.color(type);
        }
        span.tint = m_tints[type];
        span.lane = m_lanes[type];
    } else {
        span.tint = m_colors.regionTint(region.kind);
        span.lane = m_colors.regionColor(region.kind);
    }
    spans.push_back(span);
    const bool hasFields = region.kind == gguf::RegionKind::Header || region.kind == gguf::RegionKind::MetadataPair
        || region.kind == gguf::RegionKind::TensorRecord;
    if (hasFields)
        addFields(spans, region, shown);
    else if (region.kind == gguf::RegionKind::TensorData && region.tensor)
        addBlocks(spans, region, shown);
}

void DocumentHexData::addFields(
    std::vector<HexSpan>& spans, const gguf::Region& region, gguf::ByteRange shown) const
{
    std::uint64_t at = std::max(region.range.offset, shown.offset);
    const std::uint64_t end = std::min(region.range.end(), shown.end());
    while (at < end && spans.size() < kMostSpans) {
        const gguf::Location place = m_map.locate(at);
        if (place.range.length == 0 || place.range.end() <= at)
            return;
        HexSpan span;
        span.offset = place.range.offset;
        span.length = place.range.length;
        span.boundary = HexSpan::Boundary::Hairline;
        if (place.path.size() > 1 && place.range.offset != region.range.offset)
            span.name = QString::fromStdString(place.path.back());
        else if (!place.field.empty())
            span.name = QString::fromStdString(place.field);
        spans.push_back(span);
        at = place.range.end();
    }
}

void DocumentHexData::addBlocks(
    std::vector<HexSpan>& spans, const gguf::Region& region, gguf::ByteRange shown) const
{
    const gguf::Tensor tensor = m_map.document().tensor(*region.tensor);
    if (!tensor.type || !tensor.rowBytes || !tensor.dataRange())
        return;
    if (tensor.type->blockLength <= 1 && tensor.type->rowsInterleaved == 1) {
        addRows(spans, tensor, shown);
        return;
    }
    const std::span<const gguf::BlockField> fields = gguf::blockFields(*tensor.type);
    const QColor tint = m_tints.value(tensor.typeId);
    const QColor lane = m_lanes.value(tensor.typeId);
    // Quants are most of a block and keep the tensor's tint; what scales them stands out a little.
    const auto mix = [](int a, int b) { return (a * 7 + b) / 8; };
    const QColor scaleTint(
        mix(tint.red(), lane.red()), mix(tint.green(), lane.green()), mix(tint.blue(), lane.blue()));
    std::uint64_t at = std::max(region.range.offset, shown.offset);
    const std::uint64_t end = std::min({region.range.end(), shown.end(), tensor.dataRange()->end()});
    while (at < end && spans.size() < kMostSpans) {
        const std::optional<gguf::DataBlock> block = gguf::dataBlockAt(tensor, at);
        if (!block)
            return;
        HexSpan span;
        span.offset = block->range.offset;
        span.length = block->range.length;
        span.boundary = HexSpan::Boundary::Hairline;
        span.name = blockName(*block);
        if (block->isMeta())
            span.tint = scaleTint;
        spans.push_back(span);
        at = block->range.end();
        if (block->isMeta() || block->rows > 1)
            continue;
        for (const gguf::BlockField& field : fields) {
            const bool quants = field.name.starts_with('q') || field.size * 2 >= tensor.type->blockBytes;
            if (quants && fields.size() == 1)
                continue;
            HexSpan part;
            part.offset = block->range.offset + field.offset;
            part.length = field.size;
            part.name = visible(field.name);
            if (!quants)
                part.tint = scaleTint;
            if (part.offset < end && part.offset + part.length > shown.offset)
                spans.push_back(part);
        }
    }
}

void DocumentHexData::addRows(std::vector<HexSpan>& spans, const gguf::Tensor& tensor, gguf::ByteRange shown) const
{
    const gguf::ByteRange data = *tensor.dataRange();
    const std::uint64_t rowBytes = *tensor.rowBytes;
    if (rowBytes < 8 || data.length / rowBytes < 2)
        return;
    const std::uint64_t first = shown.offset > data.offset ? (shown.offset - data.offset) / rowBytes : 0;
    for (std::uint64_t row = first; spans.size() < kMostSpans; ++row) {
        const std::uint64_t start = data.offset + row * rowBytes;
        if (start >= std::min(shown.end(), data.end()))
            return;
        HexSpan span;
        span.offset = start;
        span.length = rowBytes;
        span.boundary = HexSpan::Boundary::Hairline;
        span.name = QCoreApplication::translate("HexPane", "row %1").arg(row);
        spans.push_back(span);
    }
}
