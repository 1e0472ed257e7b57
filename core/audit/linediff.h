// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

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

/// The lines of both texts in one order: a shortest list of edits (Myers 1986) between common beginning and
/// end, or where it would be longer than kMostEdits, all of one and then all of the other.
std::vector<DiffLine> lineDiff(std::string_view a, std::string_view b);

} // namespace gguf
