// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/comparewindow.h"

#include "document/text.h"
#include "models/columntablemodel.h"
#include "models/numbertext.h"
#include "models/typepalette.h"
#include "panes/audittables.h"
#include "panes/comparedatapage.h"
#include "panes/comparemap.h"
#include "panes/comparetables.h"
#include "panes/comparetext.h"
#include "panes/diffview.h"
#include "panes/imageexport.h"
#include "panes/rowtable.h"
#include "widgets/emptystate.h"
#include "widgets/focusoutline.h"
#include "widgets/heatmap.h"
#include "widgets/plaintext.h"
#include "widgets/screenfit.h"
#include "window/focuscommand.h"
#include "window/icons.h"

#include <QApplication>
#include <QEvent>
#include <QFileInfo>
#include <QGridLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QShortcut>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabWidget>
#include <QTableView>
#include <QVBoxLayout>

namespace {

/// A grey that stands off the base, so that a cell without a change is not taken for an empty one.
QColor unchangedColor(const QPalette& palette)
{
    constexpr float kText = 0.18F;
    const QColor base = palette.color(QPalette::Base), text = palette.color(QPalette::Text);
    const auto mixed = [](float from, float to) { return from + (to - from) * kText; };
    return QColor::fromRgbF(mixed(base.redF(), text.redF()), mixed(base.greenF(), text.greenF()),
        mixed(base.blueF(), text.blueF()));
}

bool hasEnded(const DocumentLoader& loader)
{
    return loader.state() != DocumentLoader::State::Idle && loader.state() != DocumentLoader::State::Loading;
}

} // namespace

CompareWindow::CompareWindow(const QString& pathA, const QString& pathB, QWidget* parent)
    : QMainWindow(parent)
    , m_pathA(pathA)
    , m_pathB(pathB)
    , m_job(
          this, [this](Shared comparison) { showComparison(std::move(comparison)); },
          [this](const QString& sentence) {
              m_state->setTitle(tr("The files cannot be compared"));
              m_state->setText(sentence);
          })
    , m_diffJob(
          this, [this](const DiffView::Content& content) { m_diff->setContent(content); },
          [this](const QString& sentence) { m_diff->setContent({{sentence}, {}, {}}); })
    , m_totals(new ColumnTableModel(this))
    , m_metadata(new ColumnTableModel(this))
    , m_tensors(new ColumnTableModel(this))
    , m_layers(new ColumnTableModel(this))
    , m_roles(new ColumnTableModel(this))
{
    setObjectName(QStringLiteral("compareWindow"));
    resizeWithinScreen(*this, {1200, 760});
    new FocusOutline(this);

    m_tabs = new QTabWidget;
    m_tabs->setObjectName(QStringLiteral("compareTabs"));
    m_tabs->setDocumentMode(true);
    m_tabs->addTab(makeMetadataPage(), tr("Metadata"));
    m_tensorTable = addTable(m_tensors, QStringLiteral("compareTensors"), tr("Tensors that differ"));
    AuditTables::stretchColumn(*m_tensorTable, 0);
    m_tabs->addTab(m_tensorTable, tr("Tensors"));
    m_tabs->addTab(makePartsPage(), tr("Layers and Roles"));
    m_tabs->addTab(makeMapPage(), tr("Map of Changes"));
    m_dataPage = new CompareDataPage;
    m_tabs->addTab(m_dataPage, tr("Tensor Bytes"));

    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(makeTotals());
    column->addWidget(m_tabs, 1);
    m_state = new EmptyState;
    m_state->setObjectName(QStringLiteral("compareState"));
    m_pages = new QStackedWidget;
    m_pages->addWidget(m_state);
    m_pages->addWidget(content);
    auto* whole = new QWidget;
    auto* rows = new QVBoxLayout(whole);
    rows->addWidget(makeHeader());
    rows->addWidget(m_pages, 1);
    setCentralWidget(whole);

    for (DocumentLoader* loader : {&m_loaderA, &m_loaderB}) {
        connect(loader, &DocumentLoader::started, this, &CompareWindow::loaderChanged);
        connect(loader, &DocumentLoader::stateChanged, this, &CompareWindow::loaderChanged);
    }
    connect(m_dataPage, &CompareDataPage::changed, this, &CompareWindow::showSummary);
    connect(new QShortcut(QKeySequence::Close, this), &QShortcut::activated, this, &QWidget::close);
    connect(new QShortcut(QKeySequence::Copy, this), &QShortcut::activated, this,
        [] { callNearest(QApplication::focusWidget(), "copy"); });
    connect(new QShortcut(QKeySequence::Refresh, this), &QShortcut::activated, this, &CompareWindow::open);
    applyColors();
    open();
}

