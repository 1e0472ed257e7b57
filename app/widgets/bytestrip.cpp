// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/bytestrip.h"

#include "widgets/plaintext.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace {

constexpr int kMargin = 3; ///< room for the window's frame and the focus
constexpr int kLaneHeight = 14;
constexpr int kLaneGap = 6;
constexpr double kLensUnit = 16; ///< bytes near the focus that are shown linearly

double lensLog(double distance)
{
    return std::log1p(distance / kLensUnit);
}

QColor mixed(const QColor& base, const QColor& over, double share)
{
    const auto blend = [share](int a, int b) { return qRound(a + (b - a) * share); };
    return QColor(blend(base.red(), over.red()), blend(base.green(), over.green()), blend(base.blue(), over.blue()));
}

} // namespace

ByteStripScale::ByteStripScale(quint64 size, double width, quint64 focus)
    : m_size(size)
    , m_width(std::max(1.0, width))
    , m_focus(std::min(focus, size))
    , m_left(lensLog(static_cast<double>(m_focus)))
    , m_right(lensLog(static_cast<double>(m_size - m_focus)))
{
}

double ByteStripScale::toScale(quint64 offset) const
{
    if (m_size == 0)
        return 0;
    return static_cast<double>(std::min(offset, m_size)) / static_cast<double>(m_size) * m_width;
}

quint64 ByteStripScale::fromScale(double x) const
{
    const double share = std::clamp(x / m_width, 0.0, 1.0);
    const double offset = share * static_cast<double>(m_size);
    return offset >= static_cast<double>(m_size) ? m_size : static_cast<quint64>(offset);
}

double ByteStripScale::toLens(quint64 offset) const
{
    const double both = m_left + m_right;
    if (both <= 0)
        return 0;
    offset = std::min(offset, m_size);
    const double place = offset < m_focus ? m_left - lensLog(static_cast<double>(m_focus - offset))
                                          : m_left + lensLog(static_cast<double>(offset - m_focus));
    return place / both * m_width;
}

quint64 ByteStripScale::fromLens(double x) const
{
    const double place = std::clamp(x / m_width, 0.0, 1.0) * (m_left + m_right) - m_left;
    const double distance = std::round(kLensUnit * std::expm1(std::abs(place)));
    if (place < 0)
        return distance >= static_cast<double>(m_focus) ? 0 : m_focus - static_cast<quint64>(distance);
    return distance >= static_cast<double>(m_size - m_focus) ? m_size : m_focus + static_cast<quint64>(distance);
}

ByteStrip::ByteStrip(QWidget* parent)
    : QWidget(parent)
    , m_map(std::make_shared<const ByteStripMap>())
{
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Map of the file"));
}

void ByteStrip::setMap(std::shared_ptr<const ByteStripMap> map)
{
    m_map = std::move(map);
    m_position = std::min(m_position, m_map->size());
    describe();
    update();
}

void ByteStrip::setToolTipText(std::function<QString(quint64)> text)
{
    m_toolTipText = std::move(text);
    describe();
}

void ByteStrip::setWindow(quint64 offset, quint64 length)
{
    if (offset == m_windowOffset && length == m_windowLength)
        return;
    m_windowOffset = offset;
    m_windowLength = length;
    update();
}

void ByteStrip::setPosition(quint64 offset)
{
    offset = std::min(offset, m_map->size());
    if (offset == m_position)
        return;
    m_position = offset;
    describe();
    update();
}

quint64 ByteStrip::offsetAt(const QPoint& point) const
{
    const Lane lane = m_dragging ? m_dragLane : laneAt(point);
    const double x = point.x() - laneRect(lane).left() + 0.5;
    const quint64 offset = lane == Lane::Scale ? scale().fromScale(x) : scale().fromLens(x);
    return std::min(offset, m_map->size() > 0 ? m_map->size() - 1 : 0);
}

QSize ByteStrip::sizeHint() const
{
    return QSize(400, 2 * kLaneHeight + kLaneGap + 2 * kMargin);
}

