// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/heatmap.h"

#include "widgets/plaintext.h"

#include <QApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace {

constexpr double kPad = 8;
constexpr double kMaxCellWidth = 72;
constexpr double kMaxCellHeight = 30;
constexpr double kMinCell = 3;
constexpr double kZoomStep = 1.25;

QColor mixed(const QColor& base, const QColor& over, double share)
{
    const auto blend = [share](int a, int b) { return qRound(a + (b - a) * share); };
    return QColor(blend(base.red(), over.red()), blend(base.green(), over.green()), blend(base.blue(), over.blue()));
}

/// Black or white, whichever can be read on the colour.
QColor inkOn(const QColor& color)
{
    const auto linear = [](double part) { return part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4); };
    const double luminance
        = 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
    return luminance > 0.18 ? QColor(0, 0, 0) : QColor(255, 255, 255);
}

double widest(const QFontMetricsF& metrics, const QStringList& texts)
{
    double width = 0;
    for (const QString& text : texts)
        width = std::max(width, metrics.horizontalAdvance(text));
    return width;
}

double largest(const std::vector<double>& amounts)
{
    return amounts.empty() ? 0 : *std::max_element(amounts.begin(), amounts.end());
}

} // namespace

/// Where everything lies; in the coordinates of the viewport or page.
struct HeatMap::Geometry
{
    QRectF grid; ///< the window on the cells
    QPointF scroll; ///< how far the cells are moved behind it
    double cellWidth = 0;
    double cellHeight = 0;
    double headLeft = 0; ///< room for the row headings
    double headTop = 0;
    std::vector<double> rowTotalWidths;
    struct TotalLine
    {
        double height = 0;
        bool level = false; ///< the text fits in a column's width
        bool upright = false; ///< it fits turned; else bars alone
    };
    std::vector<TotalLine> columnTotals;

    QRectF rect(Cell cell) const
    {
        return QRectF(grid.left() + cell.column * cellWidth - scroll.x(), grid.top() + cell.row * cellHeight - scroll.y(),
            cellWidth, cellHeight);
    }
};

HeatMap::HeatMap(QWidget* parent)
    : QAbstractScrollArea(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setFrameShape(QFrame::NoFrame);
    viewport()->setMouseTracking(true);
    setAccessibleName(tr("Heat map"));
}

HeatMap::~HeatMap() = default;

void HeatMap::setData(HeatMapData map)
{
    m_data = std::move(map);
    m_data.cells.resize(static_cast<std::size_t>(rowCount()) * static_cast<std::size_t>(columnCount()));
    m_selected.assign(m_data.cells.size(), false);
    m_selectedBefore.clear();
    m_current = m_anchor = m_hovered = {};
    m_pressing = false;
    m_band = {};
    updateScrollBars();
    describeCurrent();
    viewport()->update();
    updateGeometry();
}

void HeatMap::setCurrent(Cell cell)
{
    m_current = m_anchor = cell;
    ensureVisible(cell);
    describeCurrent();
    viewport()->update();
}

std::vector<HeatMap::Cell> HeatMap::selectedCells() const
{
    std::vector<Cell> cells;
    for (int row = 0; row < rowCount(); ++row) {
        for (int column = 0; column < columnCount(); ++column) {
            if (m_selected[indexOf({row, column})])
                cells.push_back({row, column});
        }
    }
    return cells;
}

bool HeatMap::isSelected(Cell cell) const
{
    return isFilled(cell) && m_selected[indexOf(cell)];
}

void HeatMap::setSelectedCells(const std::vector<Cell>& cells)
{
    m_selected.assign(m_data.cells.size(), false);
    for (const Cell& cell : cells) {
        if (isFilled(cell))
            m_selected[indexOf(cell)] = true;
    }
    viewport()->update();
}

void HeatMap::zoomToFit()
{
    m_cellWidth = m_cellHeight = 0;
    updateScrollBars();
    viewport()->update();
}