CompareWindow::~CompareWindow() = default;

QTableView* CompareWindow::addTable(ColumnTableModel* model, const QString& name, const QString& title)
{
    auto* table = new RowTable;
    table->setObjectName(name);
    table->setAccessibleName(title);
    table->setModel(model);
    AuditTables::setUp(*table);
    return table;
}

QWidget* CompareWindow::makeHeader()
{
    auto* header = new QWidget;
    auto* grid = new QGridLayout(header);
    grid->setContentsMargins(0, 0, 0, 0);
    const auto addName = [grid](int row, const QString& letter, const QString& name) {
        auto* label = new PlainLabel;
        label->setObjectName(name);
        label->setElideMode(Qt::ElideMiddle);
        label->setSelectable(true);
        auto* caption = new QLabel(letter);
        QFont bold = caption->font();
        bold.setBold(true);
        caption->setFont(bold);
        grid->addWidget(caption, row, 0);
        grid->addWidget(label, row, 1);
        return label;
    };
    m_nameA = addName(0, QStringLiteral("A"), QStringLiteral("compareNameA"));
    m_nameB = addName(1, QStringLiteral("B"), QStringLiteral("compareNameB"));
    auto* swapButton = new QPushButton(tr("S&wap A and B"));
    swapButton->setObjectName(QStringLiteral("swapFiles"));
    grid->addWidget(swapButton, 0, 2);
    connect(swapButton, &QPushButton::clicked, this, &CompareWindow::swap);
    auto* reloadButton = new QPushButton(actionIcon(QStringLiteral("view-refresh")), tr("&Reload"));
    reloadButton->setObjectName(QStringLiteral("reloadFiles"));
    reloadButton->setToolTip(tr("Reads both files again (%1)")
                                 .arg(QKeySequence(QKeySequence::Refresh).toString(QKeySequence::NativeText)));
    grid->addWidget(reloadButton, 1, 2);
    grid->setColumnStretch(1, 1);
    connect(reloadButton, &QPushButton::clicked, this, &CompareWindow::open);
    return header;
}

QWidget* CompareWindow::makeTotals()
{
    auto* totals = new QWidget;
    auto* column = new QVBoxLayout(totals);
    column->setContentsMargins(0, 0, 0, 0);
    m_summary = new PlainLabel;
    m_summary->setObjectName(QStringLiteral("compareSummary"));
    m_summary->setWordWrap(true);
    column->addWidget(m_summary);
    m_totalTable = addTable(m_totals, QStringLiteral("compareTotals"), tr("Totals of both files"));
    m_totalTable->setSortingEnabled(false);
    m_totalTable->horizontalHeader()->setStretchLastSection(false);
    m_totalTable->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    column->addWidget(m_totalTable);
    return totals;
}

QWidget* CompareWindow::makeMetadataPage()
{
    m_metadataTable = addTable(m_metadata, QStringLiteral("compareMetadata"), tr("Metadata that differ"));
    m_diff = new DiffView;
    m_diff->setObjectName(QStringLiteral("compareDiff"));
    m_diff->setAccessibleName(tr("Lines of the chosen value that differ"));
    m_diff->setPlaceholderText(tr("The value's lines are compared here."));
    auto* splitter = new QSplitter(Qt::Vertical);
    splitter->addWidget(m_metadataTable);
    splitter->addWidget(m_diff);
    splitter->setChildrenCollapsible(false);
    splitter->setSizes({300, 200});
    connect(m_metadataTable->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
        &CompareWindow::showMetadataRow);
    return splitter;
}

