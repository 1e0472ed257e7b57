// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractScrollArea>
#include <QColor>
#include <QString>
#include <QStringList>

#include <vector>

/// One cell of a HeatMap.
struct HeatMapCell
{
    QColor color; ///< invalid: the cell is empty
    QString label; ///< drawn where there is room, else left out
    QString description; ///< one line or more for tooltip and screen reader; plain text
    bool deviates = false; ///< differs from what its row usually has: gets a mark
    bool hatched = false; ///< stands for more than one kind of thing
};

/// A line of totals: beside the rows (one value a row) or below the columns (one value a column).
struct HeatMapTotal
{
    QString title;
    QStringList values;
    /// The values as numbers from 0 on, drawn as bars behind the text or where there is no room for it; may be empty.
    std::vector<double> amounts;
};

/// What a HeatMap shows: a plain value.
struct HeatMapData
{
    QStringList columns; ///< headings; short ones, such as layer numbers
    QStringList rows;
    std::vector<HeatMapCell> cells; ///< row by row: cells[row * columns.size() + column]
    std::vector<HeatMapTotal> rowTotals; ///< drawn at the right
    std::vector<HeatMapTotal> columnTotals; ///< drawn below, turned upright where columns are narrow

    const HeatMapCell& cell(int row, int column) const
    {
        return cells[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns.size())
            + static_cast<std::size_t>(column)];
    }
    bool isEmpty() const { return columns.isEmpty() || rows.isEmpty(); }
};

/// A grid of coloured cells with headings and totals. Fits its place until a person zooms (Ctrl+wheel, Ctrl+plus,
/// Ctrl+minus; Ctrl+0 fits again). Cells are chosen by click, Ctrl+click, Shift+click, rubber band, and keys.
class HeatMap : public QAbstractScrollArea
{
    Q_OBJECT
public:
    struct Cell
    {
        int row = -1;
        int column = -1;
        bool isValid() const { return row >= 0 && column >= 0; }
        friend bool operator==(const Cell&, const Cell&) = default;
    };

    explicit HeatMap(QWidget* parent = nullptr);
    ~HeatMap() override;

    void setData(HeatMapData data); ///< drops the selection
    const HeatMapData& data() const { return m_data; }

    Cell current() const { return m_current; }
    void setCurrent(Cell cell); ///< emits nothing; scrolls to it
    std::vector<Cell> selectedCells() const; ///< by row, then column; never empty cells
    bool isSelected(Cell cell) const;
    void setSelectedCells(const std::vector<Cell>& cells); ///< emits nothing

    bool isFitted() const { return m_cellWidth == 0; }
    void zoomToFit();
    void zoomBy(double factor);

    Cell cellAt(const QPoint& point) const; ///< point of the viewport; empty cells included
    QRect cellRect(Cell cell) const; ///< in the viewport

    /// Draws the whole map into a size, for export; colours of the text and lines from this widget's palette.
    void paintTo(QPainter& painter, const QSizeF& size) const;
    /// A size at which every label can be read.
    QSizeF naturalSize() const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void selectionChanged(); ///< a person changed it
    void activated(HeatMap::Cell cell); ///< Enter or double click
    void hovered(HeatMap::Cell cell); ///< invalid when the mouse left the cells

protected:
    bool viewportEvent(QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    struct Geometry;
    int columnCount() const { return static_cast<int>(m_data.columns.size()); }
    int rowCount() const { return static_cast<int>(m_data.rows.size()); }
    std::size_t indexOf(Cell cell) const;
    bool isFilled(Cell cell) const;
    Geometry geometry(const QSizeF& size, double cellWidth, double cellHeight) const;
    Geometry viewGeometry() const;
    void paintMap(QPainter& painter, const Geometry& at, bool interactive) const;
    void paintCell(QPainter& painter, const QRectF& rect, const HeatMapCell& cell) const;
    void paintHeadings(QPainter& painter, const Geometry& at) const;
    void paintTotals(QPainter& painter, const Geometry& at) const;
    void paintMarks(QPainter& painter, const Geometry& at) const;
    void updateScrollBars();
    void selectRect(Cell from, Cell to, bool keep);
    void chooseWith(Cell cell, Qt::KeyboardModifiers modifiers);
    void ensureVisible(Cell cell);
    void describeCurrent();
    Cell nearestCell(const QPoint& point, bool* inside) const;

    HeatMapData m_data;
    std::vector<bool> m_selected, m_selectedBefore; ///< by cell; the second at the start of a rubber band
    Cell m_current, m_anchor, m_hovered;
    QPoint m_pressed;
    QRect m_band; ///< rubber band in the viewport; null: none
    bool m_pressing = false;
    double m_cellWidth = 0; ///< 0: fitted
    double m_cellHeight = 0;
};
