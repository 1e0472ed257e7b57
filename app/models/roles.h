// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Qt>

/// Roles that all models share, so that views and delegates need not know which model they show.
enum Role {
    SortRole = Qt::UserRole, ///< the typed value behind the text
    RangeOffsetRole, ///< quint64: file offset of the bytes the row stands for
    RangeLengthRole, ///< quint64
    SeverityRole, ///< int of gguf::Severity where the row has a Problem, else invalid
    TypeIdRole, ///< quint32: tensor type id, for its colour
    IndexRole, ///< quint64: index of the pair, tensor or Problem in the document
    CopyRole, ///< QString: what Copy puts on the clipboard
};
