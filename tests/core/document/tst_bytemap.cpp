// SPDX-License-Identifier: GPL-3.0-or-later
#include "document/bytemap.h"
#include "document/datalayout.h"
#include "io/filesource.h"
#include "parse/parser.h"
#include "support/ggufwriter.h"

#include <QDirIterator>
#include <QTest>

#include <random>

using namespace gguf;

namespace {

Document parsed(const GgufWriter& writer)
{
    return parse(*writer.source());
}

bool sameRegion(const std::optional<Region>& a, const Region& b)
{
    return a && a->kind == b.kind && a->range == b.range && a->metadata == b.metadata && a->tensor == b.tensor
        && a->owners == b.owners;
}

/// Tensors of known size whose data hold the offset, by looking at all.
std::vector<std::size_t> ownersByForce(const Document& document, std::uint64_t offset)
{
    std::vector<std::size_t> owners;
    for (std::size_t rank = 0; rank < document.tensorCount(); ++rank) {
        const std::size_t index = document.tensorInOffsetOrder(rank);
        const std::optional<ByteRange> range = document.tensor(index).dataRange();
        if (range && range->contains(offset))
            owners.push_back(index);
    }
    return owners;
}

bool allSizesKnown(const Document& document)
{
    for (std::size_t i = 0; i < document.tensorCount(); ++i) {
        if (!document.tensor(i).dataBytes)
            return false;
    }
    return true;
}

/// The ends of a region and some bytes between.
std::vector<std::uint64_t> offsetsToTry(ByteRange range)
{
    std::vector<std::uint64_t> offsets{range.end() - 1};
    for (std::uint64_t i = 0; i < range.length; i += std::max<std::uint64_t>(1, range.length / 5))
        offsets.push_back(range.offset + i);
    return offsets;
}

/// The file is covered from 0 to its end by regions that agree with what every byte in them says.
void checkCoverage(const Document& document)
{
    const ByteMap map(document);
    const bool checkOwners = document.dataOffset() && allSizesKnown(document) && document.tensorCount() < 50;
    std::uint64_t at = 0;
    std::optional<Region> before;
    for (std::optional<Region> region = map.regionAt(0); region; region = map.next(*region)) {
        QCOMPARE(region->range.offset, at);
        QVERIFY(region->range.length > 0);
        QCOMPARE(region->kind == RegionKind::Missing, at >= document.fileSize());
        if (region->kind != RegionKind::Missing)
            QVERIFY(region->range.end() <= document.fileSize());
        if (before)
            QVERIFY(sameRegion(map.previous(*region), *before));
        for (const std::uint64_t offset : offsetsToTry(region->range)) {
            QVERIFY2(sameRegion(map.regionAt(offset), *region), std::to_string(offset).c_str());
            const Location location = map.locate(offset);
            QVERIFY2(location.range.contains(offset), std::to_string(offset).c_str());
            QVERIFY(!location.path.empty());
            if (checkOwners && region->kind != RegionKind::Missing)
                QCOMPARE(region->owners, ownersByForce(document, offset));
        }
        at = region->range.end();
        before = region;
    }
    QVERIFY(at >= document.fileSize());
    QVERIFY(!map.regionAt(std::max(at, document.fileSize())));
}

struct Golden
{
    std::uint64_t offset;
    const char* path;
    const char* type;
    const char* value;
    ByteRange range;
};

void compare(const ByteMap& map, const std::vector<std::byte>& bytes, const Golden& golden)
{
    const Location location = map.locate(golden.offset, bytes, 0);
    QCOMPARE(QByteArray::fromStdString(location.pathText()), QByteArray(golden.path));
    QCOMPARE(QByteArray::fromStdString(location.type), QByteArray(golden.type));
    QCOMPARE(QByteArray::fromStdString(location.value), QByteArray(golden.value));
    QCOMPARE(location.range.offset, golden.range.offset);
    QCOMPARE(location.range.length, golden.range.length);
}

} // namespace

class TestByteMap : public QObject
{
    Q_OBJECT

private slots:
    void coversEveryFile_data();
    void coversEveryFile();
    void coversEveryTruncation();
    void coversFaults_data();
    void coversFaults();
    void namesAllOwnersOfOverlaps();
    void agreesWithBruteForceOnRandomLayouts();
    void stepsOverEmptyTensors();
    void limitsOwnersOfHostileFiles();
    void missingBytesBelongToTheirTensors();
    void listsRegionsInARange();
    void goldenPaths_data();
    void goldenPaths();
    void goldenPathsOfVersion1();
    void nestedArrays();
    void foreignTypes();
};

