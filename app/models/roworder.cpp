// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/roworder.h"

#include "document/text.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <type_traits>

using namespace Qt::StringLiterals;

namespace {

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

unsigned char lower(char c)
{
    return static_cast<unsigned char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

/// The number of digits of the run at `at` without leading zeros; moves `at` past the zeros.
std::size_t significantDigits(std::string_view text, std::size_t& at)
{
    while (at < text.size() && text[at] == '0')
        ++at;
    std::size_t end = at;
    while (end < text.size() && isDigit(text[end]))
        ++end;
    return end - at;
}

/// Steps of one match before PCRE gives up: a few milliseconds, so that a worker soon hears that it should stop. No
/// usual expression comes near it. PCRE's own limit is ten times as far.
constexpr auto kStepLimit = "(*LIMIT_MATCH=1000000)"_L1;

/// Bytes that visibleText() leaves alone.
bool isPlain(char c)
{
    return c >= ' ' && c <= '~';
}

QString visible(std::string_view bytes)
{
    if (std::ranges::all_of(bytes, isPlain))
        return QString::fromLatin1(bytes.data(), static_cast<qsizetype>(bytes.size()));
    return QString::fromStdString(gguf::visibleText(bytes));
}

template <class Key>
bool keyLess(const Key& a, const Key& b)
{
    if constexpr (std::is_same_v<Key, QString>)
        return QString::compare(a, b, Qt::CaseInsensitive) < 0;
    else
        return a < b;
}

} // namespace

std::strong_ordering naturalCompare(std::string_view a, std::string_view b)
{
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < a.size() && j < b.size()) {
        if (isDigit(a[i]) && isDigit(b[j])) {
            const std::size_t digits = significantDigits(a, i);
            const std::size_t others = significantDigits(b, j);
            if (digits != others)
                return digits <=> others;
            const int order = a.substr(i, digits).compare(b.substr(j, digits));
            if (order != 0)
                return order <=> 0;
            i += digits;
            j += digits;
        } else {
            if (lower(a[i]) != lower(b[j]))
                return lower(a[i]) <=> lower(b[j]);
            ++i;
            ++j;
        }
    }
    if (i < a.size() || j < b.size())
        return (a.size() - i) <=> (b.size() - j);
    return a.compare(b) <=> 0; // the case of letters, leading zeros
}

NameFilter::NameFilter(const QString& text, Mode mode)
    : m_text(text)
    , m_mode(mode)
{
    if (mode == Mode::Wildcard)
        m_expression = QRegularExpression::fromWildcard(
            text, Qt::CaseInsensitive, QRegularExpression::UnanchoredWildcardConversion);
    else if (mode == Mode::RegularExpression)
        m_expression = QRegularExpression(kStepLimit + text, QRegularExpression::CaseInsensitiveOption);
    m_expression.optimize();

    // Most of what people type: spares making a QString of each name.
    const std::string bytes = text.toStdString();
    if (mode == Mode::Substring && std::ranges::all_of(bytes, isPlain) && !text.contains(u'\\')) {
        m_needle.resize(bytes.size());
        std::ranges::transform(bytes, m_needle.begin(), [](char c) { return static_cast<char>(lower(c)); });
    }
}

NameFilter::Match NameFilter::match(std::string_view name) const
{
    const auto answer = [](bool yes) { return yes ? Match::Yes : Match::No; };
    if (m_text.isEmpty() || !isValid())
        return Match::Yes;
    if (!m_needle.empty())
        return answer(!std::ranges::search(name, m_needle, {}, lower, lower).empty());
    if (m_mode == Mode::Substring)
        return answer(visible(name).contains(m_text, Qt::CaseInsensitive));
    const QRegularExpressionMatch match = m_expression.match(visible(name));
    // Not a match of a valid expression: PCRE came to its limit.
    return match.isValid() ? answer(match.hasMatch()) : Match::GaveUp;
}

void RowFilter::setTensors(std::optional<std::vector<std::size_t>> tensors)
{
    if (tensors)
        std::ranges::sort(*tensors);
    m_tensors = std::move(tensors);
}

NameFilter::Match RowFilter::match(const gguf::Document& document, std::size_t tensor) const
{
    if (m_tensors && !std::ranges::binary_search(*m_tensors, tensor))
        return NameFilter::Match::No;
    if (!m_types.isEmpty() && !m_types.contains(document.tensorTypeId(tensor)))
        return NameFilter::Match::No;
    return m_name.match(document.tensorName(tensor));
}

RowFilter::Result RowFilter::filtered(const gguf::Document& document, const std::stop_token& stop) const
{
    const std::size_t count = document.tensorCount();
    Result result;
    if (passesAll()) {
        result.rows.resize(count);
        std::iota(result.rows.begin(), result.rows.end(), 0U);
        return result;
    }
    for (std::size_t tensor = 0; tensor < count && !stop.stop_requested(); ++tensor) {
        const NameFilter::Match answer = match(document, tensor);
        if (answer == NameFilter::Match::Yes)
            result.rows.push_back(static_cast<quint32>(tensor));
        else if (answer == NameFilter::Match::GaveUp)
            ++result.undecided;
    }
    return result;
}

void sortRows(std::vector<quint32>& rows, const SortKeys& keys, Qt::SortOrder order)
{
    std::visit(
        [&rows, ascending = order == Qt::AscendingOrder](const auto& list) {
            std::ranges::stable_sort(rows, [&list, ascending](quint32 a, quint32 b) {
                const auto& x = list[a];
                const auto& y = list[b];
                if (!x || !y)
                    return x.has_value() && !y;
                return ascending ? keyLess(*x, *y) : keyLess(*y, *x);
            });
        },
        keys);
}

std::vector<std::optional<quint32>> nameRanks(const gguf::Document& document)
{
    const std::size_t count = document.tensorCount();
    std::vector<std::string_view> names(count);
    std::vector<quint32> order(count);
    for (std::size_t i = 0; i < count; ++i)
        names[i] = document.tensorName(i);
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(
        order, [&names](quint32 a, quint32 b) { return naturalCompare(names[a], names[b]) < 0; });
    std::vector<std::optional<quint32>> ranks(count);
    quint32 rank = 0;
    for (std::size_t i = 0; i < count; ++i) {
        if (i > 0 && names[order[i]] != names[order[i - 1]])
            ++rank; // the same name twice: the same rank
        ranks[order[i]] = rank;
    }
    return ranks;
}
