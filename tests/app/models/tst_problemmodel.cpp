// SPDX-License-Identifier: GPL-3.0-or-later
#include "document/documentbuilder.h"
#include "models/overview.h"
#include "models/problemmodel.h"
#include "models/selection.h"

#include "growing.h"
#include "support/qt/modeltext.h"

#include <QAbstractItemModelTester>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>

using namespace Qt::StringLiterals;

namespace {

constexpr auto kFatal = QAbstractItemModelTester::FailureReportingMode::Fatal;

/// A document with these Problems, at falling offsets.
gguf::Document documentWith(std::initializer_list<gguf::Rule> rules)
{
    gguf::DocumentBuilder builder(1000);
    std::uint64_t offset = 900;
    for (const gguf::Rule rule : rules) {
        builder.addProblem(rule, {offset, 4}, {}, "this", "that");
        offset -= 100;
    }
    builder.setStatus(gguf::Status::Ok);
    return builder.document();
}

constexpr gguf::Rule kRefused = gguf::Rule::TensorOffsetUnaligned;
constexpr gguf::Rule kNote = gguf::Rule::AlignmentUnusual;

/// The Problems that the model shows, each once.
QSet<std::size_t> shown(const ProblemModel& model, const QModelIndex& parent = {})
{
    QSet<std::size_t> problems;
    for (int row = 0; row < model.rowCount(parent); ++row) {
        const QModelIndex index = model.index(row, 0, parent);
        if (const std::optional<std::size_t> problem = model.problemAt(index))
            problems.insert(*problem);
        problems += shown(model, index);
    }
    return problems;
}

} // namespace

/// Problems, the summary of a document, and the shared selection.
class TestProblemModel : public QObject
{
    Q_OBJECT
private slots:
    void init() { QTest::failOnWarning(QRegularExpression(u".*"_s)); }
    void flatRows();
    void groups();
    void everyRuleStandsUnderItsJudges();
    void filters();
    void growsBySnapshots();
    void nextAndPrevious();
    void countsWhatIsNotListed();
    void overviewOfAGoodFile();
    void overviewSaysWhatIsUnknown();
    void overviewOfACutFile();
    void overviewOfWhatIsNotGguf();
    void selectionTellsEachJump();
};

void TestProblemModel::flatRows()
{
    ProblemModel model;
    const QAbstractItemModelTester tester(&model, kFatal);
    model.setFlat(true);
    model.setDocument(documentWith({kRefused, kNote}));
    QCOMPARE(model.rowCount(), 2);
    const QModelIndex row = model.index(0, 0);
    QCOMPARE(row.data().toString(), u"Error"_s);
    QCOMPARE(row.siblingAtColumn(ProblemModel::CodeColumn).data().toString(), u"tensor-offset-unaligned"_s);
    QCOMPARE(row.siblingAtColumn(ProblemModel::OffsetColumn).data().toString(), u"0x384 (900)"_s);
    QCOMPARE(row.siblingAtColumn(ProblemModel::SubjectColumn).data().toString(), u"file"_s);
    QCOMPARE(row.siblingAtColumn(ProblemModel::MessageColumn).data().toString(),
        QString::fromStdString(gguf::problemMessage(model.document().problem(0))));
    QCOMPARE(row.data(ProblemModel::FoundRole).toString(), u"this"_s);
    QCOMPARE(row.data(ProblemModel::ExpectedRole).toString(), u"that"_s);
    for (const int role : {int(ProblemModel::MeaningRole), int(ProblemModel::ConsequenceRole),
             int(ProblemModel::RemedyRole), int(ProblemModel::JudgesRole)})
        QVERIFY(!row.data(role).toString().isEmpty());
    QCOMPARE(row.data(RangeOffsetRole).toULongLong(), quint64{900});
    QCOMPARE(row.data(RangeLengthRole).toULongLong(), quint64{4});
}

void TestProblemModel::groups()
{
    ProblemModel model;
    const QAbstractItemModelTester tester(&model, kFatal);
    model.setDocument(documentWith({kRefused, kRefused, kNote}));
    const gguf::Judges judges = gguf::ruleInfo(kRefused).judges;
    QVERIFY(judges.spec && judges.ggml == gguf::GgmlVerdict::RefusesToOpen);
    QStringList lines = modelText(model, {0}, 1);
    QVERIFY(lines.contains(u"ggml refuses to open the file (2)"_s));
    QVERIFY(lines.contains(u"The specification calls it invalid (2)"_s));
    QVERIFY(lines.contains(u"Nobody refuses it, but it is worth knowing (1)"_s));
    QVERIFY(lines.contains(u"  Errors (2)"_s));
    QCOMPARE(lines.first(), u"ggml refuses to open the file (2)"_s);
    QCOMPARE(shown(model).size(), 3);
    QCOMPARE(model.problemAt(model.indexOf(2)), std::size_t{2});
}

