// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>

namespace gguf {

// A file may state any number: sums and products of what it states must not wrap around.

/// a + b, or 2^64 - 1 beyond it.
constexpr std::uint64_t saturatingAdd(std::uint64_t a, std::uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

/// a * b, or nothing beyond 2^64 - 1.
constexpr std::optional<std::uint64_t> checkedMultiply(std::uint64_t a, std::uint64_t b)
{
#ifdef __GNUC__ // without a division: each tensor record that is decoded asks several times
    std::uint64_t result = 0;
    if (__builtin_mul_overflow(a, b, &result))
        return {};
    return result;
#else
    if (a != 0 && b > UINT64_MAX / a)
        return {};
    return a * b;
#endif
}

} // namespace gguf
