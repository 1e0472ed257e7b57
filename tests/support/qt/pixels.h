// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QImage>
#include <QPalette>

/// How many pixels of the image have exactly this colour.
inline int pixelsOf(const QImage& image, const QColor& color)
{
    int count = 0;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x)
            count += image.pixelColor(x, y) == color ? 1 : 0;
    }
    return count;
}

/// The colours of a light or a dark desktop.
inline QPalette paletteOf(bool dark)
{
    QPalette palette;
    palette.setColor(QPalette::Base, dark ? QColor(0x1e, 0x1f, 0x22) : QColor(Qt::white));
    palette.setColor(QPalette::Text, dark ? QColor(0xf0, 0xf0, 0xf0) : QColor(Qt::black));
    palette.setColor(QPalette::Window, dark ? QColor(0x2a, 0x2c, 0x2e) : QColor(0xee, 0xee, 0xee));
    palette.setColor(QPalette::WindowText, palette.color(QPalette::Text));
    palette.setColor(QPalette::Highlight, QColor(10, 20, 200));
    palette.setColor(QPalette::HighlightedText, Qt::white);
    return palette;
}