void TestProblemModel::everyRuleStandsUnderItsJudges()
{
    gguf::DocumentBuilder builder(1000);
    for (const gguf::RuleInfo& rule : gguf::allRules())
        builder.addProblem(rule.rule, {0, 1}, {});
    ProblemModel model;
    const QAbstractItemModelTester tester(&model, kFatal);
    model.setDocument(builder.document());
    QCOMPARE(shown(model).size(), static_cast<qsizetype>(gguf::kRuleCount));
    for (std::size_t i = 0; i < gguf::kRuleCount; ++i)
        QCOMPARE(model.problemAt(model.indexOf(i)), i);
}

void TestProblemModel::filters()
{
    ProblemModel model;
    const QAbstractItemModelTester tester(&model, kFatal);
    model.setDocument(documentWith({kRefused, kRefused, kNote}));
    QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
    model.setFilter(u"UNALIGNED"_s);
    QCOMPARE(model.visibleProblems(), std::size_t{2});
    QCOMPARE(shown(model), QSet<std::size_t>({0, 1}));
    QVERIFY(!model.indexOf(2).isValid());
    model.setFilter(u"alignment-unusual"_s);
    QCOMPARE(shown(model), QSet<std::size_t>({2}));
    QVERIFY(!model.indexOf(0).isValid());
    model.setFilter(u"no such thing"_s);
    QCOMPARE(model.rowCount(), 0);
    model.setFilter({});
    QCOMPARE(shown(model).size(), 3);
    QCOMPARE(resets.size(), 0);
}

void TestProblemModel::growsBySnapshots()
{
    GgufWriter writer;
    writer.kv("general.architecture", "x").kv("twice", 1).kv("twice", 2).kv("Bad Key", 3);
    writer.tensor("a", kF32, {8}).tensor("a", kF32, {8}).tensor("b", 200, {32}).trailing("more");
    for (const bool flat : {false, true}) {
        ProblemModel model;
        const QAbstractItemModelTester tester(&model, kFatal);
        model.setFlat(flat);
        model.setDocument({});
        QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
        const std::vector<gguf::Document> snapshots = snapshotsOf(writer);
        for (const gguf::Document& document : snapshots)
            model.updateDocument(document);
        QCOMPARE(resets.size(), 0);
        QCOMPARE(shown(model).size(), static_cast<qsizetype>(snapshots.back().problemCount()));
        ProblemModel atOnce;
        atOnce.setFlat(flat);
        atOnce.setDocument(snapshots.back());
        QCOMPARE(modelText(model, {}, 3), modelText(atOnce, {}, 3));
    }
}

void TestProblemModel::nextAndPrevious()
{
    ProblemModel model;
    QVERIFY(!model.nextProblem({}, true));
    model.setDocument(documentWith({kRefused, kNote, kRefused})); // offsets 900, 800, 700
    QCOMPARE(model.nextProblem({}, true), std::size_t{2});
    QCOMPARE(model.nextProblem({}, false), std::size_t{0});
    QCOMPARE(model.nextProblem(2, true), std::size_t{1});
    QCOMPARE(model.nextProblem(0, true), std::size_t{2}); // around the end
    QCOMPARE(model.nextProblem(2, false), std::size_t{0});
    model.setFilter(u"unaligned"_s);
    QCOMPARE(model.nextProblem(2, true), std::size_t{0});
}

void TestProblemModel::countsWhatIsNotListed()
{
    gguf::DocumentBuilder builder(1000);
    for (std::size_t i = 0; i < gguf::kMaxProblemsPerRule + 5; ++i)
        builder.addProblem(kRefused, {i % 900, 1}, {});
    ProblemModel model;
    model.setDocument(builder.document());
    QCOMPARE(model.totals(), (std::array<std::uint64_t, 3>{gguf::kMaxProblemsPerRule + 5, 0, 0}));
    QCOMPARE(model.visibleProblems(), gguf::kMaxProblemsPerRule);
    QCOMPARE(model.unlistedText(), u"5 more of tensor-offset-unaligned are counted but not listed."_s);
}

