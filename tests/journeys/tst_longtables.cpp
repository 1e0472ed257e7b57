// SPDX-License-Identifier: GPL-3.0-or-later
// Tables so long that they are sorted and filtered on a worker, and texts longer than a view can lay out at once,
// through the real window.
#include "load/workers.h"
#include "models/roworder.h"
#include "support/qt/windowjourney.h"
#include "widgets/filterline.h"
#include "widgets/plaintext.h"

#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QSignalSpy>
#include <QTest>
#include <QTreeView>

using namespace Qt::StringLiterals;

class TestLongTables : public QObject, private WindowJourney
{
    Q_OBJECT
private slots:
    void init() { begin(); }
    void cleanup() { end(); }
    void sortsAndFiltersAndKeepsTheSelection();
    void anotherFileTakesOverWhileSorting();
    void aSlowExpressionSaysThatItRunsAndEndsAtOnce();
    void namesThatAnExpressionGivesUpOnAreTold();
    void anAsteriskOpensNoMoreThanCanBeSeen();
    void ofALongLineTheStartIsShown();

private:
    static constexpr int kTensors = 9000;
    static GgufWriter longModel()
    {
        GgufWriter writer;
        writer.kv("general.architecture", std::string("llama"));
        for (int i = 0; i < kTensors; ++i)
            writer.tensor("blk." + std::to_string(i * 7 % kTensors) + ".w", kF32, {1});
        return writer;
    }
    /// Names on which the expression (a+)+$ goes through more ways than anybody can wait for.
    static GgufWriter slowModel(int tensors)
    {
        GgufWriter writer;
        writer.kv("general.architecture", std::string("llama"));
        for (int i = 0; i < tensors; ++i)
            writer.tensor(std::string(40, 'a') + std::to_string(i) + "!", kF32, {1});
        return writer;
    }
    static void filterBy(MainWindow& window, const QString& expression)
    {
        auto* mode = window.findChild<QComboBox*>(u"tensorFilterMode"_s);
        mode->setCurrentIndex(mode->findText(u"Regular expression"_s));
        auto* filter = window.findChild<QLineEdit*>(u"tensorFilter"_s);
        filter->setFocus();
        filter->selectAll();
        QTest::keyClicks(filter, expression);
    }
    static QString sum(MainWindow& window)
    {
        return window.findChild<PlainLabel*>(u"tensorSum"_s)->fullText();
    }
    static TensorModel& model(MainWindow& window)
    {
        return *qobject_cast<TensorModel*>(tensorView(window).model());
    }
    static QString nameAt(MainWindow& window, int row)
    {
        return tensorView(window).model()->index(row, TensorModel::NameColumn).data().toString();
    }
    static void clickNameHeader(MainWindow& window)
    {
        QHeaderView* header = tensorView(window).horizontalHeader();
        QTest::mouseClick(header->viewport(), Qt::LeftButton, {},
            {header->sectionViewportPosition(TensorModel::NameColumn) + 20, header->height() / 2});
    }
};

void TestLongTables::sortsAndFiltersAndKeepsTheSelection()
{
    MainWindow& window = openLoaded(write(longModel(), u"long.gguf"_s));
    QTableView& view = tensorView(window);
    QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, view.visualRect(view.model()->index(1, 0)).center());
    QCOMPARE(nameAt(window, view.currentIndex().row()), u"blk.7.w"_s);

    clickNameHeader(window);
    QCOMPARE(nameAt(window, 1), u"blk.7.w"_s); // as before until the worker answers
    AWAIT_COMPARE(nameAt(window, 1), u"blk.1.w"_s);
    QCOMPARE(nameAt(window, kTensors - 1), u"blk.8999.w"_s);
    QCOMPARE(nameAt(window, view.currentIndex().row()), u"blk.7.w"_s);

    QSignalSpy changes(&model(window), &TensorModel::rowsChanged);
    QTest::keyClicks(window.findChild<QLineEdit*>(u"tensorFilter"_s), u"blk.123"_s);
    AWAIT_COMPARE(view.model()->rowCount(), 11);
    QCOMPARE(nameAt(window, 0), u"blk.123.w"_s);
    QCOMPARE(nameAt(window, 10), u"blk.1239.w"_s);
    QCOMPARE(changes.size(), 1); // what was typed on the way never showed
    QVERIFY(window.findChild<PlainLabel*>(u"tensorSum"_s)->fullText().contains(u"11 of 9,000 tensors"_s));
}

void TestLongTables::anotherFileTakesOverWhileSorting()
{
    MainWindow& window = openLoaded(write(longModel(), u"long.gguf"_s));
    clickNameHeader(window);
    QVERIFY(model(window).isArranging());
    window.openFile(write(smallModel(), u"small.gguf"_s));
    finishLoading(window);
    QTest::qWait(100); // long enough for the worker, had it been heard
    QCOMPARE(model(window).rowCount(), 3);
    QCOMPARE(nameAt(window, 0), u"blk.2.attn_q.weight"_s);
}

