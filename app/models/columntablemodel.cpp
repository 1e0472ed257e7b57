// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/columntablemodel.h"

#include <algorithm>
#include <numeric>

void ColumnTableModel::setContent(Content content)
{
    beginResetModel();
    m_content = std::move(content);
    m_order.resize(static_cast<std::size_t>(m_content.rows));
    std::iota(m_order.begin(), m_order.end(), 0U);
    if (m_sortColumn >= static_cast<int>(m_content.columns.size()))
        m_sortColumn = -1;
    sortOrder();
    endResetModel();
}

void ColumnTableModel::setTypeColors(std::function<QColor(quint32)> color)
{
    m_color = std::move(color);
    if (!m_order.empty() && !m_content.columns.empty())
        emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1), {Qt::DecorationRole});
}

int ColumnTableModel::rowOf(int sourceRow) const
{
    const auto place = std::ranges::find(m_order, static_cast<quint32>(sourceRow));
    return place == m_order.end() ? -1 : static_cast<int>(place - m_order.begin());
}

int ColumnTableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : m_content.rows;
}

int ColumnTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_content.columns.size());
}

QString ColumnTableModel::displayText(int row, const Column& column) const
{
    return column.text ? column.text(row) : column.value(row).toString();
}

QVariant ColumnTableModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const int row = sourceRow(index.row());
    const Column& column = m_content.columns[static_cast<std::size_t>(index.column())];
    const auto typeId = m_content.typeId ? m_content.typeId(row, index.column()) : std::nullopt;
    switch (role) {
    case Qt::DisplayRole:
    case CopyRole:
        return displayText(row, column);
    case Qt::ToolTipRole:
        return column.toolTip ? QVariant(column.toolTip(row)) : QVariant();
    case Qt::AccessibleTextRole: {
        const QString text = displayText(row, column);
        return text.isEmpty() ? QVariant() : QVariant(tr("%1: %2").arg(column.title, text));
    }
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(
            Qt::Alignment((column.numeric ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
    case Qt::DecorationRole:
        return typeId && m_color ? QVariant(m_color(*typeId)) : QVariant();
    case SortRole:
        return column.value(row);
    case TypeIdRole:
        return typeId ? QVariant(*typeId) : QVariant();
    case IndexRole: {
        const auto number = m_content.index ? m_content.index(row) : std::nullopt;
        return number ? QVariant(*number) : QVariant();
    }
    default:
        return {};
    }
}

QVariant ColumnTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    const Column& column = m_content.columns[static_cast<std::size_t>(section)];
    switch (role) {
    case Qt::DisplayRole:
        return column.title;
    case CopyRole:
        return column.id;
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(
            Qt::Alignment((column.numeric ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
    default:
        return {};
    }
}

void ColumnTableModel::sortOrder()
{
    if (m_sortColumn < 0)
        return;
    const Column& column = m_content.columns[static_cast<std::size_t>(m_sortColumn)];
    std::vector<QVariant> keys(m_order.size());
    for (std::size_t i = 0; i < keys.size(); ++i)
        keys[i] = column.value(static_cast<int>(i));
    std::ranges::sort(m_order);
    std::ranges::stable_sort(m_order, [&](quint32 a, quint32 b) {
        const QVariant &left = keys[a], &right = keys[b];
        if (!left.isValid() || !right.isValid())
            return left.isValid() && !right.isValid();
        const QPartialOrdering order = QVariant::compare(left, right);
        return m_sortOrder == Qt::AscendingOrder ? order == QPartialOrdering::Less
                                                 : order == QPartialOrdering::Greater;
    });
}

void ColumnTableModel::sort(int column, Qt::SortOrder order)
{
    if (column >= columnCount())
        return;
    emit layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
    const QModelIndexList before = persistentIndexList();
    std::vector<int> rows;
    rows.reserve(static_cast<std::size_t>(before.size()));
    for (const QModelIndex& index : before)
        rows.push_back(sourceRow(index.row()));

    m_sortColumn = column;
    m_sortOrder = order;
    if (column < 0)
        std::ranges::sort(m_order);
    else
        sortOrder();

    std::vector<int> places(m_order.size());
    for (std::size_t i = 0; i < m_order.size(); ++i)
        places[m_order[i]] = static_cast<int>(i);
    QModelIndexList after;
    after.reserve(before.size());
    for (qsizetype i = 0; i < before.size(); ++i)
        after.append(
            index(places[static_cast<std::size_t>(rows[static_cast<std::size_t>(i)])], before[i].column()));
    changePersistentIndexList(before, after);
    emit layoutChanged({}, QAbstractItemModel::VerticalSortHint);
}
