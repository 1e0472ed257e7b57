// SPDX-License-Identifier: GPL-3.0-or-later
#include "panes/severityicon.h"

#include "models/typepalette.h"

#include <QCoreApplication>
#include <QIconEngine>
#include <QPainter>
#include <QPainterPath>

namespace {

class SeverityIconEngine final : public QIconEngine
{
public:
    SeverityIconEngine(gguf::Severity severity, const QColor& color)
        : m_severity(severity)
        , m_color(color)
    {
    }

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode, QIcon::State) override
    {
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        const qreal side = qMin(rect.width(), rect.height());
        painter->translate(QRectF(rect).center());
        painter->scale(side / 16, side / 16);
        const QColor ink = TypePalette::textOn(m_color);
        const QPen mark(m_severity == gguf::Severity::Note ? m_color : ink, 1.8, Qt::SolidLine, Qt::RoundCap);
        switch (m_severity) {
        case gguf::Severity::Error:
            painter->setPen(Qt::NoPen);
            painter->setBrush(m_color);
            painter->drawEllipse(QPointF(), 7, 7);
            painter->setPen(mark);
            painter->drawLine(QPointF(-2.6, -2.6), QPointF(2.6, 2.6));
            painter->drawLine(QPointF(-2.6, 2.6), QPointF(2.6, -2.6));
            break;
        case gguf::Severity::Warning: {
            QPainterPath triangle(QPointF(0, -6.5));
            triangle.lineTo(7, 6);
            triangle.lineTo(-7, 6);
            triangle.closeSubpath();
            painter->setPen(QPen(m_color, 1, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
            painter->setBrush(m_color);
            painter->drawPath(triangle);
            painter->setPen(mark);
            painter->drawLine(QPointF(0, -2.2), QPointF(0, 1.4));
            painter->drawPoint(QPointF(0, 4));
            break;
        }
        case gguf::Severity::Note:
            painter->setPen(QPen(m_color, 1.5));
            painter->setBrush(Qt::NoBrush);
            painter->drawEllipse(QPointF(), 6.2, 6.2);
            painter->setPen(mark);
            painter->drawLine(QPointF(0, -0.4), QPointF(0, 3));
            painter->drawPoint(QPointF(0, -3));
            break;
        }
        painter->restore();
    }

    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override
    {
        QPixmap pixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        paint(&painter, pixmap.rect(), mode, state);
        return pixmap;
    }

    QIconEngine* clone() const override { return new SeverityIconEngine(*this); }

private:
    gguf::Severity m_severity;
    QColor m_color;
};

} // namespace

QIcon severityIcon(gguf::Severity severity, const QPalette& palette)
{
    return QIcon(new SeverityIconEngine(severity, TypePalette::forPalette(palette).severityColor(severity)));
}

QString severityText(gguf::Severity severity)
{
    switch (severity) {
    case gguf::Severity::Error:
        return QCoreApplication::translate("Severity", "Error");
    case gguf::Severity::Warning:
        return QCoreApplication::translate("Severity", "Warning");
    case gguf::Severity::Note:
        return QCoreApplication::translate("Severity", "Note");
    }
    return {};
}
