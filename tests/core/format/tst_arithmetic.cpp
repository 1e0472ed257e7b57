// SPDX-License-Identifier: GPL-3.0-or-later
#include "format/arithmetic.h"

#include <QTest>

using namespace gguf;

class ArithmeticTest : public QObject
{
    Q_OBJECT
private slots:
    void sumsStopAtTheEnd()
    {
        QCOMPARE(saturatingAdd(2, 3), std::uint64_t{5});
        QCOMPARE(saturatingAdd(UINT64_MAX - 1, 1), UINT64_MAX);
        QCOMPARE(saturatingAdd(UINT64_MAX, 1), UINT64_MAX);
        QCOMPARE(saturatingAdd(UINT64_MAX, UINT64_MAX), UINT64_MAX);
    }
    void productsThatDoNotFitAreNothing()
    {
        constexpr std::uint64_t kHalf = std::uint64_t{1} << 32;
        QCOMPARE(checkedMultiply(0, UINT64_MAX), std::optional<std::uint64_t>(0));
        QCOMPARE(checkedMultiply(UINT64_MAX, 1), std::optional<std::uint64_t>(UINT64_MAX));
        QCOMPARE(checkedMultiply(kHalf, kHalf - 1), std::optional<std::uint64_t>(UINT64_MAX - kHalf + 1));
        QVERIFY(!checkedMultiply(kHalf, kHalf));
        QVERIFY(!checkedMultiply(UINT64_MAX, 2));
    }
};

QTEST_GUILESS_MAIN(ArithmeticTest)
#include "tst_arithmetic.moc"
