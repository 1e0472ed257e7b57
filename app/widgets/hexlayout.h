// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

/// The arithmetic of a hex grid: which byte stands in which row and column, and where a column lies.
/// Horizontal places are in character cells. No widget, no font. Offsets below 2^63.
class HexLayout
{
public:
    enum class OffsetBase { Hex, Decimal };
    enum class Area { Offset, Bytes, Text, Structure };

    HexLayout() = default;
    /// bytesPerRow: 1 ... 256.
    HexLayout(quint64 size, int bytesPerRow, OffsetBase base = OffsetBase::Hex);

    quint64 size() const { return m_size; }
    int bytesPerRow() const { return m_bytesPerRow; }
    OffsetBase offsetBase() const { return m_base; }

    qint64 rowCount() const; ///< 0 for an empty file
    qint64 rowOf(quint64 offset) const; ///< clamped to the last row
    int columnOf(quint64 offset) const; ///< in rowOf(); one behind the last byte for an offset behind it
    quint64 rowStart(qint64 row) const; ///< offset of the row's first byte; rows are clamped
    int bytesInRow(qint64 row) const; ///< 0 ... bytesPerRow()
    quint64 offsetAt(qint64 row, int column) const; ///< clamped to 0 ... size()

    int offsetDigits() const { return m_offsetDigits; } ///< as many as the file needs: 8, 10, 12, ... in hex
    int offsetCells() const; ///< digits with their group separators
    QString offsetText(quint64 offset) const; ///< padded and grouped: offsetCells() characters

    // Places in cells from the left edge
    static constexpr double kOffsetX = 1;
    static constexpr double kLaneWidth = 0.75;
    double offsetEnd() const;
    double laneX() const;
    double bytesX() const;
    double byteX(int column) const; ///< left edge of the byte's first digit
    double bytesEnd() const;
    double textX() const;
    double textEnd() const;
    double structureX() const;
    Area areaAt(double x) const;
    /// The column nearest to x among the bytes or the text characters; clamped to 0 ... bytesPerRow() - 1.
    int byteColumnAt(double x) const;
    int textColumnAt(double x) const;

    /// The largest of 8, 16, 32, ... bytes a row whose columns fit in so many cells; at least 8.
    static int fittingBytesPerRow(quint64 size, OffsetBase base, double cells);

private:
    quint64 m_size = 0;
    int m_bytesPerRow = 16;
    OffsetBase m_base = OffsetBase::Hex;
    int m_offsetDigits = 8;
};
