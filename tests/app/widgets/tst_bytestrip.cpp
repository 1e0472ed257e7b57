// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/bytestrip.h"

#include "support/qt/pixels.h"

#include <QSignalSpy>
#include <QTest>

namespace {

constexpr quint64 kHuge = 400'000'000'000;

/// A header, half of the file, 16 bytes that two claim, the other half.
std::shared_ptr<const ByteStripMap> parts()
{
    ByteStripMap map;
    map.append(24, QColor(Qt::red).rgb());
    map.append(24 + kHuge / 2, QColor(Qt::green).rgb());
    map.append(40 + kHuge / 2, QColor(Qt::blue).rgb(), ByteStripMap::Style::Hatched);
    map.append(kHuge, QColor(Qt::yellow).rgb());
    return std::make_shared<const ByteStripMap>(std::move(map));
}

} // namespace

class TestByteStrip : public QObject
{
    Q_OBJECT
private slots:
    void scalesAreMonotoneAndReachBothEnds()
    {
        for (const quint64 focus : {quint64(0), quint64(1000), kHuge / 2, kHuge - 1, kHuge}) {
            const ByteStripScale scale(kHuge, 1000, focus);
            QCOMPARE(scale.fromLens(0), quint64(0));
            QCOMPARE(scale.fromLens(1000), kHuge);
            QCOMPARE(scale.fromScale(1000), kHuge);
            QCOMPARE(scale.toLens(0), 0.0);
            QCOMPARE(scale.toLens(kHuge), 1000.0);
            quint64 before = 0;
            for (int x = 0; x <= 1000; ++x) {
                QVERIFY(scale.fromLens(x) >= before);
                before = scale.fromLens(x);
            }
        }
        // 24 bytes in 400 GB: invisible to scale, some pixels wide in the lens
        const ByteStripScale scale(kHuge, 1000, 0);
        QVERIFY(scale.toScale(24) < 0.001);
        QVERIFY(scale.toLens(24) > 20);
        QCOMPARE(ByteStripScale(0, 100, 0).fromLens(50), quint64(0));
    }

    void stretchesLieSideBySide()
    {
        const std::shared_ptr<const ByteStripMap> map = parts();
        QCOMPARE(map->size(), kHuge);
        QCOMPARE(map->count(), std::size_t(4));
        for (std::size_t i = 0; i < map->count(); ++i) {
            QCOMPARE(map->indexAt((*map)[i].offset), i);
            QCOMPARE(map->indexAt(map->end(i) - 1), i);
        }
        QCOMPARE(map->end(3), kHuge);
        QCOMPARE(map->markedIn(0, kHuge), std::optional<std::size_t>(2));
        QVERIFY(!map->markedIn(0, 24 + kHuge / 2));
        QVERIFY(!map->markedIn(40 + kHuge / 2, kHuge));
        ByteStripMap empty;
        empty.append(0, 0);
        QCOMPARE(empty.count(), std::size_t(0));
    }

    void smallThingsAreSeen()
    {
        ByteStrip strip;
        strip.resize(600, 40);
        strip.setMap(parts());
        const QImage image = strip.grab().toImage();
        QVERIFY(pixelsOf(image, Qt::red) > 50); // the header, in the lens
        QVERIFY(pixelsOf(image, Qt::blue) > 3); // the overlap of 16 bytes, by its mark
        QVERIFY(pixelsOf(image, Qt::white) > 0); // hatched in what is seen on blue
        QVERIFY(pixelsOf(image, Qt::green) > 1000);
    }

    void clickAndKeysChoose()
    {
        ByteStrip strip;
        strip.resize(606, 40);
        strip.setMap(parts());
        strip.setToolTipText([](quint64 offset) { return QStringLiteral("at %1").arg(offset); });
        QSignalSpy activated(&strip, &ByteStrip::activated);
        QTest::mouseClick(&strip, Qt::LeftButton, {}, QPoint(303, 8)); // the middle, to scale
        QCOMPARE(activated.count(), 1);
        const double share = double(activated[0][0].toULongLong()) / double(kHuge);
        QVERIFY2(qAbs(share - 0.5) < 0.01, qPrintable(QString::number(share)));
        QTest::keyClick(&strip, Qt::Key_Home);
        QCOMPARE(strip.position(), quint64(0));
        QTest::keyClick(&strip, Qt::Key_Right);
        QCOMPARE(strip.position(), quint64(24));
        QTest::keyClick(&strip, Qt::Key_Right);
        QCOMPARE(strip.position(), 24 + kHuge / 2);
        QTest::keyClick(&strip, Qt::Key_Left);
        QCOMPARE(strip.position(), quint64(24));
        QTest::keyClick(&strip, Qt::Key_End);
        QCOMPARE(strip.position(), kHuge - 1);
        QCOMPARE(strip.accessibleDescription(), QStringLiteral("at %1").arg(kHuge - 1));
        strip.setPosition(5); // by a follower: no signal
        QCOMPARE(activated.count(), 6);
    }

    void emptyStripIsQuiet()
    {
        ByteStrip strip;
        QSignalSpy activated(&strip, &ByteStrip::activated);
        strip.grab();
        QTest::keyClick(&strip, Qt::Key_End);
        QTest::keyClick(&strip, Qt::Key_Right);
        QTest::mouseClick(&strip, Qt::LeftButton);
        QVERIFY(activated.isEmpty());
    }
};

QTEST_MAIN(TestByteStrip)
#include "tst_bytestrip.moc"
