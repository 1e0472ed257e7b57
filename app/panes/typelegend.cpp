// SPDX-License-Identifier: GPL-3.0-or-later
#include "panes/typelegend.h"

#include <QPainter>

#include <algorithm>

TypeLegend::TypeLegend(QWidget* parent)
    : QWidget(parent)
{
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setAccessibleName(tr("Legend of types"));
}

void TypeLegend::setEntries(const QList<Entry>& entries)
{
    m_entries = entries;
    QStringList names;
    for (const Entry& entry : entries)
        names << entry.name;
    setAccessibleDescription(names.join(QStringLiteral(", ")));
    updateGeometry();
    update();
}

int TypeLegend::lineHeight() const
{
    return fontMetrics().height() + 4;
}

QList<QRect> TypeLegend::layOut(int width) const
{
    QList<QRect> places;
    int x = 0, y = 0;
    for (const Entry& entry : m_entries) {
        const int wanted = lineHeight() + fontMetrics().horizontalAdvance(entry.name) + 12;
        if (x > 0 && x + wanted > width) {
            x = 0;
            y += lineHeight();
        }
        places.append(QRect(x, y, wanted, lineHeight()));
        x += wanted;
    }
    return places;
}

int TypeLegend::heightForWidth(int width) const
{
    const QList<QRect> places = layOut(width);
    return places.isEmpty() ? lineHeight() : places.last().bottom() + 1;
}

QSize TypeLegend::sizeHint() const
{
    return QSize(320, heightForWidth(std::max(width(), 320)));
}

QSize TypeLegend::minimumSizeHint() const
{
    return QSize(120, lineHeight());
}

void TypeLegend::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const QList<QRect> places = layOut(width());
    for (qsizetype i = 0; i < places.size(); ++i) {
        const QRect& place = places[i];
        const int side = fontMetrics().ascent();
        const QRect swatch(place.left(), place.top() + (place.height() - side) / 2, side, side);
        painter.fillRect(swatch, m_entries[i].color);
        painter.setPen(palette().color(QPalette::Text));
        painter.drawText(
            place.adjusted(side + 6, 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft, m_entries[i].name);
    }
}
