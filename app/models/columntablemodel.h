// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/roles.h"

#include <QAbstractTableModel>
#include <QColor>
#include <QString>
#include <QVariant>

#include <functional>
#include <optional>
#include <vector>

/// A table whose columns are functions of the row: the audit's and the comparison's tables. Keeps one number
/// per row, so that a table of 100,000 rows costs nothing until it is looked at, and sorts itself.
class ColumnTableModel final : public QAbstractTableModel
{
    Q_OBJECT
public:
    /// Rows are numbered in the order in which they were given, however the table is sorted.
    struct Column
    {
        QString id; ///< stable, for export: "bits_per_weight"
        QString title;
        bool numeric = false; ///< right-aligned
        std::function<QVariant(int row)> value; ///< what to sort by; invalid values come last
        std::function<QString(int row)> text; ///< plain and safe to show; empty function: the value as text
        std::function<QString(int row)> toolTip = {}; ///< empty function: none
    };

    struct Content
    {
        int rows = 0;
        std::vector<Column> columns;
        std::function<std::optional<quint64>(int row)> index; ///< for IndexRole: the tensor a row speaks of
        std::function<std::optional<quint32>(int row, int column)> typeId; ///< for the swatch and TypeIdRole
    };

    using QAbstractTableModel::QAbstractTableModel;

    void setContent(
        Content content); ///< resets; the order is the given one, or the last sorting by the same column
    void setTypeColors(std::function<QColor(quint32 typeId)> color); ///< swatches beside types

    int sourceRow(int row) const { return static_cast<int>(m_order[static_cast<std::size_t>(row)]); }
    int rowOf(int sourceRow) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void sort(int column, Qt::SortOrder order) override;

private:
    QString displayText(int row, const Column& column) const;
    void sortOrder();

    Content m_content;
    std::vector<quint32> m_order;
    std::function<QColor(quint32)> m_color;
    int m_sortColumn = -1;
    Qt::SortOrder m_sortOrder = Qt::AscendingOrder;
};
