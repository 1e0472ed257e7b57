// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

/// Bytes from a file that claim to be text. Nothing from a file is shown without passing here.
namespace gguf {

/// The first byte that makes the text invalid UTF-8 (overlong forms, surrogates and code points
/// beyond U+10FFFF included), or text.size() where all is valid.
std::size_t firstInvalidUtf8(std::string_view text);

/// Valid UTF-8 made of `bytes`: each byte that is not part of valid UTF-8 becomes U+FFFD.
std::string replaceInvalidUtf8(std::string_view bytes);

/// One printable line: control characters, bidirectional overrides, invisible formatting characters and
/// invalid bytes in a visible form (\n, \t, \x1B, \u202E, \xFF); a backslash stays one.
/// Cut with an ellipsis after maxBytes of input (0: no limit).
std::string visibleText(std::string_view bytes, std::size_t maxBytes = 0);

/// Like visibleText, but line feeds (also after a carriage return) stay line feeds and tabs stay tabs:
/// for multi-line viewers.
std::string visibleMultiline(std::string_view bytes, std::size_t maxBytes = 0);

/// "1 byte", "2 bytes": the number with its noun, which takes an s where it is not one.
std::string countText(std::uint64_t count, std::string_view noun);

/// "47 47 55 46": upper-case hex pairs with single blanks.
std::string hexBytes(std::span<const std::byte> bytes);

} // namespace gguf
