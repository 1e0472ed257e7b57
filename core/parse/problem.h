// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "io/byterange.h"
#include "parse/rules.h"

#include <cstddef>
#include <string>

namespace gguf {

/// What a Problem belongs to. `index` counts metadata pairs or tensors in file order.
struct Subject
{
    enum class Kind { File, Header, Metadata, Tensor };
    Kind kind = Kind::File;
    std::size_t index = 0;

    friend bool operator==(const Subject&, const Subject&) = default;
};

/// One thing that is wrong or worth knowing, in one place of one file.
struct Problem
{
    Rule rule;
    Judges judges; ///< who minds here; usually ruleInfo(rule).judges
    Severity severity;
    ByteRange range; ///< lies inside the file; length 0 at the file's end for what is missing
    Subject subject;
    std::string found; ///< what is there, as plain text from us with file text made visible; may be empty
    std::string expected; ///< what should be there; may be empty
};

/// One sentence: the rule's title with what was found and expected. Plain text, safe to print.
std::string problemMessage(const Problem& problem);

} // namespace gguf
