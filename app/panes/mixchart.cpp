// SPDX-License-Identifier: GPL-3.0-or-later
#include "panes/mixchart.h"

#include "document/text.h"
#include "models/counted.h"
#include "models/numbertext.h"
#include "models/typepalette.h"
#include "widgets/plaintext.h"

#include <QAbstractBarSeries>
#include <QBarCategoryAxis>
#include <QBarSet>
#include <QCategoryAxis>
#include <QChart>
#include <QEvent>
#include <QGraphicsLayout>
#include <QHorizontalStackedBarSeries>
#include <QLegend>
#include <QStackedBarSeries>
#include <QToolTip>
#include <QValueAxis>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

using gguf::Mix;

namespace {

QString visible(std::string_view text)
{
    return QString::fromStdString(gguf::visibleText(text, 80));
}

/// A unit in which the largest value has at most four digits before the point.
struct Unit
{
    double size = 1;
    QString name;
};

Unit unitFor(double largest, MixChart::Measure measure)
{
    if (measure == MixChart::Measure::Count)
        return {1, MixChart::tr("tensors")};
    const bool bytes = measure == MixChart::Measure::Bytes;
    const std::array<QString, 5> names = bytes
        ? std::array<QString, 5>{MixChart::tr("bytes"), QStringLiteral("KiB"), QStringLiteral("MiB"),
            QStringLiteral("GiB"), QStringLiteral("TiB")}
        : std::array<QString, 5>{MixChart::tr("weights"), MixChart::tr("thousand weights"),
            MixChart::tr("million weights"), MixChart::tr("billion weights"),
            MixChart::tr("trillion weights")};
    Unit unit{1, names[0]};
    const double step = bytes ? 1024 : 1000;
    for (std::size_t i = 1; i < names.size() && largest >= 2 * unit.size * step; ++i)
        unit = {unit.size * step, names[i]};
    return unit;
}

/// A layer's name, or that of several which share a bar.
QString rangeLabel(const Mix& mix, const std::vector<std::uint32_t>& columns)
{
    const QString first = visible(mix.columns[columns.front()].label);
    if (columns.size() == 1)
        return first;
    return MixChart::tr("%1 to %2").arg(first, visible(mix.columns[columns.back()].label));
}

QString placeText(MixChart::Grouping grouping, const QString& label)
{
    if (grouping == MixChart::Grouping::Role)
        return label;
    if (label == QLatin1String("before"))
        return MixChart::tr("Before the first layer");
    if (label == QLatin1String("after"))
        return MixChart::tr("After the last layer");
    return MixChart::tr("Layer %1").arg(label);
}

} // namespace

MixChart::MixChart(QWidget* parent)
    : QChartView(new QChart, parent)
{
    setObjectName(QStringLiteral("mixChart"));
    setAccessibleName(tr("Chart of the quantization mix"));
    setRenderHint(QPainter::Antialiasing, false); // crisp edges of bars
    setFrameShape(QFrame::NoFrame);
    setMinimumSize(220, 120);
    chart()->legend()->setAlignment(Qt::AlignRight);
    chart()->legend()->setMarkerShape(QLegend::MarkerShapeRectangle);
    chart()->legend()->hide(); // the table of types beside the chart is one
    chart()->layout()->setContentsMargins(0, 0, 0, 0);
    chart()->setMargins(QMargins(4, 8, 12, 4));
    chart()->setBackgroundRoundness(0);
    applyPalette();
}

void MixChart::setAudit(AuditService::Result audit)
{
    m_audit = std::move(audit);
    rebuild();
}

void MixChart::setMeasure(Measure measure)
{
    m_measure = measure;
    rebuild();
}

void MixChart::setGrouping(Grouping grouping)
{
    m_grouping = grouping;
    rebuild();
}

double MixChart::valueOf(const gguf::MixSum& sum) const
{
    switch (m_measure) {
    case Measure::Bytes:
        return static_cast<double>(sum.bytes);
    case Measure::Elements:
        return static_cast<double>(sum.elements);
    case Measure::Count:
        break;
    }
    return static_cast<double>(sum.tensors);
}

