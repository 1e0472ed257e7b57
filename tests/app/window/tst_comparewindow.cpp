// SPDX-License-Identifier: GPL-3.0-or-later
#include "load/datacomparison.h"
#include "models/columntablemodel.h"
#include "panes/diffview.h"
#include "support/ggufwriter.h"
#include "support/qt/await.h"
#include "support/qt/modeltext.h"
#include "widgets/heatmap.h"
#include "widgets/plaintext.h"
#include "window/comparewindow.h"

#include <QAbstractItemModelTester>
#include <QFile>
#include <QProgressBar>
#include <QPushButton>
#include <QTabWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

#include <numeric>
#include <vector>

namespace {

GgufWriter model(std::uint32_t attnType)
{
    GgufWriter writer;
    writer.kv("general.architecture", "llama").kv("llama.block_count", 1U);
    writer.tensor("token_embd.weight", kQ8_0, {256, 8}).tensor("blk.0.attn_q.weight", attnType, {256, 16});
    return writer;
}

class Files
{
public:
    Files(const GgufWriter& a, const GgufWriter& b)
    {
        a.write(pathA().toStdString());
        b.write(pathB().toStdString());
    }
    QString pathA() const { return m_folder.filePath(QStringLiteral("a.gguf")); }
    QString pathB() const { return m_folder.filePath(QStringLiteral("b.gguf")); }

private:
    QTemporaryDir m_folder;
};

QStringList rows(const CompareWindow& window, const char* table, const QList<int>& columns)
{
    const auto* view = window.findChild<QTableView*>(QString::fromLatin1(table));
    return view ? modelText(*view->model(), columns) : QStringList();
}

QString summary(const CompareWindow& window)
{
    return window.findChild<PlainLabel*>(QStringLiteral("compareSummary"))->fullText();
}

} // namespace

class CompareWindowTest : public QObject
{
    Q_OBJECT
private slots:
    void showsWhatDiffers()
    {
        GgufWriter a = model(kQ4K), b = model(kQ6K);
        a.kv("template", "one\ntwo\nthree").kv("old", 1U);
        b.kv("template", "one\n2\nthree");
        const Files files(a, b);
        CompareWindow window(files.pathA(), files.pathB());
        for (auto* table : window.findChildren<QTableView*>())
            new QAbstractItemModelTester(
                table->model(), QAbstractItemModelTester::FailureReportingMode::Fatal, &window);
        window.show();
        AWAIT(window.comparison());

        QCOMPARE(rows(window, "compareMetadata", {0, 1}),
            (QStringList{QStringLiteral("template | changed"), QStringLiteral("old | only in A")}));
        // 16 rows of one block: 144 bytes are 4.5 bits a weight, 210 are 6.5625.
        QCOMPARE(rows(window, "compareTensors", {0, 1, 2, 3, 5, 6, 7, 8}),
            QStringList{QStringLiteral("blk.0.attn_q.weight | type | Q4_K | Q6_K | +1.03 KiB | 4.50 | 6.56 | +2.06")});
        const QString part = QStringLiteral(" | 1 | 0 | 0 | 2.25 KiB | 3.28 KiB | +1.03 KiB | 4.50 | 6.56 | +2.06");
        const QList<int> all{0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
        QCOMPARE(rows(window, "compareLayers", all), QStringList{QString(QLatin1Char('0') + part)});
        QCOMPARE(rows(window, "compareRoles", all), QStringList{QString(QStringLiteral("attn_q") + part)});
        auto* diff = window.findChild<DiffView*>(QStringLiteral("compareDiff"));
        AWAIT(diff->toPlainText().contains(QStringLiteral("− two\n+ 2")));
        // Values may be long: they are compared in the background.
        auto* keys = window.findChild<QTableView*>(QStringLiteral("compareMetadata"));
        keys->selectRow(1);
        QCOMPARE(diff->toPlainText(), QString());
        AWAIT_COMPARE(diff->toPlainText(), QStringLiteral("− 1"));
        keys->selectRow(0);
        keys->selectRow(1); // only the last choice counts
        AWAIT_COMPARE(diff->toPlainText(), QStringLiteral("− 1"));
        runQueued();
        QCOMPARE(diff->toPlainText(), QStringLiteral("− 1"));

        const HeatMapData& map = window.findChild<HeatMap*>(QStringLiteral("compareHeatMap"))->data();
        const auto row = static_cast<int>(map.rows.indexOf(QStringLiteral("attn_q")));
        const auto column = static_cast<int>(map.columns.indexOf(QStringLiteral("0")));
        QCOMPARE(map.cell(row, column).label, QStringLiteral("Q6_K"));
        QVERIFY(!map.cell(row, column).deviates); // in both files
        const auto other = static_cast<int>(map.rows.indexOf(QStringLiteral("token_embd")));
        QVERIFY(map.cell(other, 0).color.isValid() && map.cell(other, 0).label.isEmpty());
        QVERIFY(map.cell(other, 0).color != map.cell(row, column).color);

        // Enter on a cell leads to its tensors.
        auto* view = window.findChild<HeatMap*>(QStringLiteral("compareHeatMap"));
        auto* tabs = window.findChild<QTabWidget*>(QStringLiteral("compareTabs"));
        tabs->setCurrentIndex(3);
        view->setFocus();
        view->setCurrent({row, column});
        QTest::keyClick(view, Qt::Key_Return);
        auto* tensors = window.findChild<QTableView*>(QStringLiteral("compareTensors"));
        QCOMPARE(tabs->currentWidget(), tensors);
        QCOMPARE(tensors->currentIndex().row(), 0);

        window.swap();
        AWAIT(window.comparison());
        QCOMPARE(rows(window, "compareTensors", {2, 3}), QStringList{QStringLiteral("Q6_K | Q4_K")});
    }

    void keysChangeTabsAndClose()
    {
        const Files files(model(kQ4K), model(kQ6K).kv("old", 1U));
        CompareWindow window(files.pathA(), files.pathB());
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        AWAIT(window.comparison());
        auto* tabs = window.findChild<QTabWidget*>(QStringLiteral("compareTabs"));
        QVERIFY(QApplication::focusWidget());
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab, Qt::ControlModifier);
        QCOMPARE(tabs->tabText(tabs->currentIndex()), QStringLiteral("Tensors (1)"));
        QTest::keySequence(QApplication::focusWidget(), QKeySequence::Close);
        QVERIFY(!window.isVisible());
    }

