// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/hexlayout.h"

#include <QTest>

class TestHexLayout : public QObject
{
    Q_OBJECT
private slots:
    void emptyFile()
    {
        const HexLayout layout(0, 16);
        QCOMPARE(layout.rowCount(), 0);
        QCOMPARE(layout.rowOf(5), 0);
        QCOMPARE(layout.bytesInRow(0), 0);
        QCOMPARE(layout.offsetAt(3, 4), quint64(0));
    }

    void lastRowIsPartial()
    {
        const HexLayout layout(33, 16);
        QCOMPARE(layout.rowCount(), 3);
        QCOMPARE(layout.bytesInRow(2), 1);
        QCOMPARE(layout.bytesInRow(3), 0);
        QCOMPARE(layout.offsetAt(2, 9), quint64(33));
        QCOMPARE(layout.rowOf(33), 2);
        QCOMPARE(layout.columnOf(33), 1);
    }

    void behindAFullRow()
    {
        const HexLayout layout(32, 16);
        QCOMPARE(layout.rowCount(), 2);
        QCOMPARE(layout.rowOf(32), 1);
        QCOMPARE(layout.columnOf(32), 16);
    }

    void nearTheLargestOffset()
    {
        const quint64 size = (quint64(1) << 63) - 1;
        const HexLayout layout(size, 16);
        QCOMPARE(layout.rowCount(), qint64(1) << 59);
        QCOMPARE(layout.rowOf(size - 1), (qint64(1) << 59) - 1);
        QCOMPARE(layout.bytesInRow(layout.rowCount() - 1), 15);
        QCOMPARE(layout.offsetAt(layout.rowCount() - 1, 14), size - 1);
        QCOMPARE(layout.offsetDigits(), 16);
        QCOMPARE(layout.offsetText(size - 1), QStringLiteral("7FFF FFFF FFFF FFFE"));
        const HexLayout single(size, 1);
        QCOMPARE(single.rowCount(), qint64(size));
        QCOMPARE(single.rowOf(size - 1), qint64(size) - 1);
    }

    void digitsFollowTheSize()
    {
        QCOMPARE(HexLayout(100, 16).offsetText(0x1A), QStringLiteral("0000 001A"));
        QCOMPARE(HexLayout(quint64(1) << 32, 16).offsetDigits(), 8);
        QCOMPARE(HexLayout((quint64(1) << 32) + 1, 16).offsetDigits(), 10);
        const HexLayout decimal(400'000'000'000, 16, HexLayout::OffsetBase::Decimal);
        QCOMPARE(decimal.offsetText(399'999'999'999), QStringLiteral("399 999 999 999"));
        QCOMPARE(decimal.offsetText(16).size(), decimal.offsetCells());
    }

    void columnsAndPlacesAgree()
    {
        for (const int width : {1, 8, 16, 32, 256}) {
            const HexLayout layout(100000, width);
            for (int column = 0; column < width; ++column) {
                QCOMPARE(layout.byteColumnAt(layout.byteX(column) + 1), column);
                QCOMPARE(layout.textColumnAt(layout.textX() + column + 0.5), column);
            }
            QCOMPARE(layout.areaAt(layout.byteX(0)), HexLayout::Area::Bytes);
            QCOMPARE(layout.areaAt(layout.textX() + 0.5), HexLayout::Area::Text);
            QCOMPARE(layout.areaAt(0), HexLayout::Area::Offset);
            QCOMPARE(layout.areaAt(layout.structureX() + 1), HexLayout::Area::Structure);
        }
    }

    void automaticWidthFits()
    {
        for (const double cells : {10.0, 60.0, 80.0, 100.0, 150.0, 300.0}) {
            const int width = HexLayout::fittingBytesPerRow(1000, HexLayout::OffsetBase::Hex, cells);
            QVERIFY(width == 8 || HexLayout(1000, width).textEnd() + 1 <= cells);
            QVERIFY(width == 64 || HexLayout(1000, width * 2).textEnd() + 1 > cells);
        }
    }
};

QTEST_GUILESS_MAIN(TestHexLayout)
#include "tst_hexlayout.moc"
