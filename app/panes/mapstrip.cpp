// SPDX-License-Identifier: GPL-3.0-or-later
#include "panes/mapstrip.h"

#include "models/numbertext.h"
#include "models/selection.h"
#include "models/typepalette.h"
#include "panes/hexpane.h"
#include "widgets/bytestrip.h"
#include "widgets/hexview.h"
#include "widgets/plaintext.h"

#include <QEvent>
#include <QHBoxLayout>

#include <unordered_map>

namespace {

constexpr std::size_t kRegionsAtOnce = 4096; ///< between two looks at the stop token

/// Where the metadata and the tensor table end. Pairs and records are shown together: they would be thinner than
/// a line each.
std::uint64_t appendTables(ByteStripMap& strip, const gguf::Document& document, const TypePalette& colors)
{
    if (!document.header())
        return 0;
    const auto append = [&](std::uint64_t end, gguf::RegionKind kind) {
        strip.append(std::min(end, document.fileSize()), colors.regionColor(kind).rgb());
    };
    append(document.header()->size(), gguf::RegionKind::Header);
    if (document.metadataCount() > 0)
        append(document.tensorCount() > 0 ? document.tensorRecord(0).offset : document.tablesEnd(),
            gguf::RegionKind::MetadataPair);
    if (document.tensorCount() > 0)
        append(document.tablesEnd(), gguf::RegionKind::TensorRecord);
    return strip.size();
}

ByteStripMap stripMap(const gguf::ByteMap& map, const TypePalette& colors, const std::stop_token& stop)
{
    using Style = ByteStripMap::Style;
    const gguf::Document& document = map.document();
    ByteStripMap strip;
    std::unordered_map<std::uint32_t, QRgb> typeColors;
    const auto colorOf = [&](const gguf::Region& region) {
        if (region.kind != gguf::RegionKind::TensorData || !region.tensor)
            return colors.regionColor(region.kind).rgb();
        const std::uint32_t type = document.tensorTypeId(*region.tensor);
        const auto [place, isNew] = typeColors.try_emplace(type);
        if (isNew)
            place->second = colors.color(type).rgb();
        return place->second;
    };
    std::optional<gguf::Region> region = map.regionAt(appendTables(strip, document, colors));
    for (std::size_t i = 0; region && (i % kRegionsAtOnce != 0 || !stop.stop_requested()); ++i) {
        const Style style = region->kind == gguf::RegionKind::Missing ? Style::Outlined
            : region->owners.size() > 1                              ? Style::Hatched
                                                                     : Style::Solid;
        strip.append(region->range.end(), colorOf(*region), style);
        region = map.next(*region);
    }
    return strip;
}

} // namespace

MapStrip::MapStrip(HexPane& hex, Selection& selection, QWidget* parent)
    : QWidget(parent)
    , m_hex(hex)
    , m_strip(new ByteStrip)
    , m_name(new PlainLabel)
    , m_job(this, [this](Built built) {
        m_strip->setMap(std::move(built));
        m_strip->setPosition(m_hex.view()->focusOffset());
        if (m_isOld)
            build();
    }, [this](const QString& sentence) {
        if (m_isOld)
            build();
        else
            m_name->setText(sentence);
    })
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

    m_strip->setToolTipText([this](quint64 offset) { return toolTipAt(offset); });
    connect(m_strip, &ByteStrip::hovered, this, [this](quint64 offset) { m_name->setText(nameAt(offset)); });
    connect(m_strip, &ByteStrip::left, this, [this] { m_name->setText(nameAt(m_strip->position())); });
    connect(m_strip, &ByteStrip::activated, this, [this, &selection](quint64 offset) {
        selection.select(m_hex.placeAt(offset), this, Selection::Kind::Jump);
    });
    connect(&m_hex, &HexPane::mapChanged, this, [this] {
        // Problems that are found later change no region.
        const auto& layout = m_hex.map().document().dataLayout();
        if (!layout || layout != m_layout)
            rebuild();
        m_layout = layout;
    });
    connect(&m_hex, &HexPane::windowChanged, m_strip, &ByteStrip::setWindow);
    connect(&m_hex, &HexPane::caretChanged, this, [this](quint64 offset) {
        m_strip->setPosition(offset);
        m_name->setText(nameAt(offset));
    });
    build();
}

void MapStrip::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        rebuild();
}

/// While a file loads the map changes many times: one job runs at a time, and then one with the newest map.
void MapStrip::rebuild()
{
    m_isOld = true;
    if (!m_job.isRunning() || m_hex.map().document().fileSize() == 0)
        build();
}

void MapStrip::build()
{
    m_isOld = false;
    m_job.start([map = m_hex.map(), colors = TypePalette::forPalette(palette())](const std::stop_token& stop) -> Built {
        return std::make_shared<const ByteStripMap>(stripMap(map, colors, stop));
    });
}

QString MapStrip::nameAt(quint64 offset) const
{
    const std::optional<gguf::Region> region = m_hex.map().regionAt(offset);
    return region ? regionName(m_hex.map(), *region) : QString();
}

QString MapStrip::toolTipAt(quint64 offset) const
{
    const std::optional<gguf::Region> region = m_hex.map().regionAt(offset);
    if (!region)
        return NumberText::offset(offset);
    return nameAt(offset) + u'\n' + NumberText::range(region->range.offset, region->range.length);
}
