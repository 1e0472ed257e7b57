// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

/// Creates the QApplication, opens each file in a window of its own (an empty window where there is none), and
/// returns the exit status when the last window is closed.
int runGui(int& argc, char** argv, const QStringList& files);
