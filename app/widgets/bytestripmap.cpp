// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/bytestripmap.h"

#include <algorithm>

void ByteStripMap::append(quint64 end, QRgb color, Style style)
{
    if (end <= m_size)
        return;
    if (style != Style::Solid)
        m_marked.push_back(m_stretches.size());
    m_stretches.push_back({m_size, color, style});
    m_size = end;
}

quint64 ByteStripMap::end(std::size_t index) const
{
    return index + 1 < m_stretches.size() ? m_stretches[index + 1].offset : m_size;
}

std::size_t ByteStripMap::indexAt(quint64 offset) const
{
    const auto after = std::upper_bound(m_stretches.begin(), m_stretches.end(), offset,
        [](quint64 at, const Stretch& stretch) { return at < stretch.offset; });
    return static_cast<std::size_t>(after - m_stretches.begin()) - 1;
}

std::optional<std::size_t> ByteStripMap::markedIn(quint64 begin, quint64 end) const
{
    const auto found = std::lower_bound(m_marked.begin(), m_marked.end(), begin,
        [this](std::size_t index, quint64 offset) { return this->end(index) <= offset; });
    if (found == m_marked.end() || m_stretches[*found].offset >= end)
        return {};
    return *found;
}
