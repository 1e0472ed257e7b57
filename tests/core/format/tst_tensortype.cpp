// SPDX-License-Identifier: GPL-3.0-or-later
#include "format/filetype.h"
#include "format/tensortype.h"
#include "format/valuetype.h"
#include "support/qt/judgedfiles.h"

#include <QJsonArray>
#include <QtTest>

#include <array>

using namespace gguf;

namespace {

std::optional<TensorSize> sizeOf(std::string_view name, std::vector<std::int64_t> dims)
{
    return tensorSize(*findTensorType(name), dims);
}

} // namespace

class TensorTypeTest : public QObject
{
    Q_OBJECT
private slots:
    void blocksAreGgmls();
    void statuses();
    void collidingIds();
    void namesAreFoundWithoutCase();
    void namesOfRealFiles();
    void sizes();
    void sizesThatOverflow();
    void rowsOfWholeBlocksOnly();
    void forkSizes();
    void fileTypes();
    void valueTypes();
};

void TensorTypeTest::blocksAreGgmls()
{
    // num_elements_per_block and len_block of the specification; 0: ggml refuses the type.
    constexpr std::array<std::uint32_t, 43> kLength{1, 1, 32, 32, 0, 0, 32, 32, 32, 32, 256, 256, 256, 256,
        256, 256, 256, 256, 256, 256, 32, 256, 256, 256, 1, 1, 1, 1, 1, 256, 1, 0, 0, 0, 256, 256, 0, 0, 0,
        32, 64, 128, 64};
    constexpr std::array<std::uint32_t, 43> kBytes{4, 2, 18, 20, 0, 0, 22, 24, 34, 36, 84, 110, 144, 176, 210,
        292, 66, 74, 98, 50, 18, 110, 82, 136, 1, 2, 4, 8, 8, 56, 2, 0, 0, 0, 54, 66, 0, 0, 0, 17, 36, 18,
        18};
    for (std::uint32_t id = 0; id < 43; ++id) {
        const TensorTypeInfo* type = findTensorType(id);
        QVERIFY(type);
        QCOMPARE(type->owner, std::string_view("ggml"));
        QCOMPARE(ggmlReadsTensorType(id), kLength[id] != 0);
        if (kLength[id] != 0) {
            QCOMPARE(type->blockLength, kLength[id]);
            QCOMPARE(type->blockBytes, kBytes[id]);
        }
    }
    QVERIFY(!ggmlReadsTensorType(43));
    QVERIFY(!ggmlReadsTensorType(137));
    QVERIFY(!findTensorType(5000));
    QVERIFY(tensorTypeLayouts(UINT32_MAX).empty());
}

void TensorTypeTest::statuses()
{
    QCOMPARE(findTensorType(4u)->status, TypeStatus::Removed);
    QCOMPARE(findTensorType(31u)->status, TypeStatus::Removed);
    QVERIFY(!findTensorType(31u)->note.empty());
    QCOMPARE(findTensorType(36u)->status, TypeStatus::Removed);
    QCOMPARE(findTensorType(37u)->status, TypeStatus::Reserved);
    QCOMPARE(findTensorType(137u)->status, TypeStatus::Fork);
    QCOMPARE(findTensorType(137u)->owner, std::string_view("ik_llama.cpp"));
    QCOMPARE(findTensorType(12u)->bitsPerWeight(), 4.5);
}

void TensorTypeTest::collidingIds()
{
    const auto q2 = tensorTypeLayouts(42);
    QCOMPARE(q2.size(), std::size_t{2});
    QCOMPARE(q2[0].blockLength, 64u);
    QCOMPARE(q2[1].blockLength, 128u);
    QCOMPARE(q2[1].blockBytes, 34u);
    QCOMPARE(tensorTypeLayouts(36).size(), std::size_t{2});
    QCOMPARE(tensorTypeLayouts(142).size(), std::size_t{2});
    QCOMPARE(tensorTypeLayouts(12).size(), std::size_t{1});
}

void TensorTypeTest::namesAreFoundWithoutCase()
{
    QCOMPARE(findTensorType("q4_k")->id, 12u);
    QCOMPARE(findTensorType("Q8_kv")->id, 151u);
    QCOMPARE(findTensorType("Q4_0_4_8")->id, 32u);
    QCOMPARE(findTensorType("Q1_0_g128")->id, 41u);
    QVERIFY(!findTensorType("q4"));
    QVERIFY(!findTensorType(""));
}

void TensorTypeTest::namesOfRealFiles()
{
    const QJsonArray models = readManifest(GGUF_MODELS_DIR);
    if (models.isEmpty())
        QSKIP("No models: set GGUF_MODELS_DIR.");
    for (const QJsonValue& model : models) {
        for (const QJsonValue& tensor : model.toObject()[QStringLiteral("tensors")].toArray()) {
            const QString name = tensor.toArray()[1].toString();
            const TensorTypeInfo* type = findTensorType(std::string_view(name.toStdString()));
            QVERIFY2(type, qPrintable(name));
            QCOMPARE(QString::fromStdString(std::string(type->name)).toLower(), name.toLower());
        }
    }
}

