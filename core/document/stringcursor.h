// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "document/document.h"

#include <cstdint>
#include <span>
#include <string_view>

namespace gguf {

/// Goes through the strings of an array from the first on, several times as fast as asking for each element.
class StringCursor
{
public:
    /// The array's elements must be strings, and the document outlive the cursor.
    StringCursor(const Document& document, const ValueView& array);

    /// The next string's bytes; to be called at most array.available() times. Empty for a string that is
    /// too long to be kept.
    std::string_view next();

private:
    const Document* m_document;
    std::uint64_t m_offset; ///< file offset of the next string's length
    std::span<const std::byte> m_bytes; ///< what is held in one piece from there on
};

} // namespace gguf
