// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/selection.h"

void Selection::select(const Place& place, QObject* origin, Kind kind)
{
    // The same place again is still a jump: the person may have scrolled away from it.
    if (m_place == place && kind == Kind::Move)
        return;
    m_place = place;
    emit changed(origin, kind);
}

void Selection::clear(QObject* origin)
{
    if (!m_place)
        return;
    m_place.reset();
    emit changed(origin, Kind::Move);
}
