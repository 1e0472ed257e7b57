// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/bigscrollarea.h"

#include <QApplication>
#include <QScrollBar>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <limits>

namespace {

/// More steps than a slider has pixels; few enough that rounding never matters.
constexpr qint64 kMaxBarSteps = qint64(1) << 24;

qint64 saturatedSum(qint64 a, qint64 b)
{
    qint64 sum = 0;
    if (__builtin_add_overflow(a, b, &sum))
        return b < 0 ? std::numeric_limits<qint64>::min() : std::numeric_limits<qint64>::max();
    return sum;
}

} // namespace

BigScrollArea::BigScrollArea(QWidget* parent)
    : QAbstractScrollArea(parent)
{
    QScrollBar* bar = verticalScrollBar();
    bar->setRange(0, 0);
    // Qt's place to replace what an action does before the slider's value spreads.
    connect(bar, &QAbstractSlider::actionTriggered, this, &BigScrollArea::onBarAction);
    // Set from outside, for instance by assistive technology.
    connect(bar, &QAbstractSlider::valueChanged, this, [this](int value) {
        if (rowForSlider(value) != m_topRow && sliderForRow(m_topRow) != value)
            setTopRow(rowForSlider(value));
    });
}

qint64 BigScrollArea::maximumTopRow() const
{
    return std::max<qint64>(0, m_rowCount - m_pageRows);
}

void BigScrollArea::setTopRow(qint64 row)
{
    row = std::clamp<qint64>(row, 0, maximumTopRow());
    if (row == m_topRow)
        return;
    m_topRow = row;
    syncBar();
    viewport()->update();
    emit topRowChanged();
}

void BigScrollArea::scrollRows(qint64 rows)
{
    setTopRow(saturatedSum(m_topRow, rows));
}

void BigScrollArea::ensureRowVisible(qint64 row)
{
    if (row < m_topRow)
        setTopRow(row);
    else if (row - m_topRow >= m_pageRows)
        setTopRow(row - m_pageRows + 1);
}

void BigScrollArea::setRows(qint64 rowCount, int pageRows, int rowHeight)
{
    m_rowCount = std::max<qint64>(0, rowCount);
    m_pageRows = std::max(1, pageRows);
    m_rowHeight = std::max(1, rowHeight);
    QScrollBar* bar = verticalScrollBar();
    const qint64 steps = std::min(maximumTopRow(), kMaxBarSteps);
    bar->setRange(0, static_cast<int>(steps));
    // The slider's length shows the page's share while rows and steps are the same; beyond that it is minimal.
    const qint64 page = m_rowCount > kMaxBarSteps ? 1 : m_pageRows;
    bar->setPageStep(static_cast<int>(page));
    bar->setSingleStep(1);
    const qint64 top = std::min(m_topRow, maximumTopRow());
    if (top != m_topRow) {
        m_topRow = top;
        syncBar();
        emit topRowChanged();
    } else {
        syncBar();
    }
    viewport()->update();
}

void BigScrollArea::wheelEvent(QWheelEvent* event)
{
    const QPoint angle = event->angleDelta();
    if (qAbs(angle.x()) > qAbs(angle.y())) {
        QAbstractScrollArea::wheelEvent(event);
        return;
    }
    double rows = 0;
    if (!event->pixelDelta().isNull())
        rows = -double(event->pixelDelta().y()) / m_rowHeight;
    else
        rows = -double(angle.y()) / 120 * QApplication::wheelScrollLines();
    if ((rows > 0) != (m_wheelRemainder > 0))
        m_wheelRemainder = 0;
    m_wheelRemainder += rows;
    const double whole = std::trunc(m_wheelRemainder);
    m_wheelRemainder -= whole;
    scrollRows(static_cast<qint64>(whole));
    event->accept();
}

void BigScrollArea::onBarAction(int action)
{
    QScrollBar* bar = verticalScrollBar();
    switch (action) {
    case QAbstractSlider::SliderSingleStepAdd:
        scrollRows(1);
        break;
    case QAbstractSlider::SliderSingleStepSub:
        scrollRows(-1);
        break;
    case QAbstractSlider::SliderPageStepAdd:
        scrollRows(m_pageRows);
        break;
    case QAbstractSlider::SliderPageStepSub:
        scrollRows(-m_pageRows);
        break;
    case QAbstractSlider::SliderToMinimum:
        setTopRow(0);
        break;
    case QAbstractSlider::SliderToMaximum:
        setTopRow(maximumTopRow());
        break;
    case QAbstractSlider::SliderMove:
        setTopRow(rowForSlider(bar->sliderPosition()));
        return; // the slider stays where the hand holds it
    default:
        return;
    }
    bar->setSliderPosition(sliderForRow(m_topRow));
}

void BigScrollArea::syncBar()
{
    QScrollBar* bar = verticalScrollBar();
    if (rowForSlider(bar->value()) != m_topRow)
        bar->setValue(sliderForRow(m_topRow));
}

qint64 BigScrollArea::rowForSlider(int slider) const
{
    const qint64 steps = verticalScrollBar()->maximum();
    const qint64 last = maximumTopRow();
    if (steps <= 0)
        return 0;
    if (slider >= steps)
        return last;
    // last * slider / steps without overflow: the remainder is below 2^24.
    return last / steps * slider + last % steps * slider / steps;
}

int BigScrollArea::sliderForRow(qint64 row) const
{
    const qint64 steps = verticalScrollBar()->maximum();
    const qint64 last = maximumTopRow();
    if (row <= 0 || steps <= 0)
        return 0;
    if (row >= last)
        return static_cast<int>(steps);
    if (last <= steps)
        return static_cast<int>(row);
    const double share = static_cast<double>(row) / static_cast<double>(last);
    const auto slider = static_cast<qint64>(share * static_cast<double>(steps));
    return static_cast<int>(std::clamp<qint64>(slider, 1, steps - 1)); // the ends are for the first and last row
}
