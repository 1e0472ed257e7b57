// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "document/document.h"
#include "models/roles.h"

#include <QAbstractItemModel>

#include <array>
#include <optional>
#include <vector>

/// The Problems of a document: a flat list in file order of discovery, or grouped by judge and then severity.
///
/// A Problem that several judges mind stands under each of them, since their opinions are never merged. What a check of
/// the tensor data found comes after the document's own, in a group of its own.
class ProblemModel final : public QAbstractItemModel
{
    Q_OBJECT
public:
    enum Column { SeverityColumn, CodeColumn, OffsetColumn, SubjectColumn, MessageColumn };
    static constexpr int kColumnCount = 5;
    /// Details of a Problem as plain text, for the details view; all QString, empty where there is nothing to say.
    enum DetailRole { FoundRole = CopyRole + 100, ExpectedRole, MeaningRole, ConsequenceRole, RemedyRole, JudgesRole };
    enum class Judge { GgmlOpens, GgmlReads, Spec, Doc, Nobody, DataCheck };
    static constexpr int kJudgeCount = 6;

    explicit ProblemModel(QObject* parent = nullptr);

    void setDocument(const gguf::Document& document); ///< another file: resets
    void updateDocument(const gguf::Document& document); ///< the same file, more of it: inserts rows
    const gguf::Document& document() const { return m_document; }
    /// What a check of the tensor data found until now; forgotten with the document.
    void setDataProblems(std::vector<gguf::Problem> problems);
    std::size_t problemCount() const { return m_document.problemCount() + m_found.size(); }
    const gguf::Problem& listedProblem(std::size_t number) const;

    void setFlat(bool flat); ///< resets
    bool isFlat() const { return m_flat; }
    /// Shows the Problems that contain the text in code, subject, message, found or expected, without regard to case.
    void setFilter(const QString& text);
    QString filter() const { return m_filter; }

    /// All Problems of the document by severity, those included that are only counted.
    std::array<std::uint64_t, 3> totals() const; ///< errors, warnings, notes
    std::size_t visibleProblems() const; ///< that pass the filter
    /// "11,345 more of tensor-type-unknown are counted but not listed."; empty where all are listed.
    QString unlistedText() const;

    /// The first row of a Problem, or an invalid index where the filter hides it.
    QModelIndex indexOf(std::size_t problem, int column = SeverityColumn) const;
    std::optional<std::size_t> problemAt(const QModelIndex& index) const; ///< nothing for groups
    /// The visible Problem after (or before) this one in file order of their offsets, around the end.
    std::optional<std::size_t> nextProblem(std::optional<std::size_t> problem, bool forwards) const;

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& child) const override;
    using QObject::parent;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    // Node numbers: 0 the root, 1 + judge, 1 + kJudgeCount + 3 * judge + severity.
    struct Node
    {
        std::vector<quint32> rows; ///< shown: child node numbers or, in leaves and the flat root, Problem numbers
    };
    static constexpr int kNodeCount = 1 + kJudgeCount + 3 * kJudgeCount;

    bool holdsProblems(std::size_t node) const { return m_flat ? node == 0 : node > kJudgeCount; }
    std::vector<std::vector<quint32>> wantedRows() const;
    void rebuild();
    void apply();
    void replaceRows(std::size_t node, const std::vector<std::vector<quint32>>& wanted);
    void fill(std::size_t node, const std::vector<std::vector<quint32>>& wanted);
    void forget(std::size_t node);
    QModelIndex nodeIndex(std::size_t node) const;
    std::size_t nodeAt(const QModelIndex& index) const;
    bool passes(const gguf::Problem& problem) const;
    QString groupText(std::size_t node) const;
    QVariant groupData(std::size_t node, int column, int role) const;

    gguf::Document m_document;
    std::vector<gguf::Problem> m_found; ///< numbered after the document's
    bool m_flat = false;
    QString m_filter;
    std::array<Node, kNodeCount> m_nodes;
};
