// SPDX-License-Identifier: GPL-3.0-or-later
#include "document/nametable.h"

#include <bit>
#include <cstring>
#include <random>

namespace gguf {

namespace {

std::uint64_t processSeed()
{
    static const std::uint64_t seed = [] {
        std::random_device device;
        return (std::uint64_t{device()} << 32) | device();
    }();
    return seed;
}

// Folds a full product into 64 bits: every bit of the input reaches every bit of the result.
std::uint64_t mix(std::uint64_t a, std::uint64_t b)
{
#ifdef __SIZEOF_INT128__
    __extension__ using Product = unsigned __int128;
    const Product product = static_cast<Product>(a) * b;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
#else
    const std::uint64_t low = (a & 0xFFFFFFFF) * (b & 0xFFFFFFFF);
    const std::uint64_t crossA = (a >> 32) * (b & 0xFFFFFFFF);
    const std::uint64_t crossB = (a & 0xFFFFFFFF) * (b >> 32);
    const std::uint64_t high = (a >> 32) * (b >> 32);
    const std::uint64_t middle = crossA + (low >> 32) + (crossB & 0xFFFFFFFF);
    return (high + (middle >> 32) + (crossB >> 32)) ^ ((middle << 32) | (low & 0xFFFFFFFF));
#endif
}

} // namespace

std::uint64_t hashBytes(std::string_view bytes)
{
    constexpr std::uint64_t kFactor = 0x9E3779B97F4A7C15; // odd, with evenly spread bits
    std::uint64_t hash = processSeed() ^ (bytes.size() * kFactor);
    const char* data = bytes.data();
    std::size_t left = bytes.size();
    for (; left >= 8; left -= 8, data += 8) {
        std::uint64_t word;
        std::memcpy(&word, data, 8);
        hash = mix(hash ^ word, kFactor);
    }
    std::uint64_t tail = 0;
    if (left > 0)
        std::memcpy(&tail, data, left);
    return mix(hash ^ tail, 0xD6E8FEB86659FD93 ^ processSeed());
}

void NameTable::reserve(std::size_t count)
{
    const std::size_t slots = std::bit_ceil(count + count / 2 + 8);
    if (slots > m_slots.size())
        resize(slots);
}

void NameTable::grow()
{
    resize(m_slots.empty() ? 64 : m_slots.size() * 2);
}

void NameTable::resize(std::size_t slots)
{
    std::vector<Slot, LargeAllocator<Slot>> old(slots);
    old.swap(m_slots);
    m_mask = slots - 1;
    for (const Slot& slot : old) {
        if (slot.number == kEmpty)
            continue;
        std::size_t at = slot.tag & m_mask;
        while (m_slots[at].number != kEmpty)
            at = (at + 1) & m_mask;
        m_slots[at] = slot;
    }
}

} // namespace gguf
