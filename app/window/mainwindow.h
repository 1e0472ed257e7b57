// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "load/documentloader.h"
#include "models/selection.h"
#include "window/droptarget.h"
#include "window/filenotice.h"
#include "window/history.h"

#include <QMainWindow>

class Actions;
class DocumentView;
class FailedPage;
class ForeignPage;
class HexPane;
class LoadProgress;
class LoadingPage;
class MessageArea;
class Opening;
class PlainLabel;
class QStackedWidget;
class Settings;
class StartPage;
class SummaryBar;

/// One window with one file: puts the parts together and decides which page is seen.
class MainWindow : public QMainWindow
{
    Q_OBJECT
public:
    MainWindow(Opening& opening, Settings& settings);
    ~MainWindow() override;

    void openFile(const QString& path); ///< absolute
    void openBytes(const QByteArray& bytes, const QString& name);
    bool isUnused() const; ///< nothing was opened yet

    DocumentLoader& loader() { return m_loader; }
    Selection& selection() { return m_selection; }
    History& history() { return m_history; }
    DocumentView& view(); ///< makes it, if nothing was opened and painted yet
    MessageArea& messages() { return *m_messages; }

protected:
    void closeEvent(QCloseEvent* event) override;
    bool event(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void makeView();
    ForeignPage& foreignPage();
    void showLocationOf(HexPane& pane);
    void connectActions();
    void connectLoader();
    void showState();
    void updateActions();
    HexPane& bytes(); ///< those that are seen
    void onDropped(const DropContents& contents, DropTarget::Zone zone);
    void openEmbedded(quint64 offset); ///< in the file that is shown
    void compareWith(const QString& path);
    void goToProblem(std::size_t problem);

    Opening& m_opening;
    Settings& m_settings;
    DocumentLoader m_loader;
    Selection m_selection;
    History m_history;
    Actions* m_actions;
    DropTarget* m_dropTarget;
    SummaryBar* m_summary;
    QWidget* m_map = nullptr;
    MessageArea* m_messages;
    FileNotice m_fileNotice;
    LoadProgress* m_progress;
    QStackedWidget* m_pages;
    StartPage* m_startPage;
    LoadingPage* m_loadingPage;
    FailedPage* m_failedPage;
    ForeignPage* m_foreignPage = nullptr; ///< made when first needed
    DocumentView* m_view = nullptr; ///< see view()
    PlainLabel* m_location;
};
