// SPDX-License-Identifier: GPL-3.0-or-later
// What looks odd and is in order must not be complained about; and layouts are told apart by the room for
// them.

#include "parse/parser.h"
#include "support/ggufwriter.h"

#include <QTest>

#include <optional>

using namespace gguf;

namespace {

constexpr std::uint32_t kIq4Nl = 20, kQ5_0 = 6, kQ2_0 = 42, kI2S = 36;

Document examine(const GgufWriter& writer, const char* fileName = "model.gguf")
{
    const auto source = writer.source();
    ParseOptions options;
    options.fileName = fileName;
    return inspectData(parse(*source, options), *source, options);
}

std::optional<Problem> find(const Document& document, Rule rule)
{
    for (std::size_t i = 0; i < document.problemCount(); ++i) {
        if (document.problem(i).rule == rule)
            return document.problem(i);
    }
    return {};
}

QString messages(const Document& document)
{
    QStringList lines;
    for (std::size_t i = 0; i < document.problemCount(); ++i)
        lines << QString::fromStdString(problemMessage(document.problem(i)));
    return lines.join(u'\n');
}

GgufWriter model()
{
    GgufWriter writer;
    writer.kv("general.architecture", "llama").kv("general.quantization_version", std::uint32_t{2});
    return writer;
}

} // namespace

class TestMeaning : public QObject
{
    Q_OBJECT

    static void verifySilent(const GgufWriter& writer, const char* fileName = "model.gguf")
    {
        const Document document = examine(writer, fileName);
        QVERIFY2(document.problemCount() == 0, qPrintable(messages(document)));
    }

private slots:
    void unsetTokenIds()
    {
        GgufWriter writer = model();
        writer.kv("tokenizer.ggml.tokens", std::vector<std::string>{"a", "b"})
            .kv("tokenizer.ggml.bos_token_id", std::uint32_t{1})
            .kv("tokenizer.ggml.padding_token_id", std::uint32_t{0xFFFFFFFF})
            .tensor("token_embd.weight", kF32, {8, 2});
        verifySilent(writer); // tied embeddings: no output.weight
    }

    void layersLeftOutOnPurpose()
    {
        GgufWriter writer = model();
        writer.kv("llama.block_count", std::uint32_t{3})
            .kv("llama.attention.head_count", std::vector<std::uint32_t>{8, 0, 8})
            .tensor("blk.0.attn_q.weight", kF32, {8, 8})
            .tensor("blk.2.attn_q.weight", kF32, {8, 8});
        verifySilent(writer);
    }

    void layersThatPredictFurtherTokens()
    {
        for (const std::uint32_t present : {2u, 3u, 4u}) {
            GgufWriter writer = model();
            writer.kv("llama.block_count", std::uint32_t{3})
                .kv("llama.nextn_predict_layers", std::uint32_t{1});
            for (std::uint32_t i = 0; i < present; ++i)
                writer.tensor("blk." + std::to_string(i) + ".attn_q.weight", kF32, {8, 8});
            verifySilent(writer);
        }
    }

    void missingLayersAreListed()
    {
        GgufWriter writer = model();
        writer.kv("llama.block_count", std::uint32_t{8});
        for (const char* layer : {"0", "1", "3", "7", "9"})
            writer.tensor("blk." + std::string(layer) + ".attn_q.weight", kF32, {8, 8});
        const auto problem = find(examine(writer), Rule::BlockCountMismatch);
        QVERIFY(problem);
        QCOMPARE(problem->found,
            std::string(
                "llama.block_count = 8, no tensors for layer 2, 4 to 6, tensors for layer 9 beyond it"));
        QCOMPARE(problem->severity, Severity::Warning);
    }

    void anAbsurdBlockCountIsSaidInAFewWords()
    {
        GgufWriter writer = model();
        writer.kv("llama.block_count", UINT64_MAX).tensor("blk.3.attn_q.weight", kF32, {8, 8});
        const auto problem = find(examine(writer), Rule::BlockCountMismatch);
        QVERIFY(problem);
        QCOMPARE(problem->found,
            std::string("llama.block_count = 18446744073709551615, no tensors for layer 0 to 2, 4 to "
                        "18446744073709551614"));
    }

    void labelsOfStockMixes()
    {
        // Rows that the promised type's blocks do not divide fall back to others.
        GgufWriter fallback = model();
        fallback.kv("general.file_type", std::uint32_t{15}).tensor("blk.0.ffn_up.weight", kQ5_0, {320, 4});
        verifySilent(fallback);
        // A dense model asked for MXFP4_MOE is all Q8_0.
        GgufWriter dense = model();
        dense.kv("general.file_type", std::uint32_t{38}).tensor("blk.0.ffn_up.weight", kQ8_0, {256, 4});
        verifySilent(dense);
        // The marker of a guessed label is no label.
        GgufWriter guessed = model();
        guessed.kv("general.file_type", std::uint32_t{1024 + 7})
            .tensor("blk.0.ffn_up.weight", kQ8_0, {256, 4});
        verifySilent(guessed);
        GgufWriter wrong = model();
        wrong.kv("general.file_type", std::uint32_t{7}).tensor("blk.0.ffn_up.weight", kIq4Nl, {256, 4});
        QVERIFY(find(examine(wrong), Rule::FileTypeMismatch));
    }

