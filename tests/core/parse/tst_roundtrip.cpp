// SPDX-License-Identifier: GPL-3.0-or-later
#include "format/tensortype.h"
#include "parse/parser.h"
#include "support/ggufwriter.h"
#include "support/invariants.h"
#include "support/walk.h"

#include <QTest>

#include <limits>

using namespace gguf;

/// What the test writer writes is what the parser reads: every value type, every tensor type, both byte orders,
/// all versions.
class RoundTripTest : public QObject
{
    Q_OBJECT
private slots:
    void scalars_data() { versionsAndOrders(); }
    void scalars();
    void arrays_data() { versionsAndOrders(); }
    void arrays();
    void longArrays_data() { versionsAndOrders(); }
    void longArrays();
    void tensorTypes_data() { versionsAndOrders(); }
    void tensorTypes();
    void places_data() { versionsAndOrders(); }
    void places();
    void alignments_data();
    void alignments();

private:
    static void versionsAndOrders();
    static GgufWriter writer();
    static Document read(const GgufWriter& writer);
};

void RoundTripTest::versionsAndOrders()
{
    QTest::addColumn<quint32>("version");
    QTest::addColumn<bool>("big");
    for (const quint32 version : {1U, 2U, 3U}) {
        for (const bool big : {false, true})
            QTest::addRow("version %u, %s", version, big ? "big" : "little") << version << big;
    }
}

GgufWriter RoundTripTest::writer()
{
    QFETCH(quint32, version);
    QFETCH(bool, big);
    return GgufWriter(version, big ? ByteOrder::Big : ByteOrder::Little);
}

Document RoundTripTest::read(const GgufWriter& writer)
{
    const auto source = writer.source();
    Document document = parse(*source);
    const std::string broken = brokenInvariant(document);
    if (!broken.empty())
        qFatal("%s", broken.c_str());
    walkEverything(document);
    return document;
}

void RoundTripTest::scalars()
{
    using Limits8 = std::numeric_limits<std::int8_t>;
    GgufWriter written = writer();
    written.kv("u8", std::uint8_t{255}).kv("i8", Limits8::min()).kv("u16", std::uint16_t{65535});
    written.kv("i16", std::int16_t{-32768}).kv("u32", std::uint32_t{4294967295}).kv("i32", std::int32_t{-2147483647});
    written.kv("u64", UINT64_MAX).kv("i64", INT64_MIN).kv("f32", -1.5F).kv("f64", 1e300);
    written.kv("yes", true).kv("no", false).kv("text", "L\xC3\xB6we").kv("empty", "");
    const Document document = read(written);
    QVERIFY(document.status() == Status::Ok);
    QCOMPARE(document.metadataCount(), std::size_t{14});

    const auto value = [&](std::string_view key) { return document.findValue(key).value(); };
    QCOMPARE(value("u8").asUnsigned(), 255U);
    QCOMPARE(value("i8").asSigned(), -128);
    QCOMPARE(value("u16").asUnsigned(), 65535U);
    QCOMPARE(value("i16").asSigned(), -32768);
    QCOMPARE(value("u32").asUnsigned(), 4294967295U);
    QCOMPARE(value("i32").asSigned(), -2147483647);
    QCOMPARE(value("u64").asUnsigned(), UINT64_MAX);
    QCOMPARE(value("i64").asSigned(), INT64_MIN);
    QCOMPARE(value("f32").asDouble(), -1.5);
    QCOMPARE(value("f64").asDouble(), 1e300);
    QCOMPARE(value("yes").asUnsigned(), 1U);
    QCOMPARE(value("no").asUnsigned(), 0U);
    QCOMPARE(value("text").asString(), std::string_view("L\xC3\xB6we"));
    QCOMPARE(value("empty").asString(), std::string_view());
    constexpr ValueType kTypes[] = {ValueType::UInt8, ValueType::Int8, ValueType::UInt16, ValueType::Int16,
        ValueType::UInt32, ValueType::Int32, ValueType::UInt64, ValueType::Int64, ValueType::Float32,
        ValueType::Float64, ValueType::Bool, ValueType::Bool, ValueType::String, ValueType::String};
    for (std::size_t i = 0; i < std::size(kTypes); ++i)
        QVERIFY(document.value(i).type() == kTypes[i]);
}