void HeatMap::zoomBy(double factor)
{
    const Geometry before = viewGeometry();
    const double fitted = geometry(viewport()->size(), 0, 0).cellWidth;
    m_cellWidth = std::clamp(before.cellWidth * factor, kMinCell, 160.0);
    m_cellHeight = std::clamp(before.cellHeight * factor, kMinCell, 64.0);
    if (m_cellWidth <= fitted && factor < 1) {
        zoomToFit();
        return;
    }
    updateScrollBars();
    // What was in the middle stays there.
    const double middleX = (before.scroll.x() + before.grid.width() / 2) / before.cellWidth;
    const double middleY = (before.scroll.y() + before.grid.height() / 2) / before.cellHeight;
    const Geometry after = viewGeometry();
    horizontalScrollBar()->setValue(qRound(middleX * after.cellWidth - after.grid.width() / 2));
    verticalScrollBar()->setValue(qRound(middleY * after.cellHeight - after.grid.height() / 2));
    viewport()->update();
}

HeatMap::Cell HeatMap::cellAt(const QPoint& point) const
{
    bool inside = false;
    const Cell cell = nearestCell(point, &inside);
    return inside ? cell : Cell{};
}

QRect HeatMap::cellRect(Cell cell) const
{
    return m_data.isEmpty() ? QRect() : viewGeometry().rect(cell).toRect();
}

void HeatMap::paintTo(QPainter& painter, const QSizeF& size) const
{
    painter.save();
    painter.setFont(font());
    paintMap(painter, geometry(size, 0, 0), false);
    painter.restore();
}

QSizeF HeatMap::naturalSize() const
{
    const QFontMetricsF metrics(font());
    double cellWidth = std::max(widest(metrics, m_data.columns), metrics.horizontalAdvance(QStringLiteral("000"))) + 6;
    for (const HeatMapCell& cell : m_data.cells)
        cellWidth = std::max(cellWidth, metrics.horizontalAdvance(cell.label) + 8);
    const double cellHeight = metrics.height() + 8;
    const Geometry at = geometry(QSizeF(1e6, 1e6), cellWidth, cellHeight);
    double width = at.headLeft + columnCount() * at.cellWidth + kPad;
    for (const double total : at.rowTotalWidths)
        width += total;
    double height = at.headTop + rowCount() * at.cellHeight + kPad;
    for (const Geometry::TotalLine& line : at.columnTotals)
        height += line.height;
    return QSizeF(width, height);
}

QSize HeatMap::sizeHint() const
{
    return naturalSize().toSize().boundedTo(QSize(900, 420)).expandedTo(minimumSizeHint());
}

QSize HeatMap::minimumSizeHint() const
{
    return QSize(240, 120);
}

std::size_t HeatMap::indexOf(Cell cell) const
{
    return static_cast<std::size_t>(cell.row) * static_cast<std::size_t>(columnCount())
        + static_cast<std::size_t>(cell.column);
}

bool HeatMap::isFilled(Cell cell) const
{
    return cell.isValid() && cell.row < rowCount() && cell.column < columnCount()
        && m_data.cells[indexOf(cell)].color.isValid();
}

HeatMap::Geometry HeatMap::geometry(const QSizeF& size, double cellWidth, double cellHeight) const
{
    const QFontMetricsF metrics(font());
    Geometry at;
    QStringList leftTexts = m_data.rows;
    for (const HeatMapTotal& total : m_data.columnTotals)
        leftTexts += total.title;
    at.headLeft = std::min(widest(metrics, leftTexts) + 2 * kPad, size.width() / 3);
    at.headTop = metrics.height() + 8;
    double right = kPad;
    for (const HeatMapTotal& total : m_data.rowTotals) {
        QStringList texts = total.values;
        texts += total.title;
        at.rowTotalWidths.push_back(widest(metrics, texts) + 2 * kPad);
        right += at.rowTotalWidths.back();
    }
    const double columns = std::max(1, columnCount());
    const double rows = std::max(1, rowCount());
    const double wide = std::max(1.0, size.width() - at.headLeft - right);
    at.cellWidth = cellWidth > 0 ? cellWidth : std::clamp(wide / columns, kMinCell, kMaxCellWidth);
    double below = kPad;
    for (const HeatMapTotal& total : m_data.columnTotals) {
        const double text = widest(metrics, total.values);
        Geometry::TotalLine line;
        line.level = text + 4 <= at.cellWidth;
        line.upright = !line.level && at.cellWidth >= metrics.height() * 0.9;
        line.height = line.upright ? text + 10 : metrics.height() + 8;
        below += line.height;
        at.columnTotals.push_back(line);
    }
    const double high = std::max(1.0, size.height() - at.headTop - below);
    // Rows stay high enough for their names and totals; where they do not fit, the grid scrolls.
    const double leastHeight = std::min(metrics.height() * 0.95, kMaxCellHeight);
    at.cellHeight = cellHeight > 0 ? cellHeight : std::clamp(high / rows, leastHeight, kMaxCellHeight);
    at.grid = QRectF(at.headLeft, at.headTop, std::min(wide, at.cellWidth * columns), std::min(high, at.cellHeight * rows));
    return at;
}

