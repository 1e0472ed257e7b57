// SPDX-License-Identifier: GPL-3.0-or-later
#include "quant/blockdetail.h"
#include "quant/blocklayout.h"
#include "quant/dequantize.h"
#include "vectors.h"

#include <QByteArray>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <random>

using namespace gguf;

namespace {

std::vector<std::byte> bytesFromHex(std::string_view hex)
{
    const QByteArray raw = QByteArray::fromHex(QByteArray(hex.data(), static_cast<int>(hex.size())));
    std::vector<std::byte> bytes(static_cast<std::size_t>(raw.size()));
    if (!bytes.empty())
        std::memcpy(bytes.data(), raw.data(), bytes.size());
    return bytes;
}

std::vector<float> decoded(const TensorTypeInfo& type, ByteOrder order, const std::vector<std::byte>& bytes)
{
    std::vector<float> values(bytes.size() / type.blockBytes * type.blockLength);
    if (!dequantize(type, order, bytes, values))
        values.clear();
    return values;
}

std::uint32_t bitsOf(float value)
{
    return std::bit_cast<std::uint32_t>(value);
}

std::uint32_t digest(const std::vector<float>& values)
{
    std::uint32_t hash = 2166136261u;
    for (const float value : values) {
        for (unsigned shift = 0; shift < 32; shift += 8)
            hash = (hash ^ ((bitsOf(value) >> shift) & 255)) * 16777619u;
    }
    return hash;
}

/// The block as a big-endian file has it: scales and words swapped, nibbles and bytes left alone.
std::vector<std::byte> swapped(const TensorTypeInfo& type, std::vector<std::byte> block)
{
    for (const BlockField& field : blockFields(type)) {
        const std::uint32_t size = field.size / field.count;
        if (size == 1 || field.elementType == "u32le")
            continue;
        for (std::uint32_t i = 0; i < field.count; ++i) {
            const auto begin = block.begin() + field.offset + i * size;
            std::reverse(begin, begin + size);
        }
    }
    return block;
}

std::vector<std::byte> randomBlock(const TensorTypeInfo& type, std::mt19937& random)
{
    std::vector<std::byte> block(type.blockBytes);
    for (std::byte& byte : block)
        byte = std::byte{static_cast<unsigned char>(random() & 255)};
    return block;
}

} // namespace

class DequantizeTest : public QObject
{
    Q_OBJECT
private slots:
    void everyCurrentTypeIsDecoded();
    void vectors_data();
    void vectors();
    void bothByteOrders_data() { allTypes(); }
    void bothByteOrders();
    void reference();
    void halves();
    void scalars();
    void specialScales();
    void wrongSizesAreRefused();
    void layoutsCoverBlocks();
    void detailAgrees_data() { allTypes(); }
    void detailAgrees();
    void detailOfQ4K();
    void scalesAtTheRowsStart();
    void bytesKnowTheirElements_data() { allTypes(); }
    void bytesKnowTheirElements();

private:
    void allTypes();
};

void DequantizeTest::allTypes()
{
    QTest::addColumn<const TensorTypeInfo*>("type");
    for (const TensorTypeInfo& type : allTensorTypes()) {
        if (canDequantize(type))
            QTest::addRow("%u %s", type.id, type.name.data()) << &type;
    }
}

void DequantizeTest::everyCurrentTypeIsDecoded()
{
    for (const TensorTypeInfo& type : allTensorTypes())
        QVERIFY2(type.status != TypeStatus::Current || canDequantize(type), type.name.data());
    QVERIFY(canDequantize(*findTensorType("Q6_0")));
    QVERIFY(!canDequantize(*findTensorType("TL2")));
    QVERIFY(!canDequantize(*findTensorType("Q4_K_R4"))); // rows interleaved
    QVERIFY(!canDequantize(*findTensorType("IQ4_KS"))); // scale at the row's start
}

void DequantizeTest::vectors_data()
{
    QTest::addColumn<int>("index");
    for (int i = 0; i < static_cast<int>(std::size(kDequantVectors)); ++i)
        QTest::newRow(kDequantVectors[i].type.data()) << i;
}

void DequantizeTest::vectors()
{
    QFETCH(int, index);
    const DequantVector& vector = kDequantVectors[index];
    const TensorTypeInfo& type = *findTensorType(vector.type);
    const auto block = bytesFromHex(vector.hex);
    const auto values = decoded(type, ByteOrder::Little, block);
    QCOMPARE(values.size(), std::size_t{type.blockLength});
    for (std::size_t i = 0; i < vector.first.size(); ++i)
        QCOMPARE(bitsOf(values[i]), bitsOf(vector.first[i]));
    QCOMPARE(digest(values), vector.digest);
    QCOMPARE(digest(decoded(type, ByteOrder::Big, swapped(type, block))), vector.digest);
}

