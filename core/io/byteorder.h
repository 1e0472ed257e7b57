// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace gguf {

enum class ByteOrder { Little, Big };

/// Reads a T of this byte order from bytes that need no alignment.
template <class T>
    requires std::is_arithmetic_v<T>
T loadAs(const std::byte* bytes, ByteOrder order)
{
    using Bits = std::conditional_t<sizeof(T) == 1, std::uint8_t,
        std::conditional_t<sizeof(T) == 2, std::uint16_t,
            std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>>;
    Bits bits;
    std::memcpy(&bits, bytes, sizeof bits);
    const bool hostIsLittle = std::endian::native == std::endian::little;
    if constexpr (sizeof(T) > 1) {
        if (hostIsLittle != (order == ByteOrder::Little)) {
            Bits swapped = 0;
            for (std::size_t i = 0; i < sizeof(T); ++i)
                swapped = static_cast<Bits>(static_cast<Bits>(swapped << 8) | static_cast<Bits>((bits >> (8 * i)) & 0xFF));
            bits = swapped;
        }
    }
    return std::bit_cast<T>(bits);
}

} // namespace gguf
