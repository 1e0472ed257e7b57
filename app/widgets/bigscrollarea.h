// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractScrollArea>

/// A scroll area over 64-bit rows. The position is topRow(), exact; the vertical scroll bar, which counts in int,
/// only pictures it. Steps, pages, wheel and keys act on rows; only dragging the slider maps by proportion.
class BigScrollArea : public QAbstractScrollArea
{
    Q_OBJECT
public:
    explicit BigScrollArea(QWidget* parent = nullptr);

    qint64 rowCount() const { return m_rowCount; }
    qint64 topRow() const { return m_topRow; }
    qint64 maximumTopRow() const; ///< the top row that shows the last row at the bottom
    int pageRows() const { return m_pageRows; } ///< whole rows that fit, at least 1

    void setTopRow(qint64 row); ///< clamped to 0 ... maximumTopRow()
    void scrollRows(qint64 rows); ///< saturates
    /// Scrolls as little as needed to show the row whole.
    void ensureRowVisible(qint64 row);

signals:
    void topRowChanged();

protected:
    void setRows(qint64 rowCount, int pageRows, int rowHeight);
    void wheelEvent(QWheelEvent* event) override;

private:
    void onBarAction(int action);
    void syncBar();
    qint64 rowForSlider(int slider) const;
    int sliderForRow(qint64 row) const;

    qint64 m_rowCount = 0;
    qint64 m_topRow = 0;
    int m_pageRows = 1;
    int m_rowHeight = 1;
    double m_wheelRemainder = 0; ///< rows that the wheel turned but that are not whole yet
};
