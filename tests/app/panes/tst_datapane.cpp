// SPDX-License-Identifier: GPL-3.0-or-later
#include "load/documentloader.h"
#include "models/datamodel.h"
#include "models/numbertext.h"
#include "panes/datapane.h"
#include "support/fakesource.h"
#include "support/ggufwriter.h"

#include <QAbstractItemModelTester>
#include <QChart>
#include <QChartView>
#include <QComboBox>
#include <QCryptographicHash>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QtTest>

using namespace Qt::StringLiterals;
using Task = DataWorker::Task;

namespace {

GgufWriter threeTensors()
{
    return GgufWriter()
        .tensor("blk.10.x", 0, {4}, floats({1, 2, 3, 4}))
        .tensor("blk.2.x", 0, {3}, floats({0, std::numeric_limits<float>::infinity(), 0}))
        .tensor("zeros", 24, {200'000}, std::vector<std::byte>(200'000));
}

/// A window's worth of objects around the pane.
struct Bench
{
    DocumentLoader loader;
    Selection selection;
    DataPane pane{loader, selection};
    QAbstractItemModelTester tester{&pane.model(), QAbstractItemModelTester::FailureReportingMode::Fatal};

    explicit Bench(std::shared_ptr<const gguf::ByteSource> source, const QString& name = u"m.gguf"_s)
    {
        pane.resize(900, 600);
        pane.show();
        loader.open(std::move(source), name);
    }

    template <class Widget> Widget* find(const char* name)
    {
        return pane.findChild<Widget*>(QString::fromLatin1(name));
    }
    QString text(int row, int column) { return table()->model()->index(row, column).data().toString(); }
    QTableView* table() { return find<QTableView>("dataTable"); }
    void press(const char* name) { QTest::mouseClick(find<QPushButton>(name), Qt::LeftButton); }
    bool isLoaded() { return loader.state() == DocumentLoader::State::Loaded; }
    bool isIdle() { return !find<QPushButton>("cancelData")->isVisible(); }
};

} // namespace

class DataPaneTest : public QObject
{
    Q_OBJECT
private slots:
    void init()
    {
        QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support propagateSizeHints)"_s));
    }
    void beforeACheckItSaysWhatCanBeDone();
    void whatWasNotLookedAtIsEmpty();
    void checksAllTensors();
    void statisticsAndHistogram();
    void onlySelectedTensors();
    void rowsSelectBytes();
    void hashesAndComparison();
    void nameThatIsAHash();
    void sortsByValue();
    void cancelsWhileReading();
    void anotherFileForgetsResults();
    void diesWhileReading();
    void hostileNames();
};

void DataPaneTest::beforeACheckItSaysWhatCanBeDone()
{
    Bench bench(threeTensors().source());
    QTRY_VERIFY(bench.isLoaded());
    auto* empty = bench.find<QWidget>("dataEmpty");
    QVERIFY(empty->isVisible() && !bench.table()->isVisible());
    const QString text = empty->accessibleDescription();
    for (const QString& word : {u"Check"_s, u"Statistics"_s, u"SHA-256"_s, u"NaN"_s, u"cancelled"_s,
             NumberText::shortSize(bench.loader.document().fileSize())})
        QVERIFY2(text.contains(word), qPrintable(word));
    // All of it can be read.
    const auto* label = bench.find<QLabel>("emptyText");
    QTRY_VERIFY(label->height() >= label->heightForWidth(label->width()));
    bench.press("checkData");
    QTRY_VERIFY(bench.isIdle() && bench.table()->isVisible() && !empty->isVisible());
}

void DataPaneTest::whatWasNotLookedAtIsEmpty()
{
    Bench bench(threeTensors().source());
    QTRY_VERIFY(bench.isLoaded());
    bench.press("hashData");
    QTRY_VERIFY(bench.isIdle() && bench.pane.model().rowOf(0) >= 0);
    const auto cells = [&bench](std::size_t tensor) {
        QStringList texts;
        for (const int column : {DataModel::VerdictColumn, DataModel::BadColumn, DataModel::ZeroColumn, DataModel::ZeroShareColumn})
            texts += bench.text(bench.pane.model().rowOf(tensor), column);
        return texts;
    };
    QCOMPARE(cells(0), (QStringList{{}, {}, {}, {}}));
    QVERIFY(!bench.find<QWidget>("valueHistogram")->isVisible());
    bench.press("checkData");
    QTRY_VERIFY(bench.isIdle());
    QCOMPARE(cells(0), (QStringList{u"Finite"_s, u"0"_s, u"0"_s, {}}));
    QCOMPARE(cells(1), (QStringList{u"Not finite"_s, u"1 of 3"_s, u"0"_s, {}}));
}

