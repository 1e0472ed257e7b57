// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/droptarget.h"

#include <QApplication>
#include <QDropEvent>
#include <QMimeData>
#include <QPainter>

using namespace Qt::StringLiterals;

namespace {

constexpr int kMargin = 24;
constexpr int kCorner = 12;

} // namespace

DropTarget::DropTarget(QWidget* window)
    : QWidget(window)
    , m_window(window)
{
    setObjectName(u"dropTarget"_s);
    setAccessibleName(tr("Drop files here"));
    setAcceptDrops(true);
    hide();
    window->setAcceptDrops(true);
    m_leave.setSingleShot(true);
    connect(&m_leave, &QTimer::timeout, this, [this] { setHotZone(std::nullopt); });
    qApp->installEventFilter(this);
}

void DropTarget::setCompareName(const QString& openName)
{
    m_compareName = openName;
}

bool DropTarget::belongsToWindow(const QObject* watched) const
{
    const auto* widget = qobject_cast<const QWidget*>(watched);
    return widget && (widget == m_window || m_window->isAncestorOf(widget));
}

bool DropTarget::eventFilter(QObject* watched, QEvent* event)
{
    switch (event->type()) {
    case QEvent::DragEnter:
    case QEvent::DragMove:
    case QEvent::Drop: {
        auto* drop = static_cast<QDropEvent*>(event);
        if (!belongsToWindow(watched) || !drop->mimeData()->hasUrls())
            return false;
        const auto* widget = static_cast<const QWidget*>(watched);
        const Zone zone = zoneAt(widget->mapTo(m_window, drop->position().toPoint()));
        m_leave.stop();
        // A file manager may propose to move the file: this program only reads.
        drop->setDropAction(Qt::CopyAction);
        drop->accept();
        if (event->type() == QEvent::Drop) {
            setHotZone(std::nullopt);
            emit dropped(dropContents(*drop->mimeData()), zone);
        } else {
            setHotZone(zone);
        }
        return true;
    }
    case QEvent::DragLeave:
        if (!m_hotZone || !belongsToWindow(watched))
            return false;
        m_leave.start(0);
        return true;
    case QEvent::Resize:
        if (watched == m_window)
            setGeometry(m_window->rect());
        return false;
    default:
        return false;
    }
}

QRect DropTarget::zoneRect(Zone zone) const
{
    QRect area = rect().adjusted(kMargin, kMargin, -kMargin, -kMargin);
    if (m_compareName.isEmpty())
        return zone == Zone::Open ? area : QRect();
    const int half = (area.width() - kMargin) / 2;
    if (zone == Zone::Open)
        area.setRight(area.left() + half);
    else
        area.setLeft(area.right() - half);
    return area;
}

DropTarget::Zone DropTarget::zoneAt(QPoint position) const
{
    return !m_compareName.isEmpty() && position.x() > width() / 2 ? Zone::Compare : Zone::Open;
}

void DropTarget::setHotZone(std::optional<Zone> zone)
{
    if (m_hotZone == zone)
        return;
    m_hotZone = zone;
    setGeometry(m_window->rect());
    setVisible(zone.has_value());
    raise();
    update();
}

void DropTarget::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QColor veil = palette().color(QPalette::Window);
    veil.setAlphaF(0.94F);
    painter.fillRect(rect(), veil);

    const QColor accent = palette().color(QPalette::Highlight);
    const auto paintZone = [&](Zone zone, const QString& title, const QString& detail) {
        const QRect area = zoneRect(zone);
        if (area.isEmpty())
            return;
        const bool hot = m_hotZone == zone;
        QColor fill = accent;
        fill.setAlphaF(hot ? 0.18F : 0.05F);
        painter.setBrush(fill);
        painter.setPen(QPen(accent, hot ? 3 : 1.5, hot ? Qt::SolidLine : Qt::DashLine));
        painter.drawRoundedRect(area, kCorner, kCorner);

        QFont font = this->font();
        font.setPointSizeF(font.pointSizeF() * 1.7);
        font.setBold(hot);
        painter.setFont(font);
        painter.setPen(palette().color(QPalette::WindowText));
        const QRect upper(area.left() + kMargin, area.top(), area.width() - 2 * kMargin, area.height() / 2 - 4);
        const QRect lower = upper.translated(0, area.height() / 2 + 4);
        painter.drawText(upper, Qt::AlignHCenter | Qt::AlignBottom | Qt::TextWordWrap, title);
        painter.setFont(this->font());
        painter.drawText(lower, Qt::AlignHCenter | Qt::AlignTop,
            fontMetrics().elidedText(detail, Qt::ElideMiddle, lower.width()));
    };
    paintZone(Zone::Open, tr("Open here"),
        m_compareName.isEmpty() ? tr("Further files open in windows of their own")
                                : tr("Takes the place of the open file"));
    paintZone(Zone::Compare, tr("Compare with the open file"), m_compareName);
}
