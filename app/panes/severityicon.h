// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "parse/rules.h"

#include <QIcon>
#include <QPalette>
#include <QString>

/// The mark of a severity: a shape for each (disc with a cross, triangle, ring with an i), so that colour is never the
/// only sign; readable on the palette's background.
QIcon severityIcon(gguf::Severity severity, const QPalette& palette);

QString severityText(gguf::Severity severity); ///< "Error"