void TensorTypeTest::sizes()
{
    const auto size = sizeOf("Q4_K", {512, 3, 2});
    QVERIFY(size);
    QCOMPARE(size->elements, 3072u);
    QCOMPARE(size->blocks, 12u);
    QCOMPARE(size->rowBytes, 288u);
    QCOMPARE(size->dataBytes, 1728u);

    const auto scalar = sizeOf("F32", {});
    QVERIFY(scalar);
    QCOMPARE(scalar->elements, 1u);
    QCOMPARE(scalar->dataBytes, 4u);
    QVERIFY(!sizeOf("Q4_0", {})); // a row of one element is no whole block

    const auto none = sizeOf("Q4_0", {32, 0});
    QVERIFY(none);
    QCOMPARE(none->elements, 0u);
    QCOMPARE(none->rowBytes, 18u);
    QCOMPARE(none->dataBytes, 0u);
    QCOMPARE(sizeOf("F16", {0})->dataBytes, 0u);
}

void TensorTypeTest::sizesThatOverflow()
{
    constexpr std::int64_t kHuge = std::int64_t{1} << 33;
    QVERIFY(!elementCount(std::array{kHuge, kHuge}));
    QVERIFY(!sizeOf("I8", {kHuge, kHuge}));
    QVERIFY(!elementCount(std::array{std::int64_t{-1}}));
    QVERIFY(!elementCount(std::array{std::int64_t{0}, std::int64_t{-1}}));
    QCOMPARE(elementCount(std::array{kHuge, std::int64_t{0}, kHuge, kHuge}), std::optional<std::uint64_t>(0));
    QCOMPARE(elementCount(std::array{INT64_MAX}), std::optional<std::uint64_t>(INT64_MAX));
    QVERIFY(sizeOf("I8", {INT64_MAX}));
    QVERIFY(!sizeOf("F16", {INT64_MAX})); // the elements fit, their bytes do not
    QVERIFY(!sizeOf("Q8_KV", {32, INT64_MAX / 32})); // only with the bytes per row
    QVERIFY(!sizeOf("F16", {2, INT64_MAX / 2}));
}

void TensorTypeTest::rowsOfWholeBlocksOnly()
{
    QVERIFY(sizeOf("Q6_K", {256}));
    QVERIFY(!sizeOf("Q6_K", {255}));
    QVERIFY(!sizeOf("Q6_K", {128, 2}));
}

void TensorTypeTest::forkSizes()
{
    QCOMPARE(sizeOf("IQ4_KSS", {4096, 10})->rowBytes, 2052u); // four bytes per row beyond the blocks
    QCOMPARE(sizeOf("IQ2_KL", {256, 3})->dataBytes, 3u * 88);
    QCOMPARE(sizeOf("I2_S", {128, 64})->dataBytes, 128u * 64 / 4 + 32); // 32 bytes per tensor
    QCOMPARE(sizeOf("TL1", {256, 4})->dataBytes, 256u + 32);
    QVERIFY(!sizeOf("TL2", {256, 4})); // known by name, its size is not computed
    QCOMPARE(findTensorType("Q4_K_R4")->rowsInterleaved, 4u);
    QCOMPARE(findTensorType("Q8_0_R8")->rowsInterleaved, 8u);
}

void TensorTypeTest::fileTypes()
{
    QCOMPARE(findFileType(15u)->name, std::string_view("Q4_K_M"));
    QCOMPARE(findFileType(15u)->label, std::string_view("Q4_K - Medium"));
    QCOMPARE(findFileType(1024u + 15)->name, std::string_view("Q4_K_M"));
    QCOMPARE(findFileType("q4_k_m")->id, 15u);
    QVERIFY(findFileType(4u)->removed);
    QCOMPARE(gguf::fileTypes(40).size(), std::size_t{2}); // llama.cpp's Q1_0, BitNet's I2_S
    QCOMPARE(gguf::fileTypes(40)[0].owner, std::string_view("llama.cpp"));
    QVERIFY(!findFileType(999u));
    for (const FileTypeInfo& type : allFileTypes())
        QVERIFY2(type.defaultType.empty() || findTensorType(type.defaultType), type.name.data());
}

void TensorTypeTest::valueTypes()
{
    QVERIFY(!valueTypeFromId(13));
    QCOMPARE(valueTypeName(*valueTypeFromId(10)), std::string_view("u64"));
    QCOMPARE(valueTypeName(ValueType::Bool), std::string_view("bool"));
    constexpr std::array<std::uint32_t, kValueTypeCount> kSizes{1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};
    for (std::uint32_t id = 0; id < kValueTypeCount; ++id)
        QCOMPARE(valueTypeSize(*valueTypeFromId(id)), kSizes[id]);
}

QTEST_APPLESS_MAIN(TensorTypeTest)
#include "tst_tensortype.moc"