void TestLongTables::aSlowExpressionSaysThatItRunsAndEndsAtOnce()
{
    MainWindow& window = openLoaded(write(slowModel(100'000), u"slow.gguf"_s));
    AWAIT(!model(window).isArranging());
    const auto* filtering = window.findChild<QLabel*>(u"tensorFiltering"_s);
    QVERIFY(!filtering->isVisible());
    filterBy(window, u"(a+)+$"_s);
    AWAIT(filtering->isVisible());
    QVERIFY(model(window).isArranging());
    QCOMPARE(filtering->text(), u"Filtering…"_s);
    QCOMPARE(sum(window), u"Filtering 100,000 tensors…"_s); // and not how many pass

    filterBy(window, u"a7777\\d!"_s);
    AWAIT_COMPARE(model(window).rowCount(), 10);
    QVERIFY(!filtering->isVisible());
    QVERIFY(sum(window).startsWith(u"10 of 100,000 tensors: "_s));
    m_opening.reset(); // whose window has workers of its own
    AWAIT(Workers::waitForAll(std::chrono::milliseconds(0))); // the first did not go on to its end
}

void TestLongTables::namesThatAnExpressionGivesUpOnAreTold()
{
    MainWindow& window = openLoaded(write(slowModel(3).tensor("plain.aaa", kF32, {1}), u"slow.gguf"_s));
    filterBy(window, u"(a+)+$"_s);
    AWAIT_COMPARE(tensorNames(window), QStringList{u"plain.aaa"_s});
    QVERIFY(sum(window).startsWith(u"3 names not decided: "_s));
    QVERIFY(sum(window).contains(u"1 of 4 tensors"_s));
    const auto* filter = window.findChild<FilterLine*>(u"tensorFilter"_s);
    QVERIFY(filter->toolTip().contains(u"3 names not decided"_s));
    filterBy(window, u"a[01]!"_s);
    AWAIT_COMPARE(model(window).rowCount(), 2);
    QVERIFY(sum(window).startsWith(u"2 of 4 tensors"_s));
    QVERIFY(filter->toolTip().isEmpty());
}

void TestLongTables::anAsteriskOpensNoMoreThanCanBeSeen()
{
    using Lists = std::vector<std::vector<std::uint32_t>>;
    GgufWriter writer;
    writer.kv("general.architecture", std::string("llama"));
    writer.kv("test.inner.few", Lists(3, {1, 2}));
    writer.kv("test.inner.many", Lists(2000, {1, 2}));
    MainWindow& window = openLoaded(write(writer, u"nested.gguf"_s));
    auto* tree = window.findChild<QTreeView*>(u"metadataView"_s);
    auto* model = tree->model();
    const auto childNamed = [&](const QModelIndex& parent, const QString& name) {
        for (int row = 0; row < model->rowCount(parent); ++row) {
            if (model->index(row, 0, parent).data().toString() == name)
                return model->index(row, 0, parent);
        }
        return QModelIndex();
    };
    const auto press = [&](const QModelIndex& index) {
        tree->setCurrentIndex(index);
        QTest::keyClick(tree, Qt::Key_Asterisk);
    };
    tree->collapseAll();

    const QModelIndex test = childNamed({}, u"test"_s);
    const QModelIndex inner = childNamed(test, u"inner"_s);
    const QModelIndex few = childNamed(inner, u"few"_s);
    const QModelIndex many = childNamed(inner, u"many"_s);
    QVERIFY(few.isValid() && many.isValid());
    press(test);
    QVERIFY(tree->isExpanded(test) && tree->isExpanded(inner));
    QVERIFY(!tree->isExpanded(few) && !tree->isExpanded(many)); // arrays are opened by who wants to see them
    press(few);
    QVERIFY(tree->isExpanded(few) && tree->isExpanded(model->index(2, 0, few)));
    press(many);
    QVERIFY(tree->isExpanded(many) && !tree->isExpanded(model->index(2, 0, many)));
}

void TestLongTables::ofALongLineTheStartIsShown()
{
    GgufWriter writer = longModel();
    std::string lines;
    for (int i = 0; i < 2000; ++i)
        lines += "twenty letters a line\n";
    writer.kv("a.line", std::string(1'000'000, 'x')).kv("a.text", lines);
    MainWindow& window = openLoaded(write(writer, u"long.gguf"_s));
    auto* view = window.findChild<QTreeView*>(u"metadataView"_s);
    const auto* value = window.findChild<QPlainTextEdit*>(u"metadataValue"_s);
    const auto* cut = window.findChild<PlainLabel*>(u"metadataCut"_s);
    const QModelIndex group = view->model()->index(1, 0);
    QCOMPARE(group.data().toString(), u"a"_s);
    view->setCurrentIndex(view->model()->index(0, 0, group));
    QVERIFY(value->toPlainText().startsWith(u"xxx"_s) && value->toPlainText().size() < 10'000);
    QCOMPARE(cut->fullText(), u"The first 8.00 KiB of 977 KiB (1,000,000 bytes)."_s);
    QVERIFY(cut->isVisible());
    view->setCurrentIndex(view->model()->index(1, 0, group));
    QCOMPARE(value->toPlainText(), QString::fromStdString(lines));
    QVERIFY(!cut->isVisible());
}

QTEST_MAIN(TestLongTables)
#include "tst_longtables.moc"
