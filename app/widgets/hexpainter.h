// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/hexlayout.h"
#include "widgets/hexview.h"

#include <QColor>
#include <QFont>
#include <QPalette>
#include <QRect>

class QPainter;

/// What one page of a hex view looks like.
struct HexPage
{
    HexLayout layout;
    qint64 topRow = 0;
    int rows = 0; ///< those that are cut at the bottom included
    QSize viewSize;
    int scrollX = 0; ///< pixels scrolled to the right
    HexRange selection;
    quint64 caret = 0;
    bool caretInText = false;
    bool focused = false;
    QString missing; ///< said behind the last byte
    int missingRows = 0; ///< height of the place for it
    bool structure = false;
    bool utf8 = false;
    QPalette palette;
};

/// Draws pages of a hex view, by runs: tints first, then one drawText for each run of bytes in the same ink.
/// Font metrics are measured once for each font.
class HexPainter
{
public:
    explicit HexPainter(const QFont& font) { setFont(font); }

    void setFont(const QFont& font);
    const QFont& font() const { return m_font; }
    double cellWidth() const { return m_cellWidth; }
    int rowHeight() const { return m_rowHeight; }
    int headingHeight() const { return m_rowHeight + 4; }

    void paint(QPainter& painter, const HexPage& page, HexData* data, const QRect& exposed);

    /// Where a byte's digits or character stand, in the viewport.
    QRectF byteCell(const HexPage& page, quint64 offset) const;
    QRectF textCell(const HexPage& page, quint64 offset) const;

private:
    enum class Ink : unsigned char { Normal, Faint, Selected, Absent, Failed };
    struct Fetched;

    double x(const HexPage& page, double cells) const { return cells * m_cellWidth - page.scrollX; }
    int y(const HexPage& page, qint64 row) const;
    void fillRun(QPainter& painter, const HexPage& page, HexRange run, const QBrush& brush) const;
    void paintBoundary(QPainter& painter, const HexPage& page, quint64 offset, const QColor& color, bool wide) const;
    void paintSpans(QPainter& painter, const HexPage& page, const std::vector<HexSpan>& spans) const;
    void paintRow(QPainter& painter, const HexPage& page, const Fetched& fetched, qint64 row) const;
    void paintText(QPainter& painter, const HexPage& page, const Fetched& fetched, qint64 row) const;
    void paintStructure(QPainter& painter, const HexPage& page, const std::vector<HexSpan>& spans) const;
    void paintMissing(QPainter& painter, const HexPage& page) const;
    void paintHeading(QPainter& painter, const HexPage& page) const;
    void paintCaret(QPainter& painter, const HexPage& page) const;
    void setInk(QPainter& painter, Ink ink) const;

    QFont m_font;
    double m_cellWidth = 8;
    int m_rowHeight = 16;
    int m_ascent = 12;
    // Of the page that is painted
    QColor m_normal, m_faint, m_line, m_hairline, m_highlight, m_highlighted, m_failed;
};
