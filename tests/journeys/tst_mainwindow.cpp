// SPDX-License-Identifier: GPL-3.0-or-later
// What a person does, through the real window.
#include "support/fakesource.h"
#include "support/ggufwriter.h"
#include "models/tensormodel.h"
#include "panes/hexpane.h"
#include "panes/problempane.h"
#include "panes/tensorpane.h"
#include "support/qt/await.h"
#include "widgets/hexview.h"
#include "window/comparewindow.h"
#include "window/documentview.h"
#include "window/mainwindow.h"
#include "window/messagearea.h"
#include "window/opening.h"
#include "window/settings.h"

#include <QAbstractButton>
#include <QApplication>
#include <QClipboard>
#include <QDockWidget>
#include <QDropEvent>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMimeData>
#include <QRegularExpression>
#include <QStackedWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeView>
#include <QUrl>

#include <unistd.h>

#include <sys/stat.h>

using namespace Qt::StringLiterals;

class TestMainWindow : public QObject
{
    Q_OBJECT
private slots:
    void init();
    void cleanup();
    void theEmptyWindowInvites();
    void aDroppedFileIsShown();
    void twoDroppedFilesGetTwoWindows();
    void theDropStateShowsWhatLettingGoDoes();
    void aDropOnTheSecondZoneCompares();
    void aRemoteAddressIsRefusedInWords();
    void sortingByAHeaderAndFilteringByTyping();
    void choosingATensorMovesTheBytesAndBackReturns();
    void aByteSelectsItsTensor();
    void problemsAreWalkedByKey();
    void aVerdictLeadsToItsReason();
    void aSecondFileReplacesOneThatStillLoads();
    void aWindowClosesWhileItsFileLoads();
    void whatCannotBeOpenedIsSaidInTheWindow_data();
    void whatCannotBeOpenedIsSaidInTheWindow();
    void anEmptyFileIsNamed();
    void whatIsNotGgufIsNamedAndSearched();
    void aFolderOffersItsFiles();
    void hostileTextIsShownAsText();
    void layoutAndRecentFilesAreRemembered();
    void resetLayoutBringsClosedPanesBack();

private:
    QString write(const GgufWriter& writer, const QString& name) const
    {
        const QString path = m_folder->filePath(name);
        writer.write(path.toStdString());
        return path;
    }
    static GgufWriter smallModel()
    {
        GgufWriter writer;
        writer.kv("general.architecture", std::string("llama")).kv("general.name", std::string("Small"));
        writer.tensor("blk.10.attn_q.weight", kF32, {64, 2});
        writer.tensor("blk.2.attn_q.weight", kF32, {32, 2});
        writer.tensor("output.weight", kF32, {8});
        return writer;
    }
    MainWindow& openWindow()
    {
        MainWindow* window = m_opening->newWindow();
        window->show();
        return *window;
    }
    MainWindow& openLoaded(const QString& path)
    {
        MainWindow& window = openWindow();
        window.openFile(path);
        finishLoading(window);
        return window;
    }
    static void finishLoading(MainWindow& window)
    {
        AWAIT(window.loader().state() != DocumentLoader::State::Loading && !window.loader().isInspecting());
    }
    static void drop(MainWindow& window, const QList<QUrl>& urls, QPoint place = {200, 300})
    {
        QMimeData data;
        data.setUrls(urls);
        QDragEnterEvent enter(place, Qt::CopyAction | Qt::MoveAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(&window, &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent event(place, Qt::CopyAction | Qt::MoveAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(&window, &event);
        QVERIFY(event.isAccepted());
        QCOMPARE(event.dropAction(), Qt::CopyAction);
    }
    static QString page(const MainWindow& window)
    {
        return window.findChild<QStackedWidget*>(u"pages"_s)->currentWidget()->objectName();
    }
    static QTableView& tensorView(MainWindow& window) { return *window.findChild<QTableView*>(u"tensorView"_s); }
    static QStringList tensorNames(MainWindow& window)
    {
        QStringList names;
        const QAbstractItemModel* model = tensorView(window).model();
        for (int row = 0; row < model->rowCount(); ++row)
            names.append(model->index(row, TensorModel::NameColumn).data().toString());
        return names;
    }
    static void clickRow(MainWindow& window, int row)
    {
        QTableView& view = tensorView(window);
        const QModelIndex index = view.model()->index(row, TensorModel::NameColumn);
        view.scrollTo(index);
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, view.visualRect(index).center());
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<Settings> m_settings;
    std::unique_ptr<Opening> m_opening;
};

void TestMainWindow::init()
{
    // All but what the offscreen platform says of itself.
    QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support )"_s));
    m_folder = std::make_unique<QTemporaryDir>();
    m_settings = std::make_unique<Settings>(
        std::make_unique<QSettings>(m_folder->filePath(u"settings.ini"_s), QSettings::IniFormat));
    m_opening = std::make_unique<Opening>(*m_settings);
}

void TestMainWindow::cleanup()
{
    m_opening.reset();
    runQueued();
    m_settings.reset();
}

void TestMainWindow::theEmptyWindowInvites()
{
    MainWindow& window = openWindow();
    QCOMPARE(page(window), u"startPage"_s);
    QVERIFY(window.findChild<QAction*>(u"actionOpen"_s)->isEnabled());
    QVERIFY(!window.findChild<QAction*>(u"actionReload"_s)->isEnabled());
    window.findChild<QAction*>(u"actionOpenSample"_s)->trigger();
    finishLoading(window);
    QCOMPARE(page(window), u"documentView"_s);
    QVERIFY(tensorView(window).model()->rowCount() > 100);
}

void TestMainWindow::aDroppedFileIsShown()
{
    MainWindow& window = openWindow();
    drop(window, {QUrl::fromLocalFile(write(smallModel(), u"small.gguf"_s))});
    finishLoading(window);
    QCOMPARE(page(window), u"documentView"_s);
    QCOMPARE(tensorNames(window).size(), 3);
    QVERIFY(window.windowTitle().startsWith(u"small.gguf"_s));
    QCOMPARE(m_opening->windows().size(), 1);
}

void TestMainWindow::twoDroppedFilesGetTwoWindows()
{
    MainWindow& window = openWindow();
    drop(window, {QUrl::fromLocalFile(write(smallModel(), u"a.gguf"_s)), QUrl::fromLocalFile(write(smallModel(), u"b.gguf"_s))});
    QCOMPARE(m_opening->windows().size(), 2);
    MainWindow& other = *m_opening->windows().at(1);
    finishLoading(window);
    finishLoading(other);
    QVERIFY(window.windowTitle().startsWith(u"a.gguf"_s));
    QVERIFY(other.windowTitle().startsWith(u"b.gguf"_s));
    QVERIFY(other.isVisible());
}

void TestMainWindow::theDropStateShowsWhatLettingGoDoes()
{
    MainWindow& window = openLoaded(write(smallModel(), u"a.gguf"_s));
    auto* target = window.findChild<DropTarget*>();
    QVERIFY(!target->isVisible());
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(u"/b.gguf"_s)});
    // Over a text field too, which would take the file as text.
    auto* field = window.findChild<QLineEdit*>(u"tensorFilter"_s);
    QDragEnterEvent enter(QPoint(2, 2), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(field, &enter);
    QVERIFY(enter.isAccepted());
    QVERIFY(target->isVisible());
    QDragMoveEvent right(QPoint(window.width() - 40, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&window, &right);
    QCOMPARE(target->hotZone(), DropTarget::Zone::Compare);
    QDragMoveEvent left(QPoint(40, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&window, &left);
    QCOMPARE(target->hotZone(), DropTarget::Zone::Open);
    QDragLeaveEvent leave;
    QCoreApplication::sendEvent(target, &leave);
    AWAIT(!target->isVisible());
    QCOMPARE(field->text(), QString());
}

void TestMainWindow::aDropOnTheSecondZoneCompares()
{
    MainWindow& window = openLoaded(write(smallModel(), u"a.gguf"_s));
    drop(window, {QUrl::fromLocalFile(write(smallModel(), u"b.gguf"_s))}, {window.width() - 40, 300});
    QVERIFY(window.windowTitle().startsWith(u"a.gguf"_s));
    QPointer<CompareWindow> comparison;
    const QWidgetList windows = QApplication::topLevelWidgets();
    for (QWidget* widget : windows) {
        if (auto* found = qobject_cast<CompareWindow*>(widget))
            comparison = found;
    }
    QVERIFY(comparison);
    AWAIT(comparison->comparison() != nullptr);
    comparison->close();
    runQueued();
    QVERIFY(comparison.isNull());
}

void TestMainWindow::aRemoteAddressIsRefusedInWords()
{
    MainWindow& window = openWindow();
    drop(window, {QUrl(u"https://example.org/model.gguf"_s)});
    QVERIFY(window.messages().text(MessageArea::Subject::Drop).contains(u"example.org"_s));
    QCOMPARE(page(window), u"startPage"_s);
}

void TestMainWindow::sortingByAHeaderAndFilteringByTyping()
{
    MainWindow& window = openLoaded(write(smallModel(), u"a.gguf"_s));
    QHeaderView* header = tensorView(window).horizontalHeader();
    QCOMPARE(tensorNames(window).first(), u"blk.10.attn_q.weight"_s);
    const QPoint place(header->sectionViewportPosition(TensorModel::NameColumn) + 20, header->height() / 2);
    QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, place);
    QCOMPARE(tensorNames(window).first(), u"blk.2.attn_q.weight"_s);

    auto* filter = window.findChild<QLineEdit*>(u"tensorFilter"_s);
    QTest::keyClicks(filter, u"output"_s);
    QTest::keyClick(filter, Qt::Key_Return);
    AWAIT_COMPARE(tensorNames(window), QStringList{u"output.weight"_s});
    QTest::keyClick(filter, Qt::Key_Escape);
    AWAIT_COMPARE(tensorNames(window).size(), 3);
}

void TestMainWindow::choosingATensorMovesTheBytesAndBackReturns()
{
    const GgufWriter writer = smallModel();
    MainWindow& window = openLoaded(write(writer, u"a.gguf"_s));
    const HexView& bytes = *window.view().hex().view();
    const auto first = writer.dataRange("blk.10.attn_q.weight");
    const auto second = writer.dataRange("blk.2.attn_q.weight");
    clickRow(window, 0);
    QCOMPARE(bytes.selection(), (HexRange{first.offset, first.length}));
    QTest::keyClick(&tensorView(window), Qt::Key_Down);
    QTest::keyClick(&tensorView(window), Qt::Key_Return);
    QCOMPARE(bytes.selection(), (HexRange{second.offset, second.length}));
    QAction* back = window.findChild<QAction*>(u"actionBack"_s);
    QVERIFY(back->isEnabled());
    back->trigger();
    QCOMPARE(bytes.selection(), (HexRange{first.offset, first.length}));
    QCOMPARE(tensorView(window).currentIndex().row(), 0);
    QTest::mouseClick(&window, Qt::ForwardButton, {}, QPoint(10, 10));
    QCOMPARE(bytes.selection(), (HexRange{second.offset, second.length}));
}

void TestMainWindow::aByteSelectsItsTensor()
{
    const GgufWriter writer = smallModel();
    MainWindow& window = openLoaded(write(writer, u"a.gguf"_s));
    tensorView(window).setFocus();
    window.view().hex().goTo(writer.dataRange("output.weight").offset + 5);
    QCOMPARE(tensorView(window).currentIndex().data().toString(), u"output.weight"_s);
    QVERIFY(window.findChild<QLabel*>(u"location"_s)->text().contains(u"output.weight"_s));
}

void TestMainWindow::problemsAreWalkedByKey()
{
    GgufWriter writer = smallModel();
    writer.statedOffset(7).truncateBy(8);
    MainWindow& window = openLoaded(write(writer, u"broken.gguf"_s));
    QVERIFY(window.loader().document().problemCount() >= 2);
    QAction* next = window.findChild<QAction*>(u"actionNextProblem"_s);
    QVERIFY(next->isEnabled());
    next->trigger();
    const auto first = window.selection().place()->problem;
    QVERIFY(first);
    next->trigger();
    QVERIFY(window.selection().place()->problem != first);
    window.findChild<QAction*>(u"actionPreviousProblem"_s)->trigger();
    QCOMPARE(window.selection().place()->problem, first);
    window.findChild<QAction*>(u"actionCopyReport"_s)->trigger();
    QVERIFY(QApplication::clipboard()->text().contains(u"broken.gguf"_s));
}

void TestMainWindow::aVerdictLeadsToItsReason()
{
    GgufWriter writer = smallModel();
    writer.statedOffset(7);
    MainWindow& window = openLoaded(write(writer, u"broken.gguf"_s));
    auto* badge = window.findChild<QAbstractButton*>(u"verdictGgml"_s);
    QVERIFY(badge->isVisible());
    QTest::mouseClick(badge, Qt::LeftButton);
    QVERIFY(window.selection().place());
    QVERIFY(window.selection().place()->problem.has_value());
    auto* good = openLoaded(write(smallModel(), u"good.gguf"_s)).findChild<QAbstractButton*>(u"verdictSpec"_s);
    QVERIFY(!good->isEnabled());
}

void TestMainWindow::aSecondFileReplacesOneThatStillLoads()
{
    MainWindow& window = openWindow();
    auto gate = std::make_shared<Gate>();
    auto slow = std::make_shared<FakeSource>(smallModel().bytes());
    slow->blockAt(gate);
    window.loader().open(slow, u"slow.gguf"_s);
    gate->awaitWaiting();
    GgufWriter other;
    other.kv("general.architecture", std::string("llama")).tensor("only.weight", kF32, {8});
    drop(window, {QUrl::fromLocalFile(write(other, u"other.gguf"_s))});
    finishLoading(window);
    gate->open();
    runQueued();
    QCOMPARE(tensorNames(window), QStringList{u"only.weight"_s});
    QVERIFY(window.windowTitle().startsWith(u"other.gguf"_s));
}

void TestMainWindow::aWindowClosesWhileItsFileLoads()
{
    auto gate = std::make_shared<Gate>();
    auto slow = std::make_shared<FakeSource>(smallModel().bytes());
    slow->blockAt(gate);
    QPointer<MainWindow> window = &openWindow();
    window->loader().open(slow, u"slow.gguf"_s);
    gate->awaitWaiting();
    window->close();
    runQueued();
    QVERIFY(window.isNull());
    gate->open();
    runQueued();
}

void TestMainWindow::whatCannotBeOpenedIsSaidInTheWindow_data()
{
    QTest::addColumn<QString>("kind");
    for (const char* kind : {"missing", "fifo", "forbidden", "dangling link"})
        QTest::newRow(kind) << QString::fromLatin1(kind);
}

void TestMainWindow::whatCannotBeOpenedIsSaidInTheWindow()
{
    QFETCH(QString, kind);
    const QString path = m_folder->filePath(u"model.gguf"_s);
    if (kind == "fifo"_L1) {
        QCOMPARE(::mkfifo(path.toLocal8Bit().constData(), 0600), 0);
    } else if (kind == "forbidden"_L1) {
        if (::geteuid() == 0)
            QSKIP("root may read everything");
        write(smallModel(), u"model.gguf"_s);
        QVERIFY(QFile::setPermissions(path, {}));
    } else if (kind == "dangling link"_L1) {
        QVERIFY(QFile::link(m_folder->filePath(u"gone.gguf"_s), path));
    }
    MainWindow& window = openLoaded(path);
    QCOMPARE(page(window), u"failedPage"_s);
    QVERIFY(window.findChild<QAction*>(u"actionOpen"_s)->isEnabled());
    QVERIFY(!QApplication::activeModalWidget());
    // The window stays usable.
    window.openFile(write(smallModel(), u"good.gguf"_s));
    finishLoading(window);
    QCOMPARE(page(window), u"documentView"_s);
}

void TestMainWindow::anEmptyFileIsNamed()
{
    QFile file(m_folder->filePath(u"empty.gguf"_s));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.close();
    MainWindow& window = openLoaded(file.fileName());
    QCOMPARE(page(window), u"failedPage"_s);
    const auto* shown = window.findChild<QStackedWidget*>(u"pages"_s)->currentWidget();
    QVERIFY(shown->findChild<QLabel*>(u"emptyText"_s)->text().contains(u"empty"_s));
}

void TestMainWindow::whatIsNotGgufIsNamedAndSearched()
{
    QFile file(m_folder->filePath(u"page.gguf"_s));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("<!DOCTYPE html><html><head><title>Sign in</title></head></html>");
    const std::vector<std::byte> model = smallModel().bytes();
    file.write(reinterpret_cast<const char*>(model.data()), static_cast<qint64>(model.size()));
    file.close();
    MainWindow& window = openLoaded(file.fileName());
    QCOMPARE(page(window), u"foreignPage"_s);
    QVERIFY(window.findChild<QLabel*>(u"foreignTitle"_s)->text().contains(u"HTML"_s));
    auto* list = window.findChild<QListWidget*>(u"embeddedFilesView"_s);
    AWAIT_COMPARE(list->count(), 1);
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualItemRect(list->item(0)).center());
    finishLoading(window);
    QCOMPARE(page(window), u"documentView"_s);
    QCOMPARE(tensorNames(window).size(), 3);
}

void TestMainWindow::aFolderOffersItsFiles()
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

void TestMainWindow::hostileTextIsShownAsText()
{
    GgufWriter writer;
    writer.kv("general.architecture", std::string("llama"));
    writer.kv("general.name", std::string("<b>bold</b>\x1b[31m\u202Eevil"));
    writer.tensor("<img src=x>", kF32, {8});
    MainWindow& window = openLoaded(write(writer, u"hostile.gguf"_s));
    auto* title = window.findChild<QLabel*>(u"summaryTitle"_s);
    QCOMPARE(title->textFormat(), Qt::PlainText);
    QVERIFY(title->text().contains(u"<b>"_s));
    QVERIFY(!title->text().contains(u'\x1b'));
    QVERIFY(!title->text().contains(QChar(0x202E)));
    QCOMPARE(tensorNames(window), QStringList{u"<img src=x>"_s});
    clickRow(window, 0);
    window.findChild<QAction*>(u"actionCopy"_s)->trigger();
    for (const QLabel* label : window.findChildren<QLabel*>())
        QVERIFY2(!label->text().contains(u"<img"_s) || label->textFormat() == Qt::PlainText, qPrintable(label->objectName()));
}

void TestMainWindow::layoutAndRecentFilesAreRemembered()
{
    const QString path = write(smallModel(), u"a.gguf"_s);
    MainWindow& window = openLoaded(path);
    window.findChild<QDockWidget*>(u"dockMix"_s)->close();
    tensorView(window).setColumnWidth(TensorModel::TypeColumn, 177);
    window.close();
    runQueued();

    MainWindow& again = openWindow();
    QCOMPARE(m_settings->recentFiles(), QStringList{path});
    QVERIFY(again.findChild<QDockWidget*>(u"dockMix"_s)->isHidden());
    QCOMPARE(tensorView(again).columnWidth(TensorModel::TypeColumn), 177);
    auto* recent = again.findChild<QListWidget*>(u"recentFilesView"_s);
    QCOMPARE(recent->count(), 1);
    QTest::mouseClick(recent->viewport(), Qt::LeftButton, {}, recent->visualItemRect(recent->item(0)).center());
    finishLoading(again);
    QCOMPARE(page(again), u"documentView"_s);
}

void TestMainWindow::resetLayoutBringsClosedPanesBack()
{
    MainWindow& window = openLoaded(write(smallModel(), u"a.gguf"_s));
    for (const QString& name : {u"dockMetadata"_s, u"dockTensors"_s})
        window.findChild<QDockWidget*>(name)->close();
    QVERIFY(!tensorView(window).isVisible());
    window.findChild<QAction*>(u"actionResetLayout"_s)->trigger();
    QVERIFY(tensorView(window).isVisible());
    QVERIFY(!window.findChild<QDockWidget*>(u"dockMetadata"_s)->isHidden());
}

QTEST_MAIN(TestMainWindow)
#include "tst_mainwindow.moc"