    void laterShardsHaveFewKeys()
    {
        GgufWriter writer;
        writer.kv("split.no", std::uint16_t{1})
            .kv("split.count", std::uint16_t{3})
            .tensor("blk.5.w.weight", kQ8_0, {256, 4});
        const Document document = examine(writer, "m-00002-of-00003.gguf");
        QVERIFY(find(document, Rule::SplitShard));
        QVERIFY2(document.problemCount() == 1, qPrintable(messages(document)));
    }

    void companionsAreNoModels_data()
    {
        QTest::addColumn<QByteArray>("key");
        QTest::addColumn<QByteArray>("value");
        QTest::addColumn<QByteArray>("word");
        QTest::newRow("mmproj") << QByteArray("general.architecture") << QByteArray("clip")
                                << QByteArray("projector");
        QTest::newRow("adapter") << QByteArray("general.type") << QByteArray("adapter") << QByteArray("LoRA");
        QTest::newRow("imatrix") << QByteArray("general.type") << QByteArray("imatrix")
                                 << QByteArray("importance");
        QTest::newRow("control vector") << QByteArray("general.architecture") << QByteArray("controlvector")
                                        << QByteArray("control vector");
    }

    void companionsAreNoModels()
    {
        QFETCH(QByteArray, key);
        QFETCH(QByteArray, value);
        QFETCH(QByteArray, word);
        GgufWriter writer;
        writer.kv(key.toStdString(), value.toStdString());
        const auto problem = find(examine(writer), Rule::CompanionFile);
        QVERIFY(problem);
        QVERIFY(problem->found.find(word.toStdString()) != std::string::npos);
        QCOMPARE(problem->severity, Severity::Note);
    }

    void meaningIsNoFormatError()
    {
        GgufWriter writer;
        writer.kv("general.architecture", std::uint32_t{1})
            .kv("tokenizer.ggml.model", "gpt2")
            .kv("tokenizer.ggml.tokens", std::vector<std::string>{"a", "a"})
            .kv("tokenizer.ggml.bos_token_id", std::uint32_t{9});
        const Verdicts verdicts = examine(writer).verdicts();
        QVERIFY(verdicts.specValid && verdicts.ggmlOpens && verdicts.ggmlReads);
    }

    void theForksLayoutIsChosen()
    {
        GgufWriter writer = model();
        writer.tensor("a.weight", kQ2_0, {256, 64})
            .dataBytes(256 / 128 * 34 * 64)
            .tensor("b.weight", kQ2_0, {256, 32})
            .dataBytes(256 / 128 * 34 * 32)
            .tensor("c", kF32, {4});
        const Document document = examine(writer);
        QCOMPARE(document.tensor(0).typeName(), std::string("Q2_0_G128"));
        QCOMPARE(document.tensor(1).dataBytes.value_or(0), std::uint64_t(256 / 128 * 34 * 32));
        QCOMPARE(document.fittingLayouts(kQ2_0).size(), std::size_t(1));
        // ggml takes the number for its own type and refuses the offsets that follow.
        QVERIFY(!document.verdicts().ggmlOpens);
        QVERIFY(!document.verdicts().specValid);
        QCOMPARE(document.problem(*document.verdicts().ggmlOpensReason).rule, Rule::TensorTypeLayout);
        QVERIFY(!find(document, Rule::TensorOffsetUnexpected));
    }

    void bytesPerTensorBeyondTheRows()
    {
        GgufWriter writer = model();
        writer.tensor("a.weight", kI2S, {256, 64}).dataBytes(256 * 64 / 4 + 32).tensor("c", kF32, {4});
        const Document document = examine(writer);
        QCOMPARE(document.tensor(0).typeName(), std::string("I2_S"));
        QCOMPARE(document.tensor(0).dataBytes.value_or(0), std::uint64_t(256 * 64 / 4 + 32));
        QVERIFY(find(document, Rule::TensorTypeFork));
    }

    void anUnknownTypeIsNeverGuessed()
    {
        GgufWriter writer = model();
        writer.tensor("a.weight", 5000, {256, 64}).dataBytes(144 * 64).tensor("c", kF32, {4});
        const Document document = examine(writer);
        QVERIFY(!document.tensor(0).type);
        const auto note = find(document, Rule::TensorTypeLayout);
        QVERIFY(note);
        QVERIFY2(note->found.find("Q4_K of ggml") != std::string::npos, note->found.c_str());
        QVERIFY(note->found.find("Q6_K") == std::string::npos);
        QVERIFY(find(document, Rule::TensorTypeUnknown));
    }
};

QTEST_GUILESS_MAIN(TestMeaning)
#include "tst_meaning.moc"