void DequantizeTest::bothByteOrders()
{
    QFETCH(const TensorTypeInfo*, type);
    std::mt19937 random(type->id);
    for (int i = 0; i < 20; ++i) {
        const auto block = randomBlock(*type, random);
        QCOMPARE(digest(decoded(*type, ByteOrder::Big, swapped(*type, block))),
            digest(decoded(*type, ByteOrder::Little, block)));
    }
}

// What llama.cpp's and ik_llama.cpp's own libraries decode, bit for bit. Types that are not decoded here
// (rows with a scale of their own, interleaved rows) are passed over.
void DequantizeTest::reference()
{
    QFile file(QStringLiteral(GGUF_MODELS_DIR "/dequant_reference.json"));
    if (!file.open(QIODevice::ReadOnly))
        QSKIP("The folder of real models is not there.");
    int compared = 0;
    for (const QJsonValue& entry : QJsonDocument::fromJson(file.readAll()).array()) {
        const QJsonObject object = entry.toObject();
        const std::string name = object[QStringLiteral("type")].toString().toStdString();
        const TensorTypeInfo* type = findTensorType(std::string_view(name));
        QVERIFY2(
            type && static_cast<int>(type->id) == object[QStringLiteral("type_id")].toInt(), name.c_str());
        if (!canDequantize(*type))
            continue;
        const auto bytes = bytesFromHex(object[QStringLiteral("raw_hex")].toString().toStdString());
        const auto values = decoded(*type, ByteOrder::Little, bytes);
        const QJsonArray expected = object[QStringLiteral("values")].toArray();
        QCOMPARE(static_cast<int>(values.size()), expected.size());
        for (int i = 0; i < expected.size(); ++i) {
            // + 0: the file does not keep the sign of zero.
            const float value = values[static_cast<std::size_t>(i)] + 0.0f;
            QVERIFY2(bitsOf(value) == bitsOf(static_cast<float>(expected[i].toDouble()) + 0.0f),
                qPrintable(QStringLiteral("%1, element %2: %3, not %4")
                               .arg(QString::fromStdString(name))
                               .arg(i)
                               .arg(static_cast<double>(value), 0, 'g', 9)
                               .arg(expected[i].toDouble(), 0, 'g', 9)));
        }
        ++compared;
    }
    QVERIFY(compared >= 50);
}

// ik_llama.cpp's Q8_KV, bit for bit; of other types what lies before the first block.
void DequantizeTest::scalesAtTheRowsStart()
{
    const TensorTypeInfo& type = *findTensorType("Q8_KV");
    QFile file(QStringLiteral(GGUF_MODELS_DIR "/dequant_reference.json"));
    if (file.open(QIODevice::ReadOnly)) {
        int compared = 0;
        for (const QJsonValue& entry : QJsonDocument::fromJson(file.readAll()).array()) {
            const QJsonObject object = entry.toObject();
            if (object[QStringLiteral("type_id")].toInt() != static_cast<int>(type.id))
                continue;
            const auto row = bytesFromHex(object[QStringLiteral("raw_hex")].toString().toStdString());
            const std::span meta = std::span(row).first(8);
            const QJsonArray expected = object[QStringLiteral("values")].toArray();
            QCOMPARE(static_cast<std::size_t>(expected.size()), row.size() - 8);
            double sum = 0;
            for (std::size_t block = 0; 8 + block * 32 < row.size(); ++block) {
                const auto detail = blockDetail(type, ByteOrder::Little, std::span(row).subspan(8 + block * 32, 32), meta);
                QVERIFY(detail);
                for (std::size_t i = 0; i < 32; ++i, ++compared) {
                    QCOMPARE(bitsOf(detail->elements[i].value + 0.0f),
                        bitsOf(static_cast<float>(expected[static_cast<qsizetype>(block * 32 + i)].toDouble()) + 0.0f));
                    sum += *detail->elements[i].quant;
                }
            }
            const auto fields = rowMetaFields(type, ByteOrder::Little, meta);
            QCOMPARE(fields[1].name, std::string_view("sum"));
            QCOMPARE(fields[1].values.front(), sum);
        }
        QVERIFY(compared > 0);
    }
    const auto values = [](const char* name, ByteOrder order, const char* hex) {
        const auto fields = rowMetaFields(*findTensorType(std::string_view(name)), order, bytesFromHex(hex));
        return fields.empty() ? std::vector<double>{-1} : fields.front().values;
    };
    QCOMPARE(values("IQ4_KS", ByteOrder::Little, "0000803f"), std::vector<double>{1});
    QCOMPARE(values("IQ4_KS", ByteOrder::Big, "3f800000"), std::vector<double>{1});
    QCOMPARE(values("IQ3_KS", ByteOrder::Little, "0040"), std::vector<double>{2});
    QCOMPARE(values("IQ1_S_R4", ByteOrder::Little, "003c004000420044"), (std::vector<double>{1, 2, 3, 4}));
    QCOMPARE(values("IQ4_KS", ByteOrder::Little, "0000"), std::vector<double>{-1}); // not whole
    QCOMPARE(values("Q4_K", ByteOrder::Little, ""), std::vector<double>{-1}); // has none
}

