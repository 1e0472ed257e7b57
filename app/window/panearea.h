// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QScrollArea>

/// A pane or page that scrolls as a whole where its place is smaller than it can be, so that it never makes a window
/// larger than a small screen.
class PaneArea : public QScrollArea
{
public:
    explicit PaneArea(QWidget* pane, QWidget* parent = nullptr)
        : QScrollArea(parent)
    {
        setFrameShape(NoFrame);
        setFocusPolicy(Qt::NoFocus);
        setWidgetResizable(true);
        setWidget(pane);
    }
    QSize sizeHint() const override { return widget()->sizeHint(); }
    QSize minimumSizeHint() const override { return widget()->minimumSizeHint().boundedTo({120, 48}); }
};