void TestProblemModel::overviewOfAGoodFile()
{
    const gguf::Document document = documentOf(GgufWriter()
                                                   .kv("general.architecture", "llama")
                                                   .kv("general.name", "<b>Tiny</b>")
                                                   .kv("general.file_type", std::uint32_t{0})
                                                   .tensor("token_embd.weight", kF32, {8, 2}));
    const Overview overview = Overview::of(document, u"file.gguf"_s);
    QCOMPARE(overview.title, u"<b>Tiny</b>"_s);
    QCOMPARE(overview.architecture, u"llama"_s);
    QCOMPARE(overview.parameters, u"16 parameters"_s);
    QCOMPARE(overview.bitsPerWeight, u"32.00 bits per weight"_s);
    QCOMPARE(overview.format, u"GGUF version 3, little-endian"_s);
    QVERIFY(overview.fileType.endsWith(u"(0)"_s));
    QCOMPARE(overview.tensors, u"1 tensor"_s);
    QCOMPARE(overview.metadata, u"3 keys"_s);
    QVERIFY(overview.complete && overview.spec.good && overview.ggmlOpens.good && overview.ggmlReads.good);
}

void TestProblemModel::overviewSaysWhatIsUnknown()
{
    const auto overview = [](std::vector<std::uint64_t> dims) {
        return Overview::of(documentOf(GgufWriter()
                                           .kv("general.architecture", "llama")
                                           .tensor("a", 48, std::move(dims))
                                           .tensor("b", kF32, {4})),
            u"file.gguf"_s);
    };
    const Overview odd = overview({64, 16});
    QCOMPARE(odd.parameters, u"1.03 K parameters"_s);
    QCOMPARE(odd.bitsPerWeight, u"bits per weight unknown: 1 tensor of unknown size"_s);
    QCOMPARE(overview({std::uint64_t{1} << 62, 3}).parameters, u"parameters unknown: 1 tensor of unknown element count"_s);
}

void TestProblemModel::overviewOfACutFile()
{
    GgufWriter writer = GgufWriter().kv("general.architecture", "x");
    writer.tensor("whole", kF32, {8}).tensor("cut", kF32, {64}).tensor("gone", kF32, {8});
    writer.truncateTo(writer.dataRange("cut").offset + 100);
    const Overview overview = Overview::of(documentOf(writer), u"file.gguf"_s);
    QCOMPARE(overview.title, u"file.gguf"_s);
    QVERIFY(!overview.complete && !overview.ggmlReads.good && overview.ggmlOpens.good);
    QVERIFY(!overview.ggmlReads.reason.isEmpty());
    QCOMPARE(overview.firstCutTensor, std::size_t{1});
    QCOMPARE(overview.missingTensors, std::size_t{1});
    QCOMPARE(overview.missingBytes, std::uint64_t{156 + 32});
    QVERIFY(overview.completeness.contains(u"188 bytes are missing"_s));
    QVERIFY(overview.completeness.contains(u"The first tensor cut is cut."_s));
}

void TestProblemModel::overviewOfWhatIsNotGguf()
{
    const gguf::MemorySource source{std::vector<std::byte>(100, std::byte{'x'})};
    const Overview overview = Overview::of(gguf::parse(source), u"page.gguf"_s);
    QVERIFY(!overview.spec.good && !overview.ggmlOpens.good && !overview.ggmlReads.good);
    QCOMPARE(overview.format, QString());
    QCOMPARE(overview.completeness, QString());
}

void TestProblemModel::selectionTellsEachJump()
{
    Selection selection;
    QSignalSpy changes(&selection, &Selection::changed);
    QObject pane;
    Place place;
    place.range = {16, 4};
    selection.select(place, &pane);
    selection.select(place, &pane); // scrolled away meanwhile: a jump all the same
    QCOMPARE(changes.size(), 2);
    selection.select(place, &pane, Selection::Kind::Move);
    QCOMPARE(changes.size(), 2);
    QCOMPARE(changes.first().at(0).value<QObject*>(), &pane);
    selection.clear(&pane);
    selection.clear(&pane);
    QCOMPARE(changes.size(), 3);
    QVERIFY(!selection.place());
}

QTEST_GUILESS_MAIN(TestProblemModel)
#include "tst_problemmodel.moc"
