// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "document/document.h"
#include "models/roles.h"

#include <QAbstractItemModel>

#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

/// The metadata as a tree: groups by dotted key segments, pairs, array elements. Or flat: pairs, array elements.
///
/// Identity is parent plus number: an index holds the id of its container, and its row is the number in it. A
/// container exists for each group, and for each array whose elements somebody asked for; elements cost nothing.
/// More than kRangeLength elements are cut into ranges of that many. Rows stand in file order.
class MetadataModel final : public QAbstractItemModel
{
    Q_OBJECT
public:
    enum Column { KeyColumn, TypeColumn, ValueColumn };
    static constexpr int kColumnCount = 3;
    static constexpr std::size_t kCopyBytes = std::size_t{16} << 20; ///< of a value in a row that is copied
    static constexpr std::uint64_t kRangeLength = 100'000;

    explicit MetadataModel(QObject* parent = nullptr);

    void setDocument(const gguf::Document& document); ///< another file: resets
    void updateDocument(const gguf::Document& document); ///< the same file, more of it: inserts rows
    const gguf::Document& document() const { return m_document; }

    void setFlat(bool flat); ///< resets
    bool isFlat() const { return m_flat; }
    /// Shows the pairs whose key contains the text, without regard to case; expansion and selection stay.
    void setFilter(const QString& text);
    QString filter() const { return m_filter; }
    std::size_t visiblePairs() const; ///< pairs that pass the filter

    /// The row of a pair, or an invalid index where the filter hides it.
    QModelIndex indexOf(std::size_t pair, int column = KeyColumn) const;
    /// The pair that a row is or belongs to; nothing for groups.
    std::optional<std::size_t> pairAt(const QModelIndex& index) const;
    /// The value that a row shows: a pair's or an array element's; nothing for groups and ranges.
    std::optional<gguf::ValueView> valueAt(const QModelIndex& index) const;

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& child) const override;
    using QObject::parent;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    bool hasChildren(const QModelIndex& parent = {}) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    static constexpr quint32 kNoGroup = 0xFFFFFFFF;

    /// A child of a group: a pair, or a group that is numbered by its first pair. The number gives the order; no two
    /// children of one group have the same, since a pair lies in the deepest of its groups alone.
    struct Item
    {
        quint32 pair = 0;
        quint32 group = kNoGroup;
        friend bool operator==(const Item&, const Item&) = default;
    };
    struct Container
    {
        enum class Kind { Group, Array, Range } kind = Kind::Group;
        quint32 parent = 0;
        std::uint64_t number = 0; ///< in the parent: the (first) pair of a group's item, or the element or range
        QString name; ///< of a group: its last segment, made visible
        std::vector<Item> all, visible; ///< of a group
        bool changed = false; ///< of a group: `all` has grown since `visible` was made
        std::size_t pairs = 0; ///< of a group: visible pairs below
        std::optional<gguf::Severity> severity; ///< of a group: the worst Problem below
        std::optional<gguf::ValueView> value; ///< of an array or range
        std::uint64_t first = 0, count = 0; ///< of an array or range: elements or, if `ranges`, ranges
        bool ranges = false;
    };

    void rebuild();
    void addPairs(std::size_t from);
    quint32 groupFor(std::size_t pair);
    void noteProblems(std::size_t from, bool announce);
    std::optional<quint32> groupOf(std::size_t pair) const;
    void notePassing();
    std::vector<Item> wanted(quint32 group, bool all);
    std::size_t countPassing(quint32 group) const;
    void show(quint32 group, bool all);
    void hideBelow(quint32 group);
    QModelIndex containerIndex(quint32 id) const;
    int rowIn(const Container& container, std::uint64_t number) const;
    const Item* itemAt(const QModelIndex& index) const;
    std::uint64_t elementsOf(const gguf::ValueView& value) const;
    quint32 childContainer(const QModelIndex& index) const; ///< 0: it has no children
    std::optional<gguf::ByteRange> rangeAt(const QModelIndex& index) const;
    std::optional<int> severityAt(const QModelIndex& index) const;
    QString keyText(const QModelIndex& index) const;
    QString typeText(const QModelIndex& index) const;
    QString valueText(const QModelIndex& index, std::size_t maxBytes) const;
    QString remark(std::size_t pair, const gguf::ValueView& value) const;

    gguf::Document m_document;
    bool m_flat = false;
    QString m_filter;
    std::vector<bool> m_passing; ///< by pair: what the filter says
    mutable std::vector<Container> m_containers; ///< number 0 is the root
    mutable std::map<std::pair<quint32, std::uint64_t>, quint32> m_children; ///< arrays and ranges asked for
    std::unordered_map<std::string, quint32> m_groups; ///< by dotted prefix, while not flat
    std::unordered_map<std::size_t, gguf::Severity> m_severities; ///< the worst Problem of a pair
    std::optional<std::size_t> m_tokens; ///< tokenizer.ggml.tokens
};
