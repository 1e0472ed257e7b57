// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/documentview.h"

#include "panes/datapane.h"
#include "panes/heatmappane.h"
#include "panes/hexpane.h"
#include "panes/labelpane.h"
#include "panes/metadatapane.h"
#include "panes/mixpane.h"
#include "panes/problempane.h"
#include "panes/tensorcolumns.h"
#include "panes/tensorpane.h"
#include "widgets/hexview.h"
#include "window/panearea.h"

#include <QAction>
#include <QDockWidget>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace {

// Shares of the width and height, made for 1440 x 900: the keys of a model, the columns of the tensor table, and 16
// bytes a row with their text are readable without scrolling sideways.
constexpr double kMetadataShare = 0.29;
constexpr double kHexShare = 0.66;
constexpr double kUpperShare = 0.47;
constexpr int kLowHeight = 340; ///< two rows of panes would be too low to read anything in them

/// In the order of the View menu and of the keys Alt+1 and so on.
enum Dock { MetadataDock, TensorDock, HexDock, ProblemDock, MixDock, HeatMapDock, LabelDock, DataDock, kDocks };

std::vector<std::size_t> toIndices(const QList<quint64>& numbers)
{
    return std::vector<std::size_t>(numbers.begin(), numbers.end());
}

} // namespace

DocumentView::DocumentView(DocumentLoader& loader, Selection& selection, QWidget* parent)
    : QMainWindow(parent, Qt::Widget)
    , m_metadata(new MetadataPane(loader, selection))
    , m_tensors(new TensorPane(loader, selection))
    , m_hex(new HexPane(loader, selection))
    , m_problems(new ProblemPane(loader, selection))
{
    setObjectName(u"documentView"_s);
    m_docks.resize(kDocks);
    m_paneActions.resize(kDocks);
    setDockNestingEnabled(true);
    setDockOptions(AllowNestedDocks | AllowTabbedDocks | AnimatedDocks);
    setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);

    // In the order in which Tab goes through them: as they lie, from left to right and from above.
    addPane(MetadataDock, m_metadata, u"dockMetadata"_s, tr("Metadata"));
    addPane(TensorDock, m_tensors, u"dockTensors"_s, tr("Tensors"));
    addPane(HexDock, m_hex, u"dockHex"_s, tr("Bytes"));
    auto* mix = new MixPane(loader, selection);
    auto* heatMap = new HeatMapPane(loader, selection);
    addPane(MixDock, mix, u"dockMix"_s, tr("Mix"));
    addPane(HeatMapDock, heatMap, u"dockHeatMap"_s, tr("Heat Map"));
    addPane(LabelDock, new LabelPane(loader, selection), u"dockLabel"_s, tr("Label"));
    auto* dataPane = new DataPane(loader, selection);
    addPane(DataDock, dataPane, u"dockData"_s, tr("Data"));
    addPane(ProblemDock, m_problems, u"dockProblems"_s, tr("Problems"));
    new TensorColumns(*m_tensors, dataPane->model(), this);
    connect(dataPane, &DataPane::problemsChanged, this,
        [this, dataPane] { m_problems->setDataProblems(dataPane->problems()); });
    dataPane->setSelectedTensors([this] { return m_tensors->selectedTensors(); });

    connect(mix, &MixPane::typeFilterRequested, this, [this](const QList<quint32>& types) {
        m_tensors->setTypeFilter(QSet<quint32>(types.begin(), types.end()));
        showPane(*m_tensors);
    });
    connect(mix, &MixPane::tensorsRequested, this, [this](const QList<quint64>& tensors) {
        m_tensors->setTensorFilter(toIndices(tensors), tr("Chosen in the mix: %1").arg(tensors.size()));
        showPane(*m_tensors);
    });
    connect(heatMap, &HeatMapPane::tensorsRequested, this, [this](const QList<quint64>& tensors) {
        m_tensors->setTensorFilter(toIndices(tensors), tr("Chosen in the heat map: %1").arg(tensors.size()));
        showPane(*m_tensors);
    });
    connect(m_problems, &ProblemPane::titleChanged, this,
        [this] { m_docks.at(ProblemDock)->setWindowTitle(m_problems->title()); });
    arrange();
}

