// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "document/document.h"

#include <QRegularExpression>
#include <QSet>
#include <QString>

#include <compare>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

/// Compares names as people count: "blk.2" before "blk.10", without regard to case where that decides.
std::strong_ordering naturalCompare(std::string_view a, std::string_view b);

/// What a person types to find tensors by name.
class NameFilter
{
public:
    enum class Mode { Substring, Wildcard, RegularExpression };

    NameFilter() = default;
    NameFilter(const QString& text, Mode mode);

    bool isEmpty() const { return m_text.isEmpty(); }
    /// False for a regular expression with a mistake in it; then everything passes.
    bool isValid() const { return m_expression.isValid(); }
    /// True where even a few names may take longer than a frame.
    bool isSlow() const { return m_mode != Mode::Substring && !isEmpty(); }
    enum class Match { No, Yes, GaveUp }; ///< gave up: the expression would take too long on this name
    Match match(std::string_view name) const; ///< the name as stored

private:
    QString m_text;
    std::string m_needle; ///< a plain substring in lower case, to search the stored bytes for; else empty
    Mode m_mode = Mode::Substring;
    QRegularExpression m_expression;
};

/// One typed key per tensor, made for one sort. Missing values come last in either direction.
using SortKeys = std::variant<std::vector<std::optional<std::uint64_t>>, std::vector<std::optional<double>>, std::vector<std::optional<QString>>,
    std::vector<std::optional<quint32>>>; ///< ranks

/// Which tensors are shown: a value, so that a worker can take it along.
class RowFilter
{
public:
    void setName(const NameFilter& filter) { m_name = filter; }
    const NameFilter& name() const { return m_name; }
    void setTypes(const QSet<quint32>& types) { m_types = types; }
    const QSet<quint32>& types() const { return m_types; }
    void setTensors(std::optional<std::vector<std::size_t>> tensors); ///< any order
    bool hasTensors() const { return m_tensors.has_value(); }
    bool passesAll() const { return m_name.isEmpty() && m_types.isEmpty() && !m_tensors; }

    struct Result
    {
        std::vector<quint32> rows; ///< the tensors that pass, in file order
        std::size_t undecided = 0; ///< tensors that are not among them because the expression gave up on their names
    };
    Result filtered(const gguf::Document& document, const std::stop_token& stop = {}) const; ///< stops between two names

private:
    NameFilter::Match match(const gguf::Document& document, std::size_t tensor) const;

    NameFilter m_name;
    QSet<quint32> m_types;
    std::optional<std::vector<std::size_t>> m_tensors; ///< sorted
};

/// Sorts tensor numbers by their keys, stably.
void sortRows(std::vector<quint32>& rows, const SortKeys& keys, Qt::SortOrder order);

/// The rank of each tensor in natural order of the names.
std::vector<std::optional<quint32>> nameRanks(const gguf::Document& document);
