// SPDX-License-Identifier: GPL-3.0-or-later
#include "io/memorysource.h"

#include <algorithm>

namespace gguf {

MemorySource::MemorySource(std::vector<std::byte> bytes)
    : m_bytes(std::move(bytes))
{
}

MemorySource::MemorySource(std::span<const std::uint8_t> bytes)
{
    const auto view = std::as_bytes(bytes);
    m_bytes.assign(view.begin(), view.end());
}

ReadResult MemorySource::read(std::uint64_t offset, std::span<std::byte> into) const
{
    if (offset >= m_bytes.size())
        return {};
    const std::size_t start = static_cast<std::size_t>(offset);
    const std::size_t count = std::min(into.size(), m_bytes.size() - start);
    std::copy_n(m_bytes.begin() + static_cast<std::ptrdiff_t>(start), count, into.begin());
    return {count, {}};
}

} // namespace gguf
