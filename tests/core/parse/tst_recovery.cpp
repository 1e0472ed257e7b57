// SPDX-License-Identifier: GPL-3.0-or-later
// What is found again after a fault is right, marked, and counts for nothing; the counts suggested are the
// true ones.

#include "parse/parser.h"
#include "support/fakesource.h"
#include "support/ggufwriter.h"
#include "support/invariants.h"

#include <QTest>

#include <optional>

using namespace gguf;

namespace {

Document examine(const GgufWriter& writer)
{
    const auto source = writer.source();
    return inspectData(parse(*source), *source);
}

std::optional<Problem> find(const Document& document, Rule rule)
{
    for (std::size_t i = 0; i < document.problemCount(); ++i) {
        if (document.problem(i).rule == rule)
            return document.problem(i);
    }
    return {};
}

GgufWriter damaged()
{
    GgufWriter writer;
    writer.kv("general.architecture", "llama").kv("a.damaged", "text").statedLength(std::uint64_t{1} << 63);
    return writer;
}

} // namespace

class TestRecovery : public QObject
{
    Q_OBJECT

private slots:
    void recordsAreFoundAgain_data()
    {
        QTest::addColumn<bool>("big");
        QTest::newRow("little-endian") << false;
        QTest::newRow("big-endian") << true;
    }

    void recordsAreFoundAgain()
    {
        QFETCH(bool, big);
        std::vector<std::string> tokens;
        for (int i = 0; i < 1000; ++i)
            tokens.push_back("token" + std::to_string(i));
        GgufWriter writer = damaged();
        writer.byteOrder(big ? ByteOrder::Big : ByteOrder::Little);
        writer.kv("a.number", std::uint32_t{42}).kv("tokenizer.ggml.tokens", tokens);
        writer.tensor("blk.0.w", kF32, {8, 2}).tensor("blk.1.w", kF16, {4});
        const Document document = examine(writer);

        QCOMPARE(document.status(), Status::Partial);
        std::vector<std::string> keys;
        for (std::size_t i = 0; i < document.metadataCount(); ++i) {
            if (document.metadata(i).recovered)
                keys.emplace_back(document.key(i));
        }
        QCOMPARE(keys, (std::vector<std::string>{"a.number", "tokenizer.ggml.tokens"}));
        const std::size_t last = document.metadataCount() - 1;
        QCOMPARE(document.value(last - 1).asUnsigned(), std::uint64_t(42));
        QCOMPARE(document.value(last).available(), std::uint64_t(1000));
        QVERIFY(document.value(last).element(999).asString() == "token999");
        QVERIFY(document.value(last).element(130).asString() == "token130");
        QCOMPARE(document.tensorCount(), std::size_t(2));
        QVERIFY(document.tensor(0).recovered);
        QVERIFY(document.tensorName(1) == "blk.1.w");
        QCOMPARE(document.tensor(0).dataBytes.value_or(0), std::uint64_t(64));
        QCOMPARE(document.metadata(last).end, document.tensorRecord(0).offset);

        // Marked, and without a say.
        QVERIFY(find(document, Rule::MetadataRecovered));
        QVERIFY(find(document, Rule::TensorsRecovered));
        QVERIFY(!document.findKey("a.number"));
        QCOMPARE(document.problem(*document.verdicts().specReason).rule, Rule::StringLengthImpossible);
    }

    void recordsAreFoundInsideACutValue_data()
    {
        QTest::addColumn<int>("kind");
        QTest::newRow("string") << 0;
        QTest::newRow("array of numbers") << 1;
        QTest::newRow("array of strings") << 2;
    }

