// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/selection.h"

#include <QObject>

#include <optional>
#include <vector>

/// The places a person jumped to, and the way back and forward through them.
/// It listens to the shared selection; going back selects the older place with the history as origin.
class History : public QObject
{
    Q_OBJECT
public:
    static constexpr std::size_t kMaxPlaces = 200;

    explicit History(Selection& selection, QObject* parent = nullptr);

    bool canGoBack() const { return !m_back.empty(); }
    bool canGoForward() const { return !m_forward.empty(); }
    void goBack();
    void goForward();
    void clear(); ///< another file: its places mean nothing here

signals:
    void changed();

private:
    void onSelectionChanged(QObject* origin, Selection::Kind kind);
    void go(std::vector<Place>& from, std::vector<Place>& to);

    Selection& m_selection;
    std::vector<Place> m_back, m_forward;
    std::optional<Place> m_current; ///< where the person is now, small moves included
    std::optional<Place> m_lastJump; ///< the last place that was jumped to
};
