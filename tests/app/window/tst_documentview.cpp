// SPDX-License-Identifier: GPL-3.0-or-later
#include "load/documentloader.h"
#include "models/selection.h"
#include "panes/mixpane.h"
#include "support/fakesource.h"
#include "support/ggufwriter.h"
#include "support/qt/await.h"
#include "support/qt/modeltext.h"
#include "widgets/heatmap.h"
#include "window/documentview.h"

#include <QAbstractItemModelTester>
#include <QDockWidget>
#include <QHeaderView>
#include <QMenu>
#include <QPushButton>
#include <QRegularExpression>
#include <QTableView>
#include <QTest>
#include <QTreeView>

#include <limits>

using namespace Qt::StringLiterals;

namespace {

GgufWriter fourTensors()
{
    return GgufWriter()
        .tensor("blk.10.attn_q.weight", 0, {4}, floats({1, 2, 3, 4}))
        .tensor("blk.2.ffn_up_exps.weight", 0, {2, 1, 3}, floats({5, 6, 7, 8, 9, 10}))
        .tensor("output.weight", 0, {3}, floats({0, std::numeric_limits<float>::infinity(), 0}))
        .tensor("v.blk.1.attn_q.weight", 24, {200'000}, std::vector<std::byte>(200'000));
}

/// The panes of one document.
struct Bench
{
    DocumentLoader loader;
    Selection selection;
    DocumentView view{loader, selection};
    QTableView* table = view.findChild<QTableView*>(u"tensorView"_s);
    QTreeView* problems = view.findChild<QTreeView*>(u"problemView"_s);
    QAbstractItemModelTester tester{problems->model(), QAbstractItemModelTester::FailureReportingMode::Fatal};

    Bench()
    {
        view.resize(1200, 800);
        view.show();
        loader.open(fourTensors().source(), u"m.gguf"_s);
    }
    bool isLoaded() const { return loader.state() == DocumentLoader::State::Loaded; }
    int column(const QString& title) const
    {
        for (int i = 0; i < table->model()->columnCount(); ++i) {
            if (table->model()->headerData(i, Qt::Horizontal, Qt::DisplayRole).toString() == title)
                return i;
        }
        return -1;
    }
    bool isShown(const QString& title) const
    {
        return column(title) >= 0 && !table->isColumnHidden(column(title));
    }
    QStringList cells(const QString& title) const { return columnText(*table->model(), column(title)); }
    QStringList groups() const { return modelText(*problems->model(), {0}, 1); }
    void press(const char* button)
    {
        view.findChild<QDockWidget*>(u"dockData"_s)->raise();
        runQueued();
        view.findChild<QPushButton*>(QString::fromLatin1(button))->click();
    }
    bool isIdle() const { return view.findChild<QPushButton*>(u"checkData"_s)->isEnabled(); }
};

} // namespace

/// The panes together: what one knows is shown in another.
class DocumentViewTest : public QObject
{
    Q_OBJECT
private slots:
    void columnsAreChosenInTheHeadersMenu()
    {
        Bench bench;
        AWAIT(bench.isLoaded());
        for (const QString& title : {u"Layer"_s, u"Role"_s, u"Experts"_s, u"Numbers"_s, u"SHA-256"_s})
            QVERIFY2(bench.column(title) >= 0 && !bench.isShown(title), qPrintable(title));
        emit bench.table->horizontalHeader()->customContextMenuRequested(QPoint(5, 5));
        auto* menu = bench.view.findChild<QMenu*>(u"tensorColumns"_s);
        QVERIFY(menu);
        const QStringList wanted{u"Layer"_s, u"Role"_s, u"Experts"_s};
        for (QAction* action : menu->actions()) {
            if (wanted.contains(action->text()))
                action->trigger();
        }
        delete menu;
        for (const QString& title : wanted)
            QVERIFY2(bench.isShown(title), qPrintable(title));
        QCOMPARE(bench.cells(u"Layer"_s), (QStringList{u"10"_s, u"2"_s, {}, u"v.blk.1"_s}));
        QCOMPARE(
            bench.cells(u"Role"_s), (QStringList{u"attn_q"_s, u"ffn_up_exps"_s, u"output"_s, u"attn_q"_s}));
        QCOMPARE(bench.cells(u"Experts"_s), (QStringList{{}, u"3"_s, {}, {}}));
        bench.table->sortByColumn(bench.column(u"Layer"_s), Qt::AscendingOrder);
        AWAIT_COMPARE(bench.cells(u"Layer"_s), (QStringList{u"v.blk.1"_s, u"2"_s, u"10"_s, {}}));
    }