void DocumentView::addPane(int number, QWidget* pane, const QString& name, const QString& title)
{
    auto* dock = new QDockWidget(title, this);
    dock->setObjectName(name);
    auto* area = new PaneArea(pane);
    dock->setWidget(area);
    // A dock that lies behind another is only moved out of sight: Tab would lead into it.
    // A minimized window hides all docks: what has the focus keeps it.
    connect(dock, &QDockWidget::visibilityChanged, area, [this, area](bool isVisible) {
        if (isVisible || !window()->isMinimized())
            area->setEnabled(isVisible);
    });
    m_docks[number] = dock;
    // Not the dock's own action: that would hide a pane that lies behind another instead of showing it.
    auto* show = new QAction(title, this);
    show->setObjectName(QString(name + u"Action"));
    show->setShortcut(QKeySequence(Qt::ALT | static_cast<Qt::Key>(Qt::Key_1 + number)));
    connect(show, &QAction::triggered, this, [this, pane] {
        showPane(*pane);
        // A pane that lay behind another can take the focus only when it has come to the front.
        QMetaObject::invokeMethod(this, [this, pane] { focusPane(*pane); }, Qt::QueuedConnection);
    });
    m_paneActions[number] = show;
}

void DocumentView::focusPane(QWidget& pane)
{
    if (&pane == m_hex) {
        m_hex->view()->setFocus(Qt::ShortcutFocusReason);
        return;
    }
    const QList<QWidget*> parts = pane.findChildren<QWidget*>();
    const auto takesFocus = [&pane](const QWidget* part) {
        return (part->focusPolicy() & Qt::TabFocus) && part->isVisibleTo(&pane) && part->isEnabled();
    };
    const auto first = std::ranges::find_if(parts, takesFocus);
    (first != parts.end() ? *first : &pane)->setFocus(Qt::ShortcutFocusReason);
}

void DocumentView::arrange()
{
    for (QDockWidget* dock : std::as_const(m_docks)) {
        removeDockWidget(dock);
        dock->setFloating(false);
    }
    addDockWidget(Qt::TopDockWidgetArea, m_docks.at(MetadataDock));
    splitDockWidget(m_docks.at(MetadataDock), m_docks.at(TensorDock), Qt::Horizontal);
    addDockWidget(Qt::BottomDockWidgetArea, m_docks.at(HexDock));
    splitDockWidget(m_docks.at(HexDock), m_docks.at(ProblemDock), Qt::Horizontal);
    // Below the table that they filter, and as wide as bytes: a mix and a heat map need the room.
    QDockWidget* neighbour = m_docks.at(HexDock);
    for (qsizetype i = MixDock; i < m_docks.size(); neighbour = m_docks.at(i++))
        tabifyDockWidget(neighbour, m_docks.at(i));
    for (QDockWidget* dock : std::as_const(m_docks))
        dock->show();
    m_docks.at(HexDock)->raise();
    m_sizesDue = true;
    if (isVisible())
        arrangeSizes();
}

void DocumentView::arrangeSizes()
{
    m_sizesDue = false;
    if (height() < kLowHeight) {
        stack();
        return;
    }
    const auto share = [](int whole, double part) { return static_cast<int>(whole * part); };
    resizeDocks({m_docks.at(MetadataDock), m_docks.at(TensorDock)},
        {share(width(), kMetadataShare), share(width(), 1 - kMetadataShare)}, Qt::Horizontal);
    resizeDocks({m_docks.at(HexDock), m_docks.at(ProblemDock)},
        {share(width(), kHexShare), share(width(), 1 - kHexShare)}, Qt::Horizontal);
    resizeDocks({m_docks.at(TensorDock), m_docks.at(HexDock)},
        {share(height(), kUpperShare), share(height(), 1 - kUpperShare)}, Qt::Vertical);
}

void DocumentView::stack()
{
    for (int i = MetadataDock + 1; i < kDocks; ++i)
        tabifyDockWidget(m_docks.at(MetadataDock), m_docks.at(i));
    m_docks.at(TensorDock)->raise();
}

void DocumentView::showEvent(QShowEvent* event)
{
    QMainWindow::showEvent(event);
    if (m_sizesDue)
        QMetaObject::invokeMethod(this, &DocumentView::arrangeSizes, Qt::QueuedConnection);
}

void DocumentView::showPane(QWidget& pane)
{
    for (QDockWidget* dock : std::as_const(m_docks)) {
        if (dock->isAncestorOf(&pane)) {
            dock->show();
            dock->raise();
        }
    }
}

bool DocumentView::restoreArrangement(const QByteArray& state)
{
    if (state.isEmpty() || !restoreState(state))
        return false;
    m_sizesDue = false;
    return true;
}
