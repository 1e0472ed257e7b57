// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/tensormodel.h"

#include "models/tensorcells.h"
#include "models/typepalette.h"

#include <QGuiApplication>
#include <QPalette>

#include <algorithm>
#include <array>
#include <numeric>

using namespace Qt::StringLiterals;

namespace {

constexpr std::size_t kCellBytes = 300; ///< of a name in a cell

QVariant variantOf(const std::optional<std::uint64_t>& value)
{
    return value ? QVariant(quint64{*value}) : QVariant();
}

QString extraText(const TensorModel::ExtraColumn& column, const gguf::Document& document, std::size_t tensor)
{
    return column.text ? column.text(document, tensor) : column.value(document, tensor).toString();
}

} // namespace

TensorModel::TensorModel(QObject* parent)
    : QAbstractTableModel(parent)
{
}

void TensorModel::setDocument(const gguf::Document& document)
{
    beginResetModel();
    m_document = {};
    m_severities.clear();
    m_rows.clear();
    m_total = {};
    endResetModel();
    arrange(); // what an arranger still works on is about another file
    updateDocument(document);
}

void TensorModel::updateDocument(const gguf::Document& document)
{
    const std::size_t known = m_document.tensorCount();
    const std::size_t problems = m_document.problemCount();
    const bool wasFinished = m_document.isFinished();
    m_document = document;
    const std::size_t count = document.tensorCount();
    const bool grew = count > known;
    const bool finishedNow = document.isFinished() && !wasFinished;

    // While a file is read, rows come in file order; they are sorted once at the end.
    const bool append = m_filter.passesAll() && !isArranging();
    if (grew && append) {
        const int first = rowCount();
        beginInsertRows({}, first, first + static_cast<int>(count - known) - 1);
        m_rows.resize(m_rows.size() + count - known);
        std::iota(m_rows.end() - static_cast<std::ptrdiff_t>(count - known), m_rows.end(), static_cast<quint32>(known));
        m_total = {}; // counted when all are there
        m_total.tensors = m_rows.size();
        endInsertRows();
    }
    if ((grew && !append) || (document.isFinished() && (finishedNow || grew)))
        arrange();
    if (finishedNow && rowCount() > 0)
        emit dataChanged(index(0, DimensionsColumn), index(rowCount() - 1, PresentColumn)); // file offsets, spaces
    noteProblems(problems, true);
    if (grew || finishedNow)
        emit rowsChanged();
}

void TensorModel::noteProblems(std::size_t from, bool announce)
{
    for (std::size_t i = from; i < m_document.problemCount(); ++i) {
        const gguf::Problem& problem = m_document.problem(i);
        const auto subject = m_document.tensorOf(problem.subject);
        if (!subject)
            continue;
        const auto entry = m_severities.try_emplace(*subject, problem.severity).first;
        entry->second = std::min(entry->second, problem.severity); // the worst comes first
    }
    if (announce && from < m_document.problemCount() && rowCount() > 0)
        emit dataChanged(index(0, NameColumn), index(rowCount() - 1, NameColumn), {SeverityRole, Qt::ToolTipRole});
}

int TensorModel::addColumn(ExtraColumn column)
{
    const int number = columnCount();
    beginInsertColumns({}, number, number);
    m_extra.push_back(std::move(column));
    endInsertColumns();
    return number;
}

void TensorModel::refreshColumn(int column, std::optional<std::size_t> tensor)
{
    if (tensor) {
        if (const QModelIndex cell = indexOf(*tensor, column); cell.isValid())
            emit dataChanged(cell, cell);
        return;
    }
    if (rowCount() > 0)
        emit dataChanged(index(0, column), index(rowCount() - 1, column));
    if (column == m_sortColumn)
        arrange();
}

void TensorModel::setNameFilter(const QString& text, NameFilter::Mode mode)
{
    m_filter.setName(NameFilter(text, mode));
    arrange();
}

void TensorModel::setTypeFilter(const QSet<quint32>& types)
{
    m_filter.setTypes(types);
    arrange();
}

