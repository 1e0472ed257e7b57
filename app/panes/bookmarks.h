// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>

#include <optional>

/// Places in the file that a person wants to come back to, by offset.
class Bookmarks
{
public:
    struct Bookmark
    {
        quint64 offset;
        QString name;
    };

    const QList<Bookmark>& all() const { return m_all; }
    void clear() { m_all.clear(); }
    bool toggle(quint64 offset, const QString& name); ///< false: the one that was there is removed
    /// The next one behind or before an offset, from the other end where there is none; nothing: there are none.
    std::optional<quint64> step(quint64 from, bool forwards) const;

private:
    QList<Bookmark> m_all;
};