void DequantizeTest::halves()
{
    for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
        const float value = halfToFloat(static_cast<std::uint16_t>(bits));
        const int exponent = static_cast<int>((bits >> 10) & 31), mantissa = static_cast<int>(bits & 1023);
        QCOMPARE(std::signbit(value), (bits & 0x8000) != 0);
        if (exponent == 31) {
            QVERIFY(mantissa == 0 ? std::isinf(value) : std::isnan(value));
            continue;
        }
        const double size
            = exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(1024 + mantissa, exponent - 25);
        QCOMPARE(std::fabs(static_cast<double>(value)), size);
    }
}

void DequantizeTest::scalars()
{
    const auto one = [](const char* name, ByteOrder order, std::string_view hex) {
        return decoded(*findTensorType(std::string_view(name)), order, bytesFromHex(hex)).at(0);
    };
    QCOMPARE(one("F32", ByteOrder::Little, "0000c03f"), 1.5f);
    QCOMPARE(one("F32", ByteOrder::Big, "3fc00000"), 1.5f);
    QCOMPARE(one("F16", ByteOrder::Big, "3e00"), 1.5f);
    QCOMPARE(one("BF16", ByteOrder::Little, "c03f"), 1.5f);
    QCOMPARE(one("F64", ByteOrder::Big, "3ff8000000000000"), 1.5f);
    QCOMPARE(one("I8", ByteOrder::Little, "ff"), -1.0f);
    QCOMPARE(one("I16", ByteOrder::Big, "0102"), 258.0f);
    QCOMPARE(one("I32", ByteOrder::Little, "feffffff"), -2.0f);
    QCOMPARE(one("I64", ByteOrder::Big, "0000000000000007"), 7.0f);
}

void DequantizeTest::specialScales()
{
    const TensorTypeInfo& mxfp4 = *findTensorType("MXFP4");
    std::vector<std::byte> block(17, std::byte{0x22}); // code 2: level 2
    const auto valueAt = [&](const TensorTypeInfo& type, unsigned char scale) {
        block[0] = std::byte{scale};
        return decoded(type, ByteOrder::Little, block).at(0);
    };
    QCOMPARE(valueAt(mxfp4, 128), 2.0f);
    QCOMPARE(bitsOf(valueAt(mxfp4, 0)), bitsOf(std::ldexp(1.0f, -127))); // subnormal
    QCOMPARE(bitsOf(valueAt(mxfp4, 1)), bitsOf(std::ldexp(1.0f, -126)));

    const TensorTypeInfo& nvfp4 = *findTensorType("NVFP4");
    block.assign(36, std::byte{0x22});
    QCOMPARE(valueAt(nvfp4, 0), 0.0f);
    QCOMPARE(valueAt(nvfp4, 0x7F), 0.0f);
    QCOMPARE(valueAt(nvfp4, 1), std::ldexp(1.0f, -9));
    QCOMPARE(valueAt(nvfp4, 0x38), 1.0f);
    QCOMPARE(valueAt(nvfp4, 0x7E), 448.0f);
}

void DequantizeTest::wrongSizesAreRefused()
{
    const TensorTypeInfo& type = *findTensorType("Q4_0");
    std::vector<std::byte> bytes(36);
    std::vector<float> values(64, 7.0f);
    QVERIFY(dequantize(type, ByteOrder::Little, bytes, values));
    values.assign(64, 7.0f);
    QVERIFY(!dequantize(type, ByteOrder::Little, std::span(bytes).first(35), values));
    QVERIFY(!dequantize(type, ByteOrder::Little, std::span(bytes).first(18), values));
    QVERIFY(!dequantize(type, ByteOrder::Little, bytes, std::span(values).first(33)));
    QVERIFY(!dequantize(*findTensorType("TL2"), ByteOrder::Little, bytes, values));
    QVERIFY(std::ranges::all_of(values, [](float value) { return value == 7.0f; }));
    QVERIFY(dequantize(type, ByteOrder::Little, {}, {}));
}