void MixChart::makeBars()
{
    m_bars.clear();
    if (!m_audit)
        return;
    const Mix& mix = m_audit->mix;
    switch (m_grouping) {
    case Grouping::Type:
        // Lying bars are drawn from below; the first shall be at the top.
        for (auto i = static_cast<std::uint32_t>(mix.types.size()); i-- > 0;)
            m_bars.push_back({visible(mix.types[i].name), {i}});
        return;
    case Grouping::Layer: {
        const auto count = static_cast<std::uint32_t>(mix.columns.size());
        const std::uint32_t share = (count + kMostBars - 1) / kMostBars;
        for (std::uint32_t first = 0; first < count; first += share) {
            std::vector<std::uint32_t> members(std::min(share, count - first));
            std::iota(members.begin(), members.end(), first);
            const QString label = rangeLabel(mix, members);
            m_bars.push_back({label, std::move(members)});
        }
        return;
    }
    case Grouping::Role:
        break;
    }

    std::vector<std::uint32_t> roles(mix.roles.size());
    std::iota(roles.begin(), roles.end(), 0U);
    std::ranges::stable_sort(
        roles, std::ranges::greater(), [&](std::uint32_t role) { return valueOf(mix.roles[role].sum); });
    const std::size_t own = roles.size() > kMostRoles ? kMostRoles - 1 : roles.size();
    std::vector<std::uint32_t> rest(roles.begin() + static_cast<std::ptrdiff_t>(own), roles.end());
    roles.resize(own);
    std::ranges::sort(roles);
    for (const std::uint32_t role : roles)
        m_bars.push_back({visible(mix.roles[role].label), {role}});
    if (!rest.empty()) {
        const QString label = counted(rest.size(), tr("1 other role"), tr("%1 other roles"));
        m_bars.push_back({label, std::move(rest)});
    }
    std::ranges::reverse(m_bars); // the first at the top
}

gguf::MixSum MixChart::partSum(const Bar& bar, std::uint32_t type) const
{
    const Mix& mix = m_audit->mix;
    gguf::MixSum total;
    if (m_grouping == Grouping::Type)
        return bar.members.front() == type ? mix.types[type].sum : total;
    for (const std::uint32_t member : bar.members) {
        const auto& parts
            = m_grouping == Grouping::Layer ? mix.columns[member].byType : mix.roles[member].byType;
        const auto part
            = std::ranges::lower_bound(parts, type, {}, [](const auto& entry) { return entry.first; });
        if (part == parts.end() || part->first != type)
            continue;
        total.add(part->second);
    }
    return total;
}

void MixChart::rebuild()
{
    chart()->removeAllSeries();
    for (QAbstractAxis* axis : chart()->axes()) {
        chart()->removeAxis(axis);
        delete axis;
    }
    m_sets.clear();
    makeBars();
    if (m_bars.empty())
        return;

    const Mix& mix = m_audit->mix;
    double largest = 0;
    for (const Bar& bar : m_bars) {
        double sum = 0;
        for (std::uint32_t type = 0; type < mix.types.size(); ++type)
            sum += valueOf(partSum(bar, type));
        largest = std::max(largest, sum);
    }

    const bool horizontal = m_grouping != Grouping::Layer;
    QAbstractBarSeries* series = horizontal
        ? static_cast<QAbstractBarSeries*>(new QHorizontalStackedBarSeries)
        : new QStackedBarSeries;
    const double unit = unitFor(largest, m_measure).size;
    for (std::uint32_t type = 0; type < mix.types.size(); ++type) {
        auto* set = new QBarSet(visible(mix.types[type].name));
        QList<qreal> values;
        values.reserve(static_cast<qsizetype>(m_bars.size()));
        for (const Bar& bar : m_bars)
            values.append(valueOf(partSum(bar, type)) / unit);
        set->append(values);
        m_sets.push_back(set);
        series->append(set);
    }
    series->setBarWidth(m_bars.size() > 60 ? 1.0 : 0.8);
    connect(series, &QAbstractBarSeries::hovered, this, &MixChart::showPart);
    connect(series, &QAbstractBarSeries::clicked, this, [this](int bar, QBarSet* set) {
        if (const auto type = typeOf(set))
            emit partClicked(bar, *type);
    });
    chart()->addSeries(series);
    addAxes(series, largest, horizontal);
    applyPalette();
}