    void comparesBytesOnDemand()
    {
        const GgufWriter a = model(kQ4K);
        GgufWriter b = model(kQ4K);
        b.patch(b.dataRange("blk.0.attn_q.weight").offset + 5, {0xEE});
        const Files files(a, b);
        CompareWindow window(files.pathA(), files.pathB());
        window.show();
        AWAIT(window.comparison());
        QVERIFY(window.comparison()->same());
        QVERIFY(summary(window).contains(QStringLiteral("the same")));

        window.compareData();
        AWAIT(!window.data().isRunning());
        QCOMPARE(rows(window, "compareBytes", {0, 1}),
            (QStringList{QStringLiteral("token_embd.weight | equal"),
                QStringLiteral("blk.0.attn_q.weight | different")}));
        const auto left = window.data().hash(0, false), right = window.data().hash(0, true);
        QVERIFY(left && right && *left == *right);
        QCOMPARE(gguf::sha256Text(*left).size(), 64U);
        QVERIFY(summary(window).contains(QStringLiteral("do not all hold the same bytes")));

        window.swap(); // what was known belonged to the pairs of before
        AWAIT(window.comparison());
        QVERIFY(!window.data().hasRun());
        QCOMPARE(rows(window, "compareBytes", {1}),
            (QStringList{QStringLiteral("not compared"), QStringLiteral("not compared")}));
    }

    void equalFilesAreSaidToBeEqualOnceTheirBytesAre()
    {
        const Files files(model(kQ4K), model(kQ4K));
        CompareWindow window(files.pathA(), files.pathB());
        window.show();
        AWAIT(window.comparison());
        auto* tabs = window.findChild<QTabWidget*>(QStringLiteral("compareTabs"));
        QVERIFY(!tabs->isTabEnabled(0) && !tabs->isTabEnabled(1));
        QVERIFY(summary(window).contains(QStringLiteral("not compared yet")));
        QTest::mouseClick(window.findChild<QPushButton*>(QStringLiteral("compareData")), Qt::LeftButton);
        AWAIT(!window.data().isRunning());
        QCOMPARE(summary(window),
            QStringLiteral("Metadata and tensor tables are the same. All tensors hold the same bytes."));
    }

