// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/comparewindow.h"

#include "document/text.h"
#include "load/futurework.h"
#include "models/columntablemodel.h"
#include "models/numbertext.h"
#include "models/typepalette.h"
#include "panes/audittables.h"
#include "panes/comparetables.h"
#include "panes/counted.h"
#include "panes/diffview.h"
#include "panes/imageexport.h"
#include "widgets/emptystate.h"
#include "widgets/heatmap.h"
#include "widgets/plaintext.h"

#include <QEvent>
#include <QFileInfo>
#include <QGridLayout>
#include <QHeaderView>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabWidget>
#include <QTableView>
#include <QVBoxLayout>

namespace {

/// Progress bars count in ints.
constexpr int kProgressSteps = 1000;

bool hasEnded(const DocumentLoader& loader)
{
    return loader.state() != DocumentLoader::State::Idle && loader.state() != DocumentLoader::State::Loading;
}

} // namespace

CompareWindow::CompareWindow(const QString& pathA, const QString& pathB, QWidget* parent)
    : QMainWindow(parent)
    , m_pathA(pathA)
    , m_pathB(pathB)
    , m_data(new DataComparison(this))
    , m_totals(new ColumnTableModel(this))
    , m_metadata(new ColumnTableModel(this))
    , m_tensors(new ColumnTableModel(this))
    , m_layers(new ColumnTableModel(this))
    , m_roles(new ColumnTableModel(this))
    , m_bytes(new ColumnTableModel(this))
{
    setObjectName(QStringLiteral("compareWindow"));
    setAttribute(Qt::WA_DeleteOnClose);
    resize(1200, 760);

    m_tabs = new QTabWidget;
    m_tabs->setObjectName(QStringLiteral("compareTabs"));
    m_tabs->setDocumentMode(true);
    m_tabs->addTab(makeMetadataPage(), tr("Metadata"));
    m_tensorTable = addTable(m_tensors, QStringLiteral("compareTensors"), tr("Tensors that differ"));
    m_tabs->addTab(m_tensorTable, tr("Tensors"));
    m_tabs->addTab(makePartsPage(), tr("Layers and Roles"));
    m_map = new HeatMap;
    m_map->setObjectName(QStringLiteral("compareHeatMap"));
    m_map->setAccessibleName(tr("Map of what changed: layers across, roles down"));
    m_tabs->addTab(m_map, tr("Map of Changes"));
    m_tabs->addTab(makeDataPage(), tr("Tensor Bytes"));

    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    column->addWidget(makeHeader());
    column->addWidget(m_tabs, 1);
    m_state = new EmptyState;
    m_state->setObjectName(QStringLiteral("compareState"));
    m_pages = new QStackedWidget;
    m_pages->addWidget(m_state);
    m_pages->addWidget(content);
    setCentralWidget(m_pages);

    for (DocumentLoader* loader : {&m_loaderA, &m_loaderB}) {
        connect(loader, &DocumentLoader::started, this, &CompareWindow::loaderChanged);
        connect(loader, &DocumentLoader::stateChanged, this, &CompareWindow::loaderChanged);
    }
    connect(&m_watcher, &QFutureWatcher<Shared>::finished, this, [this] {
        if (m_watcher.future().resultCount() > 0)
            showComparison(m_watcher.result());
    });
    connect(m_data, &DataComparison::progressed, this, &CompareWindow::showData);
    connect(m_data, &DataComparison::finished, this, &CompareWindow::showData);
    applyColors();
    open();
}

CompareWindow::~CompareWindow() = default;

