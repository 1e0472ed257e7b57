// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/theme.h"

#include <QApplication>
#include <QPainter>
#include <QPalette>
#include <QProxyStyle>
#include <QStyle>
#include <QStyleOption>

using namespace Qt::StringLiterals;

namespace {

struct Shades
{
    QColor window, base, alternate, text, faintText, button, highlight, highlightedText, link;
};

QPalette paletteOf(const Shades& shades)
{
    QPalette palette(shades.button, shades.window);
    palette.setColor(QPalette::Window, shades.window);
    palette.setColor(QPalette::Base, shades.base);
    palette.setColor(QPalette::AlternateBase, shades.alternate);
    palette.setColor(QPalette::ToolTipBase, shades.base);
    palette.setColor(QPalette::Highlight, shades.highlight);
    palette.setColor(QPalette::HighlightedText, shades.highlightedText);
    palette.setColor(QPalette::Link, shades.link);
    palette.setColor(QPalette::PlaceholderText, shades.faintText);
    for (QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::ToolTipText}) {
        palette.setColor(role, shades.text);
        palette.setColor(QPalette::Disabled, role, shades.faintText);
    }
    return palette;
}

Shades lightShades()
{
    return {QColor(0xf3f4f6), QColor(0xffffff), QColor(0xf7f8fa), QColor(0x1c1f24), QColor(0x6a7078),
        QColor(0xf3f4f6), QColor(0x2b6cb0), QColor(0xffffff), QColor(0x1f5fa5)};
}

Shades darkShades()
{
    return {QColor(0x24272c), QColor(0x1b1d21), QColor(0x212429), QColor(0xe6e8eb), QColor(0x959ba4),
        QColor(0x2f3339), QColor(0x3d7cc4), QColor(0xffffff), QColor(0x7fb4ec)};
}

/// Fusion, with boxes whose outline and check can be seen on dark ground too.
class ClearStyle : public QProxyStyle
{
public:
    ClearStyle()
        : QProxyStyle(u"Fusion"_s)
    {
    }
    void drawPrimitive(
        PrimitiveElement element, const QStyleOption* option, QPainter* painter, const QWidget* widget) const override
    {
        if (element != PE_IndicatorCheckBox)
            return QProxyStyle::drawPrimitive(element, option, painter, widget);
        const QPalette::ColorGroup group = option->state & State_Enabled ? QPalette::Active : QPalette::Disabled;
        const auto color = [&](QPalette::ColorRole role) { return option->palette.color(group, role); };
        const bool off = option->state & State_Off;
        const QRectF box = QRectF(option->rect).adjusted(0.5, 0.5, -0.5, -0.5);
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(color(off ? QPalette::PlaceholderText : QPalette::Highlight));
        painter->setBrush(color(off ? QPalette::Base : QPalette::Highlight));
        painter->drawRoundedRect(box, 2, 2);
        painter->setPen(QPen(color(QPalette::HighlightedText), 2, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        const auto at = [&box](double x, double y) { return box.topLeft() + QPointF(x * box.width(), y * box.height()); };
        if (option->state & State_On)
            painter->drawPolyline(QPolygonF{at(0.22, 0.52), at(0.42, 0.74), at(0.78, 0.28)});
        else if (!off) // partly
            painter->drawLine(at(0.25, 0.5), at(0.75, 0.5));
        painter->restore();
    }
};

} // namespace

void applyTheme(Theme theme)
{
    // What the desktop gave before anything was changed, to come back to.
    static const QString systemStyle = QApplication::style()->name();
    if (theme == Theme::System) {
        if (QApplication::style()->name() != systemStyle)
            QApplication::setStyle(systemStyle);
        QApplication::setPalette(QPalette());
        return;
    }
    QApplication::setStyle(new ClearStyle);
    QApplication::setPalette(paletteOf(theme == Theme::Dark ? darkShades() : lightShades()));
}

std::optional<Theme> themeFromName(const QString& name)
{
    if (name == "system"_L1)
        return Theme::System;
    if (name == "light"_L1)
        return Theme::Light;
    if (name == "dark"_L1)
        return Theme::Dark;
    return std::nullopt;
}
