// SPDX-License-Identifier: GPL-3.0-or-later
#include "audit/datascan.h"
#include "audit/finitecheck.h"
#include "parse/parser.h"
#include "quant/dequantize.h"
#include "support/fakesource.h"
#include "support/ggufwriter.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace gguf;

namespace {

using Bytes = std::vector<std::byte>;

std::uint32_t idOf(std::string_view name)
{
    return findTensorType(name)->id;
}

/// Scans all tensors of the file.
std::vector<TensorScan> scanned(const std::shared_ptr<const ByteSource>& source, DataScanOptions options = {})
{
    const Document document = parse(*source);
    std::vector<std::size_t> tensors(document.tensorCount());
    std::iota(tensors.begin(), tensors.end(), std::size_t{0});
    return scanData(document, *source, tensors, options);
}

TensorScan scannedOne(const GgufWriter& writer, DataScanOptions options = {})
{
    return scanned(writer.source(), options).at(0);
}

Bytes filled(std::size_t size, int byte)
{
    return Bytes(size, std::byte{static_cast<unsigned char>(byte)});
}

void put16(Bytes& bytes, std::size_t at, std::uint16_t value, ByteOrder order = ByteOrder::Little)
{
    bytes[at + (order == ByteOrder::Little ? 0 : 1)] = std::byte{static_cast<unsigned char>(value & 255)};
    bytes[at + (order == ByteOrder::Little ? 1 : 0)] = std::byte{static_cast<unsigned char>(value >> 8)};
}

} // namespace

class DataScanTest : public QObject
{
    Q_OBJECT
private slots:
    void finite_data();
    void finite();
    void firstBadBlock();
    void bothScalesOfABlockCountOnce();
    void plainNumbers();
    void doublesBeyondFloat();
    void scaleOfIq1m();
    void scaleOfMxfp4();
    void notJudged();
    void scalesOfRows();
    void bigEndian();
    void pieceBorders();
    void allZero();
    void holes();
    void shortZeroRuns();
    void statistics();
    void statisticsLeaveOutNotFinite();
    void fewValuesAreCountedLikeMany();
    void theSameBytesAreReadOnce();
    void constantValues();
    void missingBytes();
    void readErrors();
    void stop();
    void resultsComeAsTheyAreReady();
    void oneThreadOrMany();
    void problems();
};

// Every type with scales: a block of ones is finite, NaN and infinity in each scale are found.
void DataScanTest::finite_data()
{
    QTest::addColumn<QString>("type");
    QTest::addColumn<int>("offset");
    const auto row = [](const char* type, int offset) {
        QTest::addRow("%s at %d", type, offset) << QString::fromLatin1(type) << offset;
    };
    for (const char* type : {"Q4_0", "Q5_0", "Q8_0", "Q1_0", "Q2_0", "IQ2_XXS", "IQ2_XS", "IQ2_S", "IQ3_XXS",
             "IQ3_S", "IQ1_S", "IQ4_NL", "IQ4_XS", "Q6_0", "F16"})
        row(type, 0);
    for (const char* type : {"Q4_1", "Q5_1", "Q4_K", "Q5_K"}) {
        row(type, 0);
        row(type, 2);
    }
    row("Q2_K", 80);
    row("Q2_K", 82);
    row("Q3_K", 108);
    row("Q6_K", 208);
    row("TQ1_0", 52);
    row("TQ2_0", 64);
}

void DataScanTest::finite()
{
    QFETCH(QString, type);
    QFETCH(int, offset);
    const TensorTypeInfo& info = *findTensorType(std::string_view(type.toStdString()));
    const std::size_t blocks = 5;
    Bytes bytes = filled(info.blockBytes * blocks, 0x33);
    const auto file = [&] { return GgufWriter().tensor("w", info.id, {info.blockLength * blocks}, bytes); };
    QCOMPARE(scannedOne(file()).finite, FiniteVerdict::Finite);
    QCOMPARE(scannedOne(file()).units, std::uint64_t{blocks});

    const std::size_t at = info.blockBytes * 3 + static_cast<std::size_t>(offset);
    for (const int bits : {0x7C00, 0xFC00, 0x7E01}) {
        put16(bytes, at, static_cast<std::uint16_t>(bits));
        const TensorScan scan = scannedOne(file());
        QCOMPARE(scan.finite, FiniteVerdict::NotFinite);
        QCOMPARE(scan.badUnits, std::uint64_t{1});
        QVERIFY(scan.firstBad);
        QCOMPARE(scan.firstBad->block, std::uint64_t{3});
        QCOMPARE(scan.firstBad->range, (ByteRange{file().dataRange("w").offset + at, 2}));
        QCOMPARE(scan.firstBad->isNan, bits == 0x7E01);
    }
    put16(bytes, at, 0x7BFF); // the largest number
    QCOMPARE(scannedOne(file()).finite, FiniteVerdict::Finite);
}

