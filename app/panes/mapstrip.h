// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "load/latestjob.h"

#include <QWidget>

#include <memory>

namespace gguf {
class DataLayout;
}
class ByteStrip;
class ByteStripMap;
class HexPane;
class PlainLabel;
class Selection;

/// The whole file of a hex pane as a strip, for the main window: each region in its colour, the hex pane's window
/// marked. Choosing a place goes there in all panes.
///
/// The regions are gathered in the background, each time from the newest map.
class MapStrip : public QWidget
{
    Q_OBJECT
public:
    MapStrip(HexPane& hex, Selection& selection, QWidget* parent = nullptr);

    ByteStrip* strip() const { return m_strip; }
    bool isCurrent() const { return !m_job.isRunning(); } ///< the strip shows the map of the hex pane

protected:
    void changeEvent(QEvent* event) override;

private:
    using Built = std::shared_ptr<const ByteStripMap>;

    void rebuild();
    void build();
    QString nameAt(quint64 offset) const;
    QString toolTipAt(quint64 offset) const;

    HexPane& m_hex;
    ByteStrip* m_strip;
    PlainLabel* m_name;
    LatestJob<Built> m_job;
    std::shared_ptr<const gguf::DataLayout> m_layout; ///< of the newest map
    bool m_isOld = false; ///< the map has changed since the job began
};
