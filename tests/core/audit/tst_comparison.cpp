// SPDX-License-Identifier: GPL-3.0-or-later
#include "audit/comparison.h"
#include "audit/linediff.h"

#include "parse/parser.h"
#include "support/ggufwriter.h"

#include <QTest>

#include <algorithm>
#include <functional>
#include <limits>
#include <string>

namespace {

using Change = std::function<void(GgufWriter&)>;

gguf::Document parsed(const GgufWriter& writer)
{
    return gguf::parse(*writer.source());
}

/// A small model; `change` adds to it.
GgufWriter model(std::uint32_t type = kQ4K, gguf::ByteOrder order = gguf::ByteOrder::Little)
{
    GgufWriter writer(3, order);
    writer.kv("general.architecture", "llama").kv("llama.block_count", std::uint32_t{1});
    writer.tensor("token_embd.weight", kQ4K, {256, 4}).tensor("blk.0.attn_q.weight", type, {256, 2});
    return writer;
}

QStringList lines(const gguf::Comparison& comparison)
{
    QStringList result;
    const auto text = [](std::string_view view) {
        return QString::fromUtf8(view.data(), static_cast<qsizetype>(view.size()));
    };
    for (const auto& difference : comparison.header)
        result << QStringLiteral("header %1").arg(QString::fromStdString(difference.name));
    for (const auto& difference : comparison.metadata) {
        QString line = text(gguf::changeKindName(difference.kind)) + QLatin1Char(' ') + text(difference.key);
        if (difference.firstDifference)
            line += QStringLiteral(" at %1").arg(*difference.firstDifference);
        if (difference.isText)
            line += QStringLiteral(" text");
        result << line;
    }
    for (const auto& difference : comparison.differences) {
        QString line = text(gguf::changeKindName(difference.kind)) + QLatin1Char(' ') + text(difference.name);
        line += difference.type ? QStringLiteral(" type") : QString();
        line += difference.dims ? QStringLiteral(" dims") : QString();
        line += difference.size ? QStringLiteral(" size") : QString();
        line += QStringLiteral(" %1").arg(difference.byteChange.value_or(-999999));
        result << line;
    }
    return result;
}

QString diffText(std::string_view a, std::string_view b)
{
    QString text;
    for (const gguf::DiffLine& line : gguf::lineDiff(a, b).lines) {
        text += line.kind == gguf::DiffLine::Kind::Same ? QLatin1Char(' ')
            : line.kind == gguf::DiffLine::Kind::Added  ? QLatin1Char('+')
                                                        : QLatin1Char('-');
        text += QString::fromUtf8(line.text.data(), static_cast<qsizetype>(line.text.size()));
    }
    return text;
}

} // namespace

Q_DECLARE_METATYPE(Change)

