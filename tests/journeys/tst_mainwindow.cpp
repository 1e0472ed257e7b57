// SPDX-License-Identifier: GPL-3.0-or-later
// What a person does, through the real window.
#include "panes/hexpane.h"
#include "panes/problempane.h"
#include "panes/tensorpane.h"
#include "support/fakesource.h"
#include "support/qt/windowjourney.h"
#include "widgets/hexview.h"
#include "widgets/statusmessage.h"
#include "window/comparewindow.h"

#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDockWidget>
#include <QDropEvent>
#include <QFileDialog>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMimeData>
#include <QTest>
#include <QUrl>

using namespace Qt::StringLiterals;

class TestMainWindow : public QObject, private WindowJourney
{
    Q_OBJECT
private slots:
    void init() { begin(); }
    void cleanup() { end(); }
    void theEmptyWindowInvites();
    void aDroppedFileIsShown();
    void twoDroppedFilesGetTwoWindows();
    void manyWindowsStayOnTheScreen();
    void theDropStateShowsWhatLettingGoDoes();
    void aDropOnTheSecondZoneCompares();
    void aRemoteAddressIsRefusedInWords();
    void sortingByAHeaderAndFilteringByTyping();
    void choosingATensorMovesTheBytesAndBackReturns();
    void aByteSelectsItsTensor();
    void problemsAreWalkedByKey();
    void aVerdictLeadsToItsReason();
    void aWindowClosesWhileItsFileLoads();
    void whatIsNotGgufIsNamedAndSearched();
    void layoutAndRecentFilesAreRemembered();
    void resetLayoutBringsClosedPanesBack();
    void everyPaneIsReachedByAKey();
    void announcedTensorsThatCouldNotBeRead();

private:
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
};

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

void TestMainWindow::manyWindowsStayOnTheScreen()
{
    const QString file = write(smallModel(), u"a.gguf"_s);
    m_opening->open(QStringList(30, file));
    QCOMPARE(m_opening->windows().size(), 30);
    const QRect screen = QGuiApplication::primaryScreen()->availableGeometry();
    QPoint before(-1, -1);
    for (const QPointer<MainWindow>& window : m_opening->windows()) {
        QVERIFY(screen.contains(QRect(window->pos(), window->size())));
        QVERIFY(window->pos() != before); // not one exactly over another
        before = window->pos();
        finishLoading(*window);
    }
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
    AWAIT(QApplication::clipboard()->text().contains(u"broken.gguf"_s));
}

void TestMainWindow::aVerdictLeadsToItsReason()
{
    GgufWriter writer = smallModel();
    writer.statedOffset(7);
    MainWindow& window = openLoaded(write(writer, u"broken.gguf"_s));
    auto* badge = window.findChild<QAbstractButton*>(u"verdictGgml"_s);
    QVERIFY(badge->isVisible());
    QVERIFY(badge->height() >= 3 * badge->fontMetrics().height()); // a long reason has two lines
    QTest::mouseClick(badge, Qt::LeftButton);
    QVERIFY(window.selection().place());
    QVERIFY(window.selection().place()->problem.has_value());
    auto* good = openLoaded(write(smallModel(), u"good.gguf"_s)).findChild<QAbstractButton*>(u"verdictSpec"_s);
    QVERIFY(!good->isEnabled());
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

    // A part of a file is shown, and still nothing is written to that file.
    const auto contents = [&file] { return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray(); };
    const QByteArray whole = contents();
    file.close();
    window.loader().reload();
    finishLoading(window);
    window.view().hex().goTo(0);
    window.view().hex().findChild<QAction*>(u"hexSaveRegion"_s)->trigger();
    auto* dialog = window.findChild<QFileDialog*>(u"saveDialog"_s);
    QVERIFY(dialog);
    dialog->setOption(QFileDialog::DontConfirmOverwrite);
    dialog->selectFile(file.fileName());
    static_cast<QDialog*>(dialog)->accept();
    auto* message = window.view().hex().findChild<StatusMessage*>(u"hexMessage"_s);
    AWAIT(message->text().contains(u"never written to"_s) || message->text().startsWith(u"Saved"_s));
    QCOMPARE(contents(), whole);
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
    AWAIT(again.findChild<QDockWidget*>(u"dockMix"_s)); // the panes come after the first paint
    QVERIFY(again.findChild<QDockWidget*>(u"dockMix"_s)->isHidden());
    QCOMPARE(tensorView(again).columnWidth(TensorModel::TypeColumn), 177);
    auto* recent = again.findChild<QListWidget*>(u"recentFilesView"_s);
    QCOMPARE(recent->count(), 1);
    QTest::mouseClick(recent->viewport(), Qt::LeftButton, {}, recent->visualItemRect(recent->item(0)).center());
    finishLoading(again);
    QCOMPARE(page(again), u"documentView"_s);
}

void TestMainWindow::everyPaneIsReachedByAKey()
{
    MainWindow& window = openLoaded(write(smallModel(), u"a.gguf"_s));
    window.activateWindow();
    const QList<QDockWidget*> docks = window.findChildren<QDockWidget*>();
    const QList<QAction*> actions = window.view().paneActions();
    QCOMPARE(actions.size(), docks.size());
    for (QAction* action : actions) {
        auto* dock = window.findChild<QDockWidget*>(action->objectName().chopped(6)); // "dockMixAction"
        QVERIFY(dock && !action->shortcut().isEmpty());
        action->trigger(); // hides nothing that is behind
        runQueued();
        QVERIFY2(!dock->visibleRegion().isEmpty(), qPrintable(action->text()));
        QVERIFY2(dock->isAncestorOf(window.focusWidget()), qPrintable(action->text()));
    }
}

void TestMainWindow::announcedTensorsThatCouldNotBeRead()
{
    GgufWriter writer = smallModel();
    writer.truncateTo(writer.dataRange("blk.10.attn_q.weight").offset / 2);
    MainWindow& window = openLoaded(write(writer, u"cut.gguf"_s));
    if (window.loader().document().tensorCount() > 0)
        QFAIL("cut too late for this test");
    auto* page = window.findChild<QWidget*>(u"noTensors"_s);
    QVERIFY(page->isVisible());
    QStringList texts;
    for (const QLabel* label : page->findChildren<QLabel*>())
        texts.append(label->text());
    QVERIFY2(texts.join(u' ').contains(u"announces 3 tensors"_s), qPrintable(texts.join(u'|')));
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
