// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/numbertext.h"
#include "models/roworder.h"
#include "models/tabletext.h"

#include <QTest>

using namespace Qt::StringLiterals;

/// Numbers, names and tables as text.
class TestNumbers : public QObject
{
    Q_OBJECT
private slots:
    void sizes();
    void offsets();
    void parametersAndShares();
    void names_data();
    void names();
    void csv_data();
    void csv();
    void markdownAndJson();
};

void TestNumbers::sizes()
{
    QCOMPARE(NumberText::count(0), u"0"_s);
    QCOMPARE(NumberText::count(999), u"999"_s);
    QCOMPARE(NumberText::count(1000), u"1,000"_s);
    QCOMPARE(NumberText::count(UINT64_MAX), u"18,446,744,073,709,551,615"_s);
    QCOMPARE(NumberText::size(1), u"1 byte"_s);
    QCOMPARE(NumberText::size(1023), u"1,023 bytes"_s);
    QCOMPARE(NumberText::size(1024), u"1.00 KiB (1,024 bytes)"_s);
    QCOMPARE(NumberText::size(4920739872), u"4.58 GiB (4,920,739,872 bytes)"_s);
    QCOMPARE(NumberText::shortSize((std::uint64_t{1} << 20) - 1), u"1.00 MiB"_s);
    QCOMPARE(NumberText::shortSize(UINT64_MAX), u"16.0 EiB"_s);
}

void TestNumbers::offsets()
{
    QCOMPARE(NumberText::hex(0x1a2b0), u"0x1A2B0"_s);
    QCOMPARE(NumberText::hex(0x1a2b0, 8), u"0x0001A2B0"_s);
    QCOMPARE(NumberText::hex(UINT64_MAX, 8), u"0xFFFFFFFFFFFFFFFF"_s);
    QCOMPARE(NumberText::offset(107184), u"0x1A2B0 (107,184)"_s);
    QCOMPARE(NumberText::offsetDigits(0), 8);
    QCOMPARE(NumberText::offsetDigits(0xFFFFFFFF), 8);
    QCOMPARE(NumberText::offsetDigits(0x100000000), 10);
    QCOMPARE(NumberText::offsetDigits(UINT64_MAX), 16);
    QCOMPARE(NumberText::range(0x10, 16), u"0x10 to 0x1F (16 bytes)"_s);
    QCOMPARE(NumberText::range(0x10, 0), u"0x10 (0 bytes)"_s);
}

void TestNumbers::parametersAndShares()
{
    QCOMPARE(NumberText::parameters(512), u"512"_s);
    QCOMPARE(NumberText::parameters(8030261312), u"8.03 B"_s);
    QCOMPARE(NumberText::parameters(999'999), u"1.00 M"_s);
    QCOMPARE(NumberText::share(1, 8), u"12.5 %"_s);
    QCOMPARE(NumberText::share(0, 8), u"0.0 %"_s);
    QCOMPARE(NumberText::share(8, 8), u"100.0 %"_s);
    QCOMPARE(NumberText::share(1, 1'000'000), u"< 0.1 %"_s);
    QCOMPARE(NumberText::share(999'999, 1'000'000), u"> 99.9 %"_s);
    QCOMPARE(NumberText::share(0, 0), QString());
    QCOMPARE(NumberText::bitsPerWeight(4.5), u"4.50"_s);
    QCOMPARE(NumberText::bitsPerWeight({}), QString());
}

void TestNumbers::names_data()
{
    QTest::addColumn<QByteArray>("first");
    QTest::addColumn<QByteArray>("second");
    QTest::newRow("numbers count") << "blk.2.w"_ba << "blk.10.w"_ba;
    QTest::newRow("zeros in front") << "blk.02.w"_ba << "blk.10.w"_ba;
    QTest::newRow("no number is too long") << "w99999999999999999999999"_ba << "w100000000000000000000000"_ba;
    QTest::newRow("without case") << "Abc"_ba << "abd"_ba;
    QTest::newRow("prefix") << "blk.1"_ba << "blk.1.w"_ba;
    QTest::newRow("same number, rest decides") << "a1b"_ba << "a1c"_ba;
    QTest::newRow("equal but for zeros") << "a01"_ba << "a1"_ba;
}

void TestNumbers::names()
{
    QFETCH(QByteArray, first);
    QFETCH(QByteArray, second);
    QVERIFY(naturalCompare(first.toStdString(), second.toStdString()) < 0);
    QVERIFY(naturalCompare(second.toStdString(), first.toStdString()) > 0);
    QVERIFY(naturalCompare(first.toStdString(), first.toStdString()) == 0);
}

void TestNumbers::csv_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("cell");
    QTest::newRow("plain") << u"blk.0.attn_q.weight"_s << u"blk.0.attn_q.weight"_s;
    QTest::newRow("comma and quote") << u"a,\"b\""_s << u"\"a,\"\"b\"\"\""_s;
    QTest::newRow("line break") << u"a\nb"_s << u"\"a\nb\""_s;
    QTest::newRow("=") << u"=1+1"_s << u"'=1+1"_s;
    QTest::newRow("+") << u"+1"_s << u"'+1"_s;
    QTest::newRow("-") << u"-1"_s << u"'-1"_s;
    QTest::newRow("@") << u"@SUM(A1)"_s << u"'@SUM(A1)"_s;
    QTest::newRow("tab") << u"\t=1"_s << u"'\t=1"_s;
    QTest::newRow("formula with comma") << u"=HYPERLINK(\"x\",\"y\")"_s << u"\"'=HYPERLINK(\"\"x\"\",\"\"y\"\")\""_s;
}

void TestNumbers::csv()
{
    QFETCH(QString, text);
    QTEST(TableText::csvCell(text), "cell");
}

void TestNumbers::markdownAndJson()
{
    QCOMPARE(TableText::markdownCell(u"a|b\n<img>"_s), u"a\\|b \\<img\\>"_s);
    QCOMPARE(TableText::jsonString(u"a\"\n\\"_s), u"\"a\\\"\\n\\\\\""_s);
}

QTEST_APPLESS_MAIN(TestNumbers)
#include "tst_numbers.moc"
