// SPDX-License-Identifier: GPL-3.0-or-later
// The file under the window: it cannot be opened, its disk fails, it changes while it is shown.
#include "panes/hexpane.h"
#include "panes/problempane.h"
#include "support/fakesource.h"
#include "support/qt/windowjourney.h"
#include "widgets/hexview.h"
#include "widgets/statusmessage.h"

#include <QApplication>
#include <QLabel>
#include <QListWidget>
#include <QTest>
#include <QToolButton>

#include <filesystem>
#include <unistd.h>

#include <sys/stat.h>

using namespace Qt::StringLiterals;
using State = DocumentLoader::State;
using Subject = MessageArea::Subject;

class TestFileFaults : public QObject, private WindowJourney
{
    Q_OBJECT
private slots:
    void init() { begin(); }
    void cleanup() { end(); }
    void aTruncatedFileStaysAndIsReadAgain();
    void aReplacedFileStaysAndIsReadAgain();
    void aDeletedFileStaysAndIsReadAgain();
    void aGrowingFileIsReadAgainOrFollowed();
    void aFailingDiskKeepsWhatWasRead_data();
    void aFailingDiskKeepsWhatWasRead();
    void shortReadsAreNoFault();
    void aFileThatShrinksWhileItIsRead();
    void aSlowFileCanBeCancelled();
    void nothingOfAnEarlierFileShows();
    void whatCannotBeOpenedIsSaidInTheWindow_data();
    void whatCannotBeOpenedIsSaidInTheWindow();
    void anEmptyFileIsNamedWithARemedy();
    void aFolderOffersItsFiles();

private:
    static QString bar(MainWindow& window, Subject subject = Subject::File) { return window.messages().text(subject); }
    static QList<QToolButton*> barButtons(MainWindow& window, Subject subject = Subject::File)
    {
        QList<QToolButton*> shown;
        const auto* message = window.findChild<StatusMessage*>(u"message%1"_s.arg(static_cast<int>(subject)));
        for (QToolButton* button : message->findChildren<QToolButton*>(u"messageAction"_s)) {
            if (button->isVisible())
                shown.append(button);
        }
        return shown;
    }
    static QStringList barActions(MainWindow& window, Subject subject = Subject::File)
    {
        QStringList names;
        for (const QToolButton* button : barButtons(window, subject))
            names.append(button->text());
        return names;
    }
    static void click(MainWindow& window, const QString& action, Subject subject = Subject::File)
    {
        for (QToolButton* button : barButtons(window, subject)) {
            if (button->text() == action) {
                QTest::mouseClick(button, Qt::LeftButton);
                return;
            }
        }
        QFAIL(qPrintable(action));
    }
    static bool saysReadFailed(MainWindow& window)
    {
        return window.loader().document().problemTotal(gguf::Rule::ReadFailed) > 0
            && window.view().problems().title() != u"Problems"_s;
    }
};

void TestFileFaults::aTruncatedFileStaysAndIsReadAgain()
{
    const GgufWriter writer = smallModel();
    const QString path = write(writer, u"a.gguf"_s);
    MainWindow& window = openLoaded(path);
    QVERIFY(QFile::resize(path, static_cast<qint64>(writer.recordRange("output.weight").offset + 4)));
    AWAIT(bar(window).contains(u"shorter"_s));
    QCOMPARE(page(window), u"documentView"_s);
    QCOMPARE(tensorNames(window).size(), 3);
    QCOMPARE(barActions(window), QStringList{u"Reload"_s});
    clickRow(window, 0); // bytes that are gone
    runQueued();
    click(window, u"Reload"_s);
    finishLoading(window);
    QCOMPARE(tensorNames(window), (QStringList{u"blk.10.attn_q.weight"_s, u"blk.2.attn_q.weight"_s}));
    QVERIFY(window.loader().document().problemTotal(gguf::Rule::TensorTableTruncated) > 0);
    QVERIFY(bar(window).isEmpty());
}