void TensorModel::setTensorFilter(std::optional<std::vector<std::size_t>> tensors)
{
    m_filter.setTensors(std::move(tensors));
    arrange();
}

void TensorModel::clearFilters()
{
    m_filter = {};
    arrange();
}

void TensorModel::sort(int column, Qt::SortOrder order)
{
    if (column >= columnCount())
        return;
    m_sortColumn = column < 0 ? -1 : column;
    m_sortOrder = order;
    arrange();
}

void TensorModel::arrange()
{
    m_arranging = true;
    if (m_arranger)
        m_arranger(wish());
    else
        show(tensorRows(wish()));
}

TensorRowsWish TensorModel::wish() const
{
    static constexpr std::array<TensorKey, kBaseColumns> kKeys = {TensorKey::Name, TensorKey::Type, TensorKey::Elements,
        TensorKey::Elements, TensorKey::DataBytes, TensorKey::BitsPerWeight, TensorKey::Offset, TensorKey::FileOffset,
        TensorKey::Padding, TensorKey::DataBytes, TensorKey::Reserved, TensorKey::Present};
    TensorRowsWish wish{m_document, m_filter, TensorKey::FileOrder, {}, {}, m_sortOrder};
    if (m_sortColumn >= kBaseColumns) {
        const ExtraColumn& column = extra(m_sortColumn);
        if (column.derived) {
            wish.key = column.numeric ? TensorKey::DerivedNumber : TensorKey::DerivedText;
            wish.derived = column.value;
        } else {
            wish.key = TensorKey::Given;
            wish.given = keysOf(m_document, column.value, column.numeric);
        }
    } else if (m_sortColumn >= 0) {
        wish.key = kKeys[static_cast<std::size_t>(m_sortColumn)];
    }
    return wish;
}

void TensorModel::show(TensorRows wanted)
{
    m_arranging = false;
    // A proxy removes and inserts each stretch of rows by itself, which takes seconds for long tables, or resets and
    // forgets what was selected. Here the rows that go are first sorted to the end and leave at once; those that come
    // arrive at the end at once and are then sorted in. Each step is linear, and persistent indexes live through it.
    std::vector<bool> stays(m_document.tensorCount());
    for (const quint32 tensor : wanted.rows)
        stays[tensor] = true;
    std::vector<bool> shown(m_document.tensorCount());
    for (const quint32 tensor : m_rows)
        shown[tensor] = true;

    const auto staying = static_cast<int>(std::ranges::count_if(m_rows, [&stays](quint32 tensor) { return stays[tensor]; }));
    if (staying < rowCount()) {
        std::vector<quint32> rows = m_rows;
        std::stable_partition(rows.begin(), rows.end(), [&stays](quint32 tensor) { return stays[tensor]; });
        permute(std::move(rows));
        beginRemoveRows({}, staying, rowCount() - 1);
        m_rows.resize(static_cast<std::size_t>(staying));
        endRemoveRows();
    }
    if (wanted.rows.size() > m_rows.size()) {
        beginInsertRows({}, staying, static_cast<int>(wanted.rows.size()) - 1);
        std::ranges::copy_if(wanted.rows, std::back_inserter(m_rows), [&shown](quint32 tensor) { return !shown[tensor]; });
        endInsertRows();
    }
    permute(std::move(wanted.rows));
    m_total = wanted.sum;
    m_undecided = wanted.undecided;
    emit rowsChanged();
}

void TensorModel::permute(std::vector<quint32> rows)
{
    if (rows == m_rows)
        return;
    emit layoutAboutToBeChanged({}, VerticalSortHint);
    const QModelIndexList before = persistentIndexList();
    if (!before.isEmpty()) {
        std::vector<int> rowOf(m_document.tensorCount(), -1);
        for (std::size_t i = 0; i < rows.size(); ++i)
            rowOf[rows[i]] = static_cast<int>(i);
        QModelIndexList after;
        after.reserve(before.size());
        for (const QModelIndex& old : before)
            after.append(index(rowOf[tensorAt(old.row())], old.column()));
        changePersistentIndexList(before, after);
    }
    m_rows = std::move(rows);
    emit layoutChanged({}, VerticalSortHint);
}

