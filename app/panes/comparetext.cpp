// SPDX-License-Identifier: GPL-3.0-or-later
#include "panes/comparetext.h"

#include "load/datacomparison.h"
#include "models/counted.h"

#include <QCoreApplication>
#include <QStringList>

#include <fmt/format.h>

#include <algorithm>

using gguf::Comparison;

namespace {

/// Elements of an array that are shown before the first that differs, and all in all.
constexpr std::uint64_t kElementsBefore = 3, kElementsShown = 40;
/// Bytes of the text of one element or number.
constexpr std::size_t kMostText = 4000;

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(CompareText)
};

QString fromCore(const std::string& text)
{
    return QString::fromStdString(text);
}

std::string elementLines(const gguf::ValueView& array, std::uint64_t from)
{
    std::string lines;
    const std::uint64_t end = std::min(array.available(), from + kElementsShown);
    for (std::uint64_t i = from; i < end; ++i)
        lines += fmt::format("[{}] {}\n", i, array.element(i).text(kMostText));
    return lines;
}

} // namespace

namespace CompareText {

QString summary(const Comparison& comparison, const DataComparison& bytes)
{
    QStringList sentences;
    for (const gguf::HeaderDifference& difference : comparison.header)
        sentences << Words::tr("The %1 differs: %2 and %3.")
                         .arg(fromCore(difference.name), fromCore(difference.a), fromCore(difference.b));
    using State = DataComparison::State;
    if (!comparison.same()) {
        sentences << Words::tr("%1, %2.").arg(
            counted(comparison.metadata.size(), Words::tr("1 key differs"), Words::tr("%1 keys differ")),
            counted(
                comparison.differences.size(), Words::tr("1 tensor differs"), Words::tr("%1 tensors differ")));
        sentences << Words::tr("Order and offsets do not count.");
    } else {
        sentences << Words::tr("Metadata and tensor tables are the same.");
        if (!comparison.matched.empty() && (!bytes.hasRun() || bytes.count(State::Waiting) > 0))
            sentences << Words::tr("Whether the tensors hold the same bytes is not compared yet.");
        else if (bytes.count(State::Equal) == comparison.matched.size())
            sentences << Words::tr("All tensors hold the same bytes.");
        else
            sentences << Words::tr("The tensors do not all hold the same bytes.");
    }
    const auto addErrors = [&sentences](QChar letter, std::uint64_t errors) {
        if (errors > 0)
            sentences << Words::tr("%1 has %2: what could be read of it is compared.")
                             .arg(letter)
                             .arg(counted(errors, Words::tr("1 error"), Words::tr("%1 errors")));
    };
    addErrors(u'A', comparison.errorsA);
    addErrors(u'B', comparison.errorsB);
    return sentences.join(u' ');
}

void withValues(const Comparison& comparison, const gguf::MetadataDifference& difference,
    const std::function<void(std::string_view a, std::string_view b)>& use)
{
    // Both sides begin at the same element, so that equal lines stand side by side.
    const std::uint64_t first = difference.firstDifference.value_or(0);
    const std::uint64_t from = first - std::min(first, kElementsBefore);
    std::string textA, textB;
    const auto bytes = [from](const gguf::Document& document, std::optional<std::size_t> pair,
                           std::string& text) -> std::string_view {
        if (!pair)
            return {};
        const gguf::ValueView value = document.value(*pair);
        if (value.type() == gguf::ValueType::String)
            return value.asString(); // in the document, which the comparison keeps
        return text = value.type() == gguf::ValueType::Array ? elementLines(value, from) : value.text(kMostText);
    };
    use(bytes(comparison.a, difference.a, textA), bytes(comparison.b, difference.b, textB));
}

} // namespace CompareText
