// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/hexview.h"

#include "widgets/hexpainter.h"
#include "widgets/plaintext.h"

#include <QFontDatabase>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>

#include <algorithm>
#include <array>

namespace {

constexpr int kMissingRows = 3; ///< for what is missing behind the last byte
constexpr int kStructureCells = 26; ///< the least room for the structure column
constexpr int kMinZoom = -4;
constexpr int kMaxZoom = 24;
constexpr int kDragScrollInterval = 40; // ms

QFont zoomedFont(int zoom)
{
    QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    font.setPointSizeF(std::max(5.0, font.pointSizeF() + zoom));
    return font;
}

} // namespace

HexView::HexView(QWidget* parent)
    : BigScrollArea(parent)
    , m_painter(std::make_unique<HexPainter>(zoomedFont(0)))
    , m_layout(0, 16)
{
    setFocusPolicy(Qt::StrongFocus);
    setFrameShape(QFrame::NoFrame);
    viewport()->setCursor(Qt::IBeamCursor);
    viewport()->setMouseTracking(false);
    setAccessibleName(tr("Bytes of the file"));
    connect(this, &BigScrollArea::topRowChanged, this, &HexView::visibleRangeChanged);
}

HexView::~HexView() = default;

void HexView::setData(HexData* source)
{
    m_data = source;
    m_caret = m_anchor = 0;
    m_dragging = false;
    relayout();
    setTopRow(0);
    describeCaret();
    emit selectionChanged();
    emit visibleRangeChanged();
}

void HexView::refresh()
{
    if (m_data && (m_data->size() != m_layout.size() || m_data->missing() != m_missing)) {
        relayout();
        place(clampedCaret(m_caret, m_caret != m_anchor), std::min(m_anchor, m_layout.size()), true);
    }
    viewport()->update();
    describeCaret();
}

HexRange HexView::selection() const
{
    const quint64 begin = std::min(m_caret, m_anchor);
    return {begin, std::max(m_caret, m_anchor) - begin};
}

quint64 HexView::focusOffset() const
{
    return selection().length > 0 ? selection().offset : m_caret;
}

void HexView::setCaret(quint64 offset, bool extend)
{
    moveCaret(offset, extend);
}

void HexView::select(HexRange range)
{
    showRange(range);
    emit caretMoved(m_caret);
    emit selectionChanged();
}

void HexView::selectAll()
{
    place(m_layout.size(), 0, true);
}

void HexView::showRange(HexRange range)
{
    const quint64 size = m_layout.size();
    const quint64 begin = range.length > 0 ? std::min(range.offset, size) : clampedCaret(range.offset, false);
    const quint64 end = range.length > size - begin ? size : begin + range.length;
    place(begin == size ? clampedCaret(begin, false) : begin, end > begin ? end : clampedCaret(begin, false), false);
    // A place out of sight comes up a third below the top, so that what is before it can be seen too.
    const qint64 first = m_layout.rowOf(begin);
    const qint64 last = m_layout.rowOf(end > begin ? end - 1 : begin);
    if (first < topRow() || std::min(last, first + pageRows() / 2) >= topRow() + pageRows())
        setTopRow(first - pageRows() / 3);
    if (range.offset >= size)
        ensureRowVisible(rowCount() - 1);
}

HexRange HexView::visibleRange() const
{
    if (m_layout.size() == 0)
        return {};
    const qint64 last = std::min(topRow() + viewRows(), m_layout.rowCount()) - 1;
    const quint64 begin = m_layout.rowStart(topRow());
    return {begin, m_layout.rowStart(last) + static_cast<quint64>(m_layout.bytesInRow(last)) - begin};
}

void HexView::setBytesPerRow(int bytes)
{
    m_bytesPerRowSetting = std::clamp(bytes, 0, 256);
    relayout();
}

void HexView::setOffsetBase(HexLayout::OffsetBase base)
{
    m_layout = HexLayout(m_layout.size(), m_layout.bytesPerRow(), base);
    relayout();
    describeCaret();
}

void HexView::setTextEncoding(TextEncoding encoding)
{
    m_encoding = encoding;
    viewport()->update();
}

void HexView::setStructureVisible(bool visible)
{
    m_structureVisible = visible;
    relayout();
}

void HexView::setZoom(int steps)
{
    steps = std::clamp(steps, kMinZoom, kMaxZoom);
    if (steps == m_zoom)
        return;
    m_zoom = steps;
    m_painter->setFont(zoomedFont(m_zoom));
    relayout();
    emit zoomChanged(m_zoom);
}