void MixChart::addAxes(QAbstractBarSeries* series, double largest, bool horizontal)
{
    const Unit unit = unitFor(largest, m_measure);
    auto* values = new QValueAxis;
    values->setRange(0, largest > 0 ? largest / unit.size : 1);
    values->setTickCount(5);
    values->applyNiceNumbers();
    // Whole numbers unless the steps are smaller.
    const double step = (values->max() - values->min()) / (values->tickCount() - 1);
    values->setLabelFormat(step == std::floor(step) ? QStringLiteral("%.0f")
            : step * 10 == std::floor(step * 10)    ? QStringLiteral("%.1f")
                                                    : QStringLiteral("%.2f"));
    values->setTitleText(unit.name);

    QAbstractAxis* categories = nullptr;
    if (horizontal) {
        auto* axis = new QBarCategoryAxis;
        QStringList labels;
        for (const Bar& bar : m_bars) {
            QString label = bar.label;
            while (labels.contains(label)) // a category axis drops names it has already
                label += QChar(0x200B);
            labels << label;
        }
        axis->append(labels);
        categories = axis;
    } else {
        // A value axis whose labels are chosen, since one for each of 200 bars could not be read.
        auto* axis = new QCategoryAxis;
        axis->setLabelsPosition(QCategoryAxis::AxisLabelsPositionOnValue);
        axis->setTruncateLabels(false); // the labels left out make room for those that stay
        const auto count = static_cast<int>(m_bars.size());
        const int most = count > 100 ? 12 : 16; // three digits need more room than two
        const int every = std::max(1, (count + most - 1) / most);
        QStringList labels;
        for (int i = 0; i < count; ++i) {
            const QString& label = m_bars[static_cast<std::size_t>(i)].label;
            const bool isEnd = i == 0 || i == count - 1;
            bool isNumber = false;
            const int number = label.toInt(&isNumber);
            const bool nearEnd = every > 1 && (i <= every || i >= count - 1 - every);
            if (!isEnd && (nearEnd || (isNumber ? number % every != 0 : i % every != 0)))
                continue;
            if (labels.contains(label))
                continue;
            labels << label;
            axis->append(label, i);
        }
        axis->setRange(-0.5, count - 0.5);
        axis->setTitleText(tr("layer"));
        categories = axis;
    }
    chart()->addAxis(values, horizontal ? Qt::AlignBottom : Qt::AlignLeft);
    chart()->addAxis(categories, horizontal ? Qt::AlignLeft : Qt::AlignBottom);
    series->attachAxis(values);
    series->attachAxis(categories);
    categories->setGridLineVisible(false);
}

std::optional<std::uint32_t> MixChart::typeOf(QBarSet* set) const
{
    const auto place = std::ranges::find(m_sets, set);
    if (place == m_sets.end())
        return std::nullopt;
    return static_cast<std::uint32_t>(place - m_sets.begin());
}