template <class T>
static void compareNumbers(const Document& document, std::string_view key, const std::vector<T>& expected)
{
    const ValueView array = document.findValue(key).value();
    QCOMPARE(array.elementTypeId(), GgufWriter::typeId<T>());
    QCOMPARE(array.count(), expected.size());
    QCOMPARE(array.available(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        if constexpr (std::is_floating_point_v<T>)
            QCOMPARE(array.element(i).asDouble(), static_cast<double>(expected[i]));
        else
            QCOMPARE(static_cast<T>(array.element(i).asUnsigned()), static_cast<T>(expected[i]));
    }
}

void RoundTripTest::arrays()
{
    const std::vector<std::uint8_t> u8{0, 1, 255};
    const std::vector<std::int8_t> i8{-128, 127};
    const std::vector<std::uint16_t> u16{1, 65535};
    const std::vector<std::int16_t> i16{-1, 1};
    const std::vector<std::uint32_t> u32{7, 4294967295};
    const std::vector<std::int32_t> i32{-7};
    const std::vector<std::uint64_t> u64{UINT64_MAX, 0};
    const std::vector<std::int64_t> i64{INT64_MIN, INT64_MAX};
    const std::vector<float> f32{0.5F, -2.25F};
    const std::vector<double> f64{1e-300, 3.0};
    const std::vector<bool> bools{true, false, true};
    GgufWriter written = writer();
    written.kv("u8", u8).kv("i8", i8).kv("u16", u16).kv("i16", i16).kv("u32", u32).kv("i32", i32).kv("u64", u64);
    written.kv("i64", i64).kv("f32", f32).kv("f64", f64).kv("bools", bools);
    written.kv("none", std::vector<std::uint32_t>{}).kv("texts", std::vector<std::string>{"", "b", "a longer one"});
    written.kv("nested", std::vector<std::vector<std::vector<std::string>>>{{{"x", "y"}, {}}, {}, {{"z"}}});
    const Document document = read(written);
    QVERIFY(document.status() == Status::Ok);
    compareNumbers(document, "u8", u8);
    compareNumbers(document, "i8", i8);
    compareNumbers(document, "u16", u16);
    compareNumbers(document, "i16", i16);
    compareNumbers(document, "u32", u32);
    compareNumbers(document, "i32", i32);
    compareNumbers(document, "u64", u64);
    compareNumbers(document, "i64", i64);
    compareNumbers(document, "f32", f32);
    compareNumbers(document, "f64", f64);
    compareNumbers(document, "bools", bools);
    compareNumbers(document, "none", std::vector<std::uint32_t>{});
    const ValueView texts = document.findValue("texts").value();
    QCOMPARE(texts.count(), 3U);
    QCOMPARE(texts.element(0).asString(), std::string_view());
    QCOMPARE(texts.element(2).asString(), std::string_view("a longer one"));
    const ValueView nested = document.findValue("nested").value();
    QCOMPARE(nested.count(), 3U);
    QCOMPARE(nested.element(0).element(0).element(1).asString(), std::string_view("y"));
    QCOMPARE(nested.element(0).element(1).count(), 0U);
    QCOMPARE(nested.element(1).count(), 0U);
    QCOMPARE(nested.element(2).element(0).element(0).asString(), std::string_view("z"));
}

void RoundTripTest::longArrays()
{
    // Longer than the stride of the index, longer than a window of reading.
    std::vector<std::string> tokens;
    for (int i = 0; i < 200'000; ++i)
        tokens.push_back("token " + std::to_string(i));
    std::vector<std::vector<std::uint16_t>> lists;
    for (std::uint16_t i = 0; i < 1000; ++i)
        lists.push_back(std::vector<std::uint16_t>(i % 7, i));
    GgufWriter written = writer();
    written.kv("tokens", tokens).kv("lists", lists).kv("after", std::uint32_t{42});
    const Document document = read(written);
    QVERIFY(document.status() == Status::Ok);
    QCOMPARE(document.unsignedValue("after").value_or(0), 42U);
    const ValueView array = document.findValue("tokens").value();
    QCOMPARE(array.available(), 200'000U);
    for (std::size_t i = 0; i < tokens.size(); i += 997)
        QCOMPARE(array.element(i).asString(), std::string_view(tokens[i]));
    QCOMPARE(array.element(199'999).asString(), std::string_view("token 199999"));
    const ValueView nested = document.findValue("lists").value();
    for (std::size_t i = 0; i < lists.size(); i += 13) {
        QCOMPARE(nested.element(i).count(), lists[i].size());
        if (!lists[i].empty())
            QCOMPARE(nested.element(i).element(lists[i].size() - 1).asUnsigned(), std::uint64_t{lists[i].back()});
    }
}

void RoundTripTest::tensorTypes()
{
    GgufWriter written = writer();
    std::vector<const TensorTypeInfo*> types;
    for (const TensorTypeInfo& type : allTensorTypes()) {
        // Ids with several meanings are decided by the room that tensors have: not here.
        if (type.blockLength == 0 || type.id >= 43 || tensorTypeLayouts(type.id).size() != 1)
            continue;
        types.push_back(&type);
        written.tensor("t" + std::to_string(type.id), type.id, {std::uint64_t{4} * type.blockLength, 3, 2});
    }
    QVERIFY(types.size() >= 25);
    const Document document = read(written);
    QVERIFY(document.status() == Status::Ok);
    QCOMPARE(document.tensorCount(), types.size());
    for (std::size_t i = 0; i < types.size(); ++i) {
        const Tensor tensor = document.tensor(i);
        QCOMPARE(tensor.typeName(), std::string(types[i]->name));
        QCOMPARE(tensor.elements.value(), std::uint64_t{24} * types[i]->blockLength);
        QCOMPARE(tensor.blocks.value(), 24U);
        QCOMPARE(tensor.dataBytes.value(), std::uint64_t{24} * types[i]->blockBytes);
        QCOMPARE(tensor.dataRange().value(), written.dataRange(std::string(tensor.name)));
    }
    QCOMPARE(document.expectedSize().value(), written.size());
}

void RoundTripTest::places()
{
    GgufWriter written = writer();
    written.kv("general.architecture", "llama").kv("list", std::vector<std::string>{"a", "bc"}).kv("n", 1.0);
    written.tensor("first", kF32, {5}).tensor("second", kQ8_0, {64, 3}).tensor("scalar", kF32, {}).tensor("none", kF16, {0, 4});
    const Document document = read(written);
    QCOMPARE(document.header()->size(), written.headerSize());
    for (std::size_t i = 0; i < document.metadataCount(); ++i) {
        const std::string key(document.key(i));
        QCOMPARE(document.metadata(i).range(), written.pairRange(key));
        QCOMPARE(document.metadata(i).valueOffset, written.valueOffset(key));
    }
    QCOMPARE(document.dataOffset().value(), written.dataOffset());
    for (std::size_t i = 0; i < document.tensorCount(); ++i) {
        const Tensor tensor = document.tensor(i);
        QCOMPARE(tensor.record, written.recordRange(std::string(tensor.name)));
        QCOMPARE(tensor.dataRange().value(), written.dataRange(std::string(tensor.name)));
    }
    QCOMPARE(document.tensor(2).elements.value(), 1U);
    QCOMPARE(document.tensor(3).elements.value(), 0U);
    QFETCH(quint32, version);
    QCOMPARE(document.verdicts().specValid, version != 1);
    QFETCH(bool, big);
    QCOMPARE(document.verdicts().ggmlReads, version != 1 && !big);
}

void RoundTripTest::alignments_data()
{
    QTest::addColumn<quint32>("alignment");
    for (quint32 alignment = 1; alignment <= 65536; alignment *= 2)
        QTest::addRow("%u", alignment) << alignment;
}

void RoundTripTest::alignments()
{
    QFETCH(quint32, alignment);
    GgufWriter written;
    written.alignment(alignment).tensor("a", kI8, {3}).tensor("b", kF32, {2}).tensor("c", kI8, {1});
    const Document document = read(written);
    QCOMPARE(document.alignment(), alignment);
    QVERIFY(document.verdicts().specValid);
    QVERIFY(document.verdicts().ggmlReads);
    QCOMPARE(document.expectedSize().value(), written.size());
    QCOMPARE(document.tensor(1).fileOffset.value(), written.dataRange("b").offset);
}

QTEST_GUILESS_MAIN(RoundTripTest)
#include "tst_roundtrip.moc"