QTableView* CompareWindow::addTable(ColumnTableModel* model, const QString& name, const QString& title)
{
    auto* table = new QTableView;
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
    m_summary = new PlainLabel;
    m_summary->setObjectName(QStringLiteral("compareSummary"));
    m_summary->setWordWrap(true);
    grid->addWidget(m_summary, 2, 0, 1, 3);
    m_totalTable = addTable(m_totals, QStringLiteral("compareTotals"), tr("Totals of both files"));
    m_totalTable->setSortingEnabled(false);
    m_totalTable->horizontalHeader()->setStretchLastSection(false);
    m_totalTable->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    grid->addWidget(m_totalTable, 3, 0, 1, 3);
    grid->setColumnStretch(1, 1);
    return header;
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

QWidget* CompareWindow::makeDataPage()
{
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    auto* row = new QHBoxLayout;
    m_compareData = new QPushButton;
    m_compareData->setObjectName(QStringLiteral("compareData"));
    m_progress = new QProgressBar;
    m_progress->setObjectName(QStringLiteral("compareProgress"));
    m_progress->setRange(0, kProgressSteps);
    m_dataStatus = new PlainLabel;
    m_dataStatus->setObjectName(QStringLiteral("compareDataStatus"));
    m_dataStatus->setElideMode(Qt::ElideRight);
    row->addWidget(m_compareData);
    row->addWidget(m_progress);
    row->addWidget(m_dataStatus, 1);
    column->addLayout(row);
    m_byteTable = addTable(m_bytes, QStringLiteral("compareBytes"), tr("Bytes of the tensors in both files"));
    m_byteTable->setFont(font());
    column->addWidget(m_byteTable, 1);
    connect(m_compareData, &QPushButton::clicked, this, &CompareWindow::compareData);
    return page;
}

void CompareWindow::open()
{
    m_comparison.reset();
    m_watcher.setFuture({});
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
    m_data->cancel();
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
    m_watcher.setFuture(
        runFutureWork<Shared>([a = m_loaderA.document(), b = m_loaderB.document()](const QPromise<Shared>&) {
            return std::make_shared<const gguf::Comparison>(gguf::compareDocuments(a, b));
        }));
}

void CompareWindow::showComparison(Shared comparison)
{
    m_comparison = std::move(comparison);
    m_pages->setCurrentIndex(1);
    m_totals->setContent(CompareTables::totals(m_comparison));
    m_metadata->setContent(CompareTables::metadata(m_comparison));
    m_tensors->setContent(CompareTables::tensors(m_comparison));
    m_layers->setContent(CompareTables::layers(m_comparison));
    m_roles->setContent(CompareTables::roles(m_comparison));
    m_bytes->setContent(CompareTables::data(m_comparison, *m_data));
    for (QTableView* table :
        {m_totalTable, m_metadataTable, m_tensorTable, m_layerTable, m_roleTable, m_byteTable})
        AuditTables::fitColumns(*table);
    m_byteTable->setColumnWidth(1, 140);
    m_totalTable->setFixedHeight(m_totalTable->verticalHeader()->length()
        + m_totalTable->horizontalHeader()->height() + 2 * m_totalTable->frameWidth());

    QStringList sentences;
    for (const gguf::HeaderDifference& difference : m_comparison->header)
        sentences << tr("The %1 differs: %2 and %3.")
                         .arg(QString::fromStdString(difference.name), QString::fromStdString(difference.a),
                             QString::fromStdString(difference.b));
    if (m_comparison->same()) {
        sentences << tr("Metadata and tensor tables are the same. Whether the tensors hold the same bytes is "
                        "not compared yet.");
    } else {
        sentences << tr("%1, %2.").arg(
            counted(m_comparison->metadata.size(), tr("1 key differs"), tr("%1 keys differ")),
            counted(m_comparison->differences.size(), tr("1 tensor differs"), tr("%1 tensors differ")));
        sentences << tr("Order and offsets do not count.");
    }
    m_summary->setText(sentences.join(u' '));
    m_tabs->setTabText(0, tr("Metadata (%1)").arg(NumberText::count(m_comparison->metadata.size())));
    m_tabs->setTabText(1, tr("Tensors (%1)").arg(NumberText::count(m_comparison->differences.size())));
    m_tabs->setCurrentIndex(m_comparison->metadata.empty() && !m_comparison->differences.empty() ? 1 : 0);
    if (m_metadata->rowCount() > 0)
        m_metadataTable->selectRow(0);
    showMetadataRow();
    showData();
    applyColors();
}

void CompareWindow::showMetadataRow()
{
    const QModelIndex current = m_metadataTable->currentIndex();
    m_diff->setTexts({}, {});
    if (!m_comparison || !current.isValid())
        return;
    const auto row = static_cast<std::size_t>(m_metadata->sourceRow(current.row()));
    const gguf::MetadataDifference& difference = m_comparison->metadata[row];
    const auto text = [](const gguf::Document& document, std::optional<std::size_t> pair) -> std::string {
        if (!pair)
            return {};
        const gguf::ValueView value = document.value(*pair);
        return value.type() == gguf::ValueType::String ? std::string(value.asString()) : value.text(4000);
    };
    m_diff->setTexts(text(m_comparison->a, difference.a), text(m_comparison->b, difference.b));
}

void CompareWindow::compareData()
{
    if (m_data->isRunning()) {
        m_data->cancel();
        return;
    }
    if (!m_comparison || !m_loaderA.source() || !m_loaderB.source())
        return;
    m_data->start(
        {m_comparison->a, m_loaderA.source()}, {m_comparison->b, m_loaderB.source()}, m_comparison->matched);
    showData();
}

void CompareWindow::showData()
{
    const bool running = m_data->isRunning();
    m_compareData->setText(running ? tr("&Cancel") : tr("&Compare Tensor Bytes"));
    m_compareData->setEnabled(m_comparison && !m_comparison->matched.empty());
    m_progress->setVisible(running);
    const std::uint64_t total = m_data->totalBytes();
    m_progress->setValue(total == 0 ? 0
                                    : static_cast<int>(static_cast<double>(m_data->doneBytes())
                                        / static_cast<double>(total) * kProgressSteps));
    if (!m_data->hasRun()) {
        m_dataStatus->setText(tr("Reads the data of all tensors that are in both files."));
    } else {
        using State = DataComparison::State;
        QStringList parts{counted(m_data->count(State::Equal), tr("1 tensor equal"), tr("%1 tensors equal")),
            tr("%1 different").arg(NumberText::count(m_data->count(State::Different)))};
        if (const auto unreadable = m_data->count(State::Unreadable))
            parts << tr("%1 could not be read").arg(NumberText::count(unreadable));
        if (const auto waiting = m_data->count(State::Waiting))
            parts << tr("%1 not compared").arg(NumberText::count(waiting));
        m_dataStatus->setText(parts.join(QStringLiteral(", ")));
    }
    if (m_bytes->rowCount() > 0)
        emit m_bytes->dataChanged(
            m_bytes->index(0, 1), m_bytes->index(m_bytes->rowCount() - 1, m_bytes->columnCount() - 1));
    if (m_data->hasRun() && !running)
        AuditTables::fitColumns(*m_byteTable);
}

void CompareWindow::applyColors()
{
    const TypePalette colors = TypePalette::forPalette(palette());
    m_tensors->setTypeColors([colors](quint32 id) { return colors.color(id); });
    if (m_comparison)
        m_map->setData(CompareTables::heatMap(*m_comparison, colors, palette().color(QPalette::Button)));
}

void CompareWindow::changeEvent(QEvent* event)
{
    QMainWindow::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_map)
        applyColors();
}
