// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/datamodel.h"

#include "document/text.h"
#include "models/numbertext.h"
#include "models/roworder.h"

#include <algorithm>

namespace {

constexpr std::size_t kLongestName = 512; ///< bytes of a name that are shown

std::size_t keyOf(std::optional<std::size_t> tensor)
{
    return tensor ? *tensor + 1 : 0;
}

QString numberText(double value)
{
    return QString::number(value, 'g', 6);
}

const gguf::ValueStatistics* valuesOf(const DataResult& result)
{
    const bool known = result.scan && result.scan->values && result.scan->values->finite > 0;
    return known ? &*result.scan->values : nullptr;
}

// False for what was not looked at, or cannot be judged: such cells are empty.
bool isBadKnown(const gguf::TensorScan* scan)
{
    return scan && (scan->badUnits > 0 || scan->finite == gguf::FiniteVerdict::Finite);
}

bool isZeroKnown(const gguf::TensorScan* scan)
{
    return scan && (scan->zeroRuns.count > 0 || scan->complete);
}

} // namespace

DataModel::DataModel(QObject* parent)
    : QAbstractTableModel(parent)
{
}

void DataModel::setDocument(const gguf::Document& document)
{
    beginResetModel();
    m_document = document;
    m_results.clear();
    m_byTensor.clear();
    m_order.clear();
    endResetModel();
}

DataResult& DataModel::resultFor(std::optional<std::size_t> tensor)
{
    const auto [place, isNew] = m_byTensor.try_emplace(keyOf(tensor), m_results.size());
    if (isNew)
        m_results.push_back({tensor, std::nullopt, std::nullopt});
    return m_results[place->second];
}

/// Puts results into their places; new ones become rows at the end, in one step.
template <class Found> void DataModel::add(const std::vector<Found>& found)
{
    const std::size_t before = m_results.size();
    for (const Found& one : found) {
        DataResult& result = resultFor(one.tensor);
        if constexpr (std::is_same_v<Found, gguf::DataHash>) {
            result.hash = one;
        } else {
            // A mere check does not take away what is known of the values.
            auto values = result.scan && !one.values ? std::move(result.scan->values) : one.values;
            result.scan = one;
            result.scan->values = std::move(values);
        }
    }
    if (!m_order.empty())
        emit dataChanged(index(0, 0), index(static_cast<int>(m_order.size()) - 1, kColumnCount - 1));
    if (m_results.size() == before)
        return;
    beginInsertRows({}, static_cast<int>(before), static_cast<int>(m_results.size()) - 1);
    for (std::size_t i = before; i < m_results.size(); ++i)
        m_order.push_back(static_cast<quint32>(i));
    endInsertRows();
}

void DataModel::addScans(const std::vector<gguf::TensorScan>& scans)
{
    add(scans);
}

void DataModel::addHashes(const std::vector<gguf::DataHash>& hashes)
{
    add(hashes);
}

const DataResult* DataModel::find(std::optional<std::size_t> tensor) const
{
    const auto found = m_byTensor.find(keyOf(tensor));
    return found == m_byTensor.end() ? nullptr : &m_results[found->second];
}

int DataModel::rowOf(std::optional<std::size_t> tensor) const
{
    const auto found = m_byTensor.find(keyOf(tensor));
    if (found == m_byTensor.end())
        return -1;
    return static_cast<int>(
        std::ranges::find(m_order, static_cast<quint32>(found->second)) - m_order.begin());
}

QString DataModel::nameText(const DataResult& result) const
{
    if (!result.tensor)
        return tr("Whole file");
    return QString::fromStdString(gguf::visibleText(m_document.tensorName(*result.tensor), kLongestName));
}

int DataModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_order.size());
}

int DataModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : kColumnCount;
}

QString DataModel::text(const DataResult& result, int column) const
{
    const auto* scan = result.scan ? &*result.scan : nullptr;
    const auto* values = valuesOf(result);
    switch (column) {
    case NameColumn:
        return nameText(result);
    case TypeColumn:
        return result.tensor ? QString::fromStdString(m_document.tensor(*result.tensor).typeName())
                             : QString();
    case VerdictColumn:
        if (!scan)
            return {};
        if (scan->error)
            return tr("Could not be read");
        if (scan->badUnits > 0)
            return tr("Not finite");
        if (!scan->complete)
            return tr("Not complete");
        if (scan->allZero)
            return tr("All zero");
        return scan->finite == gguf::FiniteVerdict::Finite ? tr("Finite") : tr("Nothing to judge");
    case BadColumn:
        if (!isBadKnown(scan))
            return {};
        return scan->badUnits == 0
            ? NumberText::count(0)
            : tr("%1 of %2").arg(NumberText::count(scan->badUnits), NumberText::count(scan->units));
    case ZeroColumn:
        if (!isZeroKnown(scan))
            return {};
        return scan->zeroRuns.count == 0 ? NumberText::count(0) : NumberText::shortSize(scan->zeroRuns.bytes);
    case MinColumn:
        return values ? numberText(static_cast<double>(values->min)) : QString();
    case MaxColumn:
        return values ? numberText(static_cast<double>(values->max)) : QString();
    case MeanColumn:
        return values ? numberText(values->mean) : QString();
    case DeviationColumn:
        return values ? numberText(values->deviation) : QString();
    case ZeroShareColumn:
        return values ? NumberText::share(values->zeros, values->finite) : QString();
    case HashColumn:
        if (!result.hash)
            return {};
        return result.hash->sha256 ? QString::fromStdString(gguf::sha256Text(*result.hash->sha256))
                                   : tr("Bytes are missing");
    default:
        return {};
    }
}