void DataPaneTest::checksAllTensors()
{
    Bench bench(threeTensors().source());
    QTRY_VERIFY(bench.isLoaded());
    QCOMPARE(bench.pane.model().rowCount(), 0); // nothing is read unless asked
    bench.press("checkData");
    QTRY_VERIFY(bench.isIdle() && bench.pane.model().rowCount() == 3);
    bench.pane.model().sort(DataModel::NameColumn, Qt::AscendingOrder);
    QCOMPARE(bench.text(0, DataModel::NameColumn), u"blk.2.x"_s);
    QCOMPARE(bench.text(0, DataModel::VerdictColumn), u"Not finite"_s);
    QCOMPARE(bench.text(0, DataModel::BadColumn), u"1 of 3"_s);
    QCOMPARE(bench.text(1, DataModel::VerdictColumn), u"Finite"_s);
    QCOMPARE(bench.text(1, DataModel::MeanColumn), QString());
    QCOMPARE(bench.text(2, DataModel::VerdictColumn), u"All zero"_s);
    QCOMPARE(bench.pane.problems().size(), std::size_t{2});
    bench.table()->selectRow(0);
    const QString details = bench.find<QPlainTextEdit>("dataDetails")->toPlainText();
    QVERIFY2(details.contains(u"infinity"_s), qPrintable(details));
}

void DataPaneTest::statisticsAndHistogram()
{
    Bench bench(threeTensors().source());
    QTRY_VERIFY(bench.isLoaded());
    bench.press("dataStatistics");
    QTRY_VERIFY(bench.isIdle() && bench.pane.model().rowCount() == 3);
    const int row = bench.pane.model().rowOf(0);
    QCOMPARE(bench.text(row, DataModel::MinColumn), u"1"_s);
    QCOMPARE(bench.text(row, DataModel::MeanColumn), u"2.5"_s);
    bench.table()->selectRow(row);
    QCOMPARE(bench.find<QChartView>("valueHistogram")->chart()->series().size(), 1);
    // A check afterwards keeps the values.
    bench.press("checkData");
    QTRY_VERIFY(bench.isIdle());
    QCOMPARE(bench.text(row, DataModel::MeanColumn), u"2.5"_s);
}

void DataPaneTest::onlySelectedTensors()
{
    Bench bench(threeTensors().source());
    QTRY_VERIFY(bench.isLoaded());
    auto* scope = bench.find<QComboBox>("dataScope");
    scope->setCurrentIndex(1);
    bench.press("checkData");
    QCOMPARE(bench.pane.model().rowCount(), 0);
    QVERIFY(bench.find<QLabel>("dataStatus")->text().contains(u"selected"_s));
    bench.selection.select({bench.loader.document().tensor(1).record, {}, 1, {}}, this);
    bench.press("checkData");
    QTRY_COMPARE(bench.pane.model().rowCount(), 1);
    QTRY_VERIFY(bench.isIdle());
    bench.pane.setSelectedTensors([] { return std::vector<std::size_t>{0, 2, 77}; });
    bench.press("checkData");
    QTRY_COMPARE(bench.pane.model().rowCount(), 3);
}

void DataPaneTest::rowsSelectBytes()
{
    const GgufWriter writer = threeTensors();
    Bench bench(writer.source());
    QTRY_VERIFY(bench.isLoaded());
    bench.press("checkData");
    QTRY_VERIFY(bench.isIdle() && bench.pane.model().rowCount() == 3);
    bench.table()->selectRow(bench.pane.model().rowOf(1));
    QVERIFY(bench.selection.place());
    QCOMPARE(bench.selection.place()->tensor, std::optional<std::size_t>(1));
    QCOMPARE(bench.selection.place()->range, (gguf::ByteRange{writer.dataRange("blk.2.x").offset + 4, 4}));
    // And the other way round, without an echo.
    const Place elsewhere{writer.dataRange("zeros"), {}, 2, {}};
    bench.selection.select(elsewhere, this);
    QCOMPARE(bench.table()->currentIndex().row(), bench.pane.model().rowOf(2));
    QVERIFY(bench.selection.place() == elsewhere);
}

void DataPaneTest::hashesAndComparison()
{
    const GgufWriter writer = threeTensors();
    const auto bytes = writer.bytes();
    const QString whole = QString::fromLatin1(QCryptographicHash::hash(
        QByteArrayView(reinterpret_cast<const char*>(bytes.data()), static_cast<qsizetype>(bytes.size())),
        QCryptographicHash::Sha256)
                                                  .toHex());
    Bench bench(writer.source());
    QTRY_VERIFY(bench.isLoaded());
    auto* expected = bench.find<QLineEdit>("expectedHash");
    auto* comparison = bench.find<QLabel>("hashComparison");
    expected->setText(u"version https://git-lfs.github.com/spec/v1 oid sha256:%1 size 1"_s.arg(whole));
    QVERIFY(!comparison->text().contains(u"Equal"_s));
    bench.press("hashData");
    QTRY_VERIFY(bench.isIdle() && bench.pane.model().rowCount() == 4); // and the whole file
    QCOMPARE(bench.text(bench.pane.model().rowOf(std::nullopt), DataModel::HashColumn), whole);
    QTRY_COMPARE(comparison->text(), u"Equal to the whole file."_s);
    expected->setText(bench.text(bench.pane.model().rowOf(2), DataModel::HashColumn).toUpper());
    QCOMPARE(comparison->text(), u"Equal to tensor zeros."_s);
    expected->setText(QString(64, u'a'));
    QVERIFY(comparison->text().startsWith(u"Not equal"_s));
    expected->setText(u"abc"_s);
    QVERIFY(comparison->text().contains(u"no single SHA-256"_s));
}

