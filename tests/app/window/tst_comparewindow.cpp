// SPDX-License-Identifier: GPL-3.0-or-later
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
#include <QPushButton>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

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
        window.setAttribute(Qt::WA_DeleteOnClose, false);
        for (auto* table : window.findChildren<QTableView*>())
            new QAbstractItemModelTester(
                table->model(), QAbstractItemModelTester::FailureReportingMode::Fatal, &window);
        window.show();
        AWAIT(window.comparison());

        QCOMPARE(rows(window, "compareMetadata", {0, 1}),
            (QStringList{QStringLiteral("template | changed"), QStringLiteral("old | only in A")}));
        QCOMPARE(rows(window, "compareTensors", {0, 1, 2, 3}),
            QStringList{QStringLiteral("blk.0.attn_q.weight | changed | Q4_K | Q6_K")});
        QCOMPARE(rows(window, "compareLayers", {0, 1}), QStringList{QStringLiteral("0 | 1")});
        QCOMPARE(rows(window, "compareRoles", {0, 1}), QStringList{QStringLiteral("attn_q | 1")});
        auto* diff = window.findChild<DiffView*>(QStringLiteral("compareDiff"));
        QVERIFY(diff->toPlainText().contains(QStringLiteral("− two\n+ 2")));

        const HeatMapData& map = window.findChild<HeatMap*>(QStringLiteral("compareHeatMap"))->data();
        const auto row = static_cast<int>(map.rows.indexOf(QStringLiteral("attn_q")));
        const auto column = static_cast<int>(map.columns.indexOf(QStringLiteral("0")));
        QVERIFY(map.cell(row, column).deviates);
        QCOMPARE(map.cell(row, column).label, QStringLiteral("Q6_K"));

        window.swap();
        AWAIT(window.comparison());
        QCOMPARE(rows(window, "compareTensors", {2, 3}), QStringList{QStringLiteral("Q6_K | Q4_K")});
    }

    void comparesBytesOnDemand()
    {
        const GgufWriter a = model(kQ4K);
        GgufWriter b = model(kQ4K);
        b.patch(b.dataRange("blk.0.attn_q.weight").offset + 5, {0xEE});
        const Files files(a, b);
        CompareWindow window(files.pathA(), files.pathB());
        window.setAttribute(Qt::WA_DeleteOnClose, false);
        window.show();
        AWAIT(window.comparison());
        QVERIFY(window.comparison()->same());
        QVERIFY(window.findChild<PlainLabel*>(QStringLiteral("compareSummary"))
                    ->fullText()
                    .contains(QStringLiteral("the same")));

        window.compareData();
        AWAIT(!window.data().isRunning());
        QCOMPARE(rows(window, "compareBytes", {0, 1}),
            (QStringList{QStringLiteral("token_embd.weight | equal"),
                QStringLiteral("blk.0.attn_q.weight | different")}));
        const auto left = window.data().hash(0, false), right = window.data().hash(0, true);
        QVERIFY(left && right && *left == *right);
        QCOMPARE(gguf::sha256Text(*left).size(), 64U);
    }

    void aFileThatIsMissingIsSaid()
    {
        const Files files(model(kQ4K), model(kQ4K));
        CompareWindow window(files.pathA(), files.pathB() + QStringLiteral(".none"));
        window.setAttribute(Qt::WA_DeleteOnClose, false);
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
