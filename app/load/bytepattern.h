// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "io/bytesource.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

/// Bytes to look for; some of them may be anything. Standard C++ only.
class BytePattern
{
public:
    static constexpr std::size_t kMaxLength = 4096;

    /// "47 47 ?? 46", with or without blanks. Nothing for what is not that: a half byte, a foreign character, no
    /// byte at all that is fixed, or more than kMaxLength bytes.
    static std::optional<BytePattern> fromHex(std::string_view text);
    /// The bytes themselves; nothing for none or too many.
    static std::optional<BytePattern> fromBytes(std::string_view bytes);

    std::size_t length() const { return m_bytes.size(); }
    /// The first (or last) position where the pattern lies whole in `bytes`.
    std::optional<std::size_t> find(std::span<const std::byte> bytes, bool last = false) const;

private:
    void chooseAnchor();
    bool matchesAt(const std::byte* bytes) const;

    std::vector<std::byte> m_bytes;
    std::vector<bool> m_fixed;
    std::size_t m_anchor = 0; ///< the longest run of fixed bytes: looked for as a whole
    std::size_t m_anchorLength = 0;
};

/// Unreadable bytes are passed over up to a multiple of this.
inline constexpr std::uint64_t kSkip = 64 * 1024;

/// What findPattern() came to.
struct FindResult
{
    std::optional<std::uint64_t> offset;
    bool stopped = false;
    // Of the bytes that were passed over, since they could not be read
    std::uint64_t skipped = 0;
    std::uint64_t firstSkipped = 0; ///< the first that was met
    gguf::IoError error; ///< why, there
};

/// Looks for a match that begins in [begin, end), from the front or from behind, reading in large pieces.
/// Where bytes cannot be read, it goes on at the next multiple of kSkip.
/// `progress` is told the bytes searched so far after each piece; it answers whether to go on.
FindResult findPattern(const gguf::ByteSource& source, const BytePattern& pattern, std::uint64_t begin,
    std::uint64_t end, bool forwards, const std::function<bool(std::uint64_t)>& progress);