void TestByteMap::coversEveryFile_data()
{
    QTest::addColumn<QString>("path");
    for (const char* folder : {GGUF_SAMPLES_DIR, GGUF_CORPUS_DIR, GGUF_MODELS_DIR}) {
        if (*folder == 0)
            continue;
        QDirIterator files(
            QString::fromUtf8(folder), {QStringLiteral("*.gguf")}, QDir::Files, QDirIterator::Subdirectories);
        while (files.hasNext()) {
            const QString path = files.next();
            QTest::newRow(qPrintable(files.fileName())) << path;
        }
    }
}

void TestByteMap::coversEveryFile()
{
    QFETCH(QString, path);
    const auto source = FileSource::open(path.toStdString());
    QVERIFY(std::holds_alternative<std::shared_ptr<const FileSource>>(source));
    checkCoverage(parse(*std::get<0>(source)));
}

static GgufWriter smallModel(std::uint32_t version, ByteOrder order)
{
    GgufWriter writer(version, order);
    writer.kv("general.architecture", "llama");
    writer.kv("general.alignment", std::uint32_t{32});
    writer.kv("numbers", std::vector<std::uint16_t>{7, 8, 9});
    writer.kv("texts", std::vector<std::string>{"alpha", "", "gamma"});
    writer.tensor("output_norm.weight", kF32, {5});
    writer.tensor("blk.0.ffn_down.weight", kQ4K, {512, 3});
    return writer;
}

