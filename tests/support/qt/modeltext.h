// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractItemModel>
#include <QStringList>

/// A model as lines of text, so that a test compares what a person reads: cells joined with " | ", children
/// indented by two blanks below their parent. `depth` 0 shows the top level alone; at most `rows` a level.
inline QStringList modelText(const QAbstractItemModel& model, const QList<int>& columns = {}, int depth = 0,
    int role = Qt::DisplayRole, const QModelIndex& parent = {}, int rows = 1000, const QString& indent = {})
{
    QStringList lines;
    for (int row = 0; row < qMin(model.rowCount(parent), rows); ++row) {
        QStringList cells;
        for (int column = 0; column < model.columnCount(parent); ++column) {
            if (columns.isEmpty() || columns.contains(column))
                cells.append(model.index(row, column, parent).data(role).toString());
        }
        lines.append(QString(indent + cells.join(QStringLiteral(" | "))));
        if (depth > 0) {
            const QString deeper = indent + QStringLiteral("  ");
            lines += modelText(model, columns, depth - 1, role, model.index(row, 0, parent), rows, deeper);
        }
    }
    return lines;
}

/// One column of the top level.
inline QStringList columnText(const QAbstractItemModel& model, int column, int role = Qt::DisplayRole)
{
    return modelText(model, {column}, 0, role);
}
