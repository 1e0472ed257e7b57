// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/hexpainter.h"

#include <QCoreApplication>
#include <QFontDatabase>
#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>

namespace {

constexpr QChar kDot(0x00B7);

QColor mixed(const QColor& base, const QColor& over, double share)
{
    const auto blend = [share](int a, int b) { return qRound(a + (b - a) * share); };
    return QColor(blend(base.red(), over.red()), blend(base.green(), over.green()), blend(base.blue(), over.blue()));
}

std::array<QChar, 2> hexPair(unsigned char byte)
{
    constexpr char16_t kDigits[] = u"0123456789ABCDEF";
    return {QChar(kDigits[byte >> 4]), QChar(kDigits[byte & 15])};
}

/// How many bytes the UTF-8 sequence at the front has, or 0 where there is none.
int utf8Length(std::span<const unsigned char> bytes)
{
    const unsigned char lead = bytes.front();
    const int length = lead < 0x80 ? 1 : lead >= 0xC2 && lead < 0xE0 ? 2 : (lead & 0xF0) == 0xE0 ? 3
        : lead >= 0xF0 && lead < 0xF5                                                             ? 4
                                                                                                  : 0;
    if (length == 0 || static_cast<std::size_t>(length) > bytes.size())
        return 0;
    for (int i = 1; i < length; ++i) {
        if ((bytes[static_cast<std::size_t>(i)] & 0xC0) != 0x80)
            return 0;
    }
    // Overlong forms, surrogates, and code points beyond the last one
    const unsigned char second = length > 1 ? bytes[1] : 0;
    if ((lead == 0xE0 && second < 0xA0) || (lead == 0xED && second >= 0xA0) || (lead == 0xF0 && second < 0x90)
        || (lead == 0xF4 && second >= 0x90))
        return 0;
    return length;
}

} // namespace

/// The bytes of a page and a few before and behind it, which decide over UTF-8 at its edges.
struct HexPainter::Fetched
{
    quint64 offset = 0;
    std::vector<unsigned char> bytes;
    std::vector<HexBytes::State> states;

    std::size_t index(quint64 at) const { return static_cast<std::size_t>(at - offset); }

    static Fetched from(HexData* data, quint64 begin, quint64 end)
    {
        Fetched fetched;
        fetched.offset = begin;
        fetched.bytes.reserve(static_cast<std::size_t>(end - begin));
        while (begin < end) {
            const HexBytes some = data->bytesAt(begin, end - begin);
            const quint64 length = std::clamp<quint64>(some.length, 1, end - begin);
            if (some.state == HexBytes::State::Present && some.bytes.size() >= length)
                fetched.bytes.insert(fetched.bytes.end(), some.bytes.begin(),
                    some.bytes.begin() + static_cast<std::ptrdiff_t>(length));
            else
                fetched.bytes.resize(fetched.bytes.size() + static_cast<std::size_t>(length));
            fetched.states.resize(fetched.bytes.size(), some.state);
            begin += length;
        }
        return fetched;
    }
};

void HexPainter::setFont(const QFont& font)
{
    m_font = font;
    m_font.setKerning(false);
    const QFontMetricsF metrics(m_font);
    m_cellWidth = std::max(1.0, metrics.horizontalAdvance(QString(64, u'0')) / 64);
    m_rowHeight = static_cast<int>(std::ceil(metrics.height())) + 3;
    m_ascent = static_cast<int>(std::ceil(metrics.ascent())) + 1;
}

int HexPainter::y(const HexPage& page, qint64 row) const
{
    return headingHeight() + static_cast<int>(row - page.topRow) * m_rowHeight;
}

QRectF HexPainter::byteCell(const HexPage& page, quint64 offset) const
{
    const int column = page.layout.columnOf(offset);
    return QRectF(x(page, page.layout.byteX(column) - 0.5), y(page, page.layout.rowOf(offset)), 3 * m_cellWidth,
        m_rowHeight);
}

QRectF HexPainter::textCell(const HexPage& page, quint64 offset) const
{
    const int column = page.layout.columnOf(offset);
    return QRectF(x(page, page.layout.textX() + column), y(page, page.layout.rowOf(offset)), m_cellWidth, m_rowHeight);
}

