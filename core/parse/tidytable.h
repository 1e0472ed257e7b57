// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "format/tensortype.h"
#include "io/byteorder.h"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace gguf {

/// Watches the tensor records as they are read and knows whether the table is as nearly all are: types that
/// ggml reads and that have one layout only, whole blocks, packed offsets, no empty tensor, no overflow. Then
/// the sums are all there is to say, and nobody needs to look at each record again: half of the time of a table
/// of 100,000 tensors. Whatever is not tidy is judged record by record in datasection.cpp, which alone reports
/// Problems.
class TidyTable
{
public:
    explicit TidyTable(std::uint32_t alignment = 32);

    /// A record's fields from its first dimension on: dimensions, type, offset.
    void add(const std::byte* fields, std::uint32_t dimCount, std::uint32_t countBytes, ByteOrder order);

    bool isTidy() const { return m_tidy; }
    std::uint64_t dataBytes() const { return m_next; } ///< with all padding
    std::uint64_t tensorBytes() const { return m_bytes; } ///< without
    std::uint64_t elements() const { return m_elements; }

private:
    bool useType(std::uint32_t typeId);

    bool m_tidy;
    std::uint64_t m_padMask;
    std::uint64_t m_next = 0;
    std::uint64_t m_bytes = 0;
    std::uint64_t m_elements = 0;
    // The type of the last record: neighbours often share it.
    std::optional<std::uint32_t> m_typeId;
    std::uint64_t m_blockMask = 0;
    int m_blockShift = 0;
    std::uint64_t m_blockBytes = 0;
};

} // namespace gguf
