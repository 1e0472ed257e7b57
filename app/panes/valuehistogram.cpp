// SPDX-License-Identifier: GPL-3.0-or-later
#include "panes/valuehistogram.h"

#include "models/counted.h"
#include "models/numbertext.h"

#include <QAreaSeries>
#include <QChart>
#include <QEvent>
#include <QGraphicsLayout>
#include <QLineSeries>
#include <QValueAxis>

#include <algorithm>

ValueHistogram::ValueHistogram(QWidget* parent)
    : QChartView(parent)
{
    setObjectName(QStringLiteral("valueHistogram"));
    setAccessibleName(tr("Histogram of the values"));
    setMinimumSize(200, 64);
    setFrameShape(QFrame::NoFrame);
    chart()->legend()->hide();
    chart()->setMargins({});
    chart()->layout()->setContentsMargins(0, 0, 0, 0);
    draw();
}

void ValueHistogram::setValues(const std::optional<gguf::ValueStatistics>& values)
{
    m_values = values;
    draw();
}

void ValueHistogram::changeEvent(QEvent* event)
{
    QChartView::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        draw();
}

void ValueHistogram::draw()
{
    chart()->removeAllSeries();
    for (QAbstractAxis* axis : chart()->axes()) {
        chart()->removeAxis(axis);
        delete axis;
    }
    chart()->setBackgroundBrush(palette().base());
    chart()->setBackgroundRoundness(0);
    if (!m_values || m_values->histogram.empty()) {
        setAccessibleDescription(tr("No statistics"));
        return;
    }
    const auto& bins = m_values->histogram;
    double low = static_cast<double>(m_values->min), high = static_cast<double>(m_values->max);
    setAccessibleDescription(tr("%1 from %2 to %3")
                                 .arg(counted(m_values->finite, tr("1 value"), tr("%1 values")))
                                 .arg(low, 0, 'g', 6)
                                 .arg(high, 0, 'g', 6));
    if (bins.size() == 1) { // one value: a bar of some width around it
        low -= 0.5;
        high += 0.5;
    }
    const double step = (high - low) / static_cast<double>(bins.size());
    auto* outline = new QLineSeries;
    for (std::size_t i = 0; i < bins.size(); ++i) {
        const double left = low + step * static_cast<double>(i);
        outline->append(left, static_cast<double>(bins[i]));
        outline->append(left + step, static_cast<double>(bins[i]));
    }
    auto* area = new QAreaSeries(outline);
    outline->setParent(area);
    area->setColor(palette().highlight().color());
    area->setBorderColor(palette().highlight().color());
    chart()->addSeries(area);

    auto* values = new QValueAxis;
    values->setRange(low, high);
    values->setTickCount(5);
    values->setLabelFormat(QStringLiteral("%.3g"));
    auto* counts = new QValueAxis;
    counts->setRange(0, static_cast<double>(*std::max_element(bins.begin(), bins.end())));
    counts->setTickCount(3);
    counts->setLabelFormat(QStringLiteral("%.3g"));
    chart()->addAxis(values, Qt::AlignBottom);
    chart()->addAxis(counts, Qt::AlignLeft);
    for (QValueAxis* axis : {values, counts}) {
        axis->setLabelsColor(palette().text().color());
        axis->setLinePenColor(palette().mid().color());
        axis->setGridLineColor(palette().midlight().color());
        area->attachAxis(axis);
    }
}
