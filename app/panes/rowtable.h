// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTableView>

/// A table whose chosen rows can be copied, by its menu and by the window's Copy, which looks for this slot (see
/// callNearest). A shortcut of its own would make Ctrl+C ambiguous, and Qt would then do nothing.
class RowTable : public QTableView
{
    Q_OBJECT
public:
    explicit RowTable(QWidget* parent = nullptr);

public slots:
    void copy(); ///< the chosen rows as text, cells divided by tabs
};