    void resultsOfTheDataAreColumnsOnceThereAreSome()
    {
        Bench bench;
        AWAIT(bench.isLoaded());
        bench.press("checkData");
        AWAIT(bench.isShown(u"Numbers"_s));
        AWAIT_COMPARE(bench.cells(u"Numbers"_s),
            (QStringList{u"Finite"_s, u"Finite"_s, u"Not finite"_s, u"All zero"_s}));
        QCOMPARE(bench.cells(u"Bad blocks"_s), (QStringList{u"0"_s, u"0"_s, u"1 of 3"_s, {}}));
        QVERIFY(!bench.isShown(u"Minimum"_s) && !bench.isShown(u"SHA-256"_s));
        AWAIT(bench.isIdle());
        bench.press("dataStatistics");
        AWAIT(bench.isShown(u"Minimum"_s));
        AWAIT_COMPARE(bench.cells(u"Maximum"_s).mid(0, 2), (QStringList{u"4"_s, u"10"_s}));
        AWAIT(bench.isIdle());
        bench.press("hashData");
        AWAIT(bench.isShown(u"SHA-256"_s));
        AWAIT_COMPARE(bench.cells(u"SHA-256"_s).filter(QRegularExpression(u"^[0-9a-f]{64}$"_s)).size(), 4);

        bench.loader.open(fourTensors().source(), u"other.gguf"_s);
        AWAIT(bench.isLoaded() && !bench.isShown(u"Numbers"_s));
        QCOMPARE(bench.cells(u"SHA-256"_s).join(QString()), QString());
    }

    void whatTheDataCheckFoundIsAProblemThatLeadsToTheBytes()
    {
        Bench bench;
        AWAIT(bench.isLoaded());
        const QStringList before = bench.groups();
        QVERIFY(!before.join(u'\n').contains(u"data check"_s));
        bench.press("checkData");
        const QStringList wanted
            = before + QStringList{u"Found by the data check (2)"_s, u"  Warnings (1)"_s, u"  Notes (1)"_s};
        AWAIT_COMPARE(bench.groups(), wanted);
        AWAIT(bench.isIdle());
        bench.press("dataStatistics"); // the same findings once more, not twice
        AWAIT(bench.isShown(u"Minimum"_s) && bench.isIdle());
        QCOMPARE(bench.groups(), wanted);

        const QAbstractItemModel& model = *bench.problems->model();
        const QModelIndex group = model.index(model.rowCount() - 1, 0);
        const QModelIndex warning = model.index(0, 0, model.index(0, 0, group));
        QCOMPARE(warning.siblingAtColumn(1).data().toString(), u"data-not-finite"_s);
        bench.problems->setCurrentIndex(warning);
        QVERIFY(bench.selection.place());
        const gguf::ByteRange tensor = *bench.loader.document().tensor(2).dataRange();
        QCOMPARE(bench.selection.place()->range.offset, tensor.offset + 4); // the second number
        QCOMPARE(bench.selection.place()->range.length, 4U);
        QCOMPARE(bench.selection.place()->tensor.value_or(99), std::size_t{2});

        bench.loader.open(fourTensors().source(), u"other.gguf"_s);
        AWAIT(bench.isLoaded());
        QVERIFY(!bench.groups().join(u'\n').contains(u"data check"_s));
    }

    void partsOfTheMixFilterTheTableUntilTheChipIsRemoved()
    {
        Bench bench;
        auto* map = bench.view.findChild<HeatMap*>(u"mixHeatMap"_s);
        auto* chips = bench.view.findChild<QWidget*>(u"tensorChips"_s);
        AWAIT(bench.isLoaded());
        QTest::qWait(50);
        QVERIFY(map->data().isEmpty()); // nobody looks
        bench.view.findChild<QDockWidget*>(u"dockHeatMap"_s)->raise();
        AWAIT(!map->data().isEmpty());
        QCOMPARE(bench.table->model()->rowCount(), 4);
        QVERIFY(chips->findChildren<QPushButton*>().isEmpty());

        const auto row = static_cast<int>(map->data().rows.indexOf(u"ffn_up_exps"_s));
        const auto column = static_cast<int>(map->data().columns.indexOf(u"2"_s));
        QVERIFY(row >= 0 && column >= 0);
        map->setCurrent({row, column});
        map->setSelectedCells({{row, column}});
        QTest::keyClick(map, Qt::Key_Return);
        AWAIT_COMPARE(bench.cells(u"Name"_s), QStringList{u"blk.2.ffn_up_exps.weight"_s});
        const QList<QPushButton*> shown = chips->findChildren<QPushButton*>();
        QCOMPARE(shown.size(), 1);
        QVERIFY(shown.front()->text().contains(u"heat map"_s));

        shown.front()->click();
        AWAIT_COMPARE(bench.table->model()->rowCount(), 4);
        QVERIFY(chips->isHidden());

        emit bench.view.findChild<MixPane*>()->typeFilterRequested({24});
        AWAIT_COMPARE(bench.cells(u"Name"_s), QStringList{u"v.blk.1.attn_q.weight"_s});
        QVERIFY(!chips->isHidden());
    }
};

QTEST_MAIN(DocumentViewTest)
#include "tst_documentview.moc"
