// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/mainwindow.h"

#include "io/memorysource.h"
#include "panes/auditexport.h"
#include "panes/hexpane.h"
#include "panes/mapstrip.h"
#include "panes/problempane.h"
#include "panes/tensorpane.h"
#include "widgets/focusoutline.h"
#include "widgets/plaintext.h"
#include "widgets/screenfit.h"
#include "window/actions.h"
#include "window/comparewindow.h"
#include "window/documentview.h"
#include "window/focuscommand.h"
#include "window/foreignpage.h"
#include "window/helpdialogs.h"
#include "window/loadprogress.h"
#include "window/messagearea.h"
#include "window/opening.h"
#include "window/pages.h"
#include "window/settings.h"
#include "window/summarybar.h"
#include "window/windowmenus.h"

#include <QApplication>
#include <QCloseEvent>
#include <QFileInfo>
#include <QMenu>
#include <QMouseEvent>
#include <QStackedWidget>
#include <QStatusBar>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace {

constexpr QSize kDefaultSize(1440, 900);

QWidget* columnOf(std::initializer_list<QWidget*> parts)
{
    auto* widget = new QWidget;
    auto* layout = new QVBoxLayout(widget);
    layout->setContentsMargins({});
    layout->setSpacing(0);
    for (QWidget* part : parts)
        layout->addWidget(part, qobject_cast<QStackedWidget*>(part) ? 1 : 0);
    return widget;
}

} // namespace

MainWindow::MainWindow(Opening& opening, Settings& settings)
    : m_opening(opening)
    , m_settings(settings)
    , m_history(m_selection)
    , m_actions(new Actions(this))
    , m_dropTarget(new DropTarget(this))
    , m_summary(new SummaryBar(m_loader))
    , m_messages(new MessageArea)
    , m_fileNotice(m_loader, *m_messages, *(*m_actions)[ActionId::Reload])
    , m_progress(new LoadProgress(m_loader))
    , m_pages(new QStackedWidget)
    , m_startPage(new StartPage(*m_actions))
    , m_loadingPage(new LoadingPage(m_progress->cancelAction()))
    , m_failedPage(new FailedPage(*m_actions))
    , m_location(new PlainLabel)
{
    setObjectName(u"mainWindow"_s);
    setWindowIcon(QIcon(u":/icons/app.svg"_s));
    m_pages->setObjectName(u"pages"_s);
    for (QWidget* page : std::initializer_list<QWidget*>{m_startPage, m_loadingPage, m_failedPage})
        m_pages->addWidget(page);
    setCentralWidget(columnOf({m_summary, m_messages, m_progress, m_pages}));
    m_location->setElideMode(Qt::ElideMiddle);
    m_location->setObjectName(u"location"_s);
    statusBar()->addWidget(m_location, 1);

    buildWindowMenus(*this, *m_actions, m_settings, m_opening);
    connectActions();
    connectLoader();
    connect(m_dropTarget, &DropTarget::dropped, this, &MainWindow::onDropped);
    connect(m_summary, &SummaryBar::problemChosen, this, &MainWindow::goToProblem);
    connect(m_startPage, &StartPage::fileChosen, this, [this](const QString& path) { m_opening.open({path}, this); });
    connect(m_failedPage, &FailedPage::fileChosen, this, [this](const QString& path) { m_opening.open({path}, this); });

    resizeWithinScreen(*this, kDefaultSize);
    restoreGeometry(m_settings.geometry());
    showState();
    new FocusOutline(this);
    // Mouse buttons 4 and 5 are Back and Forward wherever the pointer is.
    qApp->installEventFilter(this);
}

MainWindow::~MainWindow()
{
    // The panes hold references to the members, which would go first otherwise.
    m_loader.disconnect();
    m_selection.disconnect();
    delete takeCentralWidget();
}

void MainWindow::openFile(const QString& path)
{
    m_settings.addRecentFile(path);
    m_loader.open(path);
}

void MainWindow::openBytes(const QByteArray& bytes, const QString& name)
{
    const std::span view(reinterpret_cast<const std::uint8_t*>(bytes.constData()), static_cast<std::size_t>(bytes.size()));
    m_loader.open(std::make_shared<gguf::MemorySource>(view), name);
}

bool MainWindow::isUnused() const
{
    return m_loader.state() == DocumentLoader::State::Idle;
}

