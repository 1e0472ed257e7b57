// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

/// Help windows. They are not modal: a person reads them beside the file.
/// Each call makes one, or brings the open one to the front; `parent` is the window it belongs to.
void showShortcuts(QWidget* parent, const QList<QAction*>& paneActions); ///< those of the panes besides the fixed commands
/// `code` chooses the row of a rule; empty: the first.
void showChecks(QWidget* parent, const QString& code = {});
void showAbout(QWidget* parent);