void HexPainter::paint(QPainter& painter, const HexPage& page, HexData* data, const QRect& exposed)
{
    const QPalette& palette = page.palette;
    const QColor base = palette.color(QPalette::Base);
    const QPalette::ColorGroup group = page.focused ? QPalette::Active : QPalette::Inactive;
    m_normal = palette.color(QPalette::Text);
    m_faint = mixed(base, m_normal, 0.52);
    m_line = mixed(base, m_normal, 0.42);
    m_hairline = mixed(base, m_normal, 0.24);
    m_highlight = palette.color(group, QPalette::Highlight);
    m_highlighted = palette.color(group, QPalette::HighlightedText);
    m_failed = mixed(base, QColor(0xd0, 0x40, 0x40), 0.65);

    painter.fillRect(exposed, base);
    painter.setFont(m_font);
    const HexLayout& layout = page.layout;
    if (data && layout.size() > 0) {
        const qint64 firstRow = page.topRow + std::max(0, exposed.top() - headingHeight()) / m_rowHeight;
        const qint64 lastRow = std::min({layout.rowCount() - 1, page.topRow + page.rows - 1,
            page.topRow + std::max(0, exposed.bottom() - headingHeight()) / m_rowHeight});
        if (firstRow <= lastRow) {
            const quint64 begin = layout.rowStart(firstRow);
            const quint64 end = layout.rowStart(lastRow) + static_cast<quint64>(layout.bytesInRow(lastRow));
            const std::vector<HexSpan> spans = data->spans(begin, end - begin);
            const Fetched fetched = Fetched::from(data, begin - std::min<quint64>(begin, 3),
                std::min(layout.size(), end + 3));
            painter.setClipRect(QRect(0, headingHeight(), page.viewSize.width(), page.viewSize.height()) & exposed);
            paintSpans(painter, page, spans);
            if (page.selection.length > 0)
                fillRun(painter, page, page.selection, m_highlight);
            for (qint64 row = firstRow; row <= lastRow; ++row) {
                paintRow(painter, page, fetched, row);
                paintText(painter, page, fetched, row);
            }
            if (page.structure)
                paintStructure(painter, page, spans);
            paintCaret(painter, page);
            painter.setClipping(false);
        }
    }
    if (!page.missing.isEmpty() && page.topRow + page.rows > layout.rowCount())
        paintMissing(painter, page);
    if (exposed.top() < headingHeight())
        paintHeading(painter, page);
}

void HexPainter::fillRun(QPainter& painter, const HexPage& page, HexRange run, const QBrush& brush) const
{
    const HexLayout& layout = page.layout;
    const qint64 lastShown = std::min(page.topRow + page.rows, layout.rowCount()) - 1;
    const quint64 begin = std::max(run.offset, layout.rowStart(page.topRow));
    const quint64 end = std::min(run.end(), layout.rowStart(lastShown) + static_cast<quint64>(layout.bytesInRow(lastShown)));
    if (begin >= end)
        return;
    const auto fill = [&](qint64 first, qint64 last, int from, int to) { // rows, columns; both inclusive
        const double top = y(page, first);
        const double height = static_cast<double>(last - first + 1) * m_rowHeight;
        const double left = x(page, layout.byteX(from) - 0.5);
        painter.fillRect(QRectF(left, top, x(page, layout.byteX(to) + 2.5) - left, height), brush);
        const double textLeft = x(page, layout.textX() + from);
        painter.fillRect(QRectF(textLeft, top, x(page, layout.textX() + to + 1) - textLeft, height), brush);
    };
    qint64 first = layout.rowOf(begin);
    qint64 last = layout.rowOf(end - 1);
    const int from = layout.columnOf(begin);
    const int to = layout.columnOf(end - 1);
    const int lastColumn = layout.bytesPerRow() - 1;
    if (first == last) {
        fill(first, last, from, to);
        return;
    }
    if (from > 0)
        fill(first, first, from, lastColumn), ++first;
    if (to < lastColumn)
        fill(last, last, 0, to), --last;
    if (first <= last)
        fill(first, last, 0, lastColumn);
}

