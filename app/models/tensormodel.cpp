// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/tensormodel.h"

#include "document/text.h"
#include "models/numbertext.h"

#include <QBrush>
#include <QGuiApplication>
#include <QPalette>

#include <algorithm>
#include <array>

using namespace Qt::StringLiterals;

namespace {

std::uint64_t saturatedSum(std::uint64_t a, std::uint64_t b)
{
    return b > UINT64_MAX - a ? UINT64_MAX : a + b;
}

QString fromFile(std::string_view bytes)
{
    return QString::fromStdString(gguf::visibleText(bytes));
}

QVariant variantOf(const std::optional<std::uint64_t>& value)
{
    return value ? QVariant(quint64{*value}) : QVariant();
}

QString countOf(const std::optional<std::uint64_t>& value)
{
    return value ? NumberText::count(*value) : QString();
}

/// Columns that need the whole table: see Document::tensorSpace.
bool isSpaceColumn(int column)
{
    return column == TensorModel::ReservedColumn || column == TensorModel::PresentColumn;
}

} // namespace

TensorModel::TensorModel(QObject* parent)
    : QAbstractTableModel(parent)
{
}

void TensorModel::setDocument(const gguf::Document& document)
{
    beginResetModel();
    m_document = document;
    m_severities.clear();
    noteProblems(0, false);
    std::vector<quint32> rows = m_order.filtered(document);
    if (m_sortColumn >= 0)
        sortRows(rows, sortKeys(), m_sortOrder);
    m_order.setRows(std::move(rows));
    endResetModel();
    emit rowsChanged();
}

void TensorModel::updateDocument(const gguf::Document& document)
{
    const std::size_t tensors = m_document.tensorCount();
    const std::size_t problems = m_document.problemCount();
    const bool wasFinished = m_document.isFinished();
    m_document = document;
    const bool finishedNow = document.isFinished() && !wasFinished;

    const std::vector<quint32> added = m_order.filtered(document, tensors);
    if (!added.empty()) {
        const int first = rowCount();
        beginInsertRows({}, first, first + static_cast<int>(added.size()) - 1);
        m_order.append(added);
        endInsertRows();
    }
    // While a file is read, rows come in file order; they are sorted once at the end.
    if (m_sortColumn >= 0 && document.isFinished() && (finishedNow || !added.empty()))
        apply();
    if (finishedNow && rowCount() > 0)
        emit dataChanged(index(0, DimensionsColumn), index(rowCount() - 1, PresentColumn)); // file offsets, spaces
    noteProblems(problems, true);
    if (!added.empty() || finishedNow)
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
        apply();
}

void TensorModel::setNameFilter(const QString& text, NameFilter::Mode mode)
{
    m_order.setNameFilter(NameFilter(text, mode));
    apply();
}

void TensorModel::setTypeFilter(const QSet<quint32>& types)
{
    m_order.setTypeFilter(types);
    apply();
}

void TensorModel::setTensorFilter(std::optional<std::vector<std::size_t>> tensors)
{
    m_order.setTensorFilter(std::move(tensors));
    apply();
}

void TensorModel::clearFilters()
{
    m_order.setNameFilter({});
    m_order.setTypeFilter({});
    m_order.setTensorFilter({});
    apply();
}

void TensorModel::sort(int column, Qt::SortOrder order)
{
    if (column >= columnCount())
        return;
    m_sortColumn = column < 0 ? -1 : column;
    m_sortOrder = order;
    apply();
}

void TensorModel::apply()
{
    // A proxy removes and inserts each stretch of rows by itself, which takes seconds for long tables, or resets and
    // forgets what was selected. Here the rows that go are first sorted to the end and leave at once; those that come
    // arrive at the end at once and are then sorted in. Each step is linear, and persistent indexes live through it.
    std::vector<quint32> wanted = m_order.filtered(m_document);
    std::vector<bool> stays(m_document.tensorCount());
    for (const quint32 tensor : wanted)
        stays[tensor] = true;
    std::vector<bool> shown(m_document.tensorCount());
    for (const quint32 tensor : m_order.rows())
        shown[tensor] = true;

    std::vector<quint32> rows = m_order.rows();
    const auto firstGoing
        = std::stable_partition(rows.begin(), rows.end(), [&stays](quint32 tensor) { return stays[tensor]; });
    const int staying = static_cast<int>(firstGoing - rows.begin());
    const int before = rowCount();
    permute(rows);
    if (staying < before) {
        beginRemoveRows({}, staying, before - 1);
        rows.resize(static_cast<std::size_t>(staying));
        m_order.setRows(rows);
        endRemoveRows();
    }
    std::vector<quint32> coming;
    std::ranges::copy_if(wanted, std::back_inserter(coming), [&shown](quint32 tensor) { return !shown[tensor]; });
    if (!coming.empty()) {
        beginInsertRows({}, staying, staying + static_cast<int>(coming.size()) - 1);
        rows.insert(rows.end(), coming.begin(), coming.end());
        m_order.setRows(rows);
        endInsertRows();
    }
    if (m_sortColumn >= 0 && m_document.isFinished())
        sortRows(wanted, sortKeys(), m_sortOrder);
    permute(wanted);
    emit rowsChanged();
}

