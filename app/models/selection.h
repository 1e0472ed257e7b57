// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "io/byterange.h"

#include <QObject>

#include <cstddef>
#include <optional>

/// A place in the document that a person went to.
struct Place
{
    gguf::ByteRange range; ///< bytes to show and select
    std::optional<std::size_t> metadata; ///< index of the pair, where the place belongs to one
    std::optional<std::size_t> tensor;
    std::optional<std::size_t> problem;

    friend bool operator==(const Place&, const Place&) = default;
};

/// The one selection that all panes of a window share.
///
/// A pane that a person used calls select() with itself as origin; every pane listens to changed() and follows,
/// but for the one that is the origin, and following never selects again. So nothing echoes.
class Selection : public QObject
{
    Q_OBJECT
public:
    enum class Kind {
        Move, ///< the caret moved a little: not a place to come back to
        Jump, ///< a person chose a place: it goes into the history
    };

    using QObject::QObject;

    const std::optional<Place>& place() const { return m_place; }
    void select(const Place& place, QObject* origin, Kind kind = Kind::Jump);
    void clear(QObject* origin);

signals:
    void changed(QObject* origin, Selection::Kind kind);

private:
    std::optional<Place> m_place;
};