class ComparisonTest : public QObject
{
    Q_OBJECT
private slots:
    void differences_data()
    {
        QTest::addColumn<Change>("a");
        QTest::addColumn<Change>("b");
        QTest::addColumn<QStringList>("expected");
        const auto row = [](const char* name, Change a, Change b, const char* expected) {
            QStringList list = QString::fromLatin1(expected).split(QLatin1Char('|'), Qt::SkipEmptyParts);
            QTest::newRow(name) << std::move(a) << std::move(b) << list;
        };
        const Change none = [](GgufWriter&) {};
        const auto kv = [](const char* key, auto value) -> Change {
            return [key, value](GgufWriter& writer) { writer.kv(key, value); };
        };
        using Ints = std::vector<std::int32_t>;
        using Strings = std::vector<std::string>;
        row("same", none, none, "");
        row("key added", none, kv("x", 1U), "added x");
        row("key removed", kv("x", 1U), none, "removed x");
        row("number", kv("x", 1U), kv("x", 2U), "changed x");
        row("value type", kv("x", 1U), kv("x", 1), "changed x");
        row("float -0", kv("x", 0.0F), kv("x", -0.0F), "changed x");
        row("float NaN", kv("x", std::numeric_limits<float>::quiet_NaN()),
            kv("x", std::numeric_limits<float>::quiet_NaN()), "");
        row("short string", kv("x", "one"), kv("x", "two"), "changed x");
        row("lines", kv("x", "one\ntwo"), kv("x", "one\nthree"), "changed x text");
        row("array element", kv("x", Ints{1, 2, 3}), kv("x", Ints{1, 5, 3}), "changed x at 1");
        row("array shorter", kv("x", Ints{1, 2, 3}), kv("x", Ints{1, 2}), "changed x at 2");
        row("array element type", kv("x", Ints{1}), kv("x", std::vector<float>{1}), "changed x at 0");
        row("strings", kv("x", Strings{"a", "bb", "c"}), kv("x", Strings{"a", "bb", "d"}), "changed x at 2");
        row("equal arrays", kv("x", Strings{"a", "bb"}), kv("x", Strings{"a", "bb"}), "");
        row("nested", kv("x", std::vector<Ints>{{1}, {2}}), kv("x", std::vector<Ints>{{1}, {3}}),
            "changed x at 1");
        row(
            "order", [](GgufWriter& w) { w.kv("x", 1U).kv("y", 2U); },
            [](GgufWriter& w) { w.kv("y", 2U).kv("x", 1U); }, "");
        row(
            "twice", [](GgufWriter& w) { w.kv("x", 1U).kv("x", 2U); }, kv("x", 1U), "removed x");
        row(
            "tensor added", none, [](GgufWriter& w) { w.tensor("output.weight", kF32, {4}); },
            "added output.weight 16");
        row(
            "tensor removed", [](GgufWriter& w) { w.tensor("output.weight", kF32, {4}); }, none,
            "removed output.weight -16");
        row(
            "dimensions",
            [](GgufWriter& w) {
                w.tensor("t", kF32, {4, 2});
            },
            [](GgufWriter& w) {
                w.tensor("t", kF32, {2, 4});
            },
            "changed t dims 0");
        row(
            "type", [](GgufWriter& w) { w.tensor("t", kQ4K, {256}); },
            [](GgufWriter& w) { w.tensor("t", kQ6K, {256}); }, "changed t type size 66");
        row(
            "tensor order and offsets",
            [](GgufWriter& w) { w.tensor("s", kF32, {4}).tensor("t", kF32, {8}); },
            [](GgufWriter& w) { w.tensor("t", kF32, {8}).tensor("s", kF32, {4}); }, "");
        row(
            "same size, other type", [](GgufWriter& w) { w.tensor("t", kF16, {4}); },
            [](GgufWriter& w) { w.tensor("t", kBF16, {4}); }, "changed t type 0");
    }

    void differences()
    {
        QFETCH(Change, a);
        QFETCH(Change, b);
        QFETCH(QStringList, expected);
        GgufWriter writerA = model(), writerB = model();
        a(writerA);
        b(writerB);
        const gguf::Comparison comparison = gguf::compareDocuments(parsed(writerA), parsed(writerB));
        QCOMPARE(lines(comparison), expected);
        QCOMPARE(comparison.same(), expected.isEmpty());
    }

    void byteOrderAloneIsOneDifference()
    {
        const auto fill = [](GgufWriter writer) {
            return writer.kv("x", std::vector<std::int32_t>{1, 2}).kv("f", 1.5).kv("s", "text");
        };
        const gguf::Comparison comparison
            = gguf::compareDocuments(parsed(fill(model())), parsed(fill(model(kQ4K, gguf::ByteOrder::Big))));
        QCOMPARE(lines(comparison), QStringList{QStringLiteral("header byte order")});
    }

    void sumsByLayerAndRole()
    {
        const gguf::Comparison comparison = gguf::compareDocuments(parsed(model()), parsed(model(kQ6K)));
        QCOMPARE(comparison.layers.size(), 2U);
        const gguf::ComparisonPart& layer = comparison.layers[1];
        QCOMPARE(layer.label, std::string("0"));
        QCOMPARE(layer.a.bytes, 288U);
        QCOMPARE(layer.b.bytes, 420U);
        QCOMPARE(layer.changed, 1U);
        QVERIFY(!comparison.layers[0].differs());
        QCOMPARE(comparison.totalB.bytes - comparison.totalA.bytes, 132U);
        QCOMPARE(comparison.matched.size(), 2U);
    }

    void lineDiffs_data()
    {
        QTest::addColumn<QByteArray>("a");
        QTest::addColumn<QByteArray>("b");
        QTest::addColumn<QString>("expected");
        QTest::newRow("both empty") << QByteArray() << QByteArray() << QString();
        QTest::newRow("all new") << QByteArray() << QByteArray("x\ny") << QStringLiteral("+x+y");
        QTest::newRow("middle") << QByteArray("a\nb\nc") << QByteArray("a\nx\nc")
                                << QStringLiteral(" a-b+x c");
        QTest::newRow("moved") << QByteArray("a\nb\nc\nd") << QByteArray("b\nc\nd\na")
                               << QStringLiteral("-a b c d+a");
        QTest::newRow("two places") << QByteArray("a\nb\nc\nd\ne") << QByteArray("a\nB\nc\nD\ne")
                                    << QStringLiteral(" a-b+B c-d+D e");
        QTest::newRow("repeated") << QByteArray("a\na\na") << QByteArray("a\na") << QStringLiteral(" a a-a");
    }

