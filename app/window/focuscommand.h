// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

/// Calls the parameterless slot `name` of the nearest widget around `from` (itself included) that has it, up to its
/// window. So one Copy or Filter action serves every pane and every text field, without knowing them.
/// False where nobody has it.
bool callNearest(QWidget* from, const char* name);