void TestByteMap::coversEveryTruncation()
{
    // Each length up to the data, then one in seven.
    const GgufWriter writer = smallModel(3, ByteOrder::Little);
    const std::vector<std::byte> whole = writer.bytes();
    for (std::size_t size = 0; size <= whole.size(); size += size < writer.dataOffset() + 40 ? 1U : 7U) {
        const std::vector<std::byte> start(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
        checkCoverage(parse(MemorySource(start)));
    }
}

void TestByteMap::coversFaults_data()
{
    QTest::addColumn<int>("fault");
    for (int fault = 0; fault < 8; ++fault)
        QTest::addRow("%d", fault) << fault;
}

void TestByteMap::coversFaults()
{
    QFETCH(int, fault);
    GgufWriter writer = smallModel(3, ByteOrder::Little);
    switch (fault) {
    case 0:
        writer.gapBefore(96);
        break;
    case 1:
        writer.statedOffset(1);
        break; // overlap, unaligned
    case 2:
        writer.statedOffset(UINT64_MAX - 5);
        break;
    case 3:
        writer.statedTensorType(999);
        break;
    case 4:
        writer.trailing("some more bytes");
        break;
    case 5:
        writer.shiftOffsets(4096);
        break;
    case 6:
        writer.withoutLastPadding();
        break;
    case 7:
        writer.statedTensorCount(3);
        break;
    }
    checkCoverage(parsed(writer));
}

void TestByteMap::namesAllOwnersOfOverlaps()
{
    // a: 0 to 128, b: 32 to 64 inside it, c: 96 to 224 across its end.
    GgufWriter writer;
    writer.tensor("a", kI8, {128})
        .tensor("b", kI8, {32})
        .statedOffset(32)
        .tensor("c", kI8, {128})
        .statedOffset(96);
    const ByteMap map(parsed(writer));
    const std::uint64_t data = *map.document().dataOffset();

    const auto check = [&](std::uint64_t offset, ByteRange range, const std::vector<std::size_t>& owners) {
        const std::optional<Region> region = map.regionAt(data + offset);
        QVERIFY(region);
        QCOMPARE(region->kind, RegionKind::TensorData);
        QCOMPARE(region->range.offset - data, range.offset);
        QCOMPARE(region->range.length, range.length);
        QCOMPARE(region->owners, owners);
        QCOMPARE(*region->tensor, owners.front());
    };
    check(0, {0, 32}, {0});
    check(40, {32, 32}, {0, 1});
    check(64, {64, 32}, {0});
    check(127, {96, 32}, {0, 2});
    check(128, {128, 96}, {2});
    checkCoverage(map.document());
}

void TestByteMap::agreesWithBruteForceOnRandomLayouts()
{
    std::mt19937 random(20261130);
    for (int round = 0; round < 12; ++round) {
        GgufWriter writer;
        writer.layoutAlignment(1).alignment(1);
        for (int i = 0; i < 30; ++i) {
            writer.tensor("t" + std::to_string(i), kI8, {random() % 40});
            writer.statedOffset(random() % 200);
        }
        checkCoverage(parsed(writer));
    }
}

void TestByteMap::stepsOverEmptyTensors()
{
    for (const int count : {1, 16, 17, 100}) {
        GgufWriter writer;
        writer.tensor("first", kI8, {32});
        for (int i = 0; i < count; ++i)
            writer.tensor("empty" + std::to_string(i), kF32, {4, 0});
        writer.tensor("last", kI8, {20});
        const ByteMap map(parsed(writer));
        const std::uint64_t data = *map.document().dataOffset();
        checkCoverage(map.document());
        QCOMPARE(map.regionAt(data + 31)->range, (ByteRange{data, 32}));
        QCOMPARE(map.regionAt(data + 32)->range, (ByteRange{data + 32, 20}));
        QCOMPARE(map.regionAt(data + 60)->kind, RegionKind::TensorPadding);
    }
}

void TestByteMap::limitsOwnersOfHostileFiles()
{
    GgufWriter writer;
    for (std::size_t i = 0; i < DataLayout::kMostOwners + 5; ++i)
        writer.tensor("t" + std::to_string(i), kI8, {32}).statedOffset(0);
    const ByteMap map(parsed(writer));
    const std::optional<Region> region = map.regionAt(*map.document().dataOffset());
    QVERIFY(region);
    QCOMPARE(region->owners.size(), DataLayout::kMostOwners);
    QVERIFY(region->moreOwners);
}

void TestByteMap::missingBytesBelongToTheirTensors()
{
    GgufWriter writer;
    writer.tensor("a", kI8, {64}).tensor("b", kI8, {64}).tensor("c", kI8, {50});
    const std::uint64_t data = writer.dataOffset();
    writer.truncateTo(data + 100);
    const ByteMap map(parsed(writer));

    QCOMPARE(map.regionAt(data + 99)->kind, RegionKind::TensorData);
    QCOMPARE(map.regionAt(data + 99)->range, (ByteRange{data + 64, 36}));
    QCOMPARE(map.regionAt(data + 100)->kind, RegionKind::Missing);
    QCOMPARE(map.regionAt(data + 100)->range, (ByteRange{data + 100, 28}));
    QCOMPARE(*map.regionAt(data + 100)->tensor, std::size_t{1});
    QCOMPARE(map.locate(data + 130).pathText(), std::string("Missing bytes of c"));
    QCOMPARE(map.regionAt(data + 191)->range, (ByteRange{data + 178, 14}));
    QCOMPARE(map.locate(data + 191).pathText(), std::string("Missing padding after c"));
    QVERIFY(!map.regionAt(data + 192));
    QCOMPARE(map.locate(data + 192).range.length, std::uint64_t{0});
}

void TestByteMap::listsRegionsInARange()
{
    const ByteMap map(parsed(smallModel(3, ByteOrder::Little)));
    const std::vector<Region> all = map.regionsIn({0, UINT64_MAX}, 1000);
    QCOMPARE(all.size(), std::size_t{11}); // header, 4 pairs, 2 records, padding, 2 data, 1 padding
    QCOMPARE(all.front().kind, RegionKind::Header);
    QCOMPARE(map.regionsIn({0, UINT64_MAX}, 3).size(), std::size_t{3});
    QCOMPARE(map.regionsIn({23, 2}, 9).size(), std::size_t{2});
    QCOMPARE(map.regionsIn({23, 1}, 9).size(), std::size_t{1});
    QVERIFY(map.regionsIn({23, 0}, 9).empty());
    QVERIFY(map.regionsIn({1 << 20, 9}, 9).empty());
}

void TestByteMap::goldenPaths_data()
{
    QTest::addColumn<bool>("bigEndian");
    QTest::newRow("little-endian") << false;
    QTest::newRow("big-endian") << true;
}

void TestByteMap::goldenPaths()
{
    QFETCH(bool, bigEndian);
    const GgufWriter writer = smallModel(3, bigEndian ? ByteOrder::Big : ByteOrder::Little);
    const std::vector<std::byte> bytes = writer.bytes();
    const ByteMap map(parsed(writer));

    const std::uint64_t arch = writer.pairRange("general.architecture").offset;
    const std::uint64_t alignment = writer.valueOffset("general.alignment");
    const std::uint64_t numbers = writer.valueOffset("numbers");
    const std::uint64_t texts = writer.valueOffset("texts");
    const std::uint64_t record = writer.recordRange("blk.0.ffn_down.weight").offset;
    const std::uint64_t norm = writer.dataRange("output_norm.weight").offset;
    const std::uint64_t down = writer.dataRange("blk.0.ffn_down.weight").offset;
    const std::uint64_t block = down + 2 * 288 + 144; // row 2, block 1

    for (const Golden& golden : {
             Golden{1, "Header > magic", "char[4]", "GGUF", {0, 4}},
             {5, "Header > version", "u32", "3", {4, 4}},
             {8, "Header > tensor count", "u64", "2", {8, 8}},
             {23, "Header > metadata count", "u64", "4", {16, 8}},
             {arch, "Metadata > general.architecture > key length", "u64", "20", {arch, 8}},
             {arch + 9, "Metadata > general.architecture > key", "str", "general.architecture",
                 {arch + 8, 20}},
             {arch + 30, "Metadata > general.architecture > value type", "u32", "8 (str)", {arch + 28, 4}},
             {arch + 32, "Metadata > general.architecture > length", "u64", "5", {arch + 32, 8}},
             {arch + 44, "Metadata > general.architecture > text", "str", "llama", {arch + 40, 5}},
             {alignment + 3, "Metadata > general.alignment > value", "u32", "32", {alignment, 4}},
             {numbers, "Metadata > numbers > element type", "u32", "2 (u16)", {numbers, 4}},
             {numbers + 4, "Metadata > numbers > count", "u64", "3", {numbers + 4, 8}},
             {numbers + 15, "Metadata > numbers > element 1", "u16", "8", {numbers + 14, 2}},
             {texts + 12, "Metadata > texts > element 0 > length", "u64", "5", {texts + 12, 8}},
             {texts + 24, "Metadata > texts > element 0 > text", "str", "alpha", {texts + 20, 5}},
             {texts + 25, "Metadata > texts > element 1 > length", "u64", "0", {texts + 25, 8}},
             {texts + 41, "Metadata > texts > element 2 > text", "str", "gamma", {texts + 41, 5}},
             {record + 7, "Tensor table > blk.0.ffn_down.weight > name length", "u64", "21", {record, 8}},
             {record + 8, "Tensor table > blk.0.ffn_down.weight > name", "str", "blk.0.ffn_down.weight",
                 {record + 8, 21}},
             {record + 29, "Tensor table > blk.0.ffn_down.weight > dimension count", "u32", "2",
                 {record + 29, 4}},
             {record + 44, "Tensor table > blk.0.ffn_down.weight > dims[1]", "i64", "3", {record + 41, 8}},
             {record + 49, "Tensor table > blk.0.ffn_down.weight > type", "u32", "12 (Q4_K)",
                 {record + 49, 4}},
             {record + 60, "Tensor table > blk.0.ffn_down.weight > offset", "u64", "32", {record + 53, 8}},
         })
        compare(map, bytes, golden);

    // Inside the data: places, not the values of the writer's pattern.
    const Location element = map.locate(norm + 9, bytes, 0);
    QCOMPARE(element.pathText(), std::string("output_norm.weight > row 0, element 2"));
    QCOMPARE(element.range, (ByteRange{norm + 8, 4}));
    QCOMPARE(element.type, std::string("f32"));
    QCOMPARE(*element.element, std::uint64_t{2});
    QCOMPARE(element.field, std::string("v"));

    const Location scale = map.locate(block + 7, bytes, 0);
    QCOMPARE(scale.pathText(), std::string("blk.0.ffn_down.weight > row 2, block 1 > scales[3]"));
    QCOMPARE(scale.range, (ByteRange{block + 7, 1}));
    QCOMPARE(*scale.row, std::uint64_t{2});
    QCOMPARE(*scale.block, std::uint64_t{1});
    QCOMPARE(*scale.element, std::uint64_t{2 * 512 + 256});
    QCOMPARE(scale.value, std::to_string(static_cast<unsigned>(bytes[static_cast<std::size_t>(block + 7)])));
    QCOMPARE(map.locate(block + 1).pathText(), std::string("blk.0.ffn_down.weight > row 2, block 1 > d"));

    QCOMPARE(map.locate(norm + 20).pathText(), std::string("Padding after output_norm.weight"));
    QCOMPARE(map.locate(*map.document().dataOffset() - 1).pathText(),
        std::string("Padding before the tensor data"));
}

void TestByteMap::goldenPathsOfVersion1()
{
    const GgufWriter writer = smallModel(1, ByteOrder::Little);
    const std::vector<std::byte> bytes = writer.bytes();
    const ByteMap map(parsed(writer));
    const std::uint64_t arch = writer.pairRange("general.architecture").offset;
    const std::uint64_t texts = writer.valueOffset("texts");
    const std::uint64_t record = writer.recordRange("output_norm.weight").offset;
    for (const Golden& golden : {
             Golden{8, "Header > tensor count", "u32", "2", {8, 4}},
             {12, "Header > metadata count", "u32", "4", {12, 4}},
             {arch, "Metadata > general.architecture > key length", "u32", "20", {arch, 4}},
             {texts + 4, "Metadata > texts > count", "u32", "3", {texts + 4, 4}},
             {texts + 12, "Metadata > texts > element 0 > text", "str", "alpha", {texts + 12, 5}},
             {record + 26, "Tensor table > output_norm.weight > dims[0]", "u32", "5", {record + 26, 4}},
         })
        compare(map, bytes, golden);
}

void TestByteMap::nestedArrays()
{
    GgufWriter writer;
    writer.kv("deep", std::vector<std::vector<std::vector<std::string>>>{{{"a"}, {"b", "cd"}}, {{}}});
    writer.kv("pairs", std::vector<std::vector<std::int32_t>>{{1, 2}, {-3, 4}});
    const std::vector<std::byte> bytes = writer.bytes();
    const ByteMap map(parsed(writer));
    checkCoverage(map.document());
    // Each array: element type and count, 12 bytes; each string: length, 8 bytes.
    const std::uint64_t deep = writer.valueOffset("deep") + 12 + 12 + (12 + 9) + 12;
    compare(map, bytes,
        {deep + 9 + 9, "Metadata > deep > element 0 > element 1 > element 1 > text", "str", "cd",
            {deep + 17, 2}});
    const std::uint64_t pairs = writer.valueOffset("pairs") + 12 + (12 + 8) + 12;
    compare(map, bytes, {pairs + 1, "Metadata > pairs > element 1 > element 0", "i32", "-3", {pairs, 4}});
}

void TestByteMap::foreignTypes()
{
    // IQ4_KS (ik_llama.cpp): each row begins with a float, then blocks of 136 bytes.
    // Q4_0_R8: eight rows lie woven together.
    constexpr std::uint32_t kIq4Ks = 144, kQ4_0R8 = 202;
    GgufWriter writer;
    writer.tensor("meta", kIq4Ks, {512, 2}, std::vector<std::byte>(2 * (4 + 2 * 136)));
    writer.tensor("woven", kQ4_0R8, {64, 16}, std::vector<std::byte>(16 * 2 * 18));
    const ByteMap map(parsed(writer));
    checkCoverage(map.document());

    const std::uint64_t row = writer.dataRange("meta").offset + 276;
    QCOMPARE(map.locate(row + 3).pathText(), std::string("meta > row 1 > row scale"));
    QCOMPARE(map.locate(row + 3).range, (ByteRange{row, 4}));
    QCOMPARE(*map.locate(row + 4 + 136).block, std::uint64_t{1});
    QCOMPARE(map.locate(row + 4 + 136).path[1], std::string("row 1, block 1"));

    const std::uint64_t group = writer.dataRange("woven").offset + 8 * 36;
    const Location woven = map.locate(group + 8 * 18 + 5);
    QCOMPARE(woven.pathText(), std::string("woven > rows 8 to 15 > block 1 of each"));
    QCOMPARE(woven.range, (ByteRange{group + 8 * 18, 8 * 18}));
    QCOMPARE(*woven.block, std::uint64_t{1});

    // IQ4_KS_R4: the group begins with the scales of its four rows. BF16_R16 of so many columns that the bytes of
    // sixteen rows leave 64 bits.
    constexpr std::uint32_t kIq4KsR4 = 344, kBf16R16 = 230;
    GgufWriter more;
    more.tensor("scaled", kIq4KsR4, {256, 8}, std::vector<std::byte>(8 * (4 + 136)));
    more.tensor("huge", kBf16R16, {std::uint64_t{1} << 59}, std::vector<std::byte>(64));
    const ByteMap moreMap(parsed(more));
    checkCoverage(moreMap.document());
    const std::uint64_t second = more.dataRange("scaled").offset + 4 * 140;
    QCOMPARE(moreMap.locate(second + 5).pathText(), std::string("scaled > rows 4 to 7 > row scales"));
    QCOMPARE(moreMap.locate(second + 5).range, (ByteRange{second, 16}));
    QCOMPARE(moreMap.locate(second + 16).pathText(), std::string("scaled > rows 4 to 7 > block 0 of each"));
    QCOMPARE(moreMap.locate(more.dataRange("huge").offset + 3).pathText(), std::string("huge"));
}

QTEST_GUILESS_MAIN(TestByteMap)
#include "tst_bytemap.moc"
