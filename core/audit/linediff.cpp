// SPDX-License-Identifier: GPL-3.0-or-later
#include "audit/linediff.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <unordered_map>

namespace gguf {

namespace {

using Lines = std::vector<std::string_view>;
using Kind = DiffLine::Kind;

Lines linesOf(std::string_view text, bool& cut)
{
    Lines lines;
    const std::size_t size = text.size();
    while (!text.empty()) {
        if (lines.size() == kMostDiffLines || size - text.size() > kMostDiffBytes) {
            cut = true;
            break;
        }
        const std::size_t end = text.find('\n');
        lines.push_back(text.substr(0, end));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return lines;
}

/// Where the lines begin that are compared: kMostLinesBefore before the first that differs.
std::size_t firstLine(std::string_view a, std::string_view b)
{
    const auto [differs, other] = std::ranges::mismatch(a, b);
    std::string_view equal = a.substr(0, static_cast<std::size_t>(differs - a.begin()));
    for (std::size_t line = 0; line <= kMostLinesBefore; ++line) {
        const std::size_t feed = equal.rfind('\n');
        const std::size_t begin = feed == std::string_view::npos ? 0 : feed + 1;
        // Equal lines may be long.
        if (line > 0 && static_cast<std::size_t>(differs - a.begin()) - begin > kMostDiffBytes / 2)
            return equal.size() + 1;
        if (begin == 0)
            return 0;
        equal = equal.substr(0, feed);
    }
    return equal.size() + 1;
}

/// Appends the edits that turn `a` into `b`; false where they are more than kMostEdits, and nothing is
/// appended.
///
/// In the grid of a's lines by b's, round d knows for each diagonal k = x - y the furthest x that d edits
/// reach. The rounds are kept, so that the way can be followed back from the end.
bool appendEdits(
    std::span<const std::string_view> a, std::span<const std::string_view> b, std::vector<DiffLine>& out)
{
    const auto n = static_cast<std::ptrdiff_t>(a.size()), m = static_cast<std::ptrdiff_t>(b.size());
    const auto most = std::min<std::ptrdiff_t>(n + m, static_cast<std::ptrdiff_t>(kMostEdits));
    const auto lineA = [&](std::ptrdiff_t i) { return a[static_cast<std::size_t>(i)]; };
    const auto lineB = [&](std::ptrdiff_t i) { return b[static_cast<std::size_t>(i)]; };
    // Lines are compared up to kMostEdits times each: long ones by number.
    std::unordered_map<std::string_view, std::size_t> numbers;
    const auto number = [&numbers](std::span<const std::string_view> lines) {
        std::vector<std::size_t> result;
        for (const std::string_view line : lines)
            result.push_back(numbers.try_emplace(line, numbers.size()).first->second);
        return result;
    };
    const std::vector<std::size_t> numbersA = number(a), numbersB = number(b);
    const auto isSame = [&](std::ptrdiff_t i, std::ptrdiff_t j) {
        return numbersA[static_cast<std::size_t>(i)] == numbersB[static_cast<std::size_t>(j)];
    };

    // Round d holds its diagonals -d, -d + 2, ..., d.
    std::vector<std::vector<std::ptrdiff_t>> rounds;
    const auto reach = [&rounds](std::ptrdiff_t d, std::ptrdiff_t k) {
        return rounds[static_cast<std::size_t>(d)][static_cast<std::size_t>((k + d) / 2)];
    };
    // Whether diagonal k of round d is reached downwards (a line of b is added) rather than from the left.
    const auto cameDown = [&](std::ptrdiff_t d, std::ptrdiff_t k) {
        return k == -d || (k != d && reach(d - 1, k - 1) < reach(d - 1, k + 1));
    };

    bool found = false;
    for (std::ptrdiff_t d = 0; d <= most && !found; ++d) {
        rounds.emplace_back();
        auto& round = rounds.back();
        for (std::ptrdiff_t k = -d; k <= d; k += 2) {
            std::ptrdiff_t x = 0;
            if (d > 0)
                x = cameDown(d, k) ? reach(d - 1, k + 1) : reach(d - 1, k - 1) + 1;
            while (x < n && x - k < m && x - k >= 0 && isSame(x, x - k))
                ++x;
            round.push_back(x);
            if (x >= n && x - k >= m) {
                found = true;
                break;
            }
        }
    }
    if (!found)
        return false;

    std::vector<DiffLine> backwards;
    std::ptrdiff_t x = n, y = m;
    for (auto d = static_cast<std::ptrdiff_t>(rounds.size()) - 1; d > 0; --d) {
        const std::ptrdiff_t k = x - y;
        const bool down = cameDown(d, k);
        const std::ptrdiff_t fromX = down ? reach(d - 1, k + 1) : reach(d - 1, k - 1);
        const std::ptrdiff_t fromY = fromX - (down ? k + 1 : k - 1);
        const std::ptrdiff_t editX = down ? fromX : fromX + 1;
        for (; x > editX; --x, --y)
            backwards.push_back({Kind::Same, lineA(x - 1)});
        backwards.push_back(
            down ? DiffLine{Kind::Added, lineB(fromY)} : DiffLine{Kind::Removed, lineA(fromX)});
        x = fromX;
        y = fromY;
    }
    for (; x > 0; --x)
        backwards.push_back({Kind::Same, lineA(x - 1)});
    out.insert(out.end(), backwards.rbegin(), backwards.rend());
    return true;
}

} // namespace

LineDiff lineDiff(std::string_view a, std::string_view b)
{
    LineDiff diff;
    const std::size_t start = firstLine(a, b);
    diff.skipped = static_cast<std::size_t>(std::ranges::count(a.substr(0, start), '\n'));
    const Lines left = linesOf(a.substr(start), diff.cut), right = linesOf(b.substr(start), diff.cut);
    const std::size_t shorter = std::min(left.size(), right.size());
    std::size_t head = 0, tail = 0;
    while (head < shorter && left[head] == right[head])
        ++head;
    while (tail < shorter - head && left[left.size() - 1 - tail] == right[right.size() - 1 - tail])
        ++tail;

    std::vector<DiffLine>& result = diff.lines;
    for (std::size_t i = 0; i < head; ++i)
        result.push_back({Kind::Same, left[i]});
    const auto middleA = std::span(left).subspan(head, left.size() - head - tail);
    const auto middleB = std::span(right).subspan(head, right.size() - head - tail);
    if (!appendEdits(middleA, middleB, result)) {
        for (const std::string_view line : middleA)
            result.push_back({Kind::Removed, line});
        for (const std::string_view line : middleB)
            result.push_back({Kind::Added, line});
    }
    for (std::size_t i = left.size() - tail; i < left.size(); ++i)
        result.push_back({Kind::Same, left[i]});
    return diff;
}

} // namespace gguf
