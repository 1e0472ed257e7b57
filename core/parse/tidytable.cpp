// SPDX-License-Identifier: GPL-3.0-or-later
#include "parse/tidytable.h"

#include "format/constants.h"

#include <bit>

namespace gguf {

namespace {

// Below these no product or sum here can leave 63 bits; real models stay far below them.
constexpr std::uint64_t kMaxTidyDim = std::uint64_t{1} << 31;
constexpr std::uint64_t kMaxTidyElements = std::uint64_t{1} << 52;
constexpr std::uint64_t kMaxTidyBytes = std::uint64_t{1} << 60;

} // namespace

TidyTable::TidyTable(std::uint32_t alignment)
    : m_tidy(std::has_single_bit(alignment))
    , m_padMask(std::uint64_t{alignment} - 1)
{
}

bool TidyTable::useType(std::uint32_t typeId)
{
    const auto layouts = tensorTypeLayouts(typeId);
    if (layouts.size() != 1 || !ggmlReadsTensorType(typeId) || !std::has_single_bit(layouts[0].blockLength))
        return false;
    m_typeId = typeId;
    m_blockMask = layouts[0].blockLength - 1;
    m_blockShift = std::countr_zero(layouts[0].blockLength);
    m_blockBytes = layouts[0].blockBytes;
    return true;
}

void TidyTable::add(const std::byte* fields, std::uint32_t dimCount, std::uint32_t countBytes, ByteOrder order)
{
    if (!m_tidy)
        return;
    m_tidy = false; // until all is found well
    if (dimCount > kMaxDimsGgml || countBytes != 8)
        return;
    std::uint64_t elements = 1;
    std::uint64_t rowLength = 1;
    for (std::uint32_t i = 0; i < dimCount; ++i, fields += 8) {
        const std::uint64_t dim = loadAs<std::uint64_t>(fields, order);
        if (dim >= kMaxTidyDim || elements >= kMaxTidyDim)
            return;
        elements *= dim;
        if (i == 0)
            rowLength = dim;
    }
    const std::uint32_t typeId = loadAs<std::uint32_t>(fields, order);
    if (typeId != m_typeId && !useType(typeId))
        return;
    if (elements == 0 || (rowLength & m_blockMask) != 0 || elements >= kMaxTidyElements
        || loadAs<std::uint64_t>(fields + 4, order) != m_next)
        return;
    const std::uint64_t bytes = (elements >> m_blockShift) * m_blockBytes;
    m_next += (bytes + m_padMask) & ~m_padMask;
    if (m_next >= kMaxTidyBytes)
        return;
    m_bytes += bytes;
    m_elements += elements;
    m_tidy = true;
}

} // namespace gguf