QWidget* CompareWindow::makePartsPage()
{
    m_layerTable = addTable(m_layers, QStringLiteral("compareLayers"), tr("Layers that differ"));
    m_roleTable = addTable(m_roles, QStringLiteral("compareRoles"), tr("Roles that differ"));
    auto* splitter = new QSplitter(Qt::Vertical);
    splitter->addWidget(m_layerTable);
    splitter->addWidget(m_roleTable);
    splitter->setChildrenCollapsible(false);
    for (QTableView* table : {m_layerTable, m_roleTable})
        AuditTables::stretchColumn(*table, 0);
    return splitter;
}

QWidget* CompareWindow::makeMapPage()
{
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(4, 4, 4, 4);
    m_map = new HeatMap;
    m_map->setObjectName(QStringLiteral("compareHeatMap"));
    m_map->setAccessibleName(tr("Map of what changed: layers across, roles down"));
    m_mapStatus = new PlainLabel;
    m_mapStatus->setObjectName(QStringLiteral("compareMapStatus"));
    m_mapStatus->setElideMode(Qt::ElideRight);
    column->addWidget(m_map, 1);
    column->addWidget(m_mapStatus);
    const auto describe = [this](HeatMap::Cell cell) {
        const bool any = cell.isValid() && !m_map->data().isEmpty();
        QString text = any ? m_map->data().cell(cell.row, cell.column).description : QString();
        if (text.isEmpty())
            text = tr("Coloured: changed, in the colour of the type in B. Grey: nothing changed. "
                      "A mark: only one file has the tensor.");
        m_mapStatus->setText(text.replace(u'\n', tr(" · ")));
    };
    describe({});
    connect(m_map, &HeatMap::hovered, this, describe);
    connect(m_map, &HeatMap::selectionChanged, this, [this, describe] { describe(m_map->current()); });
    connect(m_map, &HeatMap::activated, this, &CompareWindow::showTensors);
    return page;
}

void CompareWindow::open()
{
    m_comparison.reset();
    m_dataPage->clear();
    m_job.cancel();
    m_diffJob.cancel();
    m_nameA->setText(QString::fromStdString(gguf::visibleText(m_pathA.toStdString())));
    m_nameB->setText(QString::fromStdString(gguf::visibleText(m_pathB.toStdString())));
    const auto name = [](const QString& path) {
        return QString::fromStdString(gguf::visibleText(QFileInfo(path).fileName().toStdString()));
    };
    setWindowTitle(tr("%1 and %2").arg(name(m_pathA), name(m_pathB)));
    m_loaderA.open(m_pathA);
    m_loaderB.open(m_pathB);
}

void CompareWindow::swap()
{
    std::swap(m_pathA, m_pathB);
    open();
}

void CompareWindow::loaderChanged()
{
    m_pages->setCurrentIndex(0);
    m_state->setTitle(tr("Reading both files"));
    m_state->setText({});
    if (!hasEnded(m_loaderA) || !hasEnded(m_loaderB))
        return;
    for (const DocumentLoader* loader : {&m_loaderA, &m_loaderB}) {
        const bool foreign = loader->document().status() == gguf::Status::Foreign;
        if (loader->state() != DocumentLoader::State::Failed && !foreign)
            continue;
        m_state->setTitle(tr("%1 cannot be compared")
                              .arg(QString::fromStdString(gguf::visibleText(loader->name().toStdString()))));
        m_state->setText(foreign ? tr("It is not a GGUF file.") : loader->error());
        return;
    }
    m_state->setTitle(tr("Comparing"));
    m_job.start([a = m_loaderA.document(), b = m_loaderB.document()](const std::stop_token&) {
        return std::make_shared<const gguf::Comparison>(gguf::compareDocuments(a, b));
    });
}