HeatMap::Geometry HeatMap::viewGeometry() const
{
    Geometry at = geometry(viewport()->size(), m_cellWidth, m_cellHeight);
    at.scroll = QPointF(horizontalScrollBar()->value(), verticalScrollBar()->value());
    return at;
}

void HeatMap::updateScrollBars()
{
    const Geometry at = geometry(viewport()->size(), m_cellWidth, m_cellHeight);
    const auto set = [](QScrollBar* bar, double content, double window, double step) {
        bar->setRange(0, std::max(0, static_cast<int>(std::ceil(content - window))));
        bar->setPageStep(static_cast<int>(window));
        bar->setSingleStep(std::max(1, static_cast<int>(step)));
    };
    set(horizontalScrollBar(), at.cellWidth * columnCount(), at.grid.width(), at.cellWidth);
    set(verticalScrollBar(), at.cellHeight * rowCount(), at.grid.height(), at.cellHeight);
}

HeatMap::Cell HeatMap::nearestCell(const QPoint& point, bool* inside) const
{
    *inside = false;
    if (m_data.isEmpty())
        return {};
    const Geometry at = viewGeometry();
    *inside = at.grid.contains(point);
    const double column = std::floor((point.x() - at.grid.left() + at.scroll.x()) / at.cellWidth);
    const double row = std::floor((point.y() - at.grid.top() + at.scroll.y()) / at.cellHeight);
    return {static_cast<int>(std::clamp(row, 0.0, rowCount() - 1.0)),
        static_cast<int>(std::clamp(column, 0.0, columnCount() - 1.0))};
}

void HeatMap::paintEvent(QPaintEvent* event)
{
    QPainter painter(viewport());
    painter.fillRect(event->rect(), palette().color(QPalette::Base));
    if (m_data.isEmpty())
        return;
    painter.setFont(font());
    paintMap(painter, viewGeometry(), true);
}

void HeatMap::paintMap(QPainter& painter, const Geometry& at, bool interactive) const
{
    if (m_data.isEmpty())
        return;
    painter.save();
    painter.setClipRect(at.grid.adjusted(-1, -1, 1, 1));
    const int firstColumn = std::max(0, static_cast<int>(at.scroll.x() / at.cellWidth));
    const int lastColumn = std::min(columnCount() - 1, static_cast<int>((at.scroll.x() + at.grid.width()) / at.cellWidth));
    const int firstRow = std::max(0, static_cast<int>(at.scroll.y() / at.cellHeight));
    const int lastRow = std::min(rowCount() - 1, static_cast<int>((at.scroll.y() + at.grid.height()) / at.cellHeight));
    // Between thin cells lines would be all one sees.
    const double gapX = at.cellWidth >= 12 ? 1 : 0;
    const double gapY = at.cellHeight >= 6 ? 1 : 0;
    for (int row = firstRow; row <= lastRow; ++row) {
        for (int column = firstColumn; column <= lastColumn; ++column) {
            const QRectF rect = at.rect({row, column});
            paintCell(painter, rect.adjusted(0, 0, -gapX, -gapY), m_data.cell(row, column));
        }
    }
    if (interactive)
        paintMarks(painter, at);
    painter.restore();
    paintHeadings(painter, at);
    paintTotals(painter, at);
    if (interactive && !m_band.isNull()) {
        const QColor color = palette().color(QPalette::Highlight);
        painter.setPen(color);
        painter.setBrush(QColor(color.red(), color.green(), color.blue(), 50));
        painter.drawRect(m_band);
    }
}