void DataScanTest::firstBadBlock()
{
    Bytes bytes = filled(144 * 2 * 100, 0x33); // 100 rows of two blocks
    put16(bytes, 144 * (2 * 70 + 1) + 2, 0xFC00);
    put16(bytes, 144 * (2 * 90), 0x7C01);
    const auto file = GgufWriter().tensor("w", idOf("Q4_K"), {512, 10, 10}, bytes);
    const TensorScan scan = scannedOne(file);
    QVERIFY(scan.complete);
    QCOMPARE(scan.badUnits, std::uint64_t{2});
    QCOMPARE(scan.firstBad->row, std::uint64_t{70});
    QCOMPARE(scan.firstBad->block, std::uint64_t{1});
    QCOMPARE(scan.firstBad->field, std::string("dmin"));
    QCOMPARE(scan.firstBad->range.offset, file.dataRange("w").offset + 144 * 141 + 2);
}

void DataScanTest::bothScalesOfABlockCountOnce()
{
    Bytes bytes = filled(144 * 2, 0x33);
    put16(bytes, 0, 0x7C00);
    put16(bytes, 2, 0x7C00);
    QCOMPARE(scannedOne(GgufWriter().tensor("w", idOf("Q4_K"), {256, 2}, bytes)).badUnits, std::uint64_t{1});
}

void DataScanTest::plainNumbers()
{
    std::vector<float> values(1000, 1.5f);
    values[321] = std::numeric_limits<float>::quiet_NaN();
    values[999] = -std::numeric_limits<float>::infinity();
    const auto scan = scannedOne(GgufWriter().tensor("w", idOf("F32"), {10, 100}, floats(values)));
    QCOMPARE(scan.badUnits, std::uint64_t{2});
    QCOMPARE(scan.firstBad->row, std::uint64_t{32});
    QCOMPARE(scan.firstBad->block, std::uint64_t{1});
    QVERIFY(scan.firstBad->isNan);

    Bytes bfloats = filled(200, 0x40);
    put16(bfloats, 100, 0x7F80);
    const auto brain = scannedOne(GgufWriter().tensor("w", idOf("BF16"), {100}, bfloats));
    QCOMPARE(brain.firstBad->block, std::uint64_t{50});
    QVERIFY(!brain.firstBad->isNan);
    put16(bfloats, 100, 0x7C00); // infinity for fp16, a number for bf16
    QCOMPARE(
        scannedOne(GgufWriter().tensor("w", idOf("BF16"), {100}, bfloats)).finite, FiniteVerdict::Finite);
}

void DataScanTest::doublesBeyondFloat()
{
    const auto scanOf = [](double value) {
        Bytes bytes(8);
        std::memcpy(bytes.data(), &value, 8);
        return scannedOne(GgufWriter().tensor("w", idOf("F64"), {1}, bytes));
    };
    QCOMPARE(scanOf(3.4e38).finite, FiniteVerdict::Finite);
    QCOMPARE(scanOf(3.5e38).finite, FiniteVerdict::NotFinite); // infinite as a float, as ggml looks at it
    QVERIFY(!scanOf(-1e300).firstBad->isNan);
    QVERIFY(scanOf(std::nan("")).firstBad->isNan);
}

void DataScanTest::scaleOfIq1m()
{
    Bytes block = filled(56, 0);
    for (std::size_t word = 0; word < 4; ++word)
        put16(block, 48 + 2 * word, word == 3 ? 0x7FFF : word == 2 ? 0xBFFF : 0x0FFF); // 7B00
    QCOMPARE(scannedOne(GgufWriter().tensor("w", idOf("IQ1_M"), {256}, block)).finite, FiniteVerdict::Finite);
    put16(block, 48 + 4, 0xCFFF); // 7C00
    const auto scan = scannedOne(GgufWriter().tensor("w", idOf("IQ1_M"), {256}, block));
    QCOMPARE(scan.finite, FiniteVerdict::NotFinite);
    QVERIFY(!scan.firstBad->isNan);
}

