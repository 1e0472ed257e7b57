// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace gguf {

/// Walks over JSON text that may be cut short, without building a tree: enough to list the header of a
/// safetensors file and to find the message of an error answer.
class JsonScan
{
public:
    explicit JsonScan(std::string_view text)
        : m_text(text)
    {
    }

    /// Where the next character is read.
    std::size_t position() const { return m_position; }

    /// Skips white space and takes `character` if it comes next.
    bool take(char character);
    /// The next character that is not white space, or 0 at the end.
    char peek();
    /// The next string, escapes decoded to UTF-8; nothing where none begins here or the text ends in it.
    std::optional<std::string> string();
    /// Skips one value of any kind; false where the text ends in it or it is no JSON. Nesting costs no stack.
    bool skipValue();
    /// The text of the next value as written.
    std::optional<std::string_view> rawValue();

private:
    void skipSpace();
    bool skipString();

    std::string_view m_text;
    std::size_t m_position = 0;
};

} // namespace gguf
