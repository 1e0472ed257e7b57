// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "document/document.h"

#include <string>

class Output;

/// All that is known of one file, as one JSON object on a line of its own: see the README for its members.
///
/// What cannot be known is null. Members beyond the documented ones appear only where they say something:
/// `bytes` (hex of a string that is not UTF-8; for an array a list in step with `elements`), `name_bytes` and
/// `key_bytes` (likewise), `complete` (false) and `recovered` (true).
struct JsonReport
{
    bool full = false; ///< all elements of arrays, not only the first kShortArray

    static constexpr std::uint64_t kShortArray = 8;

    /// `file` is the name as the person gave it.
    void write(Output& output, const std::string& file, const gguf::Document& document) const;

    /// The same members for a file that could not even be opened.
    void writeUnreadable(Output& output, const std::string& file, const gguf::IoError& error) const;
};

/// The catalogue of everything that is checked: one JSON object a line.
void writeChecksAsJson(Output& output);