void HexPainter::paintBoundary(
    QPainter& painter, const HexPage& page, quint64 offset, const QColor& color, bool wide) const
{
    const HexLayout& layout = page.layout;
    const qint64 row = layout.rowOf(offset);
    const int column = layout.columnOf(offset);
    if (row < page.topRow || row >= page.topRow + page.rows || offset >= layout.size())
        return;
    const double pixel = 1 / painter.device()->devicePixelRatioF();
    const double top = y(page, row);
    const int lastColumn = layout.bytesInRow(row) - 1;
    const auto horizontal = [&](double at, int from, int to) {
        const double left = x(page, layout.byteX(from) - 0.5);
        painter.fillRect(QRectF(left, at, x(page, layout.byteX(to) + 2.5) - left, pixel), color);
        const double textLeft = x(page, layout.textX() + from);
        painter.fillRect(QRectF(textLeft, at, x(page, layout.textX() + to + 1) - textLeft, pixel), color);
    };
    if (column > 0) {
        // Between the cells; in the middle of the wider gap after each eighth byte.
        const double gap = layout.byteX(column) - layout.byteX(column - 1) - 3;
        painter.fillRect(QRectF(x(page, layout.byteX(column) - 0.5 - gap / 2), top, pixel, m_rowHeight), color);
        painter.fillRect(QRectF(x(page, layout.textX() + column), top, pixel, m_rowHeight), color);
    }
    if (wide) {
        horizontal(top, column, lastColumn);
        if (column > 0 && row + 1 < layout.rowCount())
            horizontal(top + m_rowHeight, 0, std::min(column, layout.bytesInRow(row + 1)) - 1);
    } else if (column == 0) {
        horizontal(top, 0, lastColumn);
    }
}

void HexPainter::paintSpans(QPainter& painter, const HexPage& page, const std::vector<HexSpan>& spans) const
{
    const HexLayout& layout = page.layout;
    const qint64 lastRow = std::min(page.topRow + page.rows, layout.rowCount()) - 1;
    for (const HexSpan& span : spans) {
        const HexRange run{span.offset, span.length};
        if (span.tint.isValid())
            fillRun(painter, page, run, span.tint);
        if (span.hatched)
            fillRun(painter, page, run, QBrush(m_hairline, Qt::BDiagPattern));
        if (span.lane.isValid() && span.length > 0) {
            const qint64 first = std::max(layout.rowOf(span.offset), page.topRow);
            const qint64 last = std::min(layout.rowOf(span.offset + span.length - 1), lastRow);
            if (first <= last)
                painter.fillRect(QRectF(x(page, layout.laneX()), y(page, first), HexLayout::kLaneWidth * m_cellWidth,
                                     static_cast<double>(last - first + 1) * m_rowHeight),
                    span.lane);
        }
    }
    for (const HexSpan& span : spans) {
        if (span.boundary != HexSpan::Boundary::None) {
            const bool wide = span.boundary == HexSpan::Boundary::Line;
            paintBoundary(painter, page, span.offset, wide ? m_line : m_hairline, wide);
        }
    }
}

void HexPainter::setInk(QPainter& painter, Ink ink) const
{
    switch (ink) {
    case Ink::Normal:
        painter.setPen(m_normal);
        break;
    case Ink::Faint:
    case Ink::Absent:
        painter.setPen(m_faint);
        break;
    case Ink::Selected:
        painter.setPen(m_highlighted);
        break;
    case Ink::Failed:
        painter.setPen(m_failed);
        break;
    }
}

void HexPainter::paintRow(QPainter& painter, const HexPage& page, const Fetched& fetched, qint64 row) const
{
    const HexLayout& layout = page.layout;
    const int baseline = y(page, row) + m_ascent;
    const quint64 start = layout.rowStart(row);
    const int count = layout.bytesInRow(row);

    painter.setPen(m_faint);
    painter.drawText(QPointF(x(page, HexLayout::kOffsetX), baseline), layout.offsetText(start));

    QString text;
    text.reserve(4 * count);
    Ink ink = Ink::Normal;
    int runStart = 0;
    const auto flush = [&] {
        if (text.isEmpty())
            return;
        setInk(painter, ink);
        painter.drawText(QPointF(x(page, layout.byteX(runStart)), baseline), text);
        text.clear();
    };
    int failedFrom = -1;
    const auto hatchFailed = [&](int to) {
        if (failedFrom >= 0)
            fillRun(painter, page, {start + static_cast<quint64>(failedFrom), static_cast<quint64>(to - failedFrom)},
                QBrush(m_failed, Qt::BDiagPattern));
        failedFrom = -1;
    };
    for (int column = 0; column < count; ++column) {
        const quint64 offset = start + static_cast<quint64>(column);
        const std::size_t index = fetched.index(offset);
        const HexBytes::State state = fetched.states[index];
        const unsigned char byte = fetched.bytes[index];
        if (state == HexBytes::State::Failed && failedFrom < 0)
            failedFrom = column;
        else if (state != HexBytes::State::Failed)
            hatchFailed(column);
        const Ink next = page.selection.contains(offset) ? Ink::Selected
            : state == HexBytes::State::Absent           ? Ink::Absent
            : state == HexBytes::State::Failed           ? Ink::Failed
            : byte == 0                                  ? Ink::Faint
                                                         : Ink::Normal;
        if (next != ink)
            flush();
        ink = next;
        if (text.isEmpty())
            runStart = column;
        else
            text.append(column % 8 == 0 ? u"  " : u" ");
        if (state == HexBytes::State::Present) {
            const std::array<QChar, 2> pair = hexPair(byte);
            text.append(pair.data(), 2);
        } else if (state == HexBytes::State::Absent) {
            text.append(kDot).append(kDot);
        } else {
            text.append(u"??");
        }
    }
    flush();
    hatchFailed(count);
}