QVariant DataModel::sortValue(const DataResult& result, int column) const
{
    const auto* scan = result.scan ? &*result.scan : nullptr;
    const auto* values = valuesOf(result);
    switch (column) {
    case BadColumn:
        return isBadKnown(scan) ? QVariant(static_cast<double>(scan->badUnits)) : QVariant();
    case ZeroColumn:
        return isZeroKnown(scan) ? QVariant(static_cast<double>(scan->zeroRuns.bytes)) : QVariant();
    case MinColumn:
        return values ? QVariant(static_cast<double>(values->min)) : QVariant();
    case MaxColumn:
        return values ? QVariant(static_cast<double>(values->max)) : QVariant();
    case MeanColumn:
        return values ? QVariant(values->mean) : QVariant();
    case DeviationColumn:
        return values ? QVariant(values->deviation) : QVariant();
    case ZeroShareColumn:
        return values ? QVariant(values->zeroShare()) : QVariant();
    default: {
        const QString shown = text(result, column);
        return shown.isEmpty() ? QVariant() : QVariant(shown);
    }
    }
}

QVariant DataModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const DataResult& result = resultAt(index.row());
    switch (role) {
    case Qt::DisplayRole:
    case CopyRole:
        return text(result, index.column());
    case Qt::TextAlignmentRole:
        return isNumeric(index.column())
            ? QVariant(Qt::AlignRight | Qt::AlignVCenter)
            : QVariant();
    case SortRole:
        return sortValue(result, index.column());
    case SeverityRole:
        if (index.column() == VerdictColumn && result.scan
            && (result.scan->badUnits > 0 || result.scan->error))
            return static_cast<int>(gguf::Severity::Warning);
        return {};
    case TypeIdRole:
        return result.tensor ? QVariant(m_document.tensorTypeId(*result.tensor)) : QVariant();
    case IndexRole:
        return result.tensor ? QVariant(static_cast<qulonglong>(*result.tensor)) : QVariant();
    default:
        return {};
    }
}

QVariant DataModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case NameColumn:
        return tr("Tensor");
    case TypeColumn:
        return tr("Type");
    case VerdictColumn:
        return tr("Numbers");
    case BadColumn:
        return tr("Bad blocks");
    case ZeroColumn:
        return tr("Zero runs");
    case MinColumn:
        return tr("Minimum");
    case MaxColumn:
        return tr("Maximum");
    case MeanColumn:
        return tr("Mean");
    case DeviationColumn:
        return tr("Deviation");
    case ZeroShareColumn:
        return tr("Zeros");
    case HashColumn:
        return tr("SHA-256");
    default:
        return {};
    }
}

void DataModel::resort()
{
    sort(m_sortColumn, m_sortOrder);
}

void DataModel::sort(int column, Qt::SortOrder order)
{
    m_sortColumn = column;
    m_sortOrder = order;
    std::vector<quint32> sorted(m_results.size());
    for (std::size_t i = 0; i < sorted.size(); ++i)
        sorted[i] = static_cast<quint32>(i);
    if (column == NameColumn) {
        // The whole file first, then as people count.
        std::ranges::stable_sort(sorted, [this](quint32 a, quint32 b) {
            const auto& left = m_results[a].tensor;
            const auto& right = m_results[b].tensor;
            if (!left || !right)
                return !left && right;
            return naturalCompare(m_document.tensorName(*left), m_document.tensorName(*right)) < 0;
        });
        if (order == Qt::DescendingOrder)
            std::ranges::reverse(sorted);
    } else if (isNumeric(column)) {
        std::vector<std::optional<double>> keys(m_results.size());
        for (std::size_t i = 0; i < keys.size(); ++i) {
            const QVariant value = sortValue(m_results[i], column);
            if (value.isValid())
                keys[i] = value.toDouble();
        }
        sortRows(sorted, keys, order);
    } else if (column >= 0) {
        std::vector<std::optional<QString>> keys(m_results.size());
        for (std::size_t i = 0; i < keys.size(); ++i) {
            if (QString shown = text(m_results[i], column); !shown.isEmpty())
                keys[i] = shown;
        }
        sortRows(sorted, keys, order);
    }

    emit layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
    std::vector<int> rowOfResult(sorted.size());
    for (std::size_t row = 0; row < sorted.size(); ++row)
        rowOfResult[sorted[row]] = static_cast<int>(row);
    const QModelIndexList old = persistentIndexList();
    QModelIndexList moved;
    for (const QModelIndex& one : old)
        moved.append(index(rowOfResult[m_order[static_cast<std::size_t>(one.row())]], one.column()));
    m_order = std::move(sorted);
    changePersistentIndexList(old, moved);
    emit layoutChanged({}, QAbstractItemModel::VerticalSortHint);
}