    /// A length that does not fit, yet is no larger than what a file may have lost.
    void recordsAreFoundInsideACutValue()
    {
        QFETCH(int, kind);
        GgufWriter writer;
        writer.kv("general.architecture", "llama");
        if (kind == 0)
            writer.kv("a.damaged", "text");
        else if (kind == 1)
            writer.kv("a.damaged", std::vector<std::uint16_t>{7, 8, 9});
        else
            writer.kv("a.damaged", std::vector<std::string>{"one", "two", "three"});
        writer.statedLength(1'000'000);
        writer.kv("a.number", std::uint32_t{42}).kv("a.text", "more");
        writer.tensor("blk.0.w", kF32, {8, 2}).tensor("blk.1.w", kF16, {4});
        const auto source = writer.source();
        const Document before = parse(*source);
        const std::uint64_t endBefore = before.metadata(1).end;
        const Document document = inspectData(before, *source);
        QCOMPARE(before.metadata(1).end, endBefore); // somebody may still be looking at it

        QCOMPARE(document.status(), Status::Partial);
        QVERIFY(find(document, Rule::MetadataTruncated) || find(document, Rule::StringLengthImpossible));
        std::vector<std::string> names;
        for (std::size_t i = 2; i < document.metadataCount(); ++i) {
            QVERIFY(document.metadata(i).recovered);
            names.emplace_back(document.key(i));
        }
        for (std::size_t i = 0; i < document.tensorCount(); ++i)
            names.emplace_back(document.tensorName(i));
        const std::vector<std::string> all{"a.number", "a.text", "blk.0.w", "blk.1.w"};
        // The strings of an array swallow the first records as more strings.
        QCOMPARE(names, kind == 2 ? std::vector<std::string>(all.begin() + 1, all.end()) : all);
        const ValueView value = document.value(1);
        QVERIFY(!document.metadata(1).complete);
        QCOMPARE(document.metadata(1).end <= writer.pairRange("a.number").offset, kind != 2);
        if (kind == 0)
            QVERIFY(value.asString() == "text");
        else
            QVERIFY(value.available() >= 3 && value.available() < 10);
        QVERIFY(brokenInvariant(document).empty());
    }

    /// The record that could not be read and the first one found again have the same number.
    void problemsBelongToNothingRecovered()
    {
        GgufWriter keys;
        keys.kv("general.architecture", "llama").statedKeyLength(UINT64_MAX);
        keys.kv("a.number", std::uint32_t{42}).kv("a.text", "more");
        const Document pairs = examine(keys);
        const auto key = find(pairs, Rule::KeyLengthImpossible);
        QVERIFY(key && pairs.metadataCount() == 2 && pairs.metadata(0).recovered);
        QVERIFY(!pairs.metadataOf(key->subject));
        QCOMPARE(pairs.subjectName(key->subject), std::string("metadata pair 1"));

        GgufWriter names;
        names.kv("general.architecture", "llama").tensor("a", kF32, {8}).statedNameLength(UINT64_MAX);
        names.tensor("b", kF32, {8}).tensor("c", kF32, {8});
        const Document tensors = examine(names);
        const auto name = find(tensors, Rule::TensorNameLengthImpossible);
        QVERIFY(name && tensors.tensorCount() == 2 && tensors.tensor(0).recovered);
        QVERIFY(!tensors.tensorOf(name->subject));
        QCOMPARE(tensors.subjectName(name->subject), std::string("tensor 1"));
    }

    void recoveryIsBounded()
    {
        GgufWriter writer = damaged();
        writer.trailing(std::string(std::size_t{20} << 20, '\0'));
        FakeSource source(writer.bytes());
        const Document document = parse(source);
        const std::uint64_t before = source.bytesRead();
        inspectData(document, source);
        QVERIFY(source.bytesRead() - before < (std::uint64_t{19} << 20));
    }

    void recoveryStopsWhenAsked()
    {
        FakeSource source(damaged().kv("a.b", true).kv("a.c", true).bytes());
        const Document document = parse(source);
        std::stop_source stop;
        stop.request_stop();
        ParseOptions options;
        options.stop = stop.get_token();
        const std::uint64_t before = source.reads();
        QCOMPARE(inspectData(document, source, options).problemCount(), document.problemCount());
        QCOMPARE(source.reads(), before);
    }

    void aCutFileHasNothingToRecover()
    {
        GgufWriter writer;
        writer.kv("general.architecture", "llama")
            .kv("a.template", std::string(2000, '\n'))
            .kv("a.b", "some text");
        const auto whole = writer.bytes();
        for (std::size_t length = 24; length < whole.size(); ++length) {
            GgufWriter cut = writer;
            const Document document = examine(cut.truncateTo(length));
            QVERIFY(!find(document, Rule::MetadataRecovered));
            QVERIFY(!find(document, Rule::TextConversion));
        }
    }