    void lineDiffs()
    {
        QFETCH(QByteArray, a);
        QFETCH(QByteArray, b);
        QFETCH(QString, expected);
        const std::string left = a.toStdString(), right = b.toStdString();
        QCOMPARE(diffText(left, right), expected);
    }

    void textsFarApartAreOneExchange()
    {
        std::string a, b;
        for (int i = 0; i < 3000; ++i) {
            a += "a" + std::to_string(i) + "\n";
            b += "b" + std::to_string(i) + "\n";
        }
        const auto diff = gguf::lineDiff(a, b).lines;
        QCOMPARE(diff.size(), 6000U);
        QVERIFY(diff.front().kind == gguf::DiffLine::Kind::Removed
            && diff.back().kind == gguf::DiffLine::Kind::Added);
    }

    /// A file may hold texts of any length: the work and the memory for them are bounded.
    void hugeTextsAreComparedFromTheirFirstDifferenceOn_data()
    {
        QTest::addColumn<std::string>("before");
        QTest::addColumn<std::string>("after");
        QTest::addColumn<bool>("cut");
        std::string longLines;
        for (int i = 0; i < 3000; ++i)
            longLines += std::string(1000, 'l') + "\n";
        QTest::newRow("empty lines behind") << std::string() << std::string(5'000'000, '\n') << true;
        QTest::newRow("empty lines before") << std::string(5'000'000, '\n') << std::string("end\n") << false;
        QTest::newRow("long lines behind") << std::string() << longLines << true;
        QTest::newRow("long lines before") << longLines << std::string("end\n") << false;
        QTest::newRow("one line behind") << std::string() << std::string(5'000'000, 'x') << false;
        QTest::newRow("one line before") << std::string(5'000'000, 'x') + "\n" << std::string("end\n") << false;
    }

    void hugeTextsAreComparedFromTheirFirstDifferenceOn()
    {
        QFETCH(std::string, before);
        QFETCH(std::string, after);
        QFETCH(bool, cut);
        const std::string a = before + "old\n" + after, b = before + "new\n" + after;
        const gguf::LineDiff diff = gguf::lineDiff(a, b);
        QCOMPARE(diff.cut, cut);
        QVERIFY(diff.lines.size() <= 2 * gguf::kMostDiffLines);
        std::size_t bytes = 0, same = 0;
        std::vector<std::string> changed;
        for (const gguf::DiffLine& line : diff.lines) {
            bytes += line.text.size() + 1;
            if (line.kind != gguf::DiffLine::Kind::Same)
                changed.emplace_back(line.text);
            else if (changed.empty())
                ++same;
        }
        QVERIFY(!cut || bytes <= 2 * gguf::kMostDiffBytes + 2000);
        QCOMPARE(changed, (std::vector<std::string>{"old", "new"}));
        QCOMPARE(diff.skipped + same, static_cast<std::size_t>(std::ranges::count(before, '\n')));
        QVERIFY(before.size() < gguf::kMostDiffBytes || diff.skipped > 0);
    }

    void aDifferenceFarInALongLineIsSeen()
    {
        const std::string line(5'000'000, 'x');
        const auto diff = gguf::lineDiff(line + "a", line + "b").lines;
        QCOMPARE(diff.size(), 2U);
        QVERIFY(diff[0].kind == gguf::DiffLine::Kind::Removed && diff[1].kind == gguf::DiffLine::Kind::Added);
    }

    void linesOfADiffRebuildBothTexts()
    {
        // Random texts of few different lines, so that many alignments are possible.
        std::uint32_t seed = 1;
        const auto random = [&seed](std::uint32_t most) {
            seed = seed * 1664525U + 1013904223U;
            return (seed >> 16) % most;
        };
        for (int round = 0; round < 300; ++round) {
            std::string texts[2];
            for (std::string& text : texts) {
                for (std::uint32_t i = 0, n = random(12); i < n; ++i)
                    text += std::string(1, static_cast<char>('a' + random(3))) + "\n";
            }
            std::string rebuilt[2];
            for (const gguf::DiffLine& line : gguf::lineDiff(texts[0], texts[1]).lines) {
                if (line.kind != gguf::DiffLine::Kind::Added)
                    rebuilt[0] += std::string(line.text) + "\n";
                if (line.kind != gguf::DiffLine::Kind::Removed)
                    rebuilt[1] += std::string(line.text) + "\n";
            }
            QCOMPARE(rebuilt[0], texts[0]);
            QCOMPARE(rebuilt[1], texts[1]);
        }
    }
};

QTEST_GUILESS_MAIN(ComparisonTest)
#include "tst_comparison.moc"
