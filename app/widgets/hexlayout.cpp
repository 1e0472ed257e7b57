// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/hexlayout.h"

#include <algorithm>
#include <limits>

namespace {

constexpr int kGroup = 8; ///< bytes between wider gaps

int groupLength(HexLayout::OffsetBase base)
{
    return base == HexLayout::OffsetBase::Hex ? 4 : 3;
}

} // namespace

HexLayout::HexLayout(quint64 size, int bytesPerRow, OffsetBase base)
    : m_size(size)
    , m_bytesPerRow(std::clamp(bytesPerRow, 1, 256))
    , m_base(base)
{
    const quint64 last = size == 0 ? 0 : size - 1;
    int digits = 1;
    if (base == OffsetBase::Hex) {
        for (quint64 rest = last >> 4; rest != 0; rest >>= 4)
            ++digits;
        m_offsetDigits = std::max(8, (digits + 1) / 2 * 2);
    } else {
        for (quint64 rest = last / 10; rest != 0; rest /= 10)
            ++digits;
        m_offsetDigits = std::max(6, digits);
    }
}

qint64 HexLayout::rowCount() const
{
    const auto width = static_cast<quint64>(m_bytesPerRow);
    const quint64 rows = m_size / width + (m_size % width != 0 ? 1 : 0);
    return static_cast<qint64>(std::min<quint64>(rows, std::numeric_limits<qint64>::max()));
}

qint64 HexLayout::rowOf(quint64 offset) const
{
    const quint64 row = offset / static_cast<quint64>(m_bytesPerRow);
    const qint64 last = std::max<qint64>(0, rowCount() - 1);
    return row > static_cast<quint64>(last) ? last : static_cast<qint64>(row);
}

int HexLayout::columnOf(quint64 offset) const
{
    return static_cast<int>(std::min(offset, m_size) - rowStart(rowOf(offset)));
}

quint64 HexLayout::rowStart(qint64 row) const
{
    const qint64 last = std::max<qint64>(0, rowCount() - 1);
    return static_cast<quint64>(std::clamp<qint64>(row, 0, last)) * static_cast<quint64>(m_bytesPerRow);
}

int HexLayout::bytesInRow(qint64 row) const
{
    if (row < 0 || row >= rowCount())
        return 0;
    return static_cast<int>(std::min<quint64>(static_cast<quint64>(m_bytesPerRow), m_size - rowStart(row)));
}

quint64 HexLayout::offsetAt(qint64 row, int column) const
{
    const auto step = static_cast<quint64>(std::clamp(column, 0, m_bytesPerRow));
    const quint64 start = rowStart(row);
    return step > m_size - start ? m_size : start + step;
}

int HexLayout::offsetCells() const
{
    return m_offsetDigits + (m_offsetDigits - 1) / groupLength(m_base);
}

QString HexLayout::offsetText(quint64 offset) const
{
    const bool hex = m_base == OffsetBase::Hex;
    const QString digits = QString::number(offset, hex ? 16 : 10)
                               .toUpper()
                               .rightJustified(m_offsetDigits, hex ? u'0' : u' ');
    const qsizetype group = groupLength(m_base);
    QString text;
    text.reserve(digits.size() + digits.size() / group);
    for (qsizetype i = 0; i < digits.size(); ++i) {
        if (i > 0 && (digits.size() - i) % group == 0)
            text += u' ';
        text += digits[i];
    }
    return text;
}

double HexLayout::offsetEnd() const
{
    return kOffsetX + offsetCells();
}

double HexLayout::laneX() const
{
    return offsetEnd() + 1;
}

double HexLayout::bytesX() const
{
    return laneX() + kLaneWidth + 1;
}

double HexLayout::byteX(int column) const
{
    return bytesX() + 3 * column + column / kGroup;
}

double HexLayout::bytesEnd() const
{
    return byteX(m_bytesPerRow - 1) + 2;
}

double HexLayout::textX() const
{
    return bytesEnd() + 2;
}

double HexLayout::textEnd() const
{
    return textX() + m_bytesPerRow;
}

double HexLayout::structureX() const
{
    return textEnd() + 2;
}

HexLayout::Area HexLayout::areaAt(double x) const
{
    if (x < bytesX() - 1)
        return Area::Offset;
    if (x < bytesEnd() + 1)
        return Area::Bytes;
    return x < textEnd() + 1 ? Area::Text : Area::Structure;
}

int HexLayout::byteColumnAt(double x) const
{
    constexpr int kGroupCells = 3 * kGroup + 1;
    const double inside = x - bytesX() + 0.5; // a byte's cell begins half a blank before its digits
    if (inside < 0)
        return 0;
    const int group = static_cast<int>(inside / kGroupCells);
    const int inGroup = std::min(static_cast<int>((inside - group * kGroupCells) / 3), kGroup - 1);
    return std::min(group * kGroup + inGroup, m_bytesPerRow - 1);
}

int HexLayout::textColumnAt(double x) const
{
    return std::clamp(static_cast<int>(x - textX()), 0, m_bytesPerRow - 1);
}

int HexLayout::fittingBytesPerRow(quint64 size, OffsetBase base, double cells)
{
    int fitting = 8;
    while (fitting < 64 && HexLayout(size, fitting * 2, base).textEnd() + 1 <= cells)
        fitting *= 2;
    return fitting;
}
