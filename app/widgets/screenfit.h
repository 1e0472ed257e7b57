// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QScreen>
#include <QWidget>

/// Gives a window its usual size, or as much of it as its screen has room for beside frame and panels of the desktop.
inline void resizeWithinScreen(QWidget& window, QSize usual)
{
    constexpr QSize kFrame(4, 40);
    window.resize(usual.boundedTo(window.screen()->availableSize() - kFrame));
}
