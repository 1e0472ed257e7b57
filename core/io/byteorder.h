// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <array>
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
            auto raw = std::bit_cast<std::array<std::uint8_t, sizeof(T)>>(bits);
            std::ranges::reverse(raw); // compilers make one instruction of it
            bits = std::bit_cast<Bits>(raw);
        }
    }
    return std::bit_cast<T>(bits);
}

} // namespace gguf
