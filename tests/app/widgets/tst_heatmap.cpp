// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/heatmap.h"

#include "support/qt/pixels.h"

#include <QPainter>
#include <QSignalSpy>
#include <QTest>

namespace {

const QColor kColor(0x10, 0x80, 0x90);

HeatMapData map(int columns, int rows)
{
    HeatMapData data;
    for (int column = 0; column < columns; ++column)
        data.columns += QString::number(column);
    for (int row = 0; row < rows; ++row) {
        data.rows += QStringLiteral("role_%1").arg(row);
        for (int column = 0; column < columns; ++column) {
            HeatMapCell cell;
            if (row > 0 || column == 0) // the first row is empty but for one cell
                cell.color = kColor;
            cell.label = QStringLiteral("Q4_K");
            cell.description = QStringLiteral("cell %1 %2").arg(row).arg(column);
            data.cells.push_back(cell);
        }
    }
    HeatMapTotal bytes{QStringLiteral("Bytes"), {}, {}};
    for (int row = 0; row < rows; ++row)
        bytes.values += QStringLiteral("1 MiB");
    data.rowTotals = {bytes};
    return data;
}

} // namespace

class TestHeatMap : public QObject
{
    Q_OBJECT
private slots:
    void fits_data()
    {
        QTest::addColumn<int>("columns");
        QTest::addColumn<int>("rows");
        QTest::newRow("large") << 126 << 20;
        QTest::newRow("small") << 3 << 20;
        QTest::newRow("single") << 1 << 1;
    }
    void fits()
    {
        QFETCH(const int, columns);
        QFETCH(const int, rows);
        HeatMap heat;
        heat.resize(1000, 420);
        heat.setData(map(columns, rows));
        heat.show();
        QCoreApplication::processEvents();
        const QRect last = heat.cellRect({rows - 1, columns - 1});
        QVERIFY(heat.viewport()->rect().contains(last));
        QCOMPARE(heat.cellAt(last.center()), (HeatMap::Cell{rows - 1, columns - 1}));
        QCOMPARE(heat.cellAt(QPoint(1, 1)), HeatMap::Cell());
        const int painted = pixelsOf(heat.grab().toImage(), kColor);
        QVERIFY(painted > last.width() * last.height() / 3);
    }

    void chooseByMouse()
    {
        HeatMap heat;
        heat.resize(600, 300);
        heat.setData(map(8, 5));
        heat.show();
        QCoreApplication::processEvents();
        QSignalSpy changed(&heat, &HeatMap::selectionChanged);
        const auto at = [&](int row, int column) { return heat.cellRect({row, column}).center(); };
        QTest::mouseClick(heat.viewport(), Qt::LeftButton, {}, at(2, 3));
        QCOMPARE(heat.selectedCells(), (std::vector<HeatMap::Cell>{{2, 3}}));
        QTest::mouseClick(heat.viewport(), Qt::LeftButton, Qt::ControlModifier, at(4, 1));
        QCOMPARE(heat.selectedCells(), (std::vector<HeatMap::Cell>{{2, 3}, {4, 1}}));
        QTest::mouseClick(heat.viewport(), Qt::LeftButton, {}, at(0, 2)); // an empty cell
        QVERIFY(heat.selectedCells().empty());
        QCOMPARE(changed.count(), 3);
        // Rubber band over 2 x 2 cells
        QTest::mousePress(heat.viewport(), Qt::LeftButton, {}, at(1, 1));
        QMouseEvent move(QEvent::MouseMove, at(2, 2), heat.viewport()->mapToGlobal(at(2, 2)), Qt::NoButton,
            Qt::LeftButton, {});
        QCoreApplication::sendEvent(heat.viewport(), &move);
        QTest::mouseRelease(heat.viewport(), Qt::LeftButton, {}, at(2, 2));
        QCOMPARE(heat.selectedCells().size(), std::size_t(4));
        // A row's heading chooses the row
        QTest::mouseClick(heat.viewport(), Qt::LeftButton, {}, QPoint(10, at(3, 0).y()));
        QCOMPARE(heat.selectedCells().size(), std::size_t(8));
    }

    void chooseByKeys()
    {
        HeatMap heat;
        heat.resize(600, 300);
        heat.setData(map(8, 5));
        heat.setCurrent({1, 1});
        QSignalSpy activated(&heat, &HeatMap::activated);
        QTest::keyClick(&heat, Qt::Key_Right);
        QCOMPARE(heat.selectedCells(), (std::vector<HeatMap::Cell>{{1, 2}}));
        QTest::keyClick(&heat, Qt::Key_Down, Qt::ShiftModifier);
        QCOMPARE(heat.selectedCells(), (std::vector<HeatMap::Cell>{{1, 2}, {2, 2}}));
        QTest::keyClick(&heat, Qt::Key_Return);
        QCOMPARE(activated.count(), 1);
        QTest::keyClick(&heat, Qt::Key_Escape);
        QVERIFY(heat.selectedCells().empty());
        QVERIFY(heat.accessibleDescription().contains(u"cell 2 2"));
    }

    void zoomsAndFitsAgain()
    {
        HeatMap heat;
        heat.resize(600, 300);
        heat.setData(map(126, 20));
        heat.show();
        QCoreApplication::processEvents();
        const int fitted = heat.cellRect({0, 0}).width();
        heat.zoomBy(4);
        QVERIFY(!heat.isFitted());
        QVERIFY(heat.cellRect({0, 0}).width() > 3 * fitted);
        heat.setCurrent({19, 125});
        QVERIFY(heat.viewport()->rect().contains(heat.cellRect({19, 125}).center()));
        heat.zoomToFit();
        QCOMPARE(heat.cellRect({0, 0}).width(), fitted);
    }

    void exportsWithoutTheSelection()
    {
        HeatMap heat;
        heat.setData(map(3, 4));
        const QSize size = heat.naturalSize().toSize();
        const auto painted = [&](double scale) {
            QImage image(size * scale, QImage::Format_RGB32);
            image.fill(Qt::white);
            QPainter painter(&image);
            painter.scale(scale, scale);
            heat.paintTo(painter, size);
            return image;
        };
        const QImage before = painted(1);
        QVERIFY(pixelsOf(before, kColor) > 10 * 20 * 10);
        QVERIFY(pixelsOf(painted(2), kColor) > 3 * pixelsOf(before, kColor));
        heat.setSelectedCells({{1, 1}});
        QVERIFY(painted(1) == before);
    }
};

QTEST_MAIN(TestHeatMap)
#include "tst_heatmap.moc"