void HexView::setToolTipText(std::function<QString(quint64)> text)
{
    m_toolTipText = std::move(text);
}

void HexView::setPlaceDescription(const QString& text)
{
    if (text == m_placeDescription)
        return;
    m_placeDescription = text;
    describeCaret();
}

qint64 HexView::offsetAt(const QPoint& position) const
{
    if (position.y() < m_painter->headingHeight())
        return -1;
    const qint64 row = topRow() + (position.y() - m_painter->headingHeight()) / m_painter->rowHeight();
    const double cells = (position.x() + horizontalScrollBar()->value()) / m_painter->cellWidth();
    const HexLayout::Area area = m_layout.areaAt(cells);
    if (area != HexLayout::Area::Bytes && area != HexLayout::Area::Text)
        return -1;
    const int column = area == HexLayout::Area::Bytes ? m_layout.byteColumnAt(cells) : m_layout.textColumnAt(cells);
    if (column >= m_layout.bytesInRow(row))
        return -1;
    return static_cast<qint64>(m_layout.offsetAt(row, column));
}

QRect HexView::byteRect(quint64 offset) const
{
    const qint64 row = m_layout.rowOf(offset);
    if (offset >= m_layout.size() || row < topRow() || row >= topRow() + viewRows())
        return {};
    return m_painter->byteCell(page(), offset).toAlignedRect();
}

QSize HexView::sizeHint() const
{
    const HexLayout usual(m_layout.size(), 16, m_layout.offsetBase());
    const double cells = m_structureVisible ? usual.structureX() + kStructureCells : usual.textEnd() + 1;
    return QSize(static_cast<int>(cells * m_painter->cellWidth()) + verticalScrollBar()->sizeHint().width() + 2,
        m_painter->headingHeight() + 16 * m_painter->rowHeight());
}

HexPage HexView::page() const
{
    HexPage page;
    page.layout = m_layout;
    page.topRow = topRow();
    page.rows = viewRows();
    page.viewSize = viewport()->size();
    page.scrollX = horizontalScrollBar()->value();
    page.selection = selection();
    page.caret = m_caret;
    page.caretInText = m_caretInText;
    page.focused = hasFocus();
    page.missing = m_missing;
    page.missingRows = kMissingRows;
    page.structure = m_structureVisible;
    page.utf8 = m_encoding == TextEncoding::Utf8;
    page.palette = palette();
    return page;
}

int HexView::viewRows() const
{
    const int height = std::max(0, viewport()->height() - m_painter->headingHeight());
    return (height + m_painter->rowHeight() - 1) / m_painter->rowHeight();
}

void HexView::relayout()
{
    const quint64 topOffset = m_layout.rowStart(topRow());
    const quint64 size = m_data ? m_data->size() : 0;
    m_missing = m_data ? m_data->missing() : QString();
    const double cells = viewport()->width() / m_painter->cellWidth();
    const HexLayout::OffsetBase base = m_layout.offsetBase();
    int bytes = m_bytesPerRowSetting;
    if (bytes == 0)
        bytes = HexLayout::fittingBytesPerRow(size, base, m_structureVisible ? cells - kStructureCells : cells);
    const bool rewrapped = bytes != m_layout.bytesPerRow();
    m_layout = HexLayout(size, bytes, base);

    const double width = m_structureVisible ? m_layout.structureX() + kStructureCells : m_layout.textEnd() + 1;
    QScrollBar* bar = horizontalScrollBar();
    bar->setRange(0, std::max(0, static_cast<int>(width * m_painter->cellWidth()) - viewport()->width()));
    bar->setPageStep(viewport()->width());
    bar->setSingleStep(static_cast<int>(3 * m_painter->cellWidth()));
    const int height = viewport()->height() - m_painter->headingHeight();
    setRows(m_layout.rowCount() + (m_missing.isEmpty() ? 0 : kMissingRows), height / m_painter->rowHeight(),
        m_painter->rowHeight());
    if (rewrapped)
        setTopRow(m_layout.rowOf(topOffset));
    viewport()->update();
    emit visibleRangeChanged();
}

quint64 HexView::clampedCaret(quint64 offset, bool extend) const
{
    const quint64 size = m_layout.size();
    return std::min(offset, extend || size == 0 ? size : size - 1);
}