void TestFileFaults::aReplacedFileStaysAndIsReadAgain()
{
    const QString path = write(smallModel(), u"a.gguf"_s);
    MainWindow& window = openLoaded(path);
    GgufWriter other;
    other.kv("general.architecture", std::string("llama")).tensor("other.weight", kF32, {8});
    std::filesystem::rename(write(other, u"b.gguf"_s).toStdString(), path.toStdString());
    AWAIT(bar(window).contains(u"Another file"_s));
    QCOMPARE(tensorNames(window).size(), 3);
    QCOMPARE(barActions(window), QStringList{u"Reload"_s});
    click(window, u"Reload"_s);
    finishLoading(window);
    QCOMPARE(tensorNames(window), QStringList{u"other.weight"_s});
    QVERIFY(bar(window).isEmpty());
}

void TestFileFaults::aDeletedFileStaysAndIsReadAgain()
{
    const QString path = write(smallModel(), u"a.gguf"_s);
    MainWindow& window = openLoaded(path);
    QVERIFY(QFile::remove(path));
    AWAIT(bar(window).contains(u"deleted"_s));
    QCOMPARE(tensorNames(window).size(), 3);
    click(window, u"Reload"_s);
    finishLoading(window);
    QCOMPARE(page(window), u"failedPage"_s);
    write(smallModel(), u"a.gguf"_s);
    window.findChild<QAction*>(u"actionReload"_s)->trigger();
    finishLoading(window);
    QCOMPARE(page(window), u"documentView"_s);
    QCOMPARE(tensorNames(window).size(), 3);
}

void TestFileFaults::aGrowingFileIsReadAgainOrFollowed()
{
    const GgufWriter writer = smallModel();
    const std::vector<std::byte> whole = writer.bytes();
    QFile file(m_folder->filePath(u"a.gguf"_s));
    QVERIFY(file.open(QIODevice::WriteOnly));
    std::uint64_t written = 0;
    const auto growTo = [&](std::uint64_t size) {
        file.write(reinterpret_cast<const char*>(whole.data() + written), static_cast<qint64>(size - written));
        file.flush();
        written = size;
    };
    const auto shownSize = [](MainWindow& window) { return window.loader().document().fileSize(); };
    growTo(writer.recordRange("blk.2.attn_q.weight").offset);
    MainWindow& window = openLoaded(file.fileName());
    QCOMPARE(tensorNames(window).size(), 1);

    growTo(writer.recordRange("output.weight").offset);
    AWAIT(bar(window).contains(u"grown"_s));
    QCOMPARE(barActions(window), (QStringList{u"Follow"_s, u"Reload"_s}));
    click(window, u"Reload"_s);
    finishLoading(window);
    QCOMPARE(tensorNames(window).size(), 2);
    QVERIFY(bar(window).isEmpty());

    growTo(writer.dataOffset());
    AWAIT(bar(window).contains(u"grown"_s));
    QCOMPARE(tensorNames(window).size(), 2); // nobody asked to follow it
    click(window, u"Follow"_s);
    finishLoading(window);
    QCOMPARE(tensorNames(window).size(), 3);
    QVERIFY(bar(window).contains(u"followed"_s));

    growTo(writer.dataOffset() + 300);
    AWAIT_COMPARE(shownSize(window), writer.dataOffset() + 300);
    finishLoading(window);
    QVERIFY(bar(window).contains(u"followed"_s));
    QCOMPARE(barActions(window), QStringList{u"Stop Following"_s});
    click(window, u"Stop Following"_s);
    QVERIFY(bar(window).isEmpty());
    growTo(whole.size());
    AWAIT(bar(window).contains(u"grown"_s));
    QCOMPARE(shownSize(window), writer.dataOffset() + 300);
    click(window, u"Reload"_s);
    finishLoading(window);
    QCOMPARE(window.loader().document().problemCount(), std::size_t(0));
}

void TestFileFaults::aFailingDiskKeepsWhatWasRead_data()
{
    const GgufWriter writer = smallModel();
    QTest::addColumn<quint64>("offset");
    QTest::addColumn<int>("tensors");
    QTest::addColumn<QString>("page");
    QTest::newRow("magic") << quint64(2) << 0 << u"failedPage"_s;
    QTest::newRow("metadata") << quint64(writer.pairRange("general.name").offset + 3) << 0 << u"documentView"_s;
    QTest::newRow("tensor table") << quint64(writer.recordRange("output.weight").offset + 3) << 2 << u"documentView"_s;
}

