// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/verdictbadge.h"

#include <QTest>

using namespace Qt::StringLiterals;

class VerdictBadgeTest : public QObject
{
    Q_OBJECT
private slots:
    void textStandsInTheMiddle_data();
    void textStandsInTheMiddle();
};

void VerdictBadgeTest::textStandsInTheMiddle_data()
{
    QTest::addColumn<QString>("reason");
    QTest::newRow("no reason") << QString();
    QTest::newRow("one line") << u"A key occurs twice"_s;
}

void VerdictBadgeTest::textStandsInTheMiddle()
{
    QFETCH(QString, reason);
    VerdictBadge badge;
    badge.setVerdict(gguf::Severity::Error, u"not valid"_s, reason, {});
    badge.resize(badge.sizeHint().expandedTo({290, 60}));
    const QImage image = badge.grab().toImage();
    int first = image.height(), last = -1;
    for (int y = 4; y < image.height() - 4; ++y) {
        for (int x = 48; x < image.width() - 8; ++x) { // right of the icon
            if (qGray(image.pixel(x, y)) < 110) {
                first = qMin(first, y);
                last = y;
            }
        }
    }
    QVERIFY(last > first);
    QVERIFY2(qAbs((first + last) / 2 - image.height() / 2) <= 3, qPrintable(u"%1 to %2"_s.arg(first).arg(last)));
}

QTEST_MAIN(VerdictBadgeTest)
#include "tst_verdictbadge.moc"