void HexPainter::paintText(QPainter& painter, const HexPage& page, const Fetched& fetched, qint64 row) const
{
    const HexLayout& layout = page.layout;
    const int baseline = y(page, row) + m_ascent;
    const quint64 start = layout.rowStart(row);
    const int count = layout.bytesInRow(row);

    QString text;
    Ink ink = Ink::Normal;
    int runStart = 0;
    const auto flush = [&] {
        if (text.isEmpty())
            return;
        setInk(painter, ink);
        painter.drawText(QPointF(x(page, layout.textX() + runStart), baseline), text);
        text.clear();
    };
    int continued = 0; // bytes of a character that began before
    if (page.utf8) {
        for (quint64 before = std::min<quint64>(3, start - fetched.offset); before > 0; --before) {
            const std::size_t at = fetched.index(start - before);
            const int length = utf8Length(std::span(fetched.bytes).subspan(at));
            if (length > static_cast<int>(before)) {
                continued = length - static_cast<int>(before);
                break;
            }
        }
    }
    for (int column = 0; column < count; ++column) {
        const quint64 offset = start + static_cast<quint64>(column);
        const std::size_t index = fetched.index(offset);
        const bool present = fetched.states[index] == HexBytes::State::Present;
        const unsigned char byte = fetched.bytes[index];
        Ink next = page.selection.contains(offset) ? Ink::Selected : Ink::Normal;
        QString wide; // a character that is drawn by itself
        QChar sign = kDot;
        if (present && byte >= 0x20 && byte < 0x7F) {
            sign = QChar(ushort(byte));
        } else if (present && page.utf8 && continued > 0) {
            sign = u' ';
        } else if (present && page.utf8 && byte >= 0x80) {
            const std::span<const unsigned char> rest = std::span(fetched.bytes).subspan(index);
            const int length = utf8Length(rest);
            if (length > 1) {
                wide = QString::fromUtf8(reinterpret_cast<const char*>(rest.data()), length);
                const char32_t code = wide.toUcs4().value(0);
                if (!QChar::isPrint(code) || QChar::isMark(code))
                    wide.clear();
                continued = length;
            }
        }
        if (continued > 0)
            --continued;
        if (sign == kDot && wide.isEmpty() && next == Ink::Normal)
            next = Ink::Faint;
        if (!wide.isEmpty()) {
            flush();
            setInk(painter, next);
            painter.drawText(QPointF(x(page, layout.textX() + column), baseline), wide);
            continue;
        }
        if (next != ink)
            flush();
        ink = next;
        if (text.isEmpty())
            runStart = column;
        text.append(sign);
    }
    flush();
}

void HexPainter::paintStructure(QPainter& painter, const HexPage& page, const std::vector<HexSpan>& spans) const
{
    const HexLayout& layout = page.layout;
    const double left = x(page, layout.structureX());
    const double width = page.viewSize.width() - left - m_cellWidth;
    if (width < 4 * m_cellWidth)
        return;
    const QFontMetricsF metrics(m_font);
    const auto draw = [&](qint64 row, const QString& text, const QColor& color) {
        painter.setPen(color);
        painter.drawText(QPointF(left, y(page, row) + m_ascent), metrics.elidedText(text, Qt::ElideRight, width));
    };
    const quint64 top = layout.rowStart(page.topRow);
    QString names, continued;
    qint64 row = page.topRow;
    for (const HexSpan& span : spans) {
        if (span.name.isEmpty())
            continue;
        if (span.offset < top) {
            continued = span.name;
            continue;
        }
        const qint64 starts = layout.rowOf(span.offset);
        if (starts != row) {
            if (!names.isEmpty())
                draw(row, names, m_normal);
            names.clear();
            row = starts;
        }
        if (!names.isEmpty())
            names += QStringLiteral("  ·  ");
        names += span.name;
        if (starts == page.topRow)
            continued.clear();
    }
    if (!names.isEmpty())
        draw(row, names, m_normal);
    if (!continued.isEmpty())
        draw(page.topRow, QChar(0x2026) + continued, m_faint);
}