void DataScanTest::scaleOfMxfp4()
{
    Bytes bytes = filled(17 * 4, 0xFE);
    QCOMPARE(scannedOne(GgufWriter().tensor("w", idOf("MXFP4"), {128}, bytes)).finite, FiniteVerdict::Finite);
    bytes[17 * 2 + 1] = std::byte{0xFF}; // a quant
    QCOMPARE(scannedOne(GgufWriter().tensor("w", idOf("MXFP4"), {128}, bytes)).finite, FiniteVerdict::Finite);
    bytes[17 * 2] = std::byte{0xFF};
    QCOMPARE(
        scannedOne(GgufWriter().tensor("w", idOf("MXFP4"), {128}, bytes)).firstBad->block, std::uint64_t{2});
}

void DataScanTest::notJudged()
{
    for (const char* type : {"I8", "I16", "I32", "I64", "NVFP4", "IQ4_K", "Q4_K_R4"}) {
        const TensorTypeInfo& info = *findTensorType(std::string_view(type));
        const auto scan = scannedOne(
            GgufWriter().tensor("w", info.id, {info.blockLength, 4}, filled(info.blockBytes * 4, 0xFF)));
        QVERIFY2(scan.finite == FiniteVerdict::NotJudged, type);
        QVERIFY(scan.complete);
    }
    const auto unknown = scannedOne(GgufWriter().tensor("w", 5000, {32}, filled(64, 1)));
    QCOMPARE(unknown.finite, FiniteVerdict::NotJudged);
    QVERIFY(!unknown.complete);
}

// ik_llama.cpp's rows that begin with their scale, and groups of rows that begin with all of theirs.
void DataScanTest::scalesOfRows()
{
    Bytes rows = filled((4 + 136) * 3, 0x33);
    put16(rows, 140 * 2 + 2, 0x7FC0); // upper half of an f32 NaN
    const auto scan = scannedOne(GgufWriter().tensor("w", idOf("IQ4_KS"), {256, 3}, rows));
    QCOMPARE(scan.badUnits, std::uint64_t{1});
    QCOMPARE(scan.firstBad->row, std::uint64_t{2});
    QVERIFY(scan.firstBad->isNan && scan.firstBad->field.empty());

    Bytes groups = filled((4 + 136) * 8, 0x33);
    put16(groups, 140 * 4 + 3 * 4 + 2, 0x7F80);
    const auto grouped = scannedOne(GgufWriter().tensor("w", idOf("IQ4_KS_R4"), {256, 8}, groups));
    QCOMPARE(grouped.badUnits, std::uint64_t{1});
    QCOMPARE(grouped.firstBad->row, std::uint64_t{4});
}

void DataScanTest::bigEndian()
{
    Bytes bytes = filled(144 * 3, 0x33);
    put16(bytes, 144 * 2, 0x7C00); // 0x007C in this byte order: a small number
    const auto file = [&] {
        return GgufWriter(3, ByteOrder::Big).tensor("w", idOf("Q4_K"), {256, 3}, bytes);
    };
    QCOMPARE(scannedOne(file()).finite, FiniteVerdict::Finite);
    put16(bytes, 144 * 2, 0x7C00, ByteOrder::Big);
    QCOMPARE(scannedOne(file()).firstBad->row, std::uint64_t{2});
}

// Several pieces: counts add up, and the first of all is the first, whichever thread found it.
void DataScanTest::pieceBorders()
{
    const std::size_t blocks = 30'000; // 4.3 MB
    Bytes bytes = filled(144 * blocks, 0x33);
    for (std::size_t block = 1234; block < blocks; block += 1000)
        put16(bytes, block * 144, 0x7C00);
    const auto source = GgufWriter().tensor("w", idOf("Q4_K"), {256, blocks}, bytes).source();
    for (int round = 0; round < 5; ++round) {
        const auto scan = scanned(source).at(0);
        QCOMPARE(scan.badUnits, std::uint64_t{29});
        QCOMPARE(scan.units, std::uint64_t{blocks});
        QCOMPARE(scan.firstBad->row, std::uint64_t{1234});
    }
}

void DataScanTest::allZero()
{
    const auto small = scannedOne(GgufWriter().tensor("w", idOf("F32"), {10}, filled(40, 0)));
    QVERIFY(small.allZero);
    QCOMPARE(small.zeroRuns.count, std::uint64_t{0}); // no run worth a name, but nothing else is there
    const auto large = scannedOne(GgufWriter().tensor("w", idOf("F32"), {1'000'000}, filled(4'000'000, 0)));
    QVERIFY(large.allZero);
    QCOMPARE(large.zeroRuns.count, std::uint64_t{1});
    QCOMPARE(large.zeroRuns.bytes, std::uint64_t{4'000'000});
    QVERIFY(!scannedOne(GgufWriter().tensor("w", idOf("F32"), {0})).allZero);
}