void HexView::place(quint64 caret, quint64 anchor, bool byPerson)
{
    if (caret == m_caret && anchor == m_anchor)
        return;
    const HexRange before = selection();
    const bool moved = caret != m_caret;
    m_caret = caret;
    m_anchor = anchor;
    viewport()->update();
    describeCaret();
    if (!byPerson)
        return;
    if (moved)
        emit caretMoved(m_caret);
    if (selection() != before && (before.length > 0 || selection().length > 0))
        emit selectionChanged();
}

void HexView::moveCaret(quint64 offset, bool extend)
{
    offset = clampedCaret(offset, extend);
    place(offset, extend ? m_anchor : offset, true);
    // The row that ends with the caret's line break is the one before, as in text editors.
    const quint64 shown = extend && m_caret > m_anchor && m_caret > 0 ? m_caret - 1 : m_caret;
    const qint64 row = m_layout.rowOf(shown);
    if (row + 1 == m_layout.rowCount())
        ensureRowVisible(rowCount() - 1); // what is missing behind it too
    ensureRowVisible(row);
    const QRectF cell = m_caretInText ? m_painter->textCell(page(), shown) : m_painter->byteCell(page(), shown);
    QScrollBar* bar = horizontalScrollBar();
    if (cell.left() < 0)
        bar->setValue(bar->value() + static_cast<int>(cell.left()));
    else if (cell.right() > viewport()->width())
        bar->setValue(bar->value() + static_cast<int>(cell.right()) - viewport()->width());
}

quint64 HexView::nearestOffset(const QPoint& position) const
{
    const int y = position.y() - m_painter->headingHeight();
    const qint64 step = y < 0 ? -1 : y / m_painter->rowHeight();
    const qint64 row = std::clamp<qint64>(topRow() + step, 0, std::max<qint64>(0, m_layout.rowCount() - 1));
    const double cells = (position.x() + horizontalScrollBar()->value()) / m_painter->cellWidth();
    const int column = m_caretInText ? m_layout.textColumnAt(cells) : m_layout.byteColumnAt(cells);
    return m_layout.offsetAt(row, std::clamp(column, 0, std::max(0, m_layout.bytesInRow(row) - 1)));
}

void HexView::dragTo(const QPoint& position)
{
    const quint64 offset = nearestOffset(position);
    // Both the byte where the drag began and the one under the mouse are inside.
    if (offset > m_dragStart)
        place(clampedCaret(offset + 1, true), m_dragStart, true);
    else if (offset < m_dragStart)
        place(offset, m_dragStart + 1, true);
    else
        place(m_dragStart, m_dragStart, true);
}

void HexView::describeCaret()
{
    if (!m_data || m_layout.size() == 0) {
        setAccessibleDescription(tr("There are no bytes."));
        return;
    }
    const quint64 offset = focusOffset();
    QString text = tr("Offset 0x%1.").arg(QString::number(offset, 16).toUpper());
    if (offset < m_layout.size()) {
        const HexBytes some = m_data->bytesAt(offset, 1);
        if (some.state == HexBytes::State::Present && !some.bytes.empty()) {
            const unsigned char byte = some.bytes.front();
            text += u' ' + tr("Byte 0x%1, %2.").arg(QString::number(byte, 16).toUpper()).arg(byte);
        } else if (some.state == HexBytes::State::Failed) {
            text += u' ' + tr("The byte could not be read.");
        }
    }
    if (selection().length > 0)
        text += u' '
            + (selection().length == 1 ? tr("1 byte selected.") : tr("%1 bytes selected.").arg(selection().length));
    if (!m_placeDescription.isEmpty())
        text += u' ' + m_placeDescription;
    if (!m_missing.isEmpty() && offset + 1 >= m_layout.size())
        text += u' ' + m_missing;
    setAccessibleDescription(text);
}

bool HexView::event(QEvent* event)
{
    if (event->type() == QEvent::ShortcutOverride && isOwnKey(static_cast<QKeyEvent*>(event))) {
        event->accept(); // else a shortcut of the window takes cursor and zoom keys away
        return true;
    }
    return BigScrollArea::event(event);
}