QSize ByteStrip::minimumSizeHint() const
{
    return QSize(120, sizeHint().height());
}

QRect ByteStrip::laneRect(Lane lane) const
{
    const int top = (height() - 2 * kLaneHeight - kLaneGap) / 2;
    return QRect(kMargin, lane == Lane::Scale ? top : top + kLaneHeight + kLaneGap, std::max(1, width() - 2 * kMargin),
        kLaneHeight);
}

ByteStrip::Lane ByteStrip::laneAt(const QPoint& point) const
{
    return point.y() < laneRect(Lane::Lens).top() - kLaneGap / 2 ? Lane::Scale : Lane::Lens;
}

ByteStripScale ByteStrip::scale() const
{
    return ByteStripScale(m_map->size(), laneRect(Lane::Scale).width(), lensFocus());
}

void ByteStrip::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    if (m_map->size() == 0)
        return;
    paintLane(painter, Lane::Scale);
    paintLane(painter, Lane::Lens);
    // Where the magnifier looks
    const QRect above = laneRect(Lane::Scale);
    const QRect below = laneRect(Lane::Lens);
    const ByteStripScale places = scale();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(mixed(palette().color(QPalette::Window), palette().color(QPalette::WindowText), 0.5), 1));
    painter.drawLine(QPointF(above.left() + places.toScale(lensFocus()), above.bottom() + 2),
        QPointF(below.left() + places.toLens(lensFocus()), below.top() - 1));
    painter.setRenderHint(QPainter::Antialiasing, false);
    paintWindow(painter, Lane::Scale);
    paintWindow(painter, Lane::Lens);
}

void ByteStrip::paintLane(QPainter& painter, Lane lane) const
{
    const QRect rect = laneRect(lane);
    const ByteStripScale places = scale();
    const double pixel = 1 / devicePixelRatioF();
    const QColor ink = palette().color(QPalette::WindowText);
    const QColor base = palette().color(QPalette::Window);
    painter.fillRect(rect, mixed(base, ink, 0.07));

    constexpr std::size_t kNone = SIZE_MAX;
    const int columns = qRound(rect.width() * devicePixelRatioF());
    const auto offsetOf = [&](int column) {
        return lane == Lane::Scale ? places.fromScale(column * pixel) : places.fromLens(column * pixel);
    };
    const auto paintRun = [&](std::size_t index, int from, int to) {
        if (index == kNone)
            return;
        const ByteStripMap::Stretch& stretch = (*m_map)[index];
        const QRectF run(rect.left() + from * pixel, rect.top(), (to - from) * pixel, rect.height());
        if (stretch.style == ByteStripMap::Style::Outlined) {
            painter.fillRect(run, base);
            painter.setPen(QPen(mixed(base, ink, 0.6), 1, Qt::DashLine));
            painter.drawRect(run.adjusted(0.5, 0.5, -1, -1));
            return;
        }
        const QColor color(stretch.color);
        painter.fillRect(run, color);
        if (stretch.style == ByteStripMap::Style::Hatched)
            painter.fillRect(run, QBrush(qGray(stretch.color) < 128 ? Qt::white : Qt::black, Qt::BDiagPattern));
        if (to - from > 3) // neighbours of one colour stay apart
            painter.fillRect(QRectF(run.right() - pixel, run.top(), pixel, run.height()), mixed(color, base, 0.65));
    };
    const auto isOutlined = [&](std::size_t index) {
        return index != kNone && (*m_map)[index].style == ByteStripMap::Style::Outlined;
    };
    std::size_t runIndex = kNone;
    int runStart = 0;
    quint64 begin = offsetOf(0);
    for (int column = 0; column < columns; ++column) {
        const quint64 end = offsetOf(column + 1);
        // What must be seen is seen, however small: a marked stretch wins its pixel.
        const std::size_t index
            = m_map->markedIn(begin, std::max(end, begin + 1)).value_or(m_map->indexAt(begin + (end - begin) / 2));
        if (index != runIndex && !(isOutlined(index) && isOutlined(runIndex))) {
            paintRun(runIndex, runStart, column);
            runIndex = index;
            runStart = column;
        }
        begin = end;
    }
    paintRun(runIndex, runStart, columns);
}