void MainWindow::connectActions()
{
    const auto on = [this](ActionId id, auto slot) { connect((*m_actions)[id], &QAction::triggered, this, slot); };
    const auto nearest = [](const char* slot) { return callNearest(QApplication::focusWidget(), slot); };
    on(ActionId::Open, [this] { m_opening.openWithDialog(*this); });
    on(ActionId::OpenSample, [this] { m_opening.openSample(*this); });
    on(ActionId::CompareWith, [this] { compareWith(m_opening.askForFile(this, tr("Compare with"))); });
    on(ActionId::Reload, [this] { m_loader.reload(); });
    on(ActionId::CopyReport, [this] { m_view->problems().copyReport(); });
    on(ActionId::ExportTensors, [this] { m_view->tensors().exportTable(); });
    on(ActionId::ExportAudit, [this] { AuditExport::saveAs(this, m_loader); });
    on(ActionId::CloseWindow, [this] { close(); });
    on(ActionId::Quit, [] { QApplication::closeAllWindows(); });
    on(ActionId::Copy, [nearest] { nearest("copy"); });
    on(ActionId::Filter, [this, nearest] {
        if (!nearest("focusFilter"))
            m_view->tensors().focusFilter();
    });
    on(ActionId::Find, [this] {
        if (m_view)
            m_view->showPane(bytes());
        bytes().showFind();
    });
    on(ActionId::GoTo, [this] {
        if (m_view)
            m_view->showPane(bytes());
        bytes().showGoTo();
    });
    on(ActionId::Back, [this] { m_history.goBack(); });
    on(ActionId::Forward, [this] { m_history.goForward(); });
    on(ActionId::NextProblem, [this] {
        m_view->showPane(m_view->problems());
        m_view->problems().nextProblem();
    });
    on(ActionId::PreviousProblem, [this] {
        m_view->showPane(m_view->problems());
        m_view->problems().previousProblem();
    });
    on(ActionId::ResetLayout, [this] {
        m_settings.forgetLayout();
        view().arrange();
    });
    on(ActionId::ShowShortcuts, [this] { showShortcuts(this, view().paneActions() + view().hex().goActions()); });
    on(ActionId::ShowChecks, [this] { showChecks(this); });
    on(ActionId::ShowAbout, [this] { showAbout(this); });

    connect(&m_history, &History::changed, this, &MainWindow::updateActions);
}

DocumentView& MainWindow::view()
{
    if (!m_view)
        makeView();
    return *m_view;
}

/// The panes take as long to make as the rest of the program takes to start: so they come after the first paint.
void MainWindow::makeView()
{
    m_view = new DocumentView(m_loader, m_selection);
    m_map = new MapStrip(m_view->hex(), m_selection);
    m_map->hide();
    static_cast<QVBoxLayout*>(centralWidget()->layout())->insertWidget(1, m_map);
    m_pages->addWidget(m_view);
    addPanesToMenus(*this, *m_view);
    m_view->restoreArrangement(m_settings.layout());
    m_settings.restoreColumns(*m_view);

    showLocationOf(m_view->hex());
    connect(&m_view->problems(), &ProblemPane::embeddedAsked, this, &MainWindow::openEmbedded);
    connect(&m_view->problems(), &ProblemPane::checkAsked, this, [this](const QString& code) { showChecks(this, code); });
    connect(&m_view->problems(), &ProblemPane::reportCopied, this,
        [this] { statusBar()->showMessage(tr("The report is on the clipboard."), 5000); });
    connect(&m_view->problems(), &ProblemPane::reportFailed, this, [this](const QString& sentence) {
        m_messages->showMessage(MessageArea::Subject::Export, StatusMessage::Kind::Error, sentence);
    });
    connect(&m_view->tensors(), &TensorPane::exported, this, [this](const QString& path) {
        m_messages->showMessage(MessageArea::Subject::Export, StatusMessage::Kind::Success, tr("The table was written to %1.").arg(path));
    });
    connect(&m_view->tensors(), &TensorPane::exportFailed, this, [this](const QString& sentence) {
        m_messages->showMessage(MessageArea::Subject::Export, StatusMessage::Kind::Error, sentence);
    });
}

ForeignPage& MainWindow::foreignPage()
{
    if (!m_foreignPage) {
        m_foreignPage = new ForeignPage(m_loader, m_selection);
        m_pages->addWidget(m_foreignPage);
        connect(m_foreignPage, &ForeignPage::embeddedChosen, this,
            [this](const gguf::EmbeddedGguf& embedded) { openEmbedded(embedded.offset); });
        addBytesToMenus(*this, m_foreignPage->hex());
        showLocationOf(m_foreignPage->hex());
    }
    return *m_foreignPage;
}

void MainWindow::showLocationOf(HexPane& pane)
{
    connect(&pane, &HexPane::locationChanged, this, [this, &pane](const QString& path, const QString& offset) {
        if (&pane == &bytes())
            m_location->setText(path.isEmpty() ? offset : tr("%1  %2").arg(offset, path));
    });
}

void MainWindow::connectLoader()
{
    connect(&m_loader, &DocumentLoader::started, this, [this] {
        view();
        m_messages->clearAll();
        m_fileNotice.show();
        if (m_foreignPage)
            m_foreignPage->stop();
        m_selection.clear(this);
        m_history.clear();
        m_loadingPage->setFileName(m_loader.name());
        showState();
    });
    connect(&m_loader, &DocumentLoader::documentChanged, this, &MainWindow::showState);
    connect(&m_loader, &DocumentLoader::stateChanged, this, [this] {
        if (m_loader.state() == DocumentLoader::State::Loaded && m_loader.document().status() == gguf::Status::Foreign)
            foreignPage().showForeign(m_loader.name(), *m_loader.document().foreign(), m_loader.source());
        showState();
    });
    connect(&m_loader, &DocumentLoader::inspected, this, [this] {
        if (!m_loader.error().isEmpty())
            m_messages->showMessage(MessageArea::Subject::Loading, StatusMessage::Kind::Warning,
                tr("The data section was not checked. %1").arg(m_loader.error()));
        updateActions();
    });
    connect(m_progress, &LoadProgress::lasting, this, [this] {
        if (!m_loader.document().header())
            m_pages->setCurrentWidget(m_loadingPage);
    });
}