void DataPaneTest::nameThatIsAHash()
{
    Bench bench(threeTensors().source(), QString(64, u'b'));
    QTRY_VERIFY(bench.isLoaded());
    bench.press("hashData");
    QTRY_VERIFY(bench.isIdle() && bench.pane.model().rowCount() == 4);
    QVERIFY(bench.pane.findChild<QLabel*>(u"hashComparison"_s)->toolTip().contains(u"file's name"_s)
        || bench.find<QLabel>("hashComparison")->text().contains(u"file's name"_s));
}

void DataPaneTest::sortsByValue()
{
    Bench bench(GgufWriter()
                    .tensor("a", 0, {1}, floats({9}))
                    .tensor("b", 0, {1}, floats({-10}))
                    .tensor("c", 137, {256})
                    .tensor("d", 0, {1}, floats({100}))
                    .source());
    QTRY_VERIFY(bench.isLoaded());
    bench.press("dataStatistics");
    QTRY_VERIFY(bench.isIdle() && bench.pane.model().rowCount() == 4);
    bench.table()->selectRow(bench.pane.model().rowOf(1));
    bench.pane.model().sort(DataModel::MaxColumn, Qt::AscendingOrder);
    QStringList names;
    for (int row = 0; row < 4; ++row)
        names << bench.text(row, DataModel::NameColumn);
    QCOMPARE(names.join(u' '), u"b a d c"_s); // what has no value is last
    QCOMPARE(bench.table()->currentIndex().row(), 0); // the choice moves along
}

void DataPaneTest::cancelsWhileReading()
{
    const GgufWriter writer = threeTensors();
    auto gate = std::make_shared<Gate>(true);
    auto source = std::make_shared<FakeSource>(writer.source());
    Bench bench(source);
    QTRY_VERIFY(bench.isLoaded() && !bench.loader.isInspecting());
    gate->shut();
    source->blockAt(gate, writer.dataRange("zeros").offset);
    bench.press("checkData");
    QVERIFY(!bench.isIdle());
    gate->awaitWaiting();
    bench.press("cancelData");
    QVERIFY(bench.isIdle()); // at once, though the disk hangs
    QVERIFY(bench.find<QLabel>("dataStatus")->text().startsWith(u"Cancelled"_s));
    const int rows = bench.pane.model().rowCount();
    gate->open();
    bench.press("checkData"); // the newest run wins
    QTRY_VERIFY(bench.isIdle() && bench.pane.model().rowCount() == 3);
    QVERIFY(rows < 3);
}

void DataPaneTest::anotherFileForgetsResults()
{
    Bench bench(threeTensors().source());
    QTRY_VERIFY(bench.isLoaded());
    bench.press("checkData");
    QTRY_VERIFY(bench.isIdle() && bench.pane.model().rowCount() == 3);
    QSignalSpy changed(&bench.pane, &DataPane::problemsChanged);
    bench.loader.open(GgufWriter().tensor("other", 0, {1}).source(), u"o.gguf"_s);
    QCOMPARE(bench.pane.model().rowCount(), 0);
    QVERIFY(bench.pane.problems().empty());
    QVERIFY(changed.count() > 0);
    QVERIFY(bench.find<QPlainTextEdit>("dataDetails")->toPlainText().isEmpty());
}

void DataPaneTest::diesWhileReading()
{
    const GgufWriter writer = threeTensors();
    auto gate = std::make_shared<Gate>(true);
    auto source = std::make_shared<FakeSource>(writer.source());
    {
        Bench bench(source);
        QTRY_VERIFY(bench.isLoaded() && !bench.loader.isInspecting());
        gate->shut();
        source->blockAt(gate, writer.dataRange("zeros").offset);
        bench.press("hashData");
        gate->awaitWaiting();
    }
    gate->open(); // what the worker still finds goes nowhere
    QCoreApplication::processEvents();
}

void DataPaneTest::hostileNames()
{
    Bench bench(GgufWriter().tensor("<b>x</b>\x1b[31m", 0, {1}, floats({1})).source());
    QTRY_VERIFY(bench.isLoaded());
    bench.press("checkData");
    QTRY_VERIFY(bench.isIdle() && bench.pane.model().rowCount() == 1);
    QVERIFY(!bench.text(0, DataModel::NameColumn).contains(QChar(0x1B)));
    bench.table()->selectRow(0);
    QVERIFY(bench.find<QPlainTextEdit>("dataDetails")->toPlainText().startsWith(u"<b>x</b>"_s));
}

QTEST_MAIN(DataPaneTest)
#include "tst_datapane.moc"
