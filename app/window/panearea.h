// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QEvent>
#include <QScrollArea>
#include <QScrollBar>

/// What a dock shows: a pane, which scrolls as a whole where the dock is smaller than the pane can be. So panes never
/// make a window larger than a small screen.
class PaneArea : public QScrollArea
{
public:
    explicit PaneArea(QWidget* pane)
    {
        setFrameShape(NoFrame);
        setFocusPolicy(Qt::NoFocus);
        setWidget(pane);
    }
    QSize sizeHint() const override { return widget()->sizeHint(); }
    QSize minimumSizeHint() const override { return widget()->minimumSizeHint().boundedTo({120, 48}); }

protected:
    void resizeEvent(QResizeEvent* event) override
    {
        QScrollArea::resizeEvent(event);
        fit();
    }
    bool eventFilter(QObject* watched, QEvent* event) override
    {
        if (watched == widget() && event->type() == QEvent::LayoutRequest)
            fit();
        return QScrollArea::eventFilter(watched, event);
    }

private:
    /// Not setWidgetResizable(): it gives a pane with wrapped lines the height that it would like to have.
    void fit()
    {
        const QSize least = widget()->minimumSizeHint();
        QSize room = maximumViewportSize();
        if (least.height() > room.height())
            room.rwidth() -= verticalScrollBar()->sizeHint().width();
        if (least.width() > room.width())
            room.rheight() -= horizontalScrollBar()->sizeHint().height();
        widget()->resize(room.expandedTo(least));
    }
};