    void cancellingLeavesWhatIsKnown()
    {
        const Files files(model(kQ4K), model(kQ4K));
        CompareWindow window(files.pathA(), files.pathB());
        window.show();
        AWAIT(window.comparison());
        auto* button = window.findChild<QPushButton*>(QStringLiteral("compareData"));
        auto* progress = window.findChild<QProgressBar*>(QStringLiteral("compareProgress"));
        QTest::mouseClick(button, Qt::LeftButton);
        QVERIFY(window.data().isRunning() && progress->isVisible());
        QCOMPARE(button->text(), QStringLiteral("&Cancel"));
        QTest::mouseClick(button, Qt::LeftButton);
        QVERIFY(!window.data().isRunning() && !progress->isVisible());
        QCOMPARE(button->text(), QStringLiteral("&Compare Tensor Bytes"));
    }

    void arraysAreShownAroundTheFirstDifference()
    {
        std::vector<std::uint32_t> numbers(1000);
        std::iota(numbers.begin(), numbers.end(), 0U);
        GgufWriter a = model(kQ4K), b = model(kQ4K);
        a.kv("numbers", numbers);
        numbers[500] = 7;
        numbers.push_back(1);
        b.kv("numbers", numbers);
        const Files files(a, b);
        CompareWindow window(files.pathA(), files.pathB());
        window.show();
        AWAIT(window.comparison());
        const QStringList shown = rows(window, "compareMetadata", {0, 1, 2, 3});
        QCOMPARE(shown.size(), 1);
        QVERIFY2(shown[0].startsWith(QStringLiteral("numbers | changed from element 500 | [1000 x u32] 0, 1,")),
            qPrintable(shown[0]));
        QVERIFY2(shown[0].contains(QStringLiteral(" | [1001 x u32] 0, 1,")), qPrintable(shown[0]));
        const auto* diff = window.findChild<DiffView*>(QStringLiteral("compareDiff"));
        AWAIT(diff->toPlainText().contains(QStringLiteral("[499] 499\n− [500] 500\n+ [500] 7\n")));
    }

    void aDamagedFileIsComparedAsFarAsItCanBeRead()
    {
        const GgufWriter a = model(kQ4K);
        const Files files(a, a);
        QFile cut(files.pathB());
        QVERIFY(cut.resize(cut.size() - 1000));
        CompareWindow window(files.pathA(), files.pathB());
        window.show();
        AWAIT(window.comparison());
        QVERIFY2(summary(window).contains(QStringLiteral("B has 1 error: what could be read")),
            qPrintable(summary(window)));
        window.compareData();
        AWAIT(!window.data().isRunning());
        QCOMPARE(rows(window, "compareBytes", {0, 1}),
            (QStringList{QStringLiteral("token_embd.weight | equal"),
                QStringLiteral("blk.0.attn_q.weight | could not be read")}));
    }

    void aFileThatIsMissingIsSaid()
    {
        const Files files(model(kQ4K), model(kQ6K));
        const QString away = files.pathB() + QStringLiteral(".away");
        QVERIFY(QFile::rename(files.pathB(), away));
        CompareWindow window(files.pathA(), files.pathB());
        window.show();
        const auto says = [&window] {
            for (const auto* label : window.findChildren<PlainLabel*>()) {
                if (label->isVisible() && label->fullText().contains(QStringLiteral("cannot be compared")))
                    return true;
            }
            return false;
        };
        AWAIT(says());
        QVERIFY(!window.comparison());
        // Once it is there, it is read without another window.
        QVERIFY(QFile::rename(away, files.pathB()));
        QTest::mouseClick(window.findChild<QPushButton*>(QStringLiteral("reloadFiles")), Qt::LeftButton);
        AWAIT(window.comparison());
        QCOMPARE(rows(window, "compareTensors", {2, 3}), QStringList{QStringLiteral("Q4_K | Q6_K")});
    }

    void closingWhileReadingIsHarmless()
    {
        const Files files(model(kQ4K), model(kQ6K));
        for (int i = 0; i < 5; ++i) {
            auto* window = new CompareWindow(files.pathA(), files.pathB());
            window->show();
            if (i % 2)
                runQueued();
            delete window;
        }
        runQueued();
    }
};

QTEST_MAIN(CompareWindowTest)
#include "tst_comparewindow.moc"