QString MixChart::partText(int bar, std::uint32_t type) const
{
    if (!m_audit || bar < 0 || static_cast<std::size_t>(bar) >= m_bars.size())
        return {};
    const Bar& at = m_bars[static_cast<std::size_t>(bar)];
    const gguf::MixSum sum = partSum(at, type);
    if (sum.tensors == 0)
        return {};
    const QString name = visible(m_audit->mix.types[type].name);
    QStringList lines;
    lines << (m_grouping == Grouping::Type ? name : tr("%1: %2").arg(placeText(m_grouping, at.label), name));
    lines << NumberText::size(sum.bytes);
    lines << tr("%1 of all tensor data").arg(NumberText::share(sum.bytes, m_audit->mix.total.bytes));
    lines << counted(sum.tensors, tr("1 tensor"), tr("%1 tensors"));
    lines << (sum.parameters() ? counted(sum.elements, tr("1 weight"), tr("%1 weights"))
                               : tr("unknown number of weights"));
    if (sum.bitsPerWeight())
        lines << tr("%1 bits per weight").arg(NumberText::bitsPerWeight(sum.bitsPerWeight()));
    else if (const std::string why = sum.whyNoBitsPerWeight(); !why.empty())
        lines << QString::fromStdString(why);
    return lines.join(u'\n');
}

std::vector<std::size_t> MixChart::partTensors(int bar, std::uint32_t type) const
{
    std::vector<std::size_t> tensors;
    if (!m_audit || bar < 0 || static_cast<std::size_t>(bar) >= m_bars.size())
        return tensors;
    const auto& members = m_bars[static_cast<std::size_t>(bar)].members;
    const auto& placements = m_audit->mix.placements;
    for (std::size_t i = 0; i < placements.size(); ++i) {
        const std::uint32_t member = m_grouping == Grouping::Layer ? placements[i].column
            : m_grouping == Grouping::Role                         ? placements[i].role
                                                                   : placements[i].type;
        if (placements[i].type == type && std::ranges::find(members, member) != members.end())
            tensors.push_back(i);
    }
    return tensors;
}

void MixChart::showPart(bool entered, int bar, QBarSet* set)
{
    const auto type = typeOf(set);
    const QString text = entered && type ? partText(bar, *type) : QString();
    if (text.isEmpty()) {
        QToolTip::hideText();
        unsetCursor();
        return;
    }
    setCursor(Qt::PointingHandCursor);
    QToolTip::showText(QCursor::pos(), plainToolTip(text), this);
}

bool MixChart::viewportEvent(QEvent* event)
{
    // A graphics view answers a moment of rest with an empty tooltip, which would take the part's away.
    return event->type() == QEvent::ToolTip || QChartView::viewportEvent(event);
}

void MixChart::applyPalette()
{
    const QPalette& colors = palette();
    const TypePalette types = TypePalette::forPalette(colors);
    QColor grid = colors.color(QPalette::Text);
    grid.setAlphaF(0.15F);
    const QBrush text = colors.brush(QPalette::Text);

    setBackgroundBrush(colors.brush(QPalette::Base));
    chart()->setBackgroundBrush(colors.brush(QPalette::Base));
    chart()->setBackgroundPen(Qt::NoPen);
    chart()->legend()->setLabelBrush(text);
    chart()->legend()->setFont(font());
    for (std::size_t i = 0; i < m_sets.size(); ++i) {
        m_sets[i]->setColor(types.color(m_audit->mix.types[i].id));
        // A thin line of the background keeps neighbours apart; on very narrow bars it would be all there is.
        m_sets[i]->setPen(m_bars.size() > 60 ? QPen(Qt::NoPen) : QPen(colors.color(QPalette::Base), 1));
    }
    for (QAbstractAxis* axis : chart()->axes()) {
        axis->setLabelsBrush(text);
        axis->setTitleBrush(text);
        axis->setLabelsFont(font());
        axis->setTitleFont(font());
        axis->setGridLineColor(grid);
        axis->setLinePenColor(grid);
    }
}

void MixChart::changeEvent(QEvent* event)
{
    QChartView::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        applyPalette();
}

void MixChart::paintTo(QPainter& painter, const QSizeF& size)
{
    const QSizeF before = chart()->size();
    chart()->legend()->setVisible(m_grouping != Grouping::Type);
    chart()->resize(size);
    scene()->render(&painter, QRectF(QPointF(), size), QRectF(QPointF(), size));
    chart()->legend()->hide();
    chart()->resize(before);
}