void TestFileFaults::aFailingDiskKeepsWhatWasRead()
{
    QFETCH(quint64, offset);
    QFETCH(int, tensors);
    auto source = std::make_shared<FakeSource>(smallModel().bytes());
    source->failAt(offset, EIO);
    MainWindow& window = openWindow();
    window.loader().open(source, u"disk.gguf"_s);
    finishLoading(window);
    QTEST(page(window), "page");
    if (page(window) == u"failedPage"_s) {
        const auto* shown = window.findChild<QStackedWidget*>(u"pages"_s)->currentWidget();
        QVERIFY(shown->findChild<QLabel*>(u"emptyText"_s)->text().contains(u"disk or network"_s));
        QVERIFY(shown->findChild<QLabel*>(u"emptyTitle"_s)->text().contains(u"disk.gguf"_s));
    } else {
        QVERIFY(saysReadFailed(window));
        QCOMPARE(tensorNames(window).size(), tensors);
        // The bytes that cannot be read are marked as such, and nothing hangs.
        window.view().showPane(window.view().hex());
        window.view().hex().goTo(source->size() - 1);
        runQueued();
    }
    source->heal();
    window.findChild<QAction*>(u"actionReload"_s)->trigger();
    finishLoading(window);
    QCOMPARE(page(window), u"documentView"_s);
    QCOMPARE(tensorNames(window).size(), 3);
    QVERIFY(!saysReadFailed(window));
}

void TestFileFaults::shortReadsAreNoFault()
{
    auto source = std::make_shared<FakeSource>(smallModel().bytes());
    source->shortReads(7).delay(std::chrono::milliseconds(1));
    MainWindow& window = openWindow();
    window.loader().open(source, u"slow.gguf"_s);
    finishLoading(window);
    QCOMPARE(tensorNames(window).size(), 3);
    QCOMPARE(window.loader().document().problemCount(), std::size_t(0));
}

void TestFileFaults::aFileThatShrinksWhileItIsRead()
{
    const GgufWriter writer = smallModel();
    auto source = std::make_shared<FakeSource>(writer.bytes());
    source->shrinkTo(writer.recordRange("output.weight").offset + 3);
    MainWindow& window = openWindow();
    window.loader().open(source, u"a.gguf"_s);
    finishLoading(window);
    QCOMPARE(page(window), u"documentView"_s);
    QCOMPARE(tensorNames(window).size(), 2);
    QVERIFY(saysReadFailed(window));
}

void TestFileFaults::aSlowFileCanBeCancelled()
{
    auto gate = std::make_shared<Gate>();
    auto slow = std::make_shared<FakeSource>(smallModel().bytes());
    slow->blockAt(gate);
    MainWindow& window = openWindow();
    window.loader().open(slow, u"slow.gguf"_s);
    AWAIT_COMPARE(page(window), u"loadingPage"_s);
    window.findChild<QAction*>(u"actionCancelLoad"_s)->trigger();
    QCOMPARE(window.loader().state(), State::Cancelled);
    QVERIFY(bar(window, Subject::Loading).contains(u"cancelled"_s));
    QCOMPARE(barActions(window, Subject::Loading), QStringList{u"Reload"_s});
    gate->open();
    click(window, u"Reload"_s, Subject::Loading);
    finishLoading(window);
    QCOMPARE(tensorNames(window).size(), 3);
}