bool HexView::viewportEvent(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const qint64 offset = offsetAt(help->pos());
        QString text;
        if (offset >= 0 && m_data) {
            const auto at = static_cast<quint64>(offset);
            if (m_toolTipText) {
                text = m_toolTipText(at);
            } else {
                for (const HexSpan& span : m_data->spans(at, 1)) {
                    if (!span.name.isEmpty())
                        text = span.name;
                }
            }
        }
        if (text.isEmpty())
            QToolTip::hideText();
        else
            QToolTip::showText(help->globalPos(), plainToolTip(text), viewport());
        return true;
    }
    return BigScrollArea::viewportEvent(event);
}

void HexView::changeEvent(QEvent* event)
{
    BigScrollArea::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::ApplicationFontChange
        || event->type() == QEvent::StyleChange) {
        m_painter->setFont(zoomedFont(m_zoom));
        relayout();
    }
}

void HexView::paintEvent(QPaintEvent* event)
{
    QPainter painter(viewport());
    m_painter->paint(painter, page(), m_data, event->rect());
}

void HexView::resizeEvent(QResizeEvent* event)
{
    BigScrollArea::resizeEvent(event);
    relayout();
}

bool HexView::moveByKey(const QKeyEvent* event)
{
    const auto width = static_cast<quint64>(m_layout.bytesPerRow());
    const quint64 pageBytes = width * static_cast<quint64>(pageRows());
    const quint64 size = m_layout.size();
    const quint64 at = m_caret;
    const HexRange selected = selection();
    const qint64 row = m_layout.rowOf(at);
    const quint64 rowEnd = m_layout.rowStart(row) + static_cast<quint64>(m_layout.bytesInRow(row));
    const auto back = [at](quint64 bytes) { return at >= bytes ? at - bytes : at; };
    const auto forth = [at, size](quint64 bytes) { return bytes < size - at ? at + bytes : size; };

    struct Move
    {
        QKeySequence::StandardKey move, extend;
        quint64 target;
        quint64 collapsed; ///< where a selection that is given up leaves the caret
        qint64 scroll;
    };
    const quint64 pageBack = at >= pageBytes ? at - pageBytes : at % width;
    const std::array<Move, 10> moves = {{
        {QKeySequence::MoveToPreviousChar, QKeySequence::SelectPreviousChar, back(1),
            selected.length > 0 ? selected.offset : back(1), 0},
        {QKeySequence::MoveToNextChar, QKeySequence::SelectNextChar, forth(1),
            selected.length > 0 ? selected.end() : forth(1), 0},
        {QKeySequence::MoveToPreviousLine, QKeySequence::SelectPreviousLine, back(width), back(width), 0},
        {QKeySequence::MoveToNextLine, QKeySequence::SelectNextLine, forth(width), forth(width), 0},
        {QKeySequence::MoveToPreviousPage, QKeySequence::SelectPreviousPage, pageBack, pageBack, -pageRows()},
        {QKeySequence::MoveToNextPage, QKeySequence::SelectNextPage, forth(pageBytes), forth(pageBytes), pageRows()},
        {QKeySequence::MoveToStartOfLine, QKeySequence::SelectStartOfLine, m_layout.rowStart(row),
            m_layout.rowStart(row), 0},
        {QKeySequence::MoveToEndOfLine, QKeySequence::SelectEndOfLine, rowEnd, rowEnd > 0 ? rowEnd - 1 : 0, 0},
        {QKeySequence::MoveToStartOfDocument, QKeySequence::SelectStartOfDocument, 0, 0, 0},
        {QKeySequence::MoveToEndOfDocument, QKeySequence::SelectEndOfDocument, size, size, 0},
    }};
    for (const Move& move : moves) {
        const bool extend = event->matches(move.extend);
        if (!extend && !event->matches(move.move))
            continue;
        if (move.scroll != 0)
            scrollRows(move.scroll);
        moveCaret(extend ? move.target : move.collapsed, extend);
        return true;
    }
    return false;
}

bool HexView::zoomByKey(const QKeyEvent* event)
{
    const bool control = event->modifiers().testFlag(Qt::ControlModifier);
    if (event->matches(QKeySequence::ZoomIn) || (control && event->key() == Qt::Key_Equal))
        setZoom(m_zoom + 1);
    else if (event->matches(QKeySequence::ZoomOut))
        setZoom(m_zoom - 1);
    else if (control && event->key() == Qt::Key_0)
        setZoom(0);
    else
        return false;
    return true;
}

