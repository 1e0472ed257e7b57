// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIcon>
#include <QString>

/// The icon of an action by its freedesktop name: our own drawing from the resources, in the colours of the
/// palette that is in force when it is painted; where we have none, the desktop theme's.
QIcon actionIcon(const QString& name);