void MainWindow::showState()
{
    using State = DocumentLoader::State;
    const gguf::Document& document = m_loader.document();
    const State state = m_loader.state();
    QWidget* page = m_view;
    if (state == State::Idle) {
        m_startPage->setRecentFiles(m_settings.recentFiles());
        page = m_startPage;
    } else if (state == State::Failed) {
        m_failedPage->showFailure(m_loader);
        page = m_failedPage;
    } else if (state != State::Loading && document.status() == gguf::Status::Foreign) {
        page = &foreignPage();
    } else if (!document.header()) {
        // Nothing to show yet: what is there stays, so that short loads do not flicker.
        page = state == State::Loading ? m_pages->currentWidget() : m_startPage;
    }
    if (state == State::Cancelled)
        m_messages->showMessage(MessageArea::Subject::Loading, StatusMessage::Kind::Information,
            tr("Reading %1 was cancelled. What had been read so far is shown.").arg(m_loader.name()),
            {(*m_actions)[ActionId::Reload]});
    m_pages->setCurrentWidget(page);
    m_summary->setVisible(page == m_view);
    if (m_map)
        m_map->setVisible(page == m_view);
    m_location->setVisible(page == m_view || page == m_foreignPage);
    if (m_view)
        m_view->hex().setActive(page != m_foreignPage);
    if (m_foreignPage)
        m_foreignPage->hex().setActive(page == m_foreignPage);
    const QString name = m_loader.name();
    setWindowTitle(name.isEmpty() ? QGuiApplication::applicationDisplayName() : name);
    m_dropTarget->setCompareName(page == m_view && !m_loader.path().isEmpty() ? name : QString());
    updateActions();
}

HexPane& MainWindow::bytes()
{
    return m_pages->currentWidget() == m_foreignPage ? m_foreignPage->hex() : m_view->hex();
}

void MainWindow::updateActions()
{
    const gguf::Document& document = m_loader.document();
    const bool shown = m_pages->currentWidget() == m_view;
    Needs present;
    present.setFlag(Need::File, !isUnused());
    present.setFlag(Need::Document, shown);
    present.setFlag(Need::Bytes, shown || (m_pages->currentWidget() == m_foreignPage && document.fileSize() > 0));
    present.setFlag(Need::Path, shown && !m_loader.path().isEmpty());
    present.setFlag(Need::Report, shown || m_pages->currentWidget() == m_foreignPage);
    present.setFlag(Need::Tensors, shown && document.tensorCount() > 0);
    present.setFlag(Need::Problems, shown && document.problemCount() > 0);
    present.setFlag(Need::BackPlaces, m_history.canGoBack());
    present.setFlag(Need::ForwardPlaces, m_history.canGoForward());
    m_actions->update(present);
}

void MainWindow::onDropped(const DropContents& contents, DropTarget::Zone zone)
{
    if (!contents.files.isEmpty()) {
        if (zone == DropTarget::Zone::Compare)
            compareWith(contents.files.first());
        else
            m_opening.open(contents.files, this);
    }
    // After opening, which clears the messages of the file before.
    if (!contents.refusals.isEmpty())
        m_messages->showMessage(MessageArea::Subject::Drop, StatusMessage::Kind::Warning, contents.refusals.join(u'\n'));
    raise();
    activateWindow();
}

void MainWindow::openEmbedded(quint64 offset)
{
    m_loader.openPart(offset, tr("%1 at offset %2").arg(m_loader.name()).arg(offset));
}

void MainWindow::compareWith(const QString& path)
{
    if (path.isEmpty())
        return;
    auto* window = new CompareWindow(m_loader.path(), path);
    window->setAttribute(Qt::WA_DeleteOnClose);
    window->show();
}

void MainWindow::goToProblem(std::size_t problem)
{
    m_view->showPane(m_view->problems());
    m_view->problems().goTo(problem);
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    m_settings.setGeometry(saveGeometry());
    if (m_view) {
        m_settings.setLayout(m_view->saveState());
        m_settings.saveColumns(*m_view);
    }
    event->accept();
}

bool MainWindow::event(QEvent* event)
{
    if (event->type() == QEvent::Paint && !m_view)
        QMetaObject::invokeMethod(this, [this] { view(); }, Qt::QueuedConnection);
    return QMainWindow::event(event);
}

bool MainWindow::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::MouseButtonPress) {
        const auto* widget = qobject_cast<QWidget*>(watched);
        const Qt::MouseButton button = static_cast<QMouseEvent*>(event)->button();
        if (widget && widget->window() == this && (button == Qt::BackButton || button == Qt::ForwardButton)) {
            (*m_actions)[button == Qt::BackButton ? ActionId::Back : ActionId::Forward]->trigger();
            return true;
        }
    }
    return QMainWindow::eventFilter(watched, event);
}