bool HexView::isOwnKey(const QKeyEvent* event) const
{
    if (event->modifiers().testFlag(Qt::AltModifier))
        return false;
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_PageUp:
    case Qt::Key_PageDown:
    case Qt::Key_Home:
    case Qt::Key_End:
        return true;
    case Qt::Key_Plus:
    case Qt::Key_Minus:
    case Qt::Key_Equal:
    case Qt::Key_0:
        return event->modifiers().testFlag(Qt::ControlModifier);
    default:
        return event->matches(QKeySequence::SelectAll);
    }
}

void HexView::keyPressEvent(QKeyEvent* event)
{
    const bool control = event->modifiers() == Qt::ControlModifier;
    if (control && (event->key() == Qt::Key_Up || event->key() == Qt::Key_Down)) {
        scrollRows(event->key() == Qt::Key_Up ? -1 : 1); // the caret stays
    } else if (event->matches(QKeySequence::SelectAll)) {
        selectAll();
    } else if (event->key() == Qt::Key_Escape && selection().length > 0) {
        place(clampedCaret(focusOffset(), false), clampedCaret(focusOffset(), false), true);
    } else if (!zoomByKey(event) && !moveByKey(event)) {
        QFrame::keyPressEvent(event); // QAbstractScrollArea would scroll with the keys
    }
}

void HexView::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton) {
        event->ignore(); // buttons 4 and 5 go back and forward
        return;
    }
    const double cells = (event->position().x() + horizontalScrollBar()->value()) / m_painter->cellWidth();
    const HexLayout::Area area = m_layout.areaAt(cells);
    m_caretInText = area == HexLayout::Area::Text;
    const quint64 offset = nearestOffset(event->position().toPoint());
    m_dragging = true;
    if (event->modifiers().testFlag(Qt::ShiftModifier)) {
        m_dragStart = m_anchor > m_caret ? m_anchor - 1 : m_anchor;
        dragTo(event->position().toPoint());
        return;
    }
    m_dragStart = offset;
    place(offset, offset, true);
    viewport()->update();
}

void HexView::mouseMoveEvent(QMouseEvent* event)
{
    if (!m_dragging)
        return;
    m_dragPosition = event->position().toPoint();
    const bool outside = m_dragPosition.y() < m_painter->headingHeight() || m_dragPosition.y() >= viewport()->height();
    if (outside && m_scrollTimer == 0) {
        m_scrollTimer = startTimer(kDragScrollInterval);
    } else if (!outside && m_scrollTimer != 0) {
        killTimer(m_scrollTimer);
        m_scrollTimer = 0;
    }
    dragTo(m_dragPosition);
}

void HexView::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton) {
        event->ignore();
        return;
    }
    m_dragging = false;
    if (m_scrollTimer != 0)
        killTimer(m_scrollTimer);
    m_scrollTimer = 0;
}

void HexView::mouseDoubleClickEvent(QMouseEvent* event)
{
    const qint64 offset = offsetAt(event->position().toPoint());
    if (event->button() != Qt::LeftButton || offset < 0 || !m_data) {
        event->ignore();
        return;
    }
    const std::vector<HexSpan> spans = m_data->spans(static_cast<quint64>(offset), 1);
    m_dragging = false;
    if (!spans.empty())
        place(spans.back().offset, std::min(spans.back().offset + spans.back().length, m_layout.size()), true);
}

void HexView::wheelEvent(QWheelEvent* event)
{
    if (event->modifiers().testFlag(Qt::ControlModifier)) {
        if (event->angleDelta().y() != 0)
            setZoom(m_zoom + (event->angleDelta().y() > 0 ? 1 : -1));
        event->accept();
        return;
    }
    BigScrollArea::wheelEvent(event);
}

void HexView::focusInEvent(QFocusEvent* event)
{
    BigScrollArea::focusInEvent(event);
    viewport()->update();
}

void HexView::focusOutEvent(QFocusEvent* event)
{
    BigScrollArea::focusOutEvent(event);
    viewport()->update();
}

void HexView::timerEvent(QTimerEvent* event)
{
    if (event->timerId() != m_scrollTimer) {
        BigScrollArea::timerEvent(event);
        return;
    }
    const int above = m_painter->headingHeight() - m_dragPosition.y();
    const int below = m_dragPosition.y() - viewport()->height() + 1;
    const int distance = std::max(above, below) / m_painter->rowHeight() + 1; // faster the further the mouse is
    scrollRows(above > 0 ? -distance : distance);
    dragTo(m_dragPosition);
}

void HexView::scrollContentsBy(int, int)
{
    viewport()->update();
}
