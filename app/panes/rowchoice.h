// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/selection.h"

#include <functional>

class QAbstractItemView;
class QModelIndex;

/// Calls `go` for each row that a person makes the current one or activates, and not while `following` is true: then
/// the view only follows another pane. By the mouse and by activation it is a jump, by the arrow keys a move. Call it
/// after connecting what must happen before. `following` must live as long as the view.
void onRowChosen(QAbstractItemView& view, const bool& following,
    std::function<void(const QModelIndex& index, Selection::Kind kind)> go);