void TensorModel::permute(const std::vector<quint32>& rows)
{
    if (rows == m_order.rows())
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
    m_order.setRows(rows);
    emit layoutChanged({}, VerticalSortHint);
}

SortKeys TensorModel::sortKeys() const
{
    const std::size_t count = m_document.tensorCount();
    const auto numbers = [this, count](auto value) {
        std::vector<std::optional<std::uint64_t>> keys(count);
        for (std::size_t i = 0; i < count; ++i)
            keys[i] = value(i);
        return keys;
    };
    const auto fields = [this, &numbers](std::optional<std::uint64_t> gguf::Tensor::*field) {
        return numbers([this, field](std::size_t i) { return m_document.tensor(i).*field; });
    };
    switch (m_sortColumn) {
    case -1:
        return {};
    case NameColumn:
        return nameRanks(m_document);
    case ElementsColumn:
    case DimensionsColumn:
        return fields(&gguf::Tensor::elements);
    case SizeColumn:
    case RequiredColumn:
        return fields(&gguf::Tensor::dataBytes);
    case FileOffsetColumn:
        return fields(&gguf::Tensor::fileOffset);
    case PaddingColumn:
        return fields(&gguf::Tensor::padding);
    case OffsetColumn:
        return numbers([this](std::size_t i) { return std::optional<std::uint64_t>(m_document.tensor(i).offset); });
    case ReservedColumn:
        return numbers([this](std::size_t i) { return m_document.tensorSpace(i).reserved; });
    case BitsPerWeightColumn: {
        std::vector<std::optional<double>> keys(count);
        for (std::size_t i = 0; i < count; ++i)
            keys[i] = m_document.tensor(i).bitsPerWeight();
        return keys;
    }
    case PresentColumn: {
        std::vector<std::optional<double>> keys(count);
        for (std::size_t i = 0; i < count; ++i) {
            const QVariant share = sortValue(m_document.tensor(i), PresentColumn);
            if (share.isValid())
                keys[i] = share.toDouble();
        }
        return keys;
    }
    default:
        break;
    }
    const bool numeric
        = m_sortColumn >= kBaseColumns && m_extra[static_cast<std::size_t>(m_sortColumn - kBaseColumns)].numeric;
    std::vector<std::optional<double>> values(numeric ? count : 0);
    std::vector<std::optional<QString>> texts(numeric ? 0 : count);
    for (std::size_t i = 0; i < count; ++i) {
        const QVariant value = sortValue(m_document.tensor(i), m_sortColumn);
        if (value.isValid() && numeric)
            values[i] = value.toDouble();
        else if (value.isValid())
            texts[i] = value.toString();
    }
    if (numeric)
        return values;
    return texts;
}

QModelIndex TensorModel::indexOf(std::size_t tensor, int column) const
{
    const auto found = std::ranges::find(m_order.rows(), tensor);
    return found == m_order.rows().end() ? QModelIndex()
                                         : index(static_cast<int>(found - m_order.rows().begin()), column);
}

void TensorModel::Sum::add(const Sum& other)
{
    count += other.count;
    unknown += other.unknown;
    elements = saturatedSum(elements, other.elements);
    bytes = saturatedSum(bytes, other.bytes);
}

TensorModel::Sum TensorModel::sum(int firstRow, int lastRow) const
{
    Sum sum;
    for (int row = std::max(firstRow, 0); row <= lastRow && row < rowCount(); ++row) {
        const gguf::Tensor tensor = m_document.tensor(tensorAt(row));
        sum.add({1, tensor.elements.value_or(0), tensor.dataBytes.value_or(0), tensor.dataBytes ? 0U : 1U});
    }
    return sum;
}

int TensorModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_order.rows().size());
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
            || (column >= kBaseColumns && !m_extra[static_cast<std::size_t>(column - kBaseColumns)].numeric);
        return QVariant(Qt::Alignment(isText ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    }
    if (role == SeverityRole) {
        const auto found = column == NameColumn ? m_severities.find(number) : m_severities.end();
        return found == m_severities.end() ? QVariant() : QVariant(static_cast<int>(found->second));
    }

    const gguf::Tensor tensor = m_document.tensor(number);
    switch (role) {
    case Qt::DisplayRole:
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
        if (m_document.isFinished() && m_document.tensorSpace(number).cut())
            return QGuiApplication::palette().brush(QPalette::Disabled, QPalette::Text);
        return {};
    case Qt::ToolTipRole:
        return toolTip(tensor, column);
    case Qt::AccessibleTextRole:
        return u"%1: %2"_s.arg(
            headerData(column, Qt::Horizontal, Qt::DisplayRole).toString(), displayText(tensor, column));
    default:
        return {};
    }
}

