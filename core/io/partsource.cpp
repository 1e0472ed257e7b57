// SPDX-License-Identifier: GPL-3.0-or-later
#include "io/partsource.h"

#include <algorithm>

namespace gguf {

PartSource::PartSource(std::shared_ptr<const ByteSource> whole, ByteRange range)
    : m_whole(std::move(whole))
    , m_range(range)
{
    const std::uint64_t size = m_whole->size();
    m_range.offset = std::min(m_range.offset, size);
    m_range.length = std::min(m_range.length, size - m_range.offset);
}

ReadResult PartSource::read(std::uint64_t offset, std::span<std::byte> into) const
{
    if (offset >= m_range.length)
        return {};
    const std::uint64_t left = m_range.length - offset;
    if (left < into.size())
        into = into.first(static_cast<std::size_t>(left));
    return m_whole->read(m_range.offset + offset, into);
}

} // namespace gguf
