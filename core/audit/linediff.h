// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace gguf {

/// One line of a comparison of two texts.
struct DiffLine
{
    enum class Kind
    {
        Same,
        Removed,
        Added
    };
    Kind kind = Kind::Same;
    std::string_view text; ///< without its line feed; points into one of the texts

    friend bool operator==(const DiffLine&, const DiffLine&) = default;
};

/// Edits between two texts that one may hope to read; texts further apart are shown as one exchange.
inline constexpr std::size_t kMostEdits = 1000;
/// Of each text so much is compared, to the end of the line: a file may hold texts of gigabytes. It begins so many
/// equal lines before the first difference, or fewer where they are long.
inline constexpr std::size_t kMostDiffBytes = std::size_t{1} << 20, kMostDiffLines = 20'000, kMostLinesBefore = 1000;

struct LineDiff
{
    std::vector<DiffLine> lines;
    std::size_t skipped = 0; ///< equal lines at the beginning that are left out
    bool cut = false; ///< the texts go on behind what was compared
};

/// The lines of both texts in one order: a shortest list of edits (Myers 1986) between common beginning and
/// end, or where it would be longer than kMostEdits, all of one and then all of the other.
LineDiff lineDiff(std::string_view a, std::string_view b);

} // namespace gguf
