// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/theme.h"

#include <QApplication>
#include <QPalette>
#include <QStyle>

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
    QApplication::setStyle(u"Fusion"_s);
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
