// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QScreen>
#include <QWidget>

/// Room for a window's frame and the panels of the desktop.
constexpr QSize kWindowFrame(4, 40);

/// Gives a window its usual size, or as much of it as its screen has room for beside frame and panels of the desktop.
inline void resizeWithinScreen(QWidget& window, QSize usual)
{
    window.resize(usual.boundedTo(window.screen()->availableSize() - kWindowFrame));
}

/// Puts a window a little right of and below another, so that both titles are seen, and keeps it inside the screen: after
/// some such steps from the screen's corner again.
inline void placeBeside(QWidget& window, const QWidget& other)
{
    constexpr QPoint kStep(32, 32);
    const QRect screen = other.screen()->availableGeometry();
    QPoint place = other.pos() + kStep;
    const auto room = [&] { return QSize(screen.right() - place.x(), screen.bottom() - place.y()) - kWindowFrame; };
    if (room().width() < screen.width() * 3 / 4 || room().height() < screen.height() * 3 / 4)
        place = screen.topLeft();
    window.move(place);
    window.resize(window.size().boundedTo(room()));
}
