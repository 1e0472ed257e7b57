// SPDX-License-Identifier: GPL-3.0-or-later
// What a person writes to files: tables, audits, pictures, bytes. Never over the file that is shown.
#include "load/workers.h"
#include "panes/auditservice.h"
#include "panes/heatmappane.h"
#include "panes/hexpane.h"
#include "panes/metadatapane.h"
#include "panes/mixpane.h"
#include "panes/tensorpane.h"
#include "support/qt/windowjourney.h"
#include "widgets/statusmessage.h"

#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QImage>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMessageBox>
#include <QSignalSpy>
#include <QTimer>
#include <QTreeView>

#include <array>
#include <functional>
#include <numeric>

using namespace Qt::StringLiterals;

class TestExports : public QObject, private WindowJourney
{
    Q_OBJECT

private slots:
    void init() { begin(); }
    void cleanup() { end(); }
    void neverOverTheShownFile_data();
    void neverOverTheShownFile();
    void tableOfManyTensors();
    void aNameWithoutSuffixReplacesNothingUnasked();
    void manyRowsAreCopied();
    void aLateCopyReplacesNothing();
    void longValuesAreCopied();
    void picturesAndAudit();

private:
    /// Answers the file dialog that comes next.
    static void answerDialog(const QString& path)
    {
        QTimer::singleShot(0, qApp, [path] {
            auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
            QVERIFY(dialog);
            dialog->setOption(QFileDialog::DontConfirmOverwrite);
            dialog->selectFile(path);
            static_cast<QDialog*>(dialog)->accept();
        });
    }
    template <class Pane>
    static void savePicture(MainWindow& window, const QString& path)
    {
        auto* pane = window.findChild<Pane*>();
        window.view().showPane(*pane);
        AWAIT(AuditService::of(window.loader()).result());
        answerDialog(path);
        pane->saveImage();
    }
    static void exportTo(MainWindow& window, const QString& what, const QString& path)
    {
        if (what == "bytes"_L1) {
            window.view().hex().goTo(30);
            window.view().hex().findChild<QAction*>(u"hexSaveRegion"_s)->trigger();
            auto* dialog = window.findChild<QFileDialog*>(u"saveDialog"_s);
            dialog->setOption(QFileDialog::DontConfirmOverwrite);
            dialog->selectFile(path);
            static_cast<QDialog*>(dialog)->accept();
        } else if (what == "mix"_L1) {
            savePicture<MixPane>(window, path);
        } else if (what == "heat map"_L1) {
            savePicture<HeatMapPane>(window, path);
        } else {
            answerDialog(path);
            action(window, what == "table"_L1 ? u"actionExportTensors"_s : u"actionExportAudit"_s)->trigger();
        }
    }
    /// What the window says at last.
    static QString messageOf(MainWindow& window)
    {
        if (const auto* box = window.findChild<QMessageBox*>())
            return box->text();
        const QString bytes = window.view().hex().findChild<StatusMessage*>(u"hexMessage"_s)->text();
        return bytes + window.findChild<MessageArea*>()->text(MessageArea::Subject::Export);
    }
    static QAction* action(MainWindow& window, const QString& name) { return window.findChild<QAction*>(name); }
    static GgufWriter manyTensors(int count)
    {
        GgufWriter writer;
        writer.kv("general.architecture", "llama");
        for (int i = 0; i < count; ++i)
            writer.tensor("blk." + std::to_string(i) + ".attn_q.weight", kF32, {4});
        return writer;
    }
};

void TestExports::neverOverTheShownFile_data()
{
    QTest::addColumn<QString>("what");
    for (const char* what : {"table", "audit", "mix", "heat map", "bytes"})
        QTest::newRow(what) << QString::fromLatin1(what);
}

void TestExports::neverOverTheShownFile()
{
    QFETCH(QString, what);
    const QString path = write(smallModel(), u"model.gguf"_s);
    const QByteArray before = [&path] {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }();
    const QString link = m_folder->filePath(u"link.csv"_s);
    QVERIFY(QFile::link(path, link));
    MainWindow& window = openLoaded(path);
    for (const QString& target : {path, link}) {
        exportTo(window, what, target);
        AWAIT(messageOf(window).contains(u"This is the file that is shown; it is never written to."_s));
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), before);
        delete window.findChild<QMessageBox*>();
        window.findChild<MessageArea*>()->clearAll();
    }
}

void TestExports::tableOfManyTensors()
{
    MainWindow& window = openLoaded(write(manyTensors(6000), u"model.gguf"_s));
    const QString path = m_folder->filePath(u"tensors.json"_s);
    exportTo(window, u"table"_s, path);
    AWAIT(messageOf(window).contains(u"The table was written to "_s));
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QJsonArray rows = QJsonDocument::fromJson(file.readAll()).array();
    QCOMPARE(rows.size(), 6000);
    QCOMPARE(rows[5999].toObject()[u"name"_s].toString(), u"blk.5999.attn_q.weight"_s);
    QCOMPARE(rows[5999].toObject()[u"elements"_s].toInt(), 4);
    exportTo(window, u"table"_s, m_folder->filePath(u"no/such/tensors.csv"_s));
    AWAIT(messageOf(window).contains(u"tensors.csv could not be written: "_s));
}

