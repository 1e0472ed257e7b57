// SPDX-License-Identifier: GPL-3.0-or-later
#include "audit/comparison.h"
#include "document/documentbuilder.h"
#include "parse/parser.h"
#include "support/ggufwriter.h"

#include <QTest>

using gguf::TensorSum;

namespace {

gguf::Document parsed(const GgufWriter& writer)
{
    return gguf::parse(*writer.source());
}

GgufWriter withTensorBeside(std::uint32_t type, std::vector<std::uint64_t> dims)
{
    GgufWriter writer;
    writer.kv("general.architecture", "llama");
    writer.tensor("a", type, std::move(dims)).tensor("b", kF32, {4});
    return writer;
}

} // namespace

class TensorSumTest : public QObject
{
    Q_OBJECT
private slots:
    void allThatIsKnownIsTold()
    {
        TensorSum sum;
        QCOMPARE(sum.parameters(), std::optional<std::uint64_t>(0));
        QVERIFY(!sum.bitsPerWeight());
        QCOMPARE(sum.whyNoBitsPerWeight(), std::string());
        sum.add(32, 18);
        sum.add(4, 16);
        QCOMPARE(sum.parameters(), std::optional<std::uint64_t>(36));
        QCOMPARE(sum.knownBytes(), std::optional<std::uint64_t>(34));
        QCOMPARE(sum.bitsPerWeight(), std::optional(8.0 * 34 / 36));
        QCOMPARE(sum.whyNoParameters() + sum.whyNoBitsPerWeight(), std::string());
    }

    void sumsThatDoNotFitAreUnknown()
    {
        TensorSum sum;
        sum.add(UINT64_MAX - 8, 4);
        QVERIFY(sum.parameters());
        sum.add(9, 4);
        QVERIFY(!sum.parameters());
        QVERIFY(!sum.bitsPerWeight());
        QCOMPARE(sum.knownBytes(), std::optional<std::uint64_t>(8));
        QCOMPARE(sum.whyNoParameters(), std::string("too many elements to count"));
        QCOMPARE(sum.whyNoBitsPerWeight(), std::string("too many elements to count"));
        TensorSum twice = sum;
        twice.add(sum);
        QCOMPARE(twice.tensors, std::uint64_t{4});
        QCOMPARE(twice.elements, UINT64_MAX);
    }

    void filesSayWhatIsUnknown_data()
    {
        QTest::addColumn<quint32>("type");
        QTest::addColumn<QList<quint64>>("dims");
        QTest::addColumn<qint64>("parameters"); // -1: unknown
        QTest::addColumn<bool>("bits");
        QTest::newRow("known") << quint32{kQ4_0} << QList<quint64>{64, 16} << qint64{1028} << true;
        QTest::newRow("unknown type") << 48U << QList<quint64>{64, 16} << qint64{1028} << false;
        QTest::newRow("partial row") << quint32{kQ4_0} << QList<quint64>{33, 2} << qint64{70} << false;
        QTest::newRow("overflow") << quint32{kF32} << QList<quint64>{quint64{1} << 62, 3} << qint64{-1} << false;
        QTest::newRow("overflow of an unknown type") << 48U << QList<quint64>{quint64{1} << 62, 3} << qint64{-1} << false;
        QTest::newRow("negative") << quint32{kF32} << QList<quint64>{UINT64_MAX} << qint64{-1} << false;
        QTest::newRow("bytes that overflow") << quint32{kF32} << QList<quint64>{quint64{1} << 62} << ((qint64{1} << 62) + 4)
                                             << false;
    }

    /// The whole file, its types and both sides of a comparison agree.
    void filesSayWhatIsUnknown()
    {
        QFETCH(const quint32, type);
        QFETCH(const QList<quint64>, dims);
        QFETCH(const qint64, parameters);
        QFETCH(const bool, bits);
        const auto document = parsed(withTensorBeside(type, {dims.begin(), dims.end()}));
        QVERIFY(document.sum());
        const auto mix = gguf::computeMix(gguf::auditTensors(document));
        const auto comparison = gguf::compareDocuments(document, document);
        for (const TensorSum& sum : {*document.sum(), TensorSum(mix.total), TensorSum(comparison.totalA)}) {
            QCOMPARE(sum.tensors, std::uint64_t{2});
            QCOMPARE(sum.parameters() ? static_cast<qint64>(*sum.parameters()) : -1, parameters);
            QCOMPARE(sum.bitsPerWeight().has_value(), bits);
            QCOMPARE(sum.whyNoParameters(), std::string(parameters < 0 ? "1 tensor of unknown element count" : ""));
            QCOMPARE(sum.whyNoBitsPerWeight(), std::string(bits ? "" : "1 tensor of unknown size"));
        }
        QCOMPARE(document.parameters(), document.sum()->parameters());
        QCOMPARE(document.bitsPerWeight(), document.sum()->bitsPerWeight());
        const auto& odd = mix.types[mix.types[0].id == type ? 0 : 1];
        QCOMPARE(odd.id, type);
        QCOMPARE(odd.sum.bitsPerWeight().has_value(), bits);
        if (parameters >= 0)
            QCOMPARE(odd.sum.elements + (type == kF32 ? 0 : 4), static_cast<std::uint64_t>(parameters));
    }

    void aFileThatIsNotReadToItsEndHasNoSum()
    {
        auto writer = withTensorBeside(kF32, {4});
        QVERIFY(!parsed(writer.statedTensorCount(1000)).sum());
        QVERIFY(!parsed(writer).parameters());
    }

    void problemsThatAreNotListedAreCountedBySeverity()
    {
        gguf::DocumentBuilder builder(100);
        const auto rule = gguf::Rule::TensorOffsetUnaligned;
        for (std::size_t i = 0; i < gguf::kMaxProblemsPerRule + 7; ++i)
            builder.addProblem(rule, {0, 1}, {});
        gguf::Problem note{rule, gguf::ruleInfo(rule).judges, gguf::Severity::Note, {0, 1}, {}, {}, {}};
        builder.addProblem(note);
        const gguf::Document& document = builder.document();
        QCOMPARE(document.problemTotal(gguf::Severity::Error), gguf::kMaxProblemsPerRule + 7);
        QCOMPARE(document.problemTotal(gguf::Severity::Note), std::uint64_t{1});
        QCOMPARE(document.problemTotal(gguf::Severity::Warning), std::uint64_t{0});
        QCOMPARE(gguf::compareDocuments(document, document).errorsB, gguf::kMaxProblemsPerRule + 7);
    }
};

QTEST_GUILESS_MAIN(TensorSumTest)
#include "tst_tensorsum.moc"
