// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "window/settings.h"

#include <QString>

#include <optional>

/// Puts the chosen colours on the whole program. System follows the desktop's palette and style; Light and Dark
/// use the Fusion style, the one style that obeys a palette on every platform.
void applyTheme(Theme theme);

/// "system", "light" or "dark".
std::optional<Theme> themeFromName(const QString& name);