void ByteStrip::paintWindow(QPainter& painter, Lane lane) const
{
    if (m_windowLength == 0)
        return;
    const QRect rect = laneRect(lane);
    const ByteStripScale places = scale();
    const quint64 end = m_windowOffset + m_windowLength;
    const double from = lane == Lane::Scale ? places.toScale(m_windowOffset) : places.toLens(m_windowOffset);
    const double to = lane == Lane::Scale ? places.toScale(end) : places.toLens(end);
    const double width = std::max(4.0, to - from); // always wide enough to be found
    const double left = std::clamp(rect.left() + from - (width - (to - from)) / 2, double(rect.left()) - 1,
        rect.right() + 2 - width);
    const QRectF frame(left, rect.top() - 2, width, rect.height() + 4);
    const QColor color = hasFocus() ? palette().color(QPalette::Highlight) : palette().color(QPalette::WindowText);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(palette().color(QPalette::Window), 1));
    painter.drawRect(frame.adjusted(-0.5, 0.5, 0.5, -0.5));
    painter.setPen(QPen(color, 2));
    painter.drawRect(frame.adjusted(1, 0, -1, 0));
}

bool ByteStrip::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        QToolTip::showText(help->globalPos(), plainToolTip(textAt(offsetAt(help->pos()))), this);
        return true;
    }
    return QWidget::event(event);
}

void ByteStrip::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || m_map->size() == 0) {
        event->ignore();
        return;
    }
    const QPoint point = event->position().toPoint();
    m_dragLane = laneAt(point);
    m_dragFocus = m_position;
    m_dragging = true;
    activate(offsetAt(point));
}

void ByteStrip::mouseMoveEvent(QMouseEvent* event)
{
    const QPoint point = event->position().toPoint();
    if (m_dragging)
        activate(offsetAt(point));
    emit hovered(offsetAt(point));
}

void ByteStrip::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton) {
        event->ignore();
        return;
    }
    m_dragging = false;
    update();
}

void ByteStrip::leaveEvent(QEvent* event)
{
    QWidget::leaveEvent(event);
    emit left();
}

void ByteStrip::step(int direction)
{
    const std::size_t index = m_map->indexAt(m_position);
    const quint64 start = (*m_map)[index].offset;
    if (direction > 0)
        activate(index + 1 < m_map->count() ? m_map->end(index) : start);
    else if (m_position > start || index == 0)
        activate(start);
    else
        activate((*m_map)[index - 1].offset);
}

void ByteStrip::keyPressEvent(QKeyEvent* event)
{
    if (m_map->size() == 0 || event->modifiers().testFlag(Qt::AltModifier)) {
        QWidget::keyPressEvent(event);
        return;
    }
    const quint64 page = std::max<quint64>(1, m_map->size() / 20);
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Up:
        step(-1);
        break;
    case Qt::Key_Right:
    case Qt::Key_Down:
        step(1);
        break;
    case Qt::Key_PageUp:
        activate(m_position > page ? m_position - page : 0);
        break;
    case Qt::Key_PageDown:
        activate(page < m_map->size() - m_position ? m_position + page : m_map->size() - 1);
        break;
    case Qt::Key_Home:
        activate(0);
        break;
    case Qt::Key_End:
        activate(m_map->size() - 1);
        break;
    default:
        QWidget::keyPressEvent(event);
    }
}

void ByteStrip::activate(quint64 offset)
{
    setPosition(offset);
    emit activated(m_position);
}

void ByteStrip::describe()
{
    setAccessibleDescription(textAt(m_position));
}

QString ByteStrip::textAt(quint64 offset) const
{
    return m_toolTipText ? m_toolTipText(offset) : tr("Offset 0x%1").arg(QString::number(offset, 16).toUpper());
}
