// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/numbertext.h"

#include <QString>

/// `one` for 1, else `many` with the number in place of %1. Both are whole translated phrases.
inline QString counted(quint64 count, const QString& one, const QString& many)
{
    return count == 1 ? one : many.arg(NumberText::count(count));
}