void HeatMap::paintCell(QPainter& painter, const QRectF& rect, const HeatMapCell& cell) const
{
    if (!cell.color.isValid()) {
        const QColor base = palette().color(QPalette::Base);
        painter.fillRect(rect, mixed(base, palette().color(QPalette::Text), 0.045));
        return;
    }
    painter.fillRect(rect, cell.color);
    const QColor ink = inkOn(cell.color);
    if (cell.hatched) {
        QColor faint = ink;
        faint.setAlpha(110);
        painter.fillRect(rect, QBrush(faint, Qt::BDiagPattern));
    }
    if (cell.deviates) {
        if (rect.width() >= 9 && rect.height() >= 9) {
            const double side = std::min(7.0, std::min(rect.width(), rect.height()) / 2);
            painter.setPen(Qt::NoPen);
            painter.setBrush(ink);
            const QPointF corner[] = {rect.topRight(), rect.topRight() - QPointF(side, 0), rect.topRight() + QPointF(0, side)};
            painter.drawConvexPolygon(corner, 3);
        } else {
            const double side = std::max(1.0, std::min(rect.width(), rect.height()) / 3);
            painter.fillRect(QRectF(rect.center().x() - side / 2, rect.center().y() - side / 2, side, side), ink);
        }
    }
    const QFontMetricsF metrics = painter.fontMetrics();
    if (!cell.label.isEmpty() && metrics.height() <= rect.height() + 1
        && metrics.horizontalAdvance(cell.label) + 4 <= rect.width()) {
        painter.setPen(ink);
        painter.drawText(rect, Qt::AlignCenter | Qt::TextSingleLine, cell.label);
    }
}

void HeatMap::paintMarks(QPainter& painter, const Geometry& at) const
{
    const QColor text = palette().color(QPalette::Text);
    const QColor base = palette().color(QPalette::Base);
    const double width = at.cellWidth >= 10 && at.cellHeight >= 10 ? 2 : 1;
    painter.setBrush(Qt::NoBrush);
    const auto frame = [&](Cell cell, const QColor& outer, const QColor& inner) {
        const QRectF rect = at.rect(cell).adjusted(0, 0, -1, -1);
        painter.setPen(QPen(inner, 1));
        painter.drawRect(rect.adjusted(width, width, -width, -width));
        painter.setPen(QPen(outer, width));
        painter.drawRect(rect.adjusted(width / 2, width / 2, -width / 2, -width / 2));
    };
    for (const Cell& cell : selectedCells())
        frame(cell, text, base);
    if (m_hovered.isValid() && isFilled(m_hovered)) {
        painter.setPen(QPen(text, 1));
        painter.drawRect(at.rect(m_hovered).adjusted(-0.5, -0.5, -0.5, -0.5));
    }
    if (m_current.isValid() && hasFocus()) {
        const QRectF rect = at.rect(m_current).adjusted(-1, -1, 0, 0);
        painter.setPen(QPen(palette().color(QPalette::Highlight), 2));
        painter.drawRect(rect);
    }
}

void HeatMap::paintHeadings(QPainter& painter, const Geometry& at) const
{
    const QColor text = palette().color(QPalette::Text);
    const QColor quiet = mixed(palette().color(QPalette::Base), text, 0.68);
    const QFontMetricsF metrics = painter.fontMetrics();

    // Rows: as many as fit one below the other
    const int rowStep = std::max(1, static_cast<int>(std::ceil(metrics.height() * 0.9 / at.cellHeight)));
    painter.save();
    painter.setClipRect(QRectF(0, at.grid.top() - metrics.height() / 2, at.headLeft, at.grid.height() + metrics.height()));
    for (int row = 0; row < rowCount(); row += rowStep) {
        const QRectF cell = at.rect({row, 0});
        if (cell.center().y() < at.grid.top() || cell.center().y() > at.grid.bottom())
            continue;
        const QRectF place(kPad, cell.center().y() - metrics.height() / 2, at.headLeft - 2 * kPad, metrics.height());
        painter.setPen(row == m_current.row && hasFocus() ? text : quiet);
        painter.drawText(place, Qt::AlignRight | Qt::AlignVCenter | Qt::TextSingleLine,
            metrics.elidedText(m_data.rows[row], Qt::ElideMiddle, place.width()));
    }
    painter.restore();

    // Columns: numbers in round steps, words where they do not touch
    int columnStep = 1;
    for (const int step : {1, 2, 5, 10, 20, 50, 100}) {
        columnStep = step;
        if (step * at.cellWidth >= metrics.horizontalAdvance(QStringLiteral("0000")))
            break;
    }
    painter.save();
    painter.setClipRect(QRectF(at.grid.left() - kPad, 0, at.grid.width() + 2 * kPad, at.headTop));
    double free = at.grid.left() - kPad;
    for (int column = 0; column < columnCount(); ++column) {
        const QString& heading = m_data.columns[column];
        bool isNumber = false;
        const int number = heading.toInt(&isNumber);
        const QRectF cell = at.rect({0, column});
        const double width = metrics.horizontalAdvance(heading);
        const double left = cell.center().x() - width / 2;
        if ((isNumber && number % columnStep != 0) || left < free || cell.center().x() < at.grid.left()
            || cell.center().x() > at.grid.right())
            continue;
        painter.setPen(column == m_current.column && hasFocus() ? text : quiet);
        painter.drawText(QPointF(left, at.headTop - 5 - metrics.descent()), heading);
        free = left + width + 3;
    }
    painter.restore();
}

