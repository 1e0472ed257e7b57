// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace gguf {

/// A run of bytes of the file: file offset of the first byte, and how many.
/// The end may not lie beyond 2^64 - 1; end() saturates there.
struct ByteRange
{
    std::uint64_t offset = 0;
    std::uint64_t length = 0;

    constexpr std::uint64_t end() const
    {
        return length > UINT64_MAX - offset ? UINT64_MAX : offset + length;
    }
    constexpr bool contains(std::uint64_t position) const
    {
        return position >= offset && position - offset < length;
    }
    friend constexpr bool operator==(const ByteRange&, const ByteRange&) = default;
};

} // namespace gguf