void TestExports::aNameWithoutSuffixReplacesNothingUnasked()
{
    MainWindow& window = openLoaded(write(smallModel(), u"model.gguf"_s));
    QFile other(m_folder->filePath(u"table.csv"_s));
    QVERIFY(other.open(QIODevice::WriteOnly) && other.write("precious") == 8);
    other.close();
    action(window, u"actionExportTensors"_s)->trigger();
    auto* dialog = window.findChild<QFileDialog*>(u"saveDialog"_s);
    QVERIFY(dialog);
    bool asked = false;
    QTimer::singleShot(0, this, [&asked] {
        auto* question = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
        asked = question && question->text().contains(u"table.csv"_s);
        if (question)
            question->reject();
    });
    dialog->selectFile(m_folder->filePath(u"table"_s));
    static_cast<QDialog*>(dialog)->accept();
    QVERIFY(asked);
    dialog->reject();
    QVERIFY(other.open(QIODevice::ReadOnly));
    QCOMPARE(other.readAll(), QByteArray("precious"));

    // The suffix is that of the chosen format.
    action(window, u"actionExportTensors"_s)->trigger();
    dialog = window.findChildren<QFileDialog*>(u"saveDialog"_s).last();
    emit dialog->filterSelected(dialog->nameFilters().at(1));
    dialog->selectFile(m_folder->filePath(u"table"_s));
    static_cast<QDialog*>(dialog)->accept();
    AWAIT(QFile::exists(m_folder->filePath(u"table.md"_s)));
}

void TestExports::manyRowsAreCopied()
{
    MainWindow& window = openLoaded(write(manyTensors(6000), u"model.gguf"_s));
    QApplication::clipboard()->clear();
    tensorView(window).selectAll();
    window.view().tensors().copy();
    AWAIT(QApplication::clipboard()->text().count(u'\n') == 6001);
    QVERIFY(QApplication::clipboard()->text().contains(u"blk.5999.attn_q.weight\tF32\t"_s));
}

void TestExports::aLateCopyReplacesNothing()
{
    GgufWriter writer = manyTensors(6000);
    writer.kv("long.text", std::string(3'000'000, 'x'));
    MainWindow& window = openWindow();
    window.loader().open(writer.source(), u"model.gguf"_s); // no file that is watched
    finishLoading(window);
    window.findChild<MetadataPane*>()->setFlat(true);
    window.findChild<QTreeView*>(u"metadataView"_s)->selectAll();
    tensorView(window).selectAll();
    const std::array<std::function<void()>, 2> copies{
        [&window] { window.findChild<MetadataPane*>()->copy(); }, [&window] { window.view().tensors().copy(); }};
    for (const auto& copy : copies) {
        copy();
        QApplication::clipboard()->setText(u"newer"_s);
        QVERIFY(Workers::waitForAll(std::chrono::minutes(1)));
        runQueued();
        QCOMPARE(QApplication::clipboard()->text(), u"newer"_s);
    }
}

void TestExports::longValuesAreCopied()
{
    GgufWriter writer = smallModel();
    const std::string text(3'000'000, 'x');
    std::vector<std::uint32_t> numbers(300'000);
    std::iota(numbers.begin(), numbers.end(), 0U);
    writer.kv("long.text", text).kv("long.numbers", numbers);
    MainWindow& window = openLoaded(write(writer, u"model.gguf"_s));
    auto* view = window.findChild<QTreeView*>(u"metadataView"_s);
    window.findChild<MetadataPane*>()->setFlat(true);
    QApplication::clipboard()->clear();
    view->selectAll();
    window.findChild<MetadataPane*>()->copy();
    QVERIFY(QApplication::clipboard()->text().isEmpty()); // it is being made
    AWAIT(!QApplication::clipboard()->text().isEmpty());
    const QStringList lines = QApplication::clipboard()->text().split(u'\n');
    QCOMPARE(lines.size(), 4);
    QCOMPARE(lines[2], QString(u"long.text\tstr\t"_s + QString::fromStdString(text)));
    QVERIFY2(lines[3].startsWith(u"long.numbers\tu32[300,000]\t[300000 x u32] 0, 1, "_s), qPrintable(lines[3].left(60)));
    QVERIFY2(lines[3].endsWith(u", 999, …"_s), qPrintable(lines[3].right(40)));
}

void TestExports::picturesAndAudit()
{
    MainWindow& window = openLoaded(write(smallModel(), u"model.gguf"_s));
    const QString audit = m_folder->filePath(u"audit.html"_s);
    exportTo(window, u"audit"_s, audit);
    AWAIT(QFile::exists(audit));
    const QString png = m_folder->filePath(u"mix.png"_s);
    exportTo(window, u"mix"_s, png);
    AWAIT(QFile::exists(png));
    QCOMPARE(QImage(png).size(), QSize(2400, 1280));
}

QTEST_MAIN(TestExports)
#include "tst_exports.moc"