void HeatMap::paintTotals(QPainter& painter, const Geometry& at) const
{
    const QColor text = palette().color(QPalette::Text);
    const QColor base = palette().color(QPalette::Base);
    const QColor quiet = mixed(base, text, 0.68);
    const QColor bar = mixed(base, text, 0.16);
    const QFontMetricsF metrics = painter.fontMetrics();

    double left = at.grid.right() + kPad;
    const int rowStep = std::max(1, static_cast<int>(std::ceil(metrics.height() * 0.9 / at.cellHeight)));
    for (std::size_t i = 0; i < m_data.rowTotals.size(); ++i) {
        const HeatMapTotal& total = m_data.rowTotals[i];
        const double width = at.rowTotalWidths[i] - kPad;
        const double most = largest(total.amounts);
        painter.setPen(quiet);
        painter.drawText(QRectF(left, 0, width, at.headTop - 4), Qt::AlignRight | Qt::AlignBottom, total.title);
        painter.save();
        painter.setClipRect(QRectF(left, at.grid.top(), width, at.grid.height()));
        for (int row = 0; row < rowCount(); ++row) {
            const QRectF cell = at.rect({row, 0});
            const auto index = static_cast<std::size_t>(row);
            if (most > 0 && index < total.amounts.size()) {
                const double share = total.amounts[index] / most * width;
                painter.fillRect(QRectF(left + width - share, cell.top() + 1, share, std::max(1.0, cell.height() - 3)), bar);
            }
            if (row % rowStep == 0 && row < total.values.size()) {
                painter.setPen(text);
                painter.drawText(QRectF(left, cell.center().y() - metrics.height() / 2, width - 2, metrics.height()),
                    Qt::AlignRight | Qt::AlignVCenter | Qt::TextSingleLine, total.values[row]);
            }
        }
        painter.restore();
        left += at.rowTotalWidths[i];
    }

    double top = at.grid.bottom() + kPad / 2;
    for (std::size_t i = 0; i < m_data.columnTotals.size(); ++i) {
        const HeatMapTotal& total = m_data.columnTotals[i];
        const auto [lineHeight, level, upright] = at.columnTotals[i];
        const double height = lineHeight - 4;
        const double most = largest(total.amounts);
        painter.setPen(quiet);
        painter.drawText(QRectF(kPad, top, at.headLeft - 2 * kPad, height), Qt::AlignRight | Qt::AlignVCenter, total.title);
        painter.save();
        painter.setClipRect(QRectF(at.grid.left(), top, at.grid.width(), height));
        for (int column = 0; column < columnCount(); ++column) {
            const QRectF cell = at.rect({0, column});
            const auto index = static_cast<std::size_t>(column);
            const double gap = at.cellWidth >= 4 ? 1 : 0;
            if (most > 0 && index < total.amounts.size()) {
                const double share = total.amounts[index] / most * height;
                painter.fillRect(QRectF(cell.left(), top + height - share, at.cellWidth - gap, share),
                    level || upright ? bar : mixed(base, text, 0.4));
            }
            if (column >= total.values.size() || (!level && !upright))
                continue;
            painter.setPen(text);
            const QRectF place(cell.left(), top, at.cellWidth - gap, height);
            if (level) {
                painter.drawText(place, Qt::AlignCenter | Qt::TextSingleLine, total.values[column]);
            } else {
                painter.save();
                painter.translate(place.center());
                painter.rotate(-90);
                painter.drawText(QRectF(-height / 2, -at.cellWidth / 2, height - 2, at.cellWidth),
                    Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, total.values[column]);
                painter.restore();
            }
        }
        painter.restore();
        top += lineHeight;
    }
}