void DataScanTest::holes()
{
    Bytes bytes = filled(6'000'000, 0x33);
    const auto hole = [&](std::size_t from, std::size_t size) {
        std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(from), size, std::byte{0});
    };
    hole(500'000, 100'000); // over the border of two pieces
    hole(2'000'003, 80'001);
    hole(5'900'000, 100'000); // to the end
    const auto file = GgufWriter().tensor("w", idOf("I8"), {6'000'000}, bytes);
    const auto scan = scannedOne(file);
    QVERIFY(!scan.allZero);
    QCOMPARE(scan.zeroRuns.count, std::uint64_t{3});
    QCOMPARE(scan.zeroRuns.bytes, std::uint64_t{280'001});
    const std::uint64_t start = file.dataRange("w").offset;
    QCOMPARE(scan.zeroRuns.ranges[0], (ByteRange{start + 500'000, 100'000}));
    QCOMPARE(scan.zeroRuns.ranges[1], (ByteRange{start + 2'000'003, 80'001}));
    QCOMPARE(scan.zeroRuns.ranges[2], (ByteRange{start + 5'900'000, 100'000}));
}

void DataScanTest::shortZeroRuns()
{
    Bytes bytes = filled(1'000'000, 0x33);
    std::fill_n(bytes.begin() + 100'000, 60'000, std::byte{0});
    std::fill_n(bytes.begin() + 300'000, 65'600, std::byte{0}); // long enough, but not in whole pages
    QCOMPARE(scannedOne(GgufWriter().tensor("w", idOf("I8"), {1'000'000}, bytes)).zeroRuns.count,
        std::uint64_t{0});
}

void DataScanTest::statistics()
{
    // Enough values for several pieces: 0, 1, 2, 3 over and over, and one of -5.
    std::vector<float> values(600'000);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<float>(i % 4);
    values[580'000] = -5.0f; // was 0
    DataScanOptions options;
    options.statistics = true;
    const auto scan
        = scannedOne(GgufWriter().tensor("w", idOf("F32"), {values.size()}, floats(values)), options);
    QVERIFY(scan.values);
    const ValueStatistics& found = *scan.values;
    QCOMPARE(found.finite, std::uint64_t{values.size()});
    QCOMPARE(found.zeros, std::uint64_t{149'999});
    QCOMPARE(found.min, -5.0f);
    QCOMPARE(found.max, 3.0f);
    double sum = 0, squares = 0;
    for (const float value : values) {
        sum += static_cast<double>(value);
        squares += static_cast<double>(value) * static_cast<double>(value);
    }
    const double mean = sum / 0.6e6;
    QVERIFY(std::fabs(found.mean - mean) < 1e-12);
    QVERIFY(std::fabs(found.deviation - std::sqrt(squares / 0.6e6 - mean * mean)) < 1e-9);
    QCOMPARE(found.histogram.size(), ValueStatistics::kBins);
    QCOMPARE(std::accumulate(found.histogram.begin(), found.histogram.end(), std::uint64_t{0}), found.finite);
    QCOMPARE(found.histogram.front(), std::uint64_t{1});
    QCOMPARE(found.histogram[40], std::uint64_t{149'999}); // (0 + 5) / 8 of 64 steps
    QCOMPARE(found.histogram.back(), std::uint64_t{150'000});

    QVERIFY(!scannedOne(GgufWriter().tensor("w", idOf("F32"), {4})).values); // only when asked for
    const auto fork = scannedOne(GgufWriter().tensor("w", idOf("IQ4_K"), {256}), options);
    QVERIFY(!fork.values); // not known how to dequantize
}

void DataScanTest::statisticsLeaveOutNotFinite()
{
    DataScanOptions options;
    options.statistics = true;
    const auto scan
        = scannedOne(GgufWriter().tensor("w", idOf("F32"), {4},
                         floats({1.0f, std::nanf(""), 3.0f, std::numeric_limits<float>::infinity()})),
            options);
    QCOMPARE(scan.values->finite, std::uint64_t{2});
    QCOMPARE(scan.values->notFinite, std::uint64_t{2});
    QCOMPARE(scan.values->mean, 2.0);
    QCOMPARE(scan.values->deviation, 1.0);
}

void DataScanTest::fewValuesAreCountedLikeMany()
{
    for (const std::size_t size : {65u, 1000u, 4096u, 4097u, 20'000u}) {
        std::vector<float> values(size);
        std::vector<std::uint64_t> wanted(ValueStatistics::kBins);
        for (std::size_t i = 0; i < size; ++i) {
            values[i] = static_cast<float>(i % 65); // 64 steps from 0 to 64
            ++wanted[std::min<std::size_t>(i % 65, 63)];
        }
        ValueGatherer all, forwards, backwards;
        all.add(values);
        QCOMPARE(all.result().histogram, wanted);
        std::vector<ValueGatherer> parts;
        for (std::size_t i = 0; i < size; i += 3000) {
            parts.emplace_back().add(std::span(values).subspan(i, std::min<std::size_t>(3000, size - i)));
            forwards.merge(parts.back());
        }
        QCOMPARE(forwards.result().histogram, wanted);
        backwards.merge(parts.front()); // few, then many, then few again
        ValueGatherer rest;
        for (std::size_t i = 1; i < parts.size(); ++i)
            rest.merge(parts[i]);
        backwards.merge(rest);
        QCOMPARE(backwards.result().histogram, wanted);
        QCOMPARE(backwards.result().finite, std::uint64_t{size});
    }
}

void DataScanTest::theSameBytesAreReadOnce()
{
    Bytes data = filled(4096, 0x33);
    put16(data, 1000, 0x7C00); // infinity, in half floats
    GgufWriter writer;
    writer.tensor("first", idOf("F16"), {2048}, data);
    for (int i = 0; i < 50; ++i)
        writer.tensor("again" + std::to_string(i), idOf("F16"), {2048}, {}).statedOffset(0);
    writer.tensor("other type", idOf("BF16"), {2048}, {}).statedOffset(0);
    writer.tensor("shorter", idOf("F16"), {1024}, {}).statedOffset(0);
    const Document document = parse(*writer.source());
    std::vector<std::size_t> tensors(document.tensorCount());
    std::iota(tensors.begin(), tensors.end(), std::size_t{0});
    for (const unsigned threads : {1u, 2u}) {
        FakeSource source(writer.bytes());
        DataScanOptions options;
        options.statistics = true;
        options.threads = threads;
        std::vector<std::size_t> told;
        options.finished = [&told](const TensorScan& scan) { told.push_back(scan.tensor); };
        const auto scans = scanData(document, source, tensors, options);
        QCOMPARE(source.bytesRead(), std::uint64_t{4096 + 4096 + 2048});
        QCOMPARE(scans.size(), std::size_t{53});
        for (std::size_t i = 0; i < 51; ++i) {
            QCOMPARE(scans[i].tensor, i);
            QVERIFY(scans[i].complete && scans[i].finite == FiniteVerdict::NotFinite);
            QCOMPARE(scans[i].badUnits, std::uint64_t{1});
            QCOMPARE(scans[i].firstBad->range, scans[0].firstBad->range);
            QCOMPARE(scans[i].values->histogram, scans[0].values->histogram);
        }
        QVERIFY(scans[51].finite == FiniteVerdict::Finite);
        QCOMPARE(scans[52].bytes, std::uint64_t{2048});
        std::ranges::sort(told);
        QCOMPARE(told, tensors);
    }
}

void DataScanTest::constantValues()
{
    DataScanOptions options;
    options.statistics = true;
    const auto scan
        = scannedOne(GgufWriter().tensor("w", idOf("F32"), {100}, floats(std::vector(100, 0.1f))), options);
    QCOMPARE(scan.values->histogram, std::vector<std::uint64_t>{100});
    QVERIFY(scan.values->deviation < 1e-8);
    QVERIFY(!scannedOne(GgufWriter().tensor("w", idOf("F32"), {0}), options).values);
}

void DataScanTest::missingBytes()
{
    auto file = GgufWriter().tensor("a", idOf("Q4_0"), {32, 100}).tensor("b", idOf("Q4_0"), {32, 100});
    file.truncateTo(file.dataRange("a").offset + 1000);
    const auto scans = scanned(file.source());
    QCOMPARE(scans.size(), std::size_t{2});
    QVERIFY(!scans[0].complete && !scans[0].error);
    QCOMPARE(scans[0].bytes, std::uint64_t{1000});
    QCOMPARE(scans[0].units, std::uint64_t{55}); // whole blocks
    QVERIFY(!scans[1].complete);
    QCOMPARE(scans[1].bytes, std::uint64_t{0});
    QVERIFY(!scans[1].allZero);
}

void DataScanTest::readErrors()
{
    const auto file = GgufWriter().tensor("a", idOf("I8"), {4'000'000}).tensor("b", idOf("I8"), {100});
    const auto source = std::make_shared<FakeSource>(file.source());
    const Document document = parse(*source);
    source->failAt(file.dataRange("a").offset + 3'000'000);
    const std::size_t tensors[] = {0, 1};
    const auto scans = scanData(document, *source, tensors, {});
    QVERIFY(scans[0].error);
    QVERIFY(!scans[0].complete);
    QVERIFY(scans[0].bytes <= 3'000'000);
    QVERIFY(scans[1].error);
}

void DataScanTest::stop()
{
    const auto source = GgufWriter().tensor("a", idOf("I8"), {24'000'000}, filled(24'000'000, 1)).source();
    std::stop_source stop;
    DataScanOptions options;
    options.stop = stop.get_token();
    options.progress = [&](std::uint64_t done, std::uint64_t total) {
        QVERIFY(done < total);
        stop.request_stop();
    };
    const auto scan = scanned(source, options).at(0);
    QVERIFY(!scan.complete);
    QVERIFY(scan.bytes < 24'000'000);
}

void DataScanTest::resultsComeAsTheyAreReady()
{
    GgufWriter writer;
    for (int i = 0; i < 50; ++i)
        writer.tensor("t" + std::to_string(i), idOf("Q8_0"), {32, 10});
    std::vector<std::size_t> finished;
    std::uint64_t last = 0;
    DataScanOptions options;
    options.finished = [&](const TensorScan& scan) { finished.push_back(scan.tensor); };
    options.progress = [&](std::uint64_t done, std::uint64_t total) {
        QVERIFY(done >= last && done <= total);
        last = done;
    };
    const auto scans = scanned(writer.source(), options);
    QCOMPARE(finished.size(), std::size_t{50});
    std::sort(finished.begin(), finished.end());
    QCOMPARE(finished.front(), std::size_t{0});
    QCOMPARE(finished.back(), std::size_t{49});
    QCOMPARE(last, std::uint64_t{50 * 340});
    QVERIFY(std::ranges::all_of(scans, [](const TensorScan& scan) { return scan.complete; }));
}

void DataScanTest::oneThreadOrMany()
{
    GgufWriter writer;
    for (int i = 0; i < 3; ++i)
        writer.tensor("t" + std::to_string(i), idOf("Q4_K"), {256, 9000});
    const auto source = writer.source();
    DataScanOptions options;
    options.statistics = true;
    options.threads = 1;
    const auto one = scanned(source, options);
    options.threads = 5;
    const auto many = scanned(source, options);
    QCOMPARE(many.size(), one.size());
    for (std::size_t i = 0; i < one.size(); ++i) {
        QCOMPARE(many[i].tensor, i);
        QCOMPARE(many[i].badUnits, one[i].badUnits);
        QCOMPARE(many[i].values->histogram, one[i].values->histogram);
        QCOMPARE(many[i].values->min, one[i].values->min);
    }
}

void DataScanTest::problems()
{
    Bytes bytes = filled(144 * 10, 0x33);
    put16(bytes, 144 * 7, 0x7E00);
    auto source = GgufWriter().tensor("w", idOf("Q4_K"), {256, 10}, bytes).source();
    Document document = parse(*source);
    auto found = dataProblems(document, scanned(source).at(0));
    QCOMPARE(found.size(), std::size_t{1});
    QCOMPARE(found[0].rule, Rule::DataNotFinite);
    QCOMPARE(found[0].range.length, std::uint64_t{2});
    QCOMPARE(found[0].subject, (Subject{Subject::Kind::Tensor, 0}));
    QVERIFY2(found[0].found.find("NaN in d of row 7, block 0") == 0, found[0].found.c_str());

    source = GgufWriter().tensor("w", idOf("I8"), {500'000}, filled(500'000, 0)).source();
    document = parse(*source);
    found = dataProblems(document, scanned(source).at(0));
    QCOMPARE(found.size(), std::size_t{1});
    QCOMPARE(found[0].rule, Rule::DataZeroRun);
    QCOMPARE(found[0].range.length, std::uint64_t{500'000});

    source = GgufWriter().tensor("w", idOf("F32"), {3}, floats({1, 2, 3})).source();
    QVERIFY(dataProblems(parse(*source), scanned(source).at(0)).empty());
}

QTEST_APPLESS_MAIN(DataScanTest)
#include "tst_datascan.moc"