QModelIndex TensorModel::indexOf(std::size_t tensor, int column) const
{
    const auto found = std::ranges::find(m_rows, tensor);
    return found == m_rows.end() ? QModelIndex() : index(static_cast<int>(found - m_rows.begin()), column);
}

gguf::TensorSum TensorModel::sum(int firstRow, int lastRow) const
{
    if (firstRow == 0 && lastRow == rowCount() - 1)
        return m_total;
    gguf::TensorSum sum;
    for (int row = firstRow; row <= lastRow; ++row) {
        const gguf::Tensor tensor = m_document.tensor(tensorAt(row));
        sum.add(tensor.elements, tensor.dataBytes);
    }
    return sum;
}

int TensorModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int TensorModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : kBaseColumns + static_cast<int>(m_extra.size());
}

QVariant TensorModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const std::size_t number = tensorAt(index.row());
    const int column = index.column();
    if (role == IndexRole)
        return quint64{number};
    if (role == Qt::TextAlignmentRole) {
        const bool isText = column == NameColumn || column == TypeColumn || column == DimensionsColumn
            || column == PresentColumn
            || (column >= kBaseColumns && !extra(column).numeric);
        return QVariant(Qt::Alignment(isText ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    }
    if (role == SeverityRole) {
        if (column == NameColumn && isCut(number)) // the paler row is not enough to see it by
            return static_cast<int>(gguf::Severity::Error);
        const auto found = column == NameColumn ? m_severities.find(number) : m_severities.end();
        return found == m_severities.end() ? QVariant() : QVariant(static_cast<int>(found->second));
    }

    const gguf::Tensor tensor = m_document.tensor(number);
    switch (role) {
    case Qt::DisplayRole:
        return displayText(tensor, column, kCellBytes);
    case CopyRole:
        return displayText(tensor, column);
    case SortRole:
        return sortValue(tensor, column);
    case TypeIdRole:
        return column == TypeColumn ? QVariant(quint32{tensor.typeId}) : QVariant();
    case RangeOffsetRole:
        return variantOf(tensor.fileOffset);
    case RangeLengthRole:
        return variantOf(tensor.dataBytes);
    case Qt::ForegroundRole:
        return isCut(number) ? QVariant(TypePalette::faintText(QGuiApplication::palette())) : QVariant();
    case Qt::ToolTipRole:
        return TensorCells::toolTip(m_document, tensor, column);
    case Qt::AccessibleTextRole:
        return u"%1: %2"_s.arg(
            headerData(column, Qt::Horizontal, Qt::DisplayRole).toString(), spokenText(tensor, column));
    default:
        return {};
    }
}

/// The file ends before the tensor's data does.
bool TensorModel::isCut(std::size_t tensor) const
{
    return m_document.isFinished() && m_document.tensorSpace(tensor).cut();
}

/// With words for what icon and paler row show.
QString TensorModel::spokenText(const gguf::Tensor& tensor, int column) const
{
    const QString text = displayText(tensor, column, kCellBytes);
    return column == NameColumn && isCut(tensor.index)
        ? tr("%1, data %2").arg(text, displayText(tensor, PresentColumn))
        : text;
}

QString TensorModel::displayText(const gguf::Tensor& tensor, int column, std::size_t maxNameBytes) const
{
    return column < kBaseColumns ? TensorCells::text(m_document, tensor, column, maxNameBytes)
                                 : extraText(extra(column), m_document, tensor.index);
}

QVariant TensorModel::sortValue(const gguf::Tensor& tensor, int column) const
{
    return column < kBaseColumns ? TensorCells::value(m_document, tensor, column)
                                 : extra(column).value(m_document, tensor.index);
}

TableText::Table TensorModel::table(
    const QList<int>& rows, TableText::Format format, const QList<int>& columns) const
{
    using Cell = std::function<QVariant(std::size_t row, std::size_t tensor)>;
    const bool isText = format == TableText::Format::Text;
    std::vector<std::size_t> tensors;
    for (const int row : rows)
        tensors.push_back(tensorAt(row));
    TableText::Table table{format, {}, static_cast<int>(rows.size()), {}};
    std::vector<Cell> cells;
    for (const int column : columns) {
        table.names.append(headerData(column, Qt::Horizontal, isText ? int{Qt::DisplayRole} : int{CopyRole}).toString());
        if (column < kBaseColumns) {
            cells.push_back([document = m_document, column, isText](std::size_t, std::size_t tensor) {
                const gguf::Tensor it = document.tensor(tensor);
                return isText ? QVariant(TensorCells::text(document, it, column))
                              : TensorCells::value(document, it, column);
            });
            continue;
        }
        const ExtraColumn& other = extra(column);
        const auto ask = [document = m_document, other, isText](std::size_t, std::size_t tensor) {
            return isText ? QVariant(extraText(other, document, tensor)) : other.value(document, tensor);
        };
        if (other.derived) {
            cells.push_back(ask);
            continue;
        }
        // Taken along as they are now.
        QVariantList values;
        for (const std::size_t tensor : tensors)
            values.append(ask(0, tensor));
        cells.push_back([values](std::size_t row, std::size_t) { return values[static_cast<qsizetype>(row)]; });
    }
    table.cell = [tensors = std::move(tensors), cells = std::move(cells)](int row, int column) {
        const auto number = static_cast<std::size_t>(row);
        return cells[static_cast<std::size_t>(column)](number, tensors[number]);
    };
    return table;
}

QVariant TensorModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    if (section >= kBaseColumns) {
        const ExtraColumn& column = extra(section);
        return role == Qt::DisplayRole ? QVariant(column.title) : role == CopyRole ? QVariant(column.id) : QVariant();
    }
    static constexpr std::array<const char*, kBaseColumns> kIds = {"name", "type", "dims", "elements", "size",
        "bits_per_weight", "offset", "file_offset", "padding", "required", "reserved", "present"};
    if (role == CopyRole)
        return QString::fromLatin1(kIds[static_cast<std::size_t>(section)]);
    const bool isToolTip = role == Qt::ToolTipRole;
    if (role != Qt::DisplayRole && !isToolTip)
        return {};
    switch (section) {
    case NameColumn:
        return isToolTip ? tr("The tensor's name, as stored.") : tr("Name");
    case TypeColumn:
        return isToolTip ? tr("How the weights are stored.") : tr("Type");
    case DimensionsColumn:
        return isToolTip ? tr("The row length comes first, as ggml counts.") : tr("Dimensions");
    case ElementsColumn:
        return isToolTip ? tr("The product of the dimensions.") : tr("Elements");
    case SizeColumn:
        return isToolTip ? tr("Bytes of the data without padding.") : tr("Size");
    case BitsPerWeightColumn:
        return isToolTip ? tr("Bits per weight: 8 × bytes ÷ elements.") : tr("BPW");
    case OffsetColumn:
        return isToolTip ? tr("As stored: counted from the start of the data section.") : tr("Offset");
    case FileOffsetColumn:
        return isToolTip ? tr("Counted from the start of the file.") : tr("File offset");
    case PaddingColumn:
        return isToolTip ? tr("Bytes from the end of the data to the next aligned offset.") : tr("Padding");
    case RequiredColumn:
        return isToolTip ? tr("Bytes that type and dimensions need.") : tr("Required");
    case ReservedColumn:
        return isToolTip ? tr("Bytes up to the next tensor in offset order, or to the end of the file.")
                         : tr("Reserved");
    case PresentColumn:
        return isToolTip ? tr("Whether the file really has all bytes of the data.") : tr("Present");
    default:
        return {};
    }
}
