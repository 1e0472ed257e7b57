// SPDX-License-Identifier: GPL-3.0-or-later
#include "panes/rowtable.h"

#include "models/roles.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>

#include <algorithm>

RowTable::RowTable(QWidget* parent)
    : QTableView(parent)
{
    auto* action = new QAction(tr("Copy Rows"), this);
    connect(action, &QAction::triggered, this, &RowTable::copy);
    addAction(action);
    setContextMenuPolicy(Qt::ActionsContextMenu);
}

void RowTable::copy()
{
    QModelIndexList rows = selectionModel()->selectedRows();
    std::ranges::sort(rows, {}, &QModelIndex::row);
    QStringList lines;
    for (const QModelIndex& row : rows) {
        QStringList cells;
        for (int column = 0; column < model()->columnCount(); ++column)
            cells << row.siblingAtColumn(column).data(CopyRole).toString();
        lines << cells.join(u'\t');
    }
    if (!lines.isEmpty())
        QGuiApplication::clipboard()->setText(lines.join(u'\n'));
}
