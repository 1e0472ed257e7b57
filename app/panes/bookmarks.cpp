// SPDX-License-Identifier: GPL-3.0-or-later
#include "panes/bookmarks.h"

#include <algorithm>

bool Bookmarks::toggle(quint64 offset, const QString& name)
{
    const auto at = std::ranges::lower_bound(m_all, offset, {}, &Bookmark::offset);
    if (at != m_all.end() && at->offset == offset) {
        m_all.erase(at);
        return false;
    }
    m_all.insert(at, {offset, name});
    return true;
}

std::optional<quint64> Bookmarks::step(quint64 from, bool forwards) const
{
    if (m_all.isEmpty())
        return {};
    const auto first = m_all.cbegin();
    if (forwards) {
        const auto next = std::ranges::upper_bound(m_all, from, {}, &Bookmark::offset);
        return next != m_all.cend() ? next->offset : first->offset;
    }
    const auto here = std::ranges::lower_bound(m_all, from, {}, &Bookmark::offset);
    return here != first ? (here - 1)->offset : m_all.last().offset;
}