QString TensorModel::displayText(const gguf::Tensor& tensor, int column) const
{
    if (isSpaceColumn(column) && !m_document.isFinished())
        return {};
    switch (column) {
    case NameColumn:
        return tensor.recovered ? tr("%1 (recovered)").arg(fromFile(tensor.name)) : fromFile(tensor.name);
    case TypeColumn:
        return QString::fromStdString(tensor.typeName());
    case DimensionsColumn:
        return NumberText::dimensions(tensor.dims());
    case ElementsColumn:
        return countOf(tensor.elements);
    case SizeColumn:
        return tensor.dataBytes ? NumberText::shortSize(*tensor.dataBytes) : tr("unknown");
    case BitsPerWeightColumn:
        return NumberText::bitsPerWeight(tensor.bitsPerWeight());
    case OffsetColumn:
        return NumberText::hex(tensor.offset);
    case FileOffsetColumn:
        return tensor.fileOffset ? NumberText::hex(*tensor.fileOffset) : QString();
    case PaddingColumn:
        return countOf(tensor.padding);
    case RequiredColumn:
        return countOf(tensor.dataBytes);
    case ReservedColumn:
        return countOf(m_document.tensorSpace(tensor.index).reserved);
    case PresentColumn:
        return presence(tensor);
    default:
        break;
    }
    const ExtraColumn& extra = m_extra[static_cast<std::size_t>(column - kBaseColumns)];
    return extra.text ? extra.text(tensor.index) : extra.value(tensor.index).toString();
}

QVariant TensorModel::sortValue(const gguf::Tensor& tensor, int column) const
{
    if (isSpaceColumn(column) && !m_document.isFinished())
        return {};
    switch (column) {
    case NameColumn:
        return fromFile(tensor.name);
    case TypeColumn:
    case DimensionsColumn:
        return displayText(tensor, column);
    case ElementsColumn:
        return variantOf(tensor.elements);
    case SizeColumn:
    case RequiredColumn:
        return variantOf(tensor.dataBytes);
    case BitsPerWeightColumn: {
        const std::optional<double> bits = tensor.bitsPerWeight();
        return bits ? QVariant(*bits) : QVariant();
    }
    case OffsetColumn:
        return quint64{tensor.offset};
    case FileOffsetColumn:
        return variantOf(tensor.fileOffset);
    case PaddingColumn:
        return variantOf(tensor.padding);
    case ReservedColumn:
        return variantOf(m_document.tensorSpace(tensor.index).reserved);
    case PresentColumn: {
        const gguf::TensorSpace space = m_document.tensorSpace(tensor.index);
        if (!space.required)
            return {};
        return *space.required == 0 ? 1.0 : static_cast<double>(space.present) / static_cast<double>(*space.required);
    }
    default:
        return m_extra[static_cast<std::size_t>(column - kBaseColumns)].value(tensor.index);
    }
}

QString TensorModel::presence(const gguf::Tensor& tensor) const
{
    const gguf::TensorSpace space = m_document.tensorSpace(tensor.index);
    if (!space.required)
        return tr("unknown");
    if (space.missing())
        return tr("missing");
    if (space.cut())
        return tr("cut: %1 of %2 bytes").arg(NumberText::count(space.present), NumberText::count(*space.required));
    return tr("whole");
}

QString TensorModel::toolTip(const gguf::Tensor& tensor, int column) const
{
    switch (column) {
    case NameColumn:
        return fromFile(tensor.name);
    case TypeColumn: {
        const gguf::TensorTypeInfo* const type = tensor.type;
        if (!type)
            return tr("Type id %1: nobody is known to use it.").arg(tensor.typeId);
        QString text = tr("Type id %1 (%2): %3 bytes for each %4 elements.")
                           .arg(QString::number(tensor.typeId), QString::fromUtf8(type->owner.data(), qsizetype(type->owner.size())),
                               QString::number(type->blockBytes), QString::number(type->blockLength));
        if (!type->note.empty())
            text += u'\n' + QString::fromUtf8(type->note.data(), qsizetype(type->note.size()));
        return text;
    }
    case SizeColumn:
        return tensor.dataBytes ? NumberText::size(*tensor.dataBytes) : QString();
    case OffsetColumn:
        return NumberText::offset(tensor.offset);
    case FileOffsetColumn:
        return tensor.fileOffset ? NumberText::offset(*tensor.fileOffset) : QString();
    case RequiredColumn:
    case ReservedColumn: {
        if (!m_document.isFinished())
            return {};
        const gguf::TensorSpace space = m_document.tensorSpace(tensor.index);
        if (space.overlap > 0)
            return tr("%1 are claimed by the next tensor too.").arg(NumberText::bytes(space.overlap));
        if (space.gap > 0)
            return tr("%1 after data and padding belong to nobody.").arg(NumberText::bytes(space.gap));
        return {};
    }
    default:
        return {};
    }
}

QVariant TensorModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    if (section >= kBaseColumns) {
        const ExtraColumn& extra = m_extra[static_cast<std::size_t>(section - kBaseColumns)];
        return role == Qt::DisplayRole ? QVariant(extra.title) : role == CopyRole ? QVariant(extra.id) : QVariant();
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
