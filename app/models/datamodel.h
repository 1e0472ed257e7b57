// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "audit/datahash.h"
#include "audit/datascan.h"
#include "models/roles.h"

#include <QAbstractTableModel>

#include <optional>
#include <unordered_map>
#include <vector>

/// What is known of the data of one tensor, or of the whole file.
struct DataResult
{
    std::optional<std::size_t> tensor; ///< none: the whole file
    std::optional<gguf::TensorScan> scan;
    std::optional<gguf::DataHash> hash;
};

/// The results of looking through tensor data: a row for each tensor that something is known of, in the order
/// in which results came until it is sorted.
class DataModel final : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum Column
    {
        NameColumn,
        TypeColumn,
        VerdictColumn, ///< are all numbers finite
        BadColumn, ///< blocks with NaN or infinity
        ZeroColumn, ///< bytes in long runs of zeros
        MinColumn,
        MaxColumn,
        MeanColumn,
        DeviationColumn,
        ZeroShareColumn,
        HashColumn,
    };
    static constexpr int kColumnCount = HashColumn + 1;

    explicit DataModel(QObject* parent = nullptr);

    void setDocument(const gguf::Document& document); ///< another file: forgets all results
    const gguf::Document& document() const { return m_document; } ///< the one that the results are of
    void addScans(const std::vector<gguf::TensorScan>& scans);
    void addHashes(const std::vector<gguf::DataHash>& hashes);
    void resort(); ///< after results have come

    const DataResult& resultAt(int row) const { return m_results[m_order[static_cast<std::size_t>(row)]]; }
    /// What is known of a tensor (nothing: of the whole file), or null.
    const DataResult* find(std::optional<std::size_t> tensor) const;
    int rowOf(std::optional<std::size_t> tensor) const; ///< -1: none. Linear.
    const std::vector<DataResult>& results() const { return m_results; }
    QString nameText(const DataResult& result) const; ///< the tensor's name, or "Whole file"
    QString text(const DataResult& result, int column) const;
    QVariant sortValue(const DataResult& result, int column) const; ///< invalid: nothing is known
    static bool isNumeric(int column) { return column >= BadColumn && column <= ZeroShareColumn; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void sort(int column, Qt::SortOrder order) override;

private:
    template <class Found> void add(const std::vector<Found>& found);
    DataResult& resultFor(std::optional<std::size_t> tensor);

    gguf::Document m_document;
    std::vector<DataResult> m_results;
    std::unordered_map<std::size_t, std::size_t>
        m_byTensor; ///< tensor number + 1, or 0 for the file -> result
    std::vector<quint32> m_order; ///< shown rows -> results; results beyond it are being added
    int m_sortColumn = -1;
    Qt::SortOrder m_sortOrder = Qt::AscendingOrder;
};
