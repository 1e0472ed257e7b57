// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QImage>
#include <QPalette>

#include <algorithm>
#include <cmath>

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

/// Relative luminance (WCAG 2).
inline double luminance(const QColor& color)
{
    const auto linear = [](double v) { return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

/// How two colours stand off each other (WCAG 2): 1 to 21.
inline double contrast(const QColor& a, const QColor& b)
{
    const double x = luminance(a), y = luminance(b);
    return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}