void HexPainter::paintMissing(QPainter& painter, const HexPage& page) const
{
    const HexLayout& layout = page.layout;
    const double left = x(page, layout.laneX());
    const double right = std::min(x(page, layout.textEnd()), page.viewSize.width() - m_cellWidth);
    const double margin = m_rowHeight / 4.0;
    const QRectF box(left, y(page, layout.rowCount()) + margin, right - left, page.missingRows * m_rowHeight - 2 * margin);
    painter.setClipRect(QRect(0, headingHeight(), page.viewSize.width(), page.viewSize.height()));
    painter.setPen(QPen(m_faint, 1, Qt::DashLine));
    painter.drawRect(box);
    painter.setFont(QFontDatabase::systemFont(QFontDatabase::GeneralFont));
    painter.setPen(m_normal);
    painter.drawText(box.adjusted(m_cellWidth, 0, -m_cellWidth, 0), Qt::AlignVCenter | Qt::TextWordWrap, page.missing);
    painter.setFont(m_font);
    painter.setClipping(false);
}

void HexPainter::paintHeading(QPainter& painter, const HexPage& page) const
{
    const HexLayout& layout = page.layout;
    const double pixel = 1 / painter.device()->devicePixelRatioF();
    const QRect strip(0, 0, page.viewSize.width(), headingHeight());
    painter.fillRect(strip, page.palette.color(QPalette::Window));
    painter.fillRect(QRectF(0, strip.height() - pixel, strip.width(), pixel), m_hairline);
    const double baseline = m_ascent + 2;
    const int caretColumn = layout.size() > 0 ? layout.columnOf(page.caret) : -1;
    const QColor quiet = mixed(page.palette.color(QPalette::Window), page.palette.color(QPalette::WindowText), 0.62);
    const auto draw = [&](double cells, const QString& text, const QColor& color) {
        painter.setPen(color);
        painter.drawText(QPointF(x(page, cells), baseline), text);
    };
    draw(HexLayout::kOffsetX, QCoreApplication::translate("HexView", "Offset"), quiet);
    for (int column = 0; column < layout.bytesPerRow(); ++column) {
        const QString text = layout.offsetBase() == HexLayout::OffsetBase::Hex
            ? QString(hexPair(static_cast<unsigned char>(column)).data(), 2)
            : QString::number(column).rightJustified(2, u' ');
        draw(layout.byteX(column), text, column == caretColumn ? page.palette.color(QPalette::WindowText) : quiet);
    }
    draw(layout.textX(), page.utf8 ? QCoreApplication::translate("HexView", "UTF-8")
                                   : QCoreApplication::translate("HexView", "ASCII"),
        quiet);
    if (page.structure)
        draw(layout.structureX(), QCoreApplication::translate("HexView", "What starts here"), quiet);
}

void HexPainter::paintCaret(QPainter& painter, const HexPage& page) const
{
    const HexLayout& layout = page.layout;
    const qint64 row = layout.rowOf(page.caret);
    if (row < page.topRow || row >= page.topRow + page.rows)
        return;
    const double pixel = 1 / painter.device()->devicePixelRatioF();
    const auto outline = [&](const QRectF& cell, bool strong) {
        const double width = strong ? 2 : pixel;
        const QColor color = page.selection.contains(page.caret) ? m_highlighted
            : strong ? page.palette.color(QPalette::Active, QPalette::Highlight)
                     : m_line;
        const QRectF at = layout.columnOf(page.caret) < layout.bytesInRow(row) ? cell
                                                                              : QRectF(cell.left(), cell.top(), width, cell.height());
        painter.fillRect(QRectF(at.left(), at.top(), at.width(), width), color);
        painter.fillRect(QRectF(at.left(), at.bottom() - width, at.width(), width), color);
        painter.fillRect(QRectF(at.left(), at.top(), width, at.height()), color);
        painter.fillRect(QRectF(at.right() - width, at.top(), width, at.height()), color);
    };
    const bool strong = page.focused;
    outline(byteCell(page, page.caret), strong && !page.caretInText);
    outline(textCell(page, page.caret), strong && page.caretInText);
}