void HeatMap::selectRect(Cell from, Cell to, bool keep)
{
    std::vector<bool> selected(m_data.cells.size(), false);
    if (keep)
        selected = m_selectedBefore;
    selected.resize(m_data.cells.size(), false);
    for (int row = std::min(from.row, to.row); row <= std::max(from.row, to.row); ++row) {
        for (int column = std::min(from.column, to.column); column <= std::max(from.column, to.column); ++column) {
            if (isFilled({row, column}))
                selected[indexOf({row, column})] = true;
        }
    }
    if (selected == m_selected)
        return;
    m_selected = std::move(selected);
    viewport()->update();
    emit selectionChanged();
}

void HeatMap::chooseWith(Cell cell, Qt::KeyboardModifiers modifiers)
{
    m_current = cell;
    if (modifiers.testFlag(Qt::ShiftModifier) && m_anchor.isValid()) {
        m_selectedBefore = m_selected;
        selectRect(m_anchor, cell, modifiers.testFlag(Qt::ControlModifier));
    } else {
        m_anchor = cell;
        if (modifiers.testFlag(Qt::ControlModifier)) {
            if (isFilled(cell)) {
                m_selected[indexOf(cell)] = !m_selected[indexOf(cell)];
                emit selectionChanged();
            }
        } else {
            selectRect(cell, cell, false);
        }
    }
    describeCurrent();
    viewport()->update();
}

void HeatMap::ensureVisible(Cell cell)
{
    if (!cell.isValid() || m_data.isEmpty())
        return;
    const Geometry at = viewGeometry();
    const QRectF rect = at.rect(cell);
    const auto shift = [](QScrollBar* bar, double before, double behind) {
        if (before < 0)
            bar->setValue(bar->value() + static_cast<int>(std::floor(before)));
        else if (behind > 0)
            bar->setValue(bar->value() + static_cast<int>(std::ceil(behind)));
    };
    shift(horizontalScrollBar(), rect.left() - at.grid.left(), rect.right() - at.grid.right());
    shift(verticalScrollBar(), rect.top() - at.grid.top(), rect.bottom() - at.grid.bottom());
}

void HeatMap::describeCurrent()
{
    QString text;
    if (m_current.isValid() && m_current.row < rowCount() && m_current.column < columnCount()) {
        const HeatMapCell& cell = m_data.cell(m_current.row, m_current.column);
        text = tr("%1, column %2.").arg(m_data.rows[m_current.row], m_data.columns[m_current.column]) + u' ';
        text += cell.color.isValid() ? cell.description : tr("Empty.");
        if (cell.deviates)
            text += u' ' + tr("Differs from most of its row.");
    }
    setAccessibleDescription(text);
}

bool HeatMap::viewportEvent(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const Cell cell = cellAt(help->pos());
        const QString text = isFilled(cell) ? m_data.cells[indexOf(cell)].description : QString();
        if (text.isEmpty())
            QToolTip::hideText();
        else
            QToolTip::showText(help->globalPos(), plainToolTip(text), viewport(), cellRect(cell));
        return true;
    }
    if (event->type() == QEvent::Leave && m_hovered.isValid()) {
        m_hovered = {};
        viewport()->update();
        emit hovered(m_hovered);
    }
    return QAbstractScrollArea::viewportEvent(event);
}

void HeatMap::changeEvent(QEvent* event)
{
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
        updateScrollBars();
}

void HeatMap::resizeEvent(QResizeEvent* event)
{
    QAbstractScrollArea::resizeEvent(event);
    updateScrollBars();
}

void HeatMap::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || m_data.isEmpty()) {
        event->ignore();
        return;
    }
    m_pressed = event->position().toPoint();
    bool inside = false;
    const Cell cell = nearestCell(m_pressed, &inside);
    const Geometry at = viewGeometry();
    m_selectedBefore = m_selected;
    const bool keep = event->modifiers().testFlag(Qt::ControlModifier);
    if (inside) {
        m_pressing = true;
        chooseWith(cell, event->modifiers());
    } else if (m_pressed.x() < at.grid.left() && m_pressed.y() >= at.grid.top() && m_pressed.y() < at.grid.bottom()) {
        selectRect({cell.row, 0}, {cell.row, columnCount() - 1}, keep); // a row's heading
    } else if (m_pressed.y() < at.grid.top() && m_pressed.x() >= at.grid.left() && m_pressed.x() < at.grid.right()) {
        selectRect({0, cell.column}, {rowCount() - 1, cell.column}, keep); // a column's heading
    } else if (!keep) {
        setSelectedCells({});
        emit selectionChanged();
    }
}