    void theTrueCountIsSuggested_data()
    {
        QTest::addColumn<quint32>("version");
        QTest::addColumn<bool>("big");
        QTest::addColumn<qint64>("pairs");
        QTest::addColumn<qint64>("tensors");
        const std::tuple<const char*, quint32, bool> layouts[]
            = {{"little-endian", 3, false}, {"big-endian", 3, true}, {"version 1", 1, false}};
        constexpr qint64 kAbsurd = 1'000'000'000;
        for (const auto& [layout, version, big] : layouts) {
            for (const qint64 pairs : {qint64(0), qint64(1), qint64(2), qint64(4), qint64(5), qint64(1000), kAbsurd})
                QTest::addRow("%s, %d pairs stated of 3", layout, int(pairs)) << version << big << pairs << qint64(4);
            for (const qint64 tensors : {qint64(0), qint64(1), qint64(3), qint64(5), qint64(6), qint64(1000), kAbsurd})
                QTest::addRow("%s, %d tensors stated of 4", layout, int(tensors)) << version << big << qint64(3) << tensors;
        }
    }

    void theTrueCountIsSuggested()
    {
        QFETCH(quint32, version);
        QFETCH(bool, big);
        QFETCH(qint64, pairs);
        QFETCH(qint64, tensors);
        GgufWriter writer(version, big ? ByteOrder::Big : ByteOrder::Little);
        writer.kv("general.architecture", "llama").kv("a.b", std::uint32_t{7}).kv("a.c", "text");
        for (const char* name : {"blk.0.q", "blk.0.k", "blk.0.v", "blk.0.o"})
            writer.tensor(name, kF32, {8, 4});
        writer.statedMetadataCount(std::uint64_t(pairs)).statedTensorCount(std::uint64_t(tensors));
        const Document document = examine(writer);
        const auto suggestion = find(document, Rule::CountSuggestion);
        QVERIFY(suggestion);
        QCOMPARE(suggestion->expected, std::string(pairs != 3 ? "3" : "4"));
        const std::uint64_t width = version == 1 ? 4 : 8;
        QCOMPARE(suggestion->range, (ByteRange{pairs != 3 ? 8 + width : 8, width}));
    }

    /// Where counts and lengths are right nobody is told otherwise, however little of the file there is.
    void trueNumbersAreLeftAlone()
    {
        GgufWriter writer;
        writer.kv("general.architecture", "llama").kv("a.b", std::uint32_t{7}).kv("a.c", std::string(100, ' '));
        for (const char* name : {"blk.0.q", "blk.0.k", "blk.0.v", "blk.0.o"})
            writer.tensor(name, kF32, {8, 4});
        const std::uint64_t size = writer.size();
        for (std::uint64_t length = 24; length <= size; ++length) {
            GgufWriter cut = writer;
            const Document document = examine(cut.truncateTo(length));
            QVERIFY2(!find(document, Rule::CountSuggestion), qPrintable(QString::number(length)));
            QVERIFY2(!find(document, Rule::LengthSuggestion), qPrintable(QString::number(length)));
        }
    }

    void theShiftIsNamed()
    {
        GgufWriter writer;
        writer.kv("general.architecture", "llama").tensor("a", kF32, {8}).tensor("b", kF32, {8});
        const std::uint64_t absolute = writer.dataOffset();
        const Document document = examine(writer.shiftOffsets(absolute));
        const auto shift = find(document, Rule::OffsetsShifted);
        QVERIFY(shift);
        QVERIFY(shift->found.starts_with("each offset is " + std::to_string(absolute) + " bytes too large"));
        QVERIFY(shift->found.find("from the start of the file") != std::string::npos);
        GgufWriter small;
        small.tensor("a", kF32, {8}).tensor("b", kF32, {8});
        const Document negative = examine(small.shiftOffsets(std::uint64_t(-32)));
        QVERIFY(find(negative, Rule::OffsetsShifted));
        QVERIFY(find(negative, Rule::OffsetsShifted)->found.starts_with("each offset is 32 bytes too small"));
    }
};

QTEST_GUILESS_MAIN(TestRecovery)
#include "tst_recovery.moc"
