// SPDX-License-Identifier: GPL-3.0-or-later
// Problems in the window: those that are found late, and the report of them.
#include "models/roles.h"
#include "panes/metadatapane.h"
#include "panes/problempane.h"
#include "support/fakesource.h"
#include "support/qt/windowjourney.h"
#include "widgets/plaintext.h"

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QLineEdit>
#include <QTest>
#include <QToolButton>
#include <QTreeView>

using namespace Qt::StringLiterals;

class TestProblems : public QObject, private WindowJourney
{
    Q_OBJECT
private slots:
    void init() { begin(); }
    void cleanup() { end(); }
    void lateProblemsAppear();
    void aRecordThatCouldNotBeReadIsNoneThatWasRecovered();
    void aSecondModelBehindTheFirstIsOpened();
    void theReportQuotesBytesFromAnywhere();
    void theReportWaitsForNoDisk();
    void oneProblemOfSeveralJudgesIsCountedOnce();

private:
    /// Padding that is not zero and a second model behind the end: both lie beyond what the parser reads and keeps.
    static GgufWriter oddModel()
    {
        GgufWriter writer = smallModel();
        writer.tensor("large.weight", kF32, {400'000}).tensor("odd.weight", kF32, {3}).tensor("last.weight", kF32, {8});
        const std::vector<std::byte> second = smallModel().bytes();
        writer.patch(writer.dataRange("odd.weight").end(), {0xAB, 0xAB, 0xAB, 0xAB});
        return writer.trailing({reinterpret_cast<const char*>(second.data()), second.size()});
    }
    static QStringList problemCodes(MainWindow& window)
    {
        QStringList codes;
        const gguf::Document& document = window.loader().document();
        for (std::size_t i = 0; i < document.problemCount(); ++i)
            codes.append(QString::fromStdString(std::string(gguf::ruleInfo(document.problem(i).rule).code)));
        return codes;
    }
};

void TestProblems::oneProblemOfSeveralJudgesIsCountedOnce()
{
    GgufWriter writer = smallModel();
    writer.truncateTo(writer.dataRange("output.weight").offset + 4); // all judges mind
    MainWindow& window = openLoaded(write(writer, u"cut.gguf"_s));
    runQueued();
    QCOMPARE(window.loader().document().problemCount(), std::size_t{1});
    const auto* counts = window.findChild<PlainLabel*>(u"problemCounts"_s);
    const auto* view = window.findChild<QTreeView*>(u"problemView"_s);
    QVERIFY(view->model()->rowCount() > 1);
    QVERIFY(counts->isVisible());
    QCOMPARE(counts->fullText(),
        u"1 problem, listed once under each judge who minds: %1 rows"_s.arg(view->model()->rowCount()));
    QCOMPARE(window.view().problems().title(), u"Problems (1)"_s);
    auto* grouped = window.findChild<QCheckBox*>(u"problemGrouped"_s);
    grouped->click();
    QCOMPARE(view->model()->rowCount(), 1);
    QVERIFY(!counts->isVisible());
    grouped->click();
    window.findChild<QLineEdit*>(u"problemFilter"_s)->setText(u"no problem is called so"_s);
    AWAIT(view->model()->rowCount() == 0);
    AWAIT(!counts->isVisible());
}

void TestProblems::lateProblemsAppear()
{
    const GgufWriter writer = oddModel();
    auto gate = std::make_shared<Gate>();
    auto source = std::make_shared<FakeSource>(writer.bytes());
    source->blockAt(gate, writer.dataRange("odd.weight").offset);
    MainWindow& window = openWindow();
    window.loader().open(source, u"odd.gguf"_s);
    AWAIT(window.loader().state() == DocumentLoader::State::Loaded);
    QVERIFY(window.loader().isInspecting());
    auto* view = window.findChild<QTreeView*>(u"problemView"_s);
    const auto shown = [&] {
        QStringList texts;
        view->expandAll();
        for (QModelIndex row = view->model()->index(0, 0); row.isValid(); row = view->indexBelow(row))
            texts.append(row.siblingAtColumn(1).data().toString());
        return texts;
    };
    for (const QString& late : {u"padding-not-zero"_s, u"embedded-gguf"_s, u"trailing-content"_s})
        QVERIFY(!shown().contains(late));
    const QString title = window.view().problems().title();
    gate->open();
    finishLoading(window);
    for (const QString& late : {u"padding-not-zero"_s, u"embedded-gguf"_s, u"trailing-content"_s})
        QVERIFY2(shown().contains(late), qPrintable(shown().join(u' ')));
    QVERIFY(window.view().problems().title() != title);
    // The row of the tensor concerned is marked, and the problem leads to it.
    const QAbstractItemModel* tensors = tensorView(window).model();
    const int row = static_cast<int>(tensorNames(window).indexOf(u"odd.weight"_s));
    QVERIFY(tensors->index(row, TensorModel::NameColumn).data(SeverityRole).isValid());
    window.view().problems().goTo(static_cast<std::size_t>(problemCodes(window).indexOf(u"padding-not-zero"_s)));
    QVERIFY(window.selection().place()->tensor);
}

void TestProblems::aRecordThatCouldNotBeReadIsNoneThatWasRecovered()
{
    GgufWriter writer;
    writer.kv("general.architecture", "llama").kv("a.lost", "y").statedKeyLength(UINT64_MAX);
    writer.kv("a.found", std::uint32_t{1}).kv("a.too", true);
    MainWindow& window = openLoaded(write(writer, u"lost.gguf"_s));
    window.view().metadata().setFlat(true);
    const QAbstractItemModel& pairs = *window.findChild<QTreeView*>(u"metadataView"_s)->model();
    const QModelIndexList found = pairs.match(pairs.index(0, 0), Qt::DisplayRole, u"a.found"_s, 1, Qt::MatchContains);
    QCOMPARE(found.size(), 1);
    QVERIFY(!found.first().data(SeverityRole).isValid());
    window.view().problems().goTo(static_cast<std::size_t>(problemCodes(window).indexOf(u"key-length-impossible"_s)));
    QVERIFY(window.selection().place()->problem && !window.selection().place()->metadata);
}

void TestProblems::aSecondModelBehindTheFirstIsOpened()
{
    const GgufWriter writer = oddModel();
    MainWindow& window = openLoaded(write(writer, u"odd.gguf"_s));
    auto* open = window.findChild<QToolButton*>(u"problemOpenEmbedded"_s);
    window.view().problems().goTo(static_cast<std::size_t>(problemCodes(window).indexOf(u"trailing-bytes"_s)));
    QVERIFY(open->isHidden());
    window.view().problems().goTo(static_cast<std::size_t>(problemCodes(window).indexOf(u"embedded-gguf"_s)));
    QVERIFY(!open->isHidden());
    open->click();
    finishLoading(window);
    QCOMPARE(tensorNames(window).size(), 3);
    QCOMPARE(window.loader().document().problemCount(), std::size_t(0));
    QVERIFY(window.windowTitle().contains(QString::number(writer.size() - smallModel().size())));
}

void TestProblems::theReportQuotesBytesFromAnywhere()
{
    const GgufWriter writer = oddModel();
    MainWindow& window = openLoaded(write(writer, u"odd.gguf"_s));
    window.findChild<QAction*>(u"actionCopyReport"_s)->trigger();
    AWAIT(QApplication::clipboard()->text().contains(u"odd.gguf"_s));
    const QString report = QApplication::clipboard()->text();
    for (const std::uint64_t offset : {writer.dataRange("odd.weight").end(), writer.size() - smallModel().size()}) {
        const QString row = u"0x%1  "_s.arg(QString::number(offset / 16 * 16, 16).rightJustified(8, u'0'));
        QVERIFY2(report.contains(row), qPrintable(row + report));
    }
    QVERIFY(report.contains(u"AB AB AB AB"_s));
    QVERIFY(report.contains(u"47 47 55 46"_s)); // the second model's magic
}

void TestProblems::theReportWaitsForNoDisk()
{
    auto source = std::make_shared<FakeSource>(oddModel().bytes());
    MainWindow& window = openWindow();
    window.loader().open(source, u"odd.gguf"_s);
    finishLoading(window);
    auto gate = std::make_shared<Gate>();
    source->blockAt(gate);
    QApplication::clipboard()->setText(u"before"_s);
    window.findChild<QAction*>(u"actionCopyReport"_s)->trigger(); // comes back though the disk does not
    gate->awaitWaiting();
    runQueued();
    QCOMPARE(QApplication::clipboard()->text(), u"before"_s);
    gate->open();
    AWAIT(QApplication::clipboard()->text().contains(u"AB AB AB AB"_s));
}

QTEST_MAIN(TestProblems)
#include "tst_problems.moc"