void HeatMap::mouseMoveEvent(QMouseEvent* event)
{
    const QPoint point = event->position().toPoint();
    if (m_pressing
        && (!m_band.isNull() || (point - m_pressed).manhattanLength() >= QApplication::startDragDistance())) {
        m_band = QRect(m_pressed, point).normalized();
        bool inside = false;
        const Cell from = nearestCell(m_pressed, &inside);
        m_current = nearestCell(point, &inside);
        selectRect(from, m_current, event->modifiers().testFlag(Qt::ControlModifier));
        describeCurrent();
        viewport()->update();
    }
    const Cell cell = cellAt(point);
    if (cell != m_hovered) {
        m_hovered = cell;
        viewport()->update();
        emit hovered(m_hovered);
    }
}

void HeatMap::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton) {
        event->ignore();
        return;
    }
    m_pressing = false;
    m_band = {};
    viewport()->update();
}

void HeatMap::mouseDoubleClickEvent(QMouseEvent* event)
{
    const Cell cell = cellAt(event->position().toPoint());
    if (event->button() == Qt::LeftButton && isFilled(cell))
        emit activated(cell);
}

void HeatMap::wheelEvent(QWheelEvent* event)
{
    if (event->modifiers().testFlag(Qt::ControlModifier)) {
        if (event->angleDelta().y() != 0)
            zoomBy(event->angleDelta().y() > 0 ? kZoomStep : 1 / kZoomStep);
        event->accept();
        return;
    }
    QAbstractScrollArea::wheelEvent(event);
}

void HeatMap::keyPressEvent(QKeyEvent* event)
{
    const bool control = event->modifiers().testFlag(Qt::ControlModifier);
    if (m_data.isEmpty() || event->modifiers().testFlag(Qt::AltModifier)) {
        QFrame::keyPressEvent(event);
        return;
    }
    if (control && (event->matches(QKeySequence::ZoomIn) || event->key() == Qt::Key_Equal))
        return zoomBy(kZoomStep);
    if (event->matches(QKeySequence::ZoomOut))
        return zoomBy(1 / kZoomStep);
    if (control && event->key() == Qt::Key_0)
        return zoomToFit();
    if (event->matches(QKeySequence::SelectAll))
        return selectRect({0, 0}, {rowCount() - 1, columnCount() - 1}, false);

    Cell to = m_current.isValid() ? m_current : Cell{0, 0};
    switch (event->key()) {
    case Qt::Key_Left:
        to.column -= m_current.isValid() ? 1 : 0;
        break;
    case Qt::Key_Right:
        to.column += m_current.isValid() ? 1 : 0;
        break;
    case Qt::Key_Up:
        to.row -= m_current.isValid() ? 1 : 0;
        break;
    case Qt::Key_Down:
        to.row += m_current.isValid() ? 1 : 0;
        break;
    case Qt::Key_Home:
        to = {control ? 0 : to.row, 0};
        break;
    case Qt::Key_End:
        to = {control ? rowCount() - 1 : to.row, columnCount() - 1};
        break;
    case Qt::Key_Space:
        if (m_current.isValid())
            chooseWith(m_current, Qt::ControlModifier);
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (isFilled(m_current))
            emit activated(m_current);
        return;
    case Qt::Key_Escape:
        if (selectedCells().empty())
            break;
        setSelectedCells({});
        emit selectionChanged();
        return;
    default:
        break;
    }
    const bool moves = event->key() == Qt::Key_Left || event->key() == Qt::Key_Right || event->key() == Qt::Key_Up
        || event->key() == Qt::Key_Down || event->key() == Qt::Key_Home || event->key() == Qt::Key_End;
    if (!moves) {
        QFrame::keyPressEvent(event);
        return;
    }
    to = {std::clamp(to.row, 0, rowCount() - 1), std::clamp(to.column, 0, columnCount() - 1)};
    if (control && event->key() != Qt::Key_Home && event->key() != Qt::Key_End) {
        m_current = to; // moves without choosing; Space chooses
        describeCurrent();
        viewport()->update();
    } else {
        chooseWith(to, event->modifiers() & Qt::ShiftModifier);
    }
    ensureVisible(to);
}

void HeatMap::focusInEvent(QFocusEvent* event)
{
    QAbstractScrollArea::focusInEvent(event);
    viewport()->update();
}

void HeatMap::focusOutEvent(QFocusEvent* event)
{
    QAbstractScrollArea::focusOutEvent(event);
    viewport()->update();
}