void TestFileFaults::nothingOfAnEarlierFileShows()
{
    // Longer than a window of the reader: its header and first pairs are on their way when reading stops.
    GgufWriter early;
    early.kv("general.architecture", std::string("early")).kv("early.text", std::string(600'000, 'e'));
    early.kv("early.rest", std::string(600'000, 'e')).tensor("early.weight", kF32, {8});
    auto gate = std::make_shared<Gate>();
    auto slow = std::make_shared<FakeSource>(early.bytes());
    slow->blockAt(gate, 300'000);
    MainWindow& window = openWindow();
    window.loader().open(slow, u"early.gguf"_s);
    gate->awaitWaiting(); // no event was handled since: the news of the first file wait in the queue

    GgufWriter later;
    later.kv("general.architecture", std::string("later")).tensor("later.weight", kF32, {8});
    window.openFile(write(later, u"later.gguf"_s));
    const auto nothingEarly = [&window] {
        return !window.windowTitle().contains(u"early"_s) && !tensorNames(window).contains(u"early.weight"_s)
            && window.loader().document().metadataCount() <= 1;
    };
    connect(&window.loader(), &DocumentLoader::documentChanged, this, [&] { QVERIFY(nothingEarly()); });
    finishLoading(window);
    const quint64 dropped = window.loader().droppedMessages();
    QVERIFY(dropped > 0); // the race did happen
    gate->open();
    AWAIT(window.loader().droppedMessages() > dropped);
    runQueued();
    QVERIFY(nothingEarly());
    QCOMPARE(tensorNames(window), QStringList{u"later.weight"_s});
    QVERIFY(window.windowTitle().startsWith(u"later.gguf"_s));
}

void TestFileFaults::whatCannotBeOpenedIsSaidInTheWindow_data()
{
    QTest::addColumn<QString>("says");
    QTest::newRow("missing") << u"no such file"_s;
    QTest::newRow("fifo") << u"pipe"_s;
    QTest::newRow("device") << u"device"_s;
    QTest::newRow("forbidden") << u"permission"_s;
    QTest::newRow("dangling link") << u"gone.gguf"_s;
    QTest::newRow("link to itself") << u"back to itself"_s;
}

void TestFileFaults::whatCannotBeOpenedIsSaidInTheWindow()
{
    QFETCH(QString, says);
    const QByteArray kind = QTest::currentDataTag();
    QString path = m_folder->filePath(u"model.gguf"_s);
    if (kind == "fifo") {
        QCOMPARE(::mkfifo(path.toLocal8Bit().constData(), 0600), 0);
    } else if (kind == "device") {
        path = u"/dev/zero"_s;
    } else if (kind == "forbidden") {
        write(smallModel(), u"model.gguf"_s);
        QVERIFY(QFile::setPermissions(path, {}));
    } else if (kind == "dangling link") {
        QVERIFY(QFile::link(m_folder->filePath(u"gone.gguf"_s), path));
    } else if (kind == "link to itself") {
        std::filesystem::create_symlink(path.toStdString(), path.toStdString());
    }
    MainWindow& window = openWindow();
    // Root may read everything: then as somebody else.
    const bool asRoot = kind == "forbidden" && ::geteuid() == 0;
    if (asRoot && ::seteuid(65534) != 0)
        QSKIP("cannot be anybody but root");
    window.openFile(path);
    finishLoading(window);
    if (asRoot)
        QCOMPARE(::seteuid(0), 0);
    QCOMPARE(page(window), u"failedPage"_s);
    const auto* shown = window.findChild<QStackedWidget*>(u"pages"_s)->currentWidget();
    const QString text = shown->findChild<QLabel*>(u"emptyText"_s)->text();
    QVERIFY2(text.contains(says), qPrintable(text));
    QVERIFY(window.findChild<QAction*>(u"actionOpen"_s)->isEnabled());
    QVERIFY(!QApplication::activeModalWidget());
    // The window stays usable.
    window.openFile(write(smallModel(), u"good.gguf"_s));
    finishLoading(window);
    QCOMPARE(page(window), u"documentView"_s);
}

void TestFileFaults::anEmptyFileIsNamedWithARemedy()
{
    QFile file(m_folder->filePath(u"empty.gguf"_s));
    QVERIFY(file.open(QIODevice::WriteOnly));
    MainWindow& window = openLoaded(file.fileName());
    QCOMPARE(page(window), u"foreignPage"_s);
    QVERIFY(window.findChild<QLabel*>(u"foreignTitle"_s)->text().contains(u"empty"_s));
    QVERIFY(window.findChild<QLabel*>(u"foreignRemedy"_s)->text().contains(u"merge"_s));
    // Nothing to search, nor bytes to show.
    QVERIFY(!window.findChild<QWidget*>(u"cancelSearch"_s)->isVisible());
    QVERIFY(!window.findChild<QWidget*>(u"foreignPage"_s)->findChild<HexPane*>()->isVisible());
}

void TestFileFaults::aFolderOffersItsFiles()
{
    write(smallModel(), u"a.gguf"_s);
    MainWindow& window = openLoaded(m_folder->path());
    QCOMPARE(page(window), u"failedPage"_s);
    auto* list = window.findChild<QListWidget*>(u"folderFilesView"_s);
    QCOMPARE(list->count(), 1);
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualItemRect(list->item(0)).center());
    finishLoading(window);
    QCOMPARE(page(window), u"documentView"_s);
}

QTEST_MAIN(TestFileFaults)
#include "tst_filefaults.moc"
