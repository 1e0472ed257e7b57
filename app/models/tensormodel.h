// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "document/document.h"
#include "models/roles.h"
#include "models/tabletext.h"
#include "models/tensorrows.h"

#include <QAbstractTableModel>
#include <QSet>

#include <functional>
#include <optional>
#include <unordered_map>
#include <vector>

/// The tensor table: sorts and filters itself, keeps nothing per row but its permutation, decodes what is looked at.
class TensorModel final : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum Column {
        NameColumn,
        TypeColumn,
        DimensionsColumn,
        ElementsColumn,
        SizeColumn,
        BitsPerWeightColumn,
        OffsetColumn, ///< as stored
        FileOffsetColumn,
        PaddingColumn,
        RequiredColumn, ///< bytes that type and dimensions need
        ReservedColumn, ///< bytes that the file leaves it
        PresentColumn, ///< whole, cut or missing
    };
    static constexpr int kBaseColumns = PresentColumn + 1;

    /// A column that somebody else knows the values of: layer, role, results of a data scan.
    struct ExtraColumn
    {
        QString id; ///< stable, for JSON and settings: "layer"
        QString title;
        bool numeric = false; ///< right-aligned; value() is a number
        bool derived = false; ///< value() is a function of its arguments alone, so that a worker may ask it
        TensorValue value; ///< what to sort by; invalid: nothing there
        std::function<QString(const gguf::Document& document, std::size_t tensor)> text; ///< empty function: the value as a string
    };

    /// Works out the rows of a wish and gives them to show(), now or later; a newer wish makes the ones before void.
    using Arranger = std::function<void(const TensorRowsWish& wish)>;

    explicit TensorModel(QObject* parent = nullptr);

    /// Without one, the rows are sorted and filtered at once. With one, they stay as they are until it answers.
    void setArranger(Arranger arranger) { m_arranger = std::move(arranger); }
    void show(TensorRows wanted); ///< keeps selections

    void setDocument(const gguf::Document& document); ///< another file: resets; filter and sorting stay
    void updateDocument(const gguf::Document& document); ///< the same file, more of it: inserts rows
    const gguf::Document& document() const { return m_document; }

    int addColumn(ExtraColumn column); ///< its number
    /// The values of an extra column changed: all, or one tensor's.
    void refreshColumn(int column, std::optional<std::size_t> tensor = {});

    void setNameFilter(const QString& text, NameFilter::Mode mode);
    bool isNameFilterValid() const { return m_filter.name().isValid(); } ///< false: not a regular expression
    void setTypeFilter(const QSet<quint32>& types); ///< empty: all types
    const QSet<quint32>& typeFilter() const { return m_filter.types(); }
    void setTensorFilter(std::optional<std::vector<std::size_t>> tensors); ///< nothing: all tensors
    bool hasTensorFilter() const { return m_filter.hasTensors(); }
    void clearFilters();
    bool isFiltered() const { return !m_filter.passesAll(); }

    int sortColumn() const { return m_sortColumn; } ///< -1: file order
    Qt::SortOrder sortOrder() const { return m_sortOrder; }

    bool isArranging() const { return m_arranging; } ///< the arranger has not answered yet

    std::size_t tensorAt(int row) const { return m_rows[static_cast<std::size_t>(row)]; }
    /// The row of a tensor, or an invalid index where a filter hides it. Linear.
    QModelIndex indexOf(std::size_t tensor, int column = NameColumn) const;

    std::size_t undecided() const { return m_undecided; } ///< names that the regular expression gave up on: no rows
    const gguf::TensorSum& total() const { return m_total; } ///< of all rows; while a file is read, their count alone
    gguf::TensorSum sum(int firstRow, int lastRow) const; ///< of rows [first, last]; linear

    /// These rows and columns, in the order given, for a worker: the model may change meanwhile.
    TableText::Table table(const QList<int>& rows, TableText::Format format, const QList<int>& columns) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void sort(int column, Qt::SortOrder order) override;

signals:
    void rowsChanged(); ///< after a filter, a sort or new rows: counts and sums are out of date

private:
    void arrange(); ///< makes the rows what filters and sorting say, at once or later
    TensorRowsWish wish() const;
    void permute(std::vector<quint32> rows);
    void noteProblems(std::size_t from, bool announce);
    const ExtraColumn& extra(int column) const { return m_extra[static_cast<std::size_t>(column - kBaseColumns)]; }
    bool isCut(std::size_t tensor) const;
    QString spokenText(const gguf::Tensor& tensor, int column) const;
    QString displayText(const gguf::Tensor& tensor, int column, std::size_t maxNameBytes = 0) const;
    QVariant sortValue(const gguf::Tensor& tensor, int column) const;

    gguf::Document m_document;
    RowFilter m_filter;
    int m_sortColumn = -1;
    Qt::SortOrder m_sortOrder = Qt::AscendingOrder;
    std::vector<quint32> m_rows; ///< tensor numbers
    gguf::TensorSum m_total;
    std::size_t m_undecided = 0;
    Arranger m_arranger;
    bool m_arranging = false;
    std::vector<ExtraColumn> m_extra;
    std::unordered_map<std::size_t, gguf::Severity> m_severities; ///< the worst Problem of a tensor
};