void DequantizeTest::layoutsCoverBlocks()
{
    for (const TensorTypeInfo& type : allTensorTypes()) {
        std::uint32_t bytes = 0;
        for (const BlockField& field : blockFields(type))
            bytes += field.size;
        QVERIFY2(bytes == 0 || bytes == type.blockBytes, type.name.data());
        QVERIFY2(bytes != 0 || type.status != TypeStatus::Current, type.name.data());
    }
    QCOMPARE(blockFields(12u)[2].name, std::string_view("scales"));
    QVERIFY(blockFields(5000u).empty());
    QVERIFY(blockFields(tensorTypeLayouts(36)[1]).empty()); // another layout of a known id
}

void DequantizeTest::detailAgrees()
{
    QFETCH(const TensorTypeInfo*, type);
    std::mt19937 random(type->id + 1);
    const auto block = randomBlock(*type, random);
    const auto values = decoded(*type, ByteOrder::Little, block);
    const auto detail = blockDetail(*type, ByteOrder::Little, block);
    QVERIFY(detail);
    QCOMPARE(detail->elements.size(), values.size());
    for (std::size_t i = 0; i < values.size(); ++i)
        QCOMPARE(bitsOf(detail->elements[i].value), bitsOf(values[i]));
    std::uint32_t next = 0;
    for (const BlockGroup& group : detail->groups) {
        QCOMPARE(group.first, next);
        next += group.count;
    }
    QCOMPARE(next, type->blockLength);
    QVERIFY(!detail->fields.empty());
    QVERIFY(!blockDetail(*type, ByteOrder::Little, std::span(block).first(block.size() - 1)));
}

void DequantizeTest::detailOfQ4K()
{
    std::vector<std::byte> block(144);
    const auto put = [&](std::size_t at, std::initializer_list<int> bytes) {
        for (const int byte : bytes)
            block[at++] = std::byte{static_cast<unsigned char>(byte)};
    };
    put(0, {0x00, 0x38, 0x00, 0x34}); // d = 0.5, dmin = 0.25
    put(4, {3}); // scale 0 = 3
    put(8, {8}); // minimum 0 = 8
    put(16, {0x75}); // element 0 = 5, element 32 = 7
    const auto detail = blockDetail(*findTensorType("Q4_K"), ByteOrder::Little, block);
    QVERIFY(detail);
    const BlockElement& element = detail->elements[0];
    QCOMPARE(element.quant, std::optional<int>(5));
    QCOMPARE(element.scale, 1.5f);
    QCOMPARE(element.offset, std::optional<float>(-2.0f));
    QCOMPARE(element.value, 5.5f);
    QCOMPARE(detail->elements[32].quant, std::optional<int>(7));
    QCOMPARE(detail->groups[0].count, 32u);
    QCOMPARE(detail->fields[0].entries, std::vector<double>{0.5});
    QCOMPARE(detail->fields[2].entries.size(), std::size_t{12});
}

void DequantizeTest::bytesKnowTheirElements()
{
    QFETCH(const TensorTypeInfo*, type);
    std::vector<bool> seen(type->blockLength, false);
    for (const BlockField& field : blockFields(*type)) {
        const bool isSum = (type->name == "Q8_1" && field.name == "s") || field.name == "bsums";
        for (std::uint32_t i = 0; i < field.size; ++i) {
            const auto elements = blockElementsAt(*type, field.offset + i);
            QVERIFY2(elements.empty() == isSum, qPrintable(QString::fromLatin1(field.name.data())));
            if (field.name == "d" && field.elementType == "f16")
                QCOMPARE(elements.size(), std::size_t{type->blockLength});
            for (const std::uint32_t element : elements)
                seen[element] = true;
        }
    }
    QVERIFY(std::ranges::find(seen, false) == seen.end());
    QVERIFY(blockElementsAt(*type, type->blockBytes).empty());
    if (type->name == "Q4_0")
        QCOMPARE(blockElementsAt(*type, 5), (std::vector<std::uint32_t>{3, 19}));
}

QTEST_APPLESS_MAIN(DequantizeTest)
#include "tst_dequantize.moc"
