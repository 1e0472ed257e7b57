// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QString>
#include <QWidget>

#include <vector>

/// One stretch of a ByteStrip.
struct ByteStripSegment
{
    enum class Style {
        Solid,
        Hatched, ///< claimed by more than one owner
        Outlined, ///< bytes that are not there
    };
    quint64 offset = 0;
    quint64 length = 0;
    QColor color;
    Style style = Style::Solid;
    QString name; ///< plain text
};

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

    /// Segments ascending, without overlap; `size` may lie beyond the last one's end. Any number of segments.
    void setSegments(std::vector<ByteStripSegment> segments, quint64 size);
    const std::vector<ByteStripSegment>& segments() const { return m_segments; }
    quint64 size() const { return m_size; }
    /// The stretch that some other view shows, marked on the strip.
    void setWindow(quint64 offset, quint64 length);
    void setPosition(quint64 offset); ///< the place the magnifier is around; emits nothing
    quint64 position() const { return m_position; }
    /// The segment an offset lies in, or null.
    const ByteStripSegment* segmentAt(quint64 offset) const;
    quint64 offsetAt(const QPoint& point) const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void activated(quint64 offset); ///< a person chose a place
    void hovered(const QString& name); ///< plain text; empty when the mouse left

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
    std::size_t indexAt(quint64 offset) const; ///< of the first segment that ends behind offset
    bool isMarked(quint64 begin, quint64 end, std::size_t* index) const;
    void paintLane(QPainter& painter, Lane lane) const;
    void paintWindow(QPainter& painter, Lane lane) const;
    void step(int direction);
    void activate(quint64 offset);
    void describe();
    quint64 lensFocus() const { return m_dragging ? m_dragFocus : m_position; }
    QString textAt(quint64 offset) const;

    std::vector<ByteStripSegment> m_segments;
    std::vector<std::size_t> m_marked; ///< the segments that are not Solid, ascending
    quint64 m_size = 0;
    quint64 m_windowOffset = 0;
    quint64 m_windowLength = 0;
    quint64 m_position = 0;
    quint64 m_dragFocus = 0; ///< the magnifier stands still while it is dragged
    Lane m_dragLane = Lane::Scale;
    bool m_dragging = false;
};
