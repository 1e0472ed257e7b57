// SPDX-License-Identifier: GPL-3.0-or-later
#include "panes/mapstrip.h"

#include "models/selection.h"
#include "models/typepalette.h"
#include "panes/hexpane.h"
#include "widgets/bytestrip.h"
#include "widgets/plaintext.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QHash>

namespace {

/// Far more than a screen has pixels. The rest of the file is then one stretch.
constexpr std::size_t kMostSegments = 250'000;

} // namespace

MapStrip::MapStrip(HexPane& hex, Selection& selection, QWidget* parent)
    : QWidget(parent)
    , m_hex(hex)
    , m_strip(new ByteStrip)
    , m_name(new PlainLabel)
{
    setObjectName(QStringLiteral("mapStrip"));
    m_strip->setObjectName(QStringLiteral("mapStripBytes"));
    m_name->setObjectName(QStringLiteral("mapStripName"));
    m_name->setElideMode(Qt::ElideMiddle);
    m_name->setFixedWidth(fontMetrics().averageCharWidth() * 30);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(8, 2, 8, 2);
    row->setSpacing(8);
    row->addWidget(m_strip, 1);
    row->addWidget(m_name);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);

    const auto nameOf = [this](quint64 offset) {
        const ByteStripSegment* segment = m_strip->segmentAt(offset);
        return segment ? segment->name : QString();
    };
    connect(m_strip, &ByteStrip::hovered, this, [this, nameOf](const QString& name) {
        m_name->setText(name.isEmpty() ? nameOf(m_strip->position()) : name);
    });
    connect(m_strip, &ByteStrip::activated, this, [this, &selection](quint64 offset) {
        selection.select(m_hex.placeAt(offset), this, Selection::Kind::Jump);
    });
    connect(&m_hex, &HexPane::mapChanged, this, &MapStrip::rebuild);
    connect(&m_hex, &HexPane::windowChanged, m_strip, &ByteStrip::setWindow);
    connect(&m_hex, &HexPane::caretChanged, this, [this, nameOf](quint64 offset) {
        m_strip->setPosition(offset);
        m_name->setText(nameOf(offset));
    });
    rebuild();
}

void MapStrip::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        rebuild();
}

void MapStrip::rebuild()
{
    const gguf::ByteMap& map = m_hex.map();
    const gguf::Document& document = map.document();
    const TypePalette colors = TypePalette::forPalette(palette());
    QHash<quint32, QColor> typeColors;
    std::vector<ByteStripSegment> segments;
    quint64 size = document.fileSize();
    const auto add = [&](gguf::ByteRange range, const QColor& color, const QString& name) {
        if (range.length > 0)
            segments.push_back({range.offset, range.length, color, ByteStripSegment::Style::Solid, name});
    };
    // Pairs and records are shown together: they would be thinner than a line each.
    quint64 at = 0;
    if (document.header()) {
        at = std::min<quint64>(document.header()->size(), size);
        add({0, at}, colors.regionColor(gguf::RegionKind::Header), tr("Header"));
        const quint64 recordsBegin = document.tensorCount() > 0 ? document.tensorRecord(0).offset : document.tablesEnd();
        if (document.metadataCount() > 0 && recordsBegin > at) {
            add({at, recordsBegin - at}, colors.regionColor(gguf::RegionKind::MetadataPair), tr("Metadata"));
            at = recordsBegin;
        }
        if (document.tensorCount() > 0 && document.tablesEnd() > at) {
            add({at, document.tablesEnd() - at}, colors.regionColor(gguf::RegionKind::TensorRecord), tr("Tensor table"));
            at = document.tablesEnd();
        }
    }
    const std::vector<gguf::Region> regions = map.regionsIn({at, UINT64_MAX - at}, kMostSegments);
    for (const gguf::Region& region : regions) {
        if (region.range.offset < at || region.range.length == 0)
            continue;
        ByteStripSegment segment;
        segment.offset = region.range.offset;
        segment.length = region.range.length;
        segment.color = colors.regionColor(region.kind);
        if (region.kind == gguf::RegionKind::TensorData && region.tensor) {
            const quint32 type = document.tensor(*region.tensor).typeId;
            if (!typeColors.contains(type))
                typeColors[type] = colors.color(type);
            segment.color = typeColors[type];
        }
        if (region.kind == gguf::RegionKind::Missing) {
            segment.style = ByteStripSegment::Style::Outlined;
            size = std::max<quint64>(size, region.range.end());
        } else if (region.owners.size() > 1) {
            segment.style = ByteStripSegment::Style::Hatched;
        }
        segment.name = regionName(map, region);
        segments.push_back(segment);
        at = region.range.end();
    }
    if (at < size)
        add({at, size - at}, colors.regionColor(gguf::RegionKind::Unread), tr("More tensors"));
    m_strip->setSegments(std::move(segments), size);
}