void CompareWindow::showComparison(Shared comparison)
{
    const bool isFirst = m_totals->rowCount() == 0;
    m_comparison = std::move(comparison);
    m_pages->setCurrentIndex(1);
    m_totals->setContent(CompareTables::totals(m_comparison));
    m_metadata->setContent(CompareTables::metadata(m_comparison));
    m_tensors->setContent(CompareTables::tensors(m_comparison));
    m_layers->setContent(CompareTables::layers(m_comparison));
    m_roles->setContent(CompareTables::roles(m_comparison));
    m_dataPage->setComparison(m_comparison, m_loaderA.source(), m_loaderB.source());
    for (QTableView* table : {m_totalTable, m_metadataTable, m_tensorTable, m_layerTable, m_roleTable})
        AuditTables::fitColumns(*table);
    m_totalTable->setFixedHeight(m_totalTable->verticalHeader()->length()
        + m_totalTable->horizontalHeader()->height() + 2 * m_totalTable->frameWidth());

    m_tabs->setTabText(0, tr("Metadata (%1)").arg(NumberText::count(m_comparison->metadata.size())));
    m_tabs->setTabText(1, tr("Tensors (%1)").arg(NumberText::count(m_comparison->differences.size())));
    m_tabs->setTabEnabled(0, !m_comparison->metadata.empty());
    for (const int tab : {1, 2})
        m_tabs->setTabEnabled(tab, !m_comparison->differences.empty());
    // What differs comes first; where nothing does, the bytes are what is left to compare.
    m_tabs->setCurrentIndex(!m_comparison->metadata.empty() ? 0 : !m_comparison->differences.empty() ? 1 : 4);
    if (isFirst)
        m_tabs->setFocus(); // the keys change tabs at once
    if (m_metadata->rowCount() > 0)
        m_metadataTable->selectRow(0);
    showMetadataRow();
    showSummary();
    applyColors();
}

void CompareWindow::showSummary()
{
    if (m_comparison)
        m_summary->setText(CompareText::summary(*m_comparison, m_dataPage->data()));
}

void CompareWindow::showMetadataRow()
{
    const QModelIndex current = m_metadataTable->currentIndex();
    m_diffJob.cancel();
    m_diff->setContent({});
    if (!m_comparison || !current.isValid())
        return;
    const auto row = static_cast<std::size_t>(m_metadata->sourceRow(current.row()));
    // Values may be as long as the file.
    m_diffJob.start([comparison = m_comparison, row](const std::stop_token&) {
        DiffView::Content content;
        CompareText::withValues(*comparison, comparison->metadata[row],
            [&content](std::string_view a, std::string_view b) { content = DiffView::Content::of(a, b); });
        return content;
    });
}

void CompareWindow::showTensors(HeatMap::Cell cell)
{
    if (!m_comparison)
        return;
    QItemSelection rows;
    for (int row = 0; row < m_tensors->rowCount(); ++row) {
        const auto& difference = m_comparison->differences[static_cast<std::size_t>(m_tensors->sourceRow(row))];
        const gguf::Mix::Placement& place = m_comparison->placement(difference);
        if (static_cast<int>(place.role) == cell.row && static_cast<int>(place.column) == cell.column)
            rows.select(m_tensors->index(row, 0), m_tensors->index(row, m_tensors->columnCount() - 1));
    }
    if (rows.isEmpty())
        return;
    m_tabs->setCurrentWidget(m_tensorTable);
    m_tensorTable->setFocus();
    m_tensorTable->setCurrentIndex(rows.first().topLeft());
    m_tensorTable->selectionModel()->select(rows, QItemSelectionModel::ClearAndSelect);
}

void CompareWindow::compareData()
{
    m_dataPage->startOrCancel();
}

DataComparison& CompareWindow::data()
{
    return m_dataPage->data();
}

void CompareWindow::applyColors()
{
    const TypePalette colors = TypePalette::forPalette(palette());
    m_tensors->setTypeColors([colors](quint32 id) { return colors.color(id); });
    if (m_comparison)
        m_map->setData(compareHeatMap(*m_comparison, colors, unchangedColor(palette())));
}

void CompareWindow::changeEvent(QEvent* event)
{
    QMainWindow::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_map)
        applyColors();
}
