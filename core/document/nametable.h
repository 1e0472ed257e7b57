// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "io/largememory.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace gguf {

/// A seeded hash of bytes. The seed differs in each process, so that a file cannot be
/// made whose names all collide.
std::uint64_t hashBytes(std::string_view bytes);

/// Finds the number of a name without storing the name: a hash set of numbers, eight bytes each.
/// The caller compares names, since it knows where they lie.
class NameTable
{
public:
    /// The number under which an equal name was put, or nothing. equals(number) compares.
    template <class Equals>
    std::optional<std::uint32_t> find(std::uint64_t hash, Equals&& equals) const
    {
        if (m_slots.empty())
            return {};
        for (std::size_t at = hash & m_mask; m_slots[at].number != kEmpty; at = (at + 1) & m_mask) {
            if (m_slots[at].tag == tagOf(hash) && equals(m_slots[at].number))
                return m_slots[at].number;
        }
        return {};
    }

    /// Puts number under the hash, or in place of an equal name, whose number is returned.
    template <class Equals>
    std::optional<std::uint32_t> put(std::uint64_t hash, std::uint32_t number, Equals&& equals)
    {
        if ((m_used + 1) * 4 > m_slots.size() * 3)
            grow();
        std::size_t at = hash & m_mask;
        for (; m_slots[at].number != kEmpty; at = (at + 1) & m_mask) {
            if (m_slots[at].tag == tagOf(hash) && equals(m_slots[at].number)) {
                const std::uint32_t previous = m_slots[at].number;
                m_slots[at].number = number;
                return previous;
            }
        }
        m_slots[at] = {number, tagOf(hash)};
        ++m_used;
        return {};
    }

    void reserve(std::size_t count);

    /// Asks the processor to fetch the slot of this hash; the table must not be empty.
    void prefetch([[maybe_unused]] std::uint64_t hash) const
    {
#ifdef __GNUC__
        __builtin_prefetch(&m_slots[hash & m_mask], 1);
#endif
    }

private:
    static constexpr std::uint32_t kEmpty = UINT32_MAX;
    struct Slot
    {
        std::uint32_t number = kEmpty;
        std::uint32_t tag = 0;
    };

    // The low bits choose the slot; growing needs them back, so the tag is the low half.
    static std::uint32_t tagOf(std::uint64_t hash) { return static_cast<std::uint32_t>(hash); }
    void grow();
    void resize(std::size_t slots);

    std::vector<Slot, LargeAllocator<Slot>> m_slots;
    std::size_t m_mask = 0;
    std::size_t m_used = 0;
};

/// Names on their way into a table: each is put a few names later, when its slot has come from memory. In a table of
/// a million names nearly every slot is a cache miss, and parsing waited for those a third of its time.
class NameQueue
{
public:
    struct Name
    {
        std::string_view text; ///< must stay where it is
        std::uint64_t hash = 0;
        std::uint32_t number = 0;
    };

    /// put(Name) is called for the name that has waited longest.
    template <class Put>
    void add(NameTable& table, std::string_view text, std::uint32_t number, Put&& put)
    {
        if (m_added - m_put == kAhead)
            putNext(put);
        const std::uint64_t hash = hashBytes(text);
        table.prefetch(hash);
        m_names[m_added++ % kAhead] = {text, hash, number};
    }
    /// All that still wait, in the order in which they came.
    template <class Put>
    void finish(Put&& put)
    {
        while (m_put != m_added)
            putNext(put);
    }

private:
    static constexpr std::size_t kAhead = 16;

    template <class Put>
    void putNext(Put&& put)
    {
        put(m_names[m_put++ % kAhead]);
    }

    std::array<Name, kAhead> m_names{};
    std::size_t m_added = 0, m_put = 0;
};

} // namespace gguf
