// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/bigscrollarea.h"
#include "widgets/hexlayout.h"

#include <QColor>
#include <QString>

#include <functional>
#include <memory>
#include <span>
#include <vector>

class HexPainter;
struct HexPage;

/// A run of bytes: first offset and how many.
struct HexRange
{
    quint64 offset = 0;
    quint64 length = 0;

    quint64 end() const { return offset + length; }
    bool contains(quint64 position) const { return position >= offset && position - offset < length; }
    friend bool operator==(const HexRange&, const HexRange&) = default;
};

/// Bytes from one offset on that share a state.
struct HexBytes
{
    enum class State {
        Absent, ///< not here yet: a placeholder is painted, and HexView::refresh() is due when they come
        Present,
        Failed, ///< they could not be read
    };
    State state = State::Absent;
    quint64 length = 0; ///< at least 1 inside the file
    std::span<const unsigned char> bytes; ///< `length` bytes if Present; valid until the next call
};

/// A stretch of the file that means something.
struct HexSpan
{
    enum class Boundary { None, Hairline, Line };

    quint64 offset = 0;
    quint64 length = 0;
    QColor tint; ///< background; invalid: none
    QColor lane; ///< stronger colour for the narrow lane beside the bytes; invalid: none
    QString name; ///< what starts here, for the structure column; plain text; may be empty
    Boundary boundary = Boundary::None; ///< the line drawn before its first byte
    bool hatched = false; ///< claimed twice, or otherwise to be marked by more than colour
};

/// Where a HexView gets its bytes and their meaning. Called from painting: must answer at once.
class HexData
{
public:
    virtual ~HexData() = default;
    virtual quint64 size() const = 0; ///< below 2^63
    /// The bytes from offset on, at most `length` of them; fewer where the state changes.
    virtual HexBytes bytesAt(quint64 offset, quint64 length) = 0;
    /// All spans that touch [offset, offset + length), ascending; outer spans before those they contain, so that
    /// later tints lie over earlier ones. A span may begin before and end behind the range.
    virtual std::vector<HexSpan> spans(quint64 offset, quint64 length) const = 0;
    /// What should come behind the last byte and is not there: plain text for an outlined area; empty: nothing.
    virtual QString missing() const { return {}; }
};

/// A read-only hex view of any size: offset, bytes and text columns, a lane of regions, and on demand a column that
/// names what starts in each row. The caret stands before a byte, as in text editors; behind the last one it only
/// stands to end a selection. A double click selects the innermost span.
class HexView : public BigScrollArea
{
    Q_OBJECT
public:
    enum class TextEncoding { Ascii, Utf8 };

    explicit HexView(QWidget* parent = nullptr);
    ~HexView() override;

    /// Not owned; null shows nothing. Resets caret and selection.
    void setData(HexData* source);
    void refresh(); ///< bytes or spans changed; the size may have grown or shrunk

    quint64 caret() const { return m_caret; }
    HexRange selection() const; ///< length 0: nothing is selected
    /// The byte that descriptions speak of: the selection's first, else the one after the caret.
    quint64 focusOffset() const;
    /// Moves the caret; drops the selection, or extends it if `extend`. Scrolls as little as needed.
    void setCaret(quint64 offset, bool extend = false);
    /// Selects a range with the caret at its first byte, and shows its start.
    void select(HexRange range);
    void selectAll();
    /// As select() or setCaret() for length 0, but emits no signal but visibleRangeChanged: for followers.
    void showRange(HexRange range);

    HexRange visibleRange() const; ///< the bytes in sight

    int bytesPerRow() const { return m_layout.bytesPerRow(); }
    int bytesPerRowSetting() const { return m_bytesPerRowSetting; } ///< 0: automatic
    void setBytesPerRow(int bytes); ///< 0: as many as fit
    HexLayout::OffsetBase offsetBase() const { return m_layout.offsetBase(); }
    void setOffsetBase(HexLayout::OffsetBase base);
    TextEncoding textEncoding() const { return m_encoding; }
    void setTextEncoding(TextEncoding encoding);
    bool isStructureVisible() const { return m_structureVisible; }
    void setStructureVisible(bool visible);
    int zoom() const { return m_zoom; } ///< steps of one point from the system's fixed font
    void setZoom(int steps);

    /// Plain text for the tooltip at an offset; without one the span's name is shown.
    void setToolTipText(std::function<QString(quint64 offset)> text);
    /// One sentence about the caret's place for screen readers, besides offset and byte.
    void setPlaceDescription(const QString& text);

    /// The offset under a point of the viewport, or nothing (-1) outside the bytes and text.
    qint64 offsetAt(const QPoint& position) const;
    /// Where the byte's cell lies in the viewport; empty if out of sight.
    QRect byteRect(quint64 offset) const;

    QSize sizeHint() const override;

signals:
    /// A person, or setCaret() or select(), moved the caret or changed the selection.
    void caretMoved(quint64 offset);
    void selectionChanged();
    void visibleRangeChanged();
    void zoomChanged(int steps);

protected:
    bool event(QEvent* event) override;
    bool viewportEvent(QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void timerEvent(QTimerEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;

private:
    void relayout();
    HexPage page() const;
    int viewRows() const; ///< rows in sight, one that is cut at the bottom included
    quint64 clampedCaret(quint64 offset, bool extend) const;
    void place(quint64 caret, quint64 anchor, bool byPerson);
    void moveCaret(quint64 offset, bool extend);
    void dragTo(const QPoint& position);
    quint64 nearestOffset(const QPoint& position) const;
    void describeCaret();
    bool moveByKey(const QKeyEvent* event);
    bool zoomByKey(const QKeyEvent* event);
    bool isOwnKey(const QKeyEvent* event) const;

    HexData* m_data = nullptr;
    std::unique_ptr<HexPainter> m_painter;
    HexLayout m_layout;
    std::function<QString(quint64)> m_toolTipText;
    QString m_placeDescription;
    quint64 m_caret = 0;
    quint64 m_anchor = 0;
    quint64 m_dragStart = 0;
    QPoint m_dragPosition;
    int m_scrollTimer = 0; ///< runs while a drag is held above or below the view
    int m_bytesPerRowSetting = 0;
    int m_zoom = 0;
    TextEncoding m_encoding = TextEncoding::Ascii;
    QString m_missing; ///< of the data, when they were last looked at
    bool m_structureVisible = false;
    bool m_caretInText = false; ///< the column that was clicked last has the strong caret
    bool m_dragging = false;
};
