// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/bytestripmap.h"

#include <QString>
#include <QWidget>

#include <functional>
#include <memory>

/// Maps offsets to places on a line and back: the whole to scale, and a logarithmic magnifier around a focus, which
/// gives each tenfold distance from the focus the same room on both sides.
class ByteStripScale
{
public:
    ByteStripScale(quint64 size, double width, quint64 focus);

    double toScale(quint64 offset) const; ///< 0 ... width
    quint64 fromScale(double x) const; ///< 0 ... size
    double toLens(quint64 offset) const;
    quint64 fromLens(double x) const;

private:
    quint64 m_size;
    double m_width;
    quint64 m_focus;
    double m_left = 0; ///< logarithms of the distances to both ends
    double m_right = 0;
};

/// A whole file as a strip: above to scale, below through a logarithmic magnifier around the position, so that 24
/// bytes can be seen in 400 GB. Click, drag, and keys go to a place; hovering names it.
class ByteStrip : public QWidget
{
    Q_OBJECT
public:
    explicit ByteStrip(QWidget* parent = nullptr);

    void setMap(std::shared_ptr<const ByteStripMap> map);
    const ByteStripMap& map() const { return *m_map; }
    /// Says what lies at an offset, for the tooltip and screen readers; plain text.
    void setToolTipText(std::function<QString(quint64 offset)> text);
    /// The stretch that some other view shows, marked on the strip.
    void setWindow(quint64 offset, quint64 length);
    void setPosition(quint64 offset); ///< the place the magnifier is around; emits nothing
    quint64 position() const { return m_position; }
    quint64 offsetAt(const QPoint& point) const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void activated(quint64 offset); ///< a person chose a place
    void hovered(quint64 offset);
    void left(); ///< the mouse is not over the strip any more

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    enum class Lane { Scale, Lens };
    QRect laneRect(Lane lane) const;
    Lane laneAt(const QPoint& point) const;
    ByteStripScale scale() const;
    void paintLane(QPainter& painter, Lane lane) const;
    void paintWindow(QPainter& painter, Lane lane) const;
    void step(int direction);
    void activate(quint64 offset);
    void describe();
    quint64 lensFocus() const { return m_dragging ? m_dragFocus : m_position; }
    QString textAt(quint64 offset) const;

    std::shared_ptr<const ByteStripMap> m_map; ///< never null
    std::function<QString(quint64)> m_toolTipText;
    quint64 m_windowOffset = 0;
    quint64 m_windowLength = 0;
    quint64 m_position = 0;
    quint64 m_dragFocus = 0; ///< the magnifier stands still while it is dragged
    Lane m_dragLane = Lane::Scale;
    bool m_dragging = false;
};
