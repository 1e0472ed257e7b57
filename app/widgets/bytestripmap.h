// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRgb>

#include <optional>
#include <vector>

/// What a ByteStrip shows: stretches side by side from 0 on, each up to where the next begins.
/// A value that may be made on any thread; millions of stretches are not too many.
class ByteStripMap
{
public:
    enum class Style : quint8 {
        Solid,
        Hatched, ///< claimed by more than one owner
        Outlined, ///< bytes that are not there
    };
    struct Stretch
    {
        quint64 offset = 0;
        QRgb color = 0;
        Style style = Style::Solid;
    };

    /// Adds a stretch from the end of the last one up to `end`; nothing where that is no byte.
    void append(quint64 end, QRgb color, Style style = Style::Solid);

    quint64 size() const { return m_size; }
    std::size_t count() const { return m_stretches.size(); }
    const Stretch& operator[](std::size_t index) const { return m_stretches[index]; }
    quint64 end(std::size_t index) const;
    /// The stretch that holds an offset; the last one for offsets behind the end. Not for an empty map.
    std::size_t indexAt(quint64 offset) const;
    /// The first stretch between two offsets that is not Solid.
    std::optional<std::size_t> markedIn(quint64 begin, quint64 end) const;

private:
    std::vector<Stretch> m_stretches;
    std::vector<std::size_t> m_marked; ///< those that are not Solid, ascending
    quint64 m_size = 0;
};
