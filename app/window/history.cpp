// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/history.h"

#include <utility>

History::History(Selection& selection, QObject* parent)
    : QObject(parent)
    , m_selection(selection)
{
    connect(&m_selection, &Selection::changed, this, &History::onSelectionChanged);
}

void History::goBack()
{
    go(m_back, m_forward);
}

void History::goForward()
{
    go(m_forward, m_back);
}

void History::clear()
{
    m_back.clear();
    m_forward.clear();
    m_current.reset();
    m_lastJump.reset();
    emit changed();
}

void History::onSelectionChanged(QObject* origin, Selection::Kind kind)
{
    if (origin == this || !m_selection.place())
        return;
    const Place& place = *m_selection.place();
    if (kind == Selection::Kind::Jump) {
        // Back leads to where the person was, small moves included; where those led to this very place (walking
        // through a list, then Enter), to the jump before them.
        const std::optional<Place>& departure = m_current != place ? m_current : m_lastJump;
        if (departure && departure != place) {
            m_back.push_back(*departure);
            if (m_back.size() > kMaxPlaces)
                m_back.erase(m_back.begin());
            m_forward.clear();
        }
        m_lastJump = place;
    }
    m_current = place;
    emit changed();
}

void History::go(std::vector<Place>& from, std::vector<Place>& to)
{
    if (from.empty())
        return;
    if (m_current)
        to.push_back(*m_current);
    m_current = from.back();
    from.pop_back();
    m_lastJump = m_current;
    m_selection.select(*m_current, this);
    emit changed();
}
