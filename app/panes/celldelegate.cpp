// SPDX-License-Identifier: GPL-3.0-or-later
#include "panes/celldelegate.h"

#include "models/roles.h"
#include "panes/severityicon.h"
#include "widgets/plaintext.h"

#include <QAbstractItemView>
#include <QHelpEvent>
#include <QPainter>
#include <QPixmapCache>
#include <QToolTip>

namespace {

/// A rounded square in the type's colour, cached: tables ask for it at every repaint.
QIcon chip(const QColor& color, int side, qreal ratio)
{
    const QString key = QStringLiteral("type-chip-%1-%2-%3").arg(color.name()).arg(side).arg(ratio);
    QPixmap pixmap;
    if (!QPixmapCache::find(key, &pixmap)) {
        const int pixels = qRound(side * ratio);
        pixmap = QPixmap(pixels, pixels);
        pixmap.setDevicePixelRatio(ratio);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(color);
        painter.drawRoundedRect(QRectF(1, 1, side - 2, side - 2), 2.5, 2.5);
        painter.end();
        QPixmapCache::insert(key, pixmap);
    }
    return QIcon(pixmap);
}

} // namespace

CellDelegate::CellDelegate(int severityColumn, int typeColumn, QObject* parent)
    : QStyledItemDelegate(parent)
    , m_severityColumn(severityColumn)
    , m_typeColumn(typeColumn)
{
}

bool CellDelegate::helpEvent(
    QHelpEvent* event, QAbstractItemView* view, const QStyleOptionViewItem& option, const QModelIndex& index)
{
    if (event->type() != QEvent::ToolTip)
        return QStyledItemDelegate::helpEvent(event, view, option, index);
    const QString text = plainToolTip(index.data(Qt::ToolTipRole).toString());
    QToolTip::showText(event->globalPos(), text, view->viewport(), view->visualRect(index));
    return true;
}

void CellDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    const int side = option->fontMetrics.height() - 2;
    if (index.column() == m_severityColumn) {
        const QVariant severity = index.data(SeverityRole);
        if (severity.isValid()) {
            option->icon = severityIcon(static_cast<gguf::Severity>(severity.toInt()), option->palette);
            option->features |= QStyleOptionViewItem::HasDecoration;
            option->decorationSize = {side, side};
        }
    } else if (index.column() == m_typeColumn) {
        const QVariant type = index.data(TypeIdRole);
        if (type.isValid()) {
            const qreal ratio = option->widget ? option->widget->devicePixelRatioF() : 1.0;
            option->icon = chip(TypePalette::forPalette(option->palette).color(type.toUInt()), side, ratio);
            option->features |= QStyleOptionViewItem::HasDecoration;
            option->decorationSize = {side, side};
        }
    }
}
