// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "document/bytemap.h"

#include <QWidget>

class ByteStrip;
class HexPane;
class PlainLabel;
class Selection;

/// The whole file of a hex pane as a strip, for the main window: each region in its colour, the hex pane's window
/// marked. Choosing a place goes there in all panes.
class MapStrip : public QWidget
{
    Q_OBJECT
public:
    MapStrip(HexPane& hex, Selection& selection, QWidget* parent = nullptr);

    ByteStrip* strip() const { return m_strip; }

protected:
    void changeEvent(QEvent* event) override;

private:
    void rebuild();

    HexPane& m_hex;
    ByteStrip* m_strip;
    PlainLabel* m_name;
};
