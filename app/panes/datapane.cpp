// SPDX-License-Identifier: GPL-3.0-or-later
#include "panes/datapane.h"

#include "document/text.h"
#include "load/documentloader.h"
#include "models/counted.h"
#include "models/datamodel.h"
#include "models/numbertext.h"
#include "panes/valuehistogram.h"
#include "widgets/emptystate.h"
#include "widgets/plaintext.h"

#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <numeric>

using namespace Qt::StringLiterals;

namespace {

constexpr int kProgressSteps = 1000;
constexpr std::size_t kMostProblems = 2000; ///< about; the table has the others
constexpr std::size_t kListedRuns = 8; ///< runs of zeros that the details name

QString problemText(const gguf::Problem& problem)
{
    return QString::fromStdString(gguf::problemMessage(problem));
}

} // namespace

DataPane::DataPane(DocumentLoader& loader, Selection& selection, QWidget* parent)
    : QWidget(parent)
    , m_loader(loader)
    , m_selection(selection)
    , m_model(new DataModel(this))
    , m_pages(new QStackedWidget(this))
    , m_empty(new EmptyState)
{
    setObjectName(u"dataPane"_s);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->addWidget(buildControls());

    m_empty->setObjectName(u"dataEmpty"_s);
    m_empty->setTextWidth(110 * fontMetrics().averageCharWidth());
    m_view = new QTableView(this);
    m_view->setObjectName(u"dataTable"_s);
    m_view->setAccessibleName(tr("Results"));
    m_view->setModel(m_model);
    m_view->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_view->setWordWrap(false);
    m_view->setSortingEnabled(true);
    m_view->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
    m_view->horizontalHeader()->setHighlightSections(false);
    m_view->setColumnWidth(DataModel::NameColumn, 220);
    m_view->verticalHeader()->hide();
    m_view->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_view->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
    m_view->setMinimumHeight(5 * fontMetrics().height());

    auto* splitter = new QSplitter(Qt::Vertical, this);
    splitter->setChildrenCollapsible(false);
    splitter->addWidget(m_view);
    splitter->addWidget(buildDetails());
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 2);
    m_pages->setObjectName(u"dataPages"_s);
    auto* what = new QScrollArea; // the text is higher than a low pane
    what->setFrameShape(QFrame::NoFrame);
    what->setAccessibleName(tr("What can be looked at"));
    what->setFocusPolicy(Qt::NoFocus);
    // A stop for the keyboard only where there is something to scroll.
    connect(what->verticalScrollBar(), &QScrollBar::rangeChanged, what,
        [what](int, int most) { what->setFocusPolicy(most > 0 ? Qt::StrongFocus : Qt::NoFocus); });
    what->setWidgetResizable(true);
    what->setWidget(m_empty);
    what->setMinimumHeight(4 * fontMetrics().height());
    m_pages->addWidget(what);
    m_pages->addWidget(splitter);
    layout->addWidget(m_pages, 1);
    layout->addLayout(buildComparison());

    connect(m_view->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
        [this](const QModelIndex& now) {
            showDetails();
            if (now.isValid() && !m_following)
                goToData(now.row(), Selection::Kind::Jump);
        });

    connect(&m_worker, &DataWorker::started, this, &DataPane::updateControls);
    connect(&m_worker, &DataWorker::progressChanged, this, &DataPane::updateProgress);
    connect(&m_worker, &DataWorker::finished, this, &DataPane::finish);
    connect(&m_worker, &DataWorker::scansFound, this, [this](const std::vector<gguf::TensorScan>& scans) {
        m_model->addScans(scans);
        showPage();
        showDetails();
        emit problemsChanged();
    });
    connect(&m_worker, &DataWorker::hashesFound, this, [this](const std::vector<gguf::DataHash>& hashes) {
        m_model->addHashes(hashes);
        showPage();
        showDetails();
        compare();
    });
    connect(&m_loader, &DocumentLoader::started, this, &DataPane::beginDocument);
    connect(&m_loader, &DocumentLoader::stateChanged, this, &DataPane::beginDocument);
    connect(&m_selection, &Selection::changed, this, [this](QObject* origin) { follow(origin); });
    beginDocument();
}

QWidget* DataPane::buildControls()
{
    auto* controls = new QWidget(this);
    auto* layout = new QHBoxLayout(controls);
    layout->setContentsMargins(4, 4, 4, 0);
    m_scope = new QComboBox(controls);
    m_scope->setObjectName(u"dataScope"_s);
    m_scope->setAccessibleName(tr("Which tensors"));
    m_scope->addItem(tr("All tensors"), AllTensors);
    m_scope->addItem(tr("Selected tensors"), SelectedTensors);
    layout->addWidget(m_scope);
    const auto addStarter
        = [&](const QString& text, const QString& toolTip, const QString& name, DataWorker::Task task) {
              auto* button = new QPushButton(text, controls);
              button->setObjectName(name);
              button->setToolTip(toolTip);
              connect(button, &QPushButton::clicked, this, [this, task] { run(task); });
              layout->addWidget(button);
              m_starters.push_back(button);
          };
    addStarter(tr("&Check"), tr("Look for NaN, infinity and runs of zeros, at the speed of reading."),
        u"checkData"_s, DataWorker::Task::Check);
    addStarter(tr("S&tatistics"), tr("Dequantize too: minimum, maximum, mean, deviation and histogram."),
        u"dataStatistics"_s, DataWorker::Task::Statistics);
    addStarter(tr("&SHA-256"), tr("Hash each tensor's data, and with all tensors the whole file."),
        u"hashData"_s, DataWorker::Task::Hash);
    m_progress = new QProgressBar(controls);
    m_progress->setObjectName(u"dataProgress"_s);
    m_progress->setAccessibleName(tr("Progress"));
    m_progress->setRange(0, kProgressSteps);
    layout->addWidget(m_progress, 1);
    m_cancel = new QPushButton(tr("Cance&l"), controls);
    m_cancel->setObjectName(u"cancelData"_s);
    connect(m_cancel, &QPushButton::clicked, this, &DataPane::cancel);
    layout->addWidget(m_cancel);
    m_status = new PlainLabel(controls);
    m_status->setObjectName(u"dataStatus"_s);
    m_status->setElideMode(Qt::ElideRight);
    layout->addWidget(m_status, 1);
    return controls;
}

QWidget* DataPane::buildDetails()
{
    auto* both = new QSplitter(Qt::Horizontal, this);
    both->setChildrenCollapsible(false);
    m_details = new QPlainTextEdit(both);
    m_details->setObjectName(u"dataDetails"_s);
    m_details->setAccessibleName(tr("What was found in the chosen tensor"));
    m_details->setReadOnly(true);
    m_details->setTabChangesFocus(true);
    m_details->setMinimumHeight(4 * fontMetrics().height());
    m_details->setPlaceholderText(tr("Choose a row to see what was found."));
    m_histogram = new ValueHistogram(both);
    both->addWidget(m_details);
    both->addWidget(m_histogram);
    return both;
}

QLayout* DataPane::buildComparison()
{
    auto* line = new QHBoxLayout;
    line->setContentsMargins(4, 0, 4, 4);
    m_expected = new QLineEdit(this);
    m_expected->setObjectName(u"expectedHash"_s);
    m_expected->setAccessibleName(tr("Expected SHA-256"));
    m_expected->setPlaceholderText(tr("Paste a SHA-256 or a Git LFS pointer to compare"));
    m_expected->setToolTip(plainToolTip(m_expected->placeholderText()));
    m_expected->setClearButtonEnabled(true);
    connect(m_expected, &QLineEdit::textChanged, this, &DataPane::compare);
    m_comparison = new PlainLabel(this);
    m_comparison->setObjectName(u"hashComparison"_s);
    m_comparison->setElideMode(Qt::ElideMiddle);
    m_comparison->hide();
    line->addWidget(m_expected, 1);
    line->addWidget(m_comparison, 1);
    return line;
}

void DataPane::setSelectedTensors(std::function<std::vector<std::size_t>()> selected)
{
    m_selected = std::move(selected);
}

std::vector<std::size_t> DataPane::chosenTensors() const
{
    std::vector<std::size_t> tensors;
    if (m_scope->currentData().toInt() == AllTensors) {
        tensors.resize(m_loader.document().tensorCount());
        std::iota(tensors.begin(), tensors.end(), std::size_t{0});
        return tensors;
    }
    if (m_selected)
        tensors = m_selected();
    if (tensors.empty() && m_selection.place() && m_selection.place()->tensor)
        tensors.push_back(*m_selection.place()->tensor);
    std::erase_if(
        tensors, [this](std::size_t tensor) { return tensor >= m_loader.document().tensorCount(); });
    return tensors;
}

void DataPane::run(DataWorker::Task task)
{
    if (!m_loader.document().isFinished() || !m_loader.source())
        return;
    std::vector<std::size_t> tensors = chosenTensors();
    const bool all = m_scope->currentData().toInt() == AllTensors;
    if (tensors.empty() && !(all && task == DataWorker::Task::Hash)) {
        m_status->setText(all ? tr("The file has no tensors.") : tr("No tensor is selected."));
        return;
    }
    m_status->setText({});
    m_worker.start(task, m_loader.document(), m_loader.source(), std::move(tensors), all);
}

void DataPane::cancel()
{
    m_worker.cancel();
}

/// Another file, or the same one as far as it could be read: what was found before is out of date.
void DataPane::beginDocument()
{
    m_worker.cancel();
    m_model->setDocument(m_loader.document());
    m_status->setText({});
    explain();
    showPage();
    showDetails();
    compare();
    updateControls();
    emit problemsChanged();
}

/// What was found, or before the first result what can be looked at.
void DataPane::showPage()
{
    m_pages->setCurrentIndex(m_model->rowCount() == 0 ? 0 : 1);
}

/// Before the first result: what the buttons do and what it costs.
void DataPane::explain()
{
    if (!m_loader.source() || !m_loader.document().isFinished()) {
        m_empty->setTitle(tr("No tensor data"));
        m_empty->setText(tr("The numbers in the tensors can be checked when a file has been read."));
        return;
    }
    m_empty->setTitle(tr("The tensor data has not been looked at"));
    m_empty->setText(
        tr("Check looks for NaN, infinity and runs of zeros. It reads the data once.\n"
           "Statistics adds minimum, maximum, mean and a histogram. It computes every weight, which is slower.\n"
           "SHA-256 hashes each tensor, and for all tensors the whole file. It reads the data once.\n"
           "This file has %1. The work goes on in the background and can be cancelled.")
            .arg(NumberText::shortSize(m_loader.document().fileSize())));
}

void DataPane::updateControls()
{
    const bool ready = m_loader.source() && m_loader.document().isFinished();
    const bool running = m_worker.isRunning();
    m_scope->setEnabled(ready && !running);
    for (QPushButton* button : m_starters)
        button->setEnabled(ready && !running);
    m_cancel->setVisible(running);
    m_progress->setVisible(running);
    m_status->setVisible(!running);
    if (running)
        m_progress->setValue(0);
}

void DataPane::updateProgress()
{
    if (m_worker.bytesTotal() == 0)
        return;
    const double share
        = static_cast<double>(m_worker.bytesDone()) / static_cast<double>(m_worker.bytesTotal());
    m_progress->setValue(static_cast<int>(share * kProgressSteps));
    m_progress->setToolTip(
        tr("%1 of %2")
            .arg(NumberText::shortSize(m_worker.bytesDone()), NumberText::shortSize(m_worker.bytesTotal())));
}

void DataPane::finish(bool cancelled)
{
    // The button that is about to vanish must not take the focus with it.
    const bool hadFocus = m_cancel->hasFocus();
    updateControls();
    if (hadFocus && m_starters.front()->isEnabled())
        m_starters[static_cast<std::size_t>(m_worker.task())]->setFocus();
    m_model->resort();
    compare();
    if (cancelled) {
        m_status->setText(tr("Cancelled. What was found until then is listed."));
        return;
    }
    if (!m_worker.failure().isEmpty()) {
        m_status->setText(m_worker.failure());
        return;
    }
    if (m_worker.task() == DataWorker::Task::Hash) {
        m_status->setText(tr("All hashes are computed."));
        return;
    }
    const std::size_t found = problems().size();
    m_status->setText(found == 0 ? tr("Nothing unusual was found.") : counted(found, tr("1 finding."), tr("%1 findings.")));
}

std::vector<gguf::Problem> DataPane::problems() const
{
    std::vector<gguf::Problem> all;
    for (const DataResult& result : m_model->results()) {
        if (all.size() >= kMostProblems)
            break;
        if (result.scan)
            std::ranges::move(gguf::dataProblems(m_model->document(), *result.scan), std::back_inserter(all));
    }
    return all;
}

void DataPane::showDetails()
{
    const QModelIndex current = m_view->currentIndex();
    const bool some = current.isValid();
    const QString text = some ? detailText(current.row()) : QString();
    if (m_details->toPlainText() != text)
        m_details->setPlainText(text);
    const DataResult* result = some ? &m_model->resultAt(current.row()) : nullptr;
    const bool any = result && result->scan && result->scan->values;
    m_histogram->setValues(any ? result->scan->values : std::nullopt);
    m_histogram->setVisible(any);
}

QString DataPane::detailText(int row) const
{
    const DataResult& result = m_model->resultAt(row);
    QStringList lines{m_model->nameText(result)};
    if (const auto& scan = result.scan) {
        lines << tr("%1 read.").arg(NumberText::size(scan->bytes));
        if (scan->error)
            lines << QString::fromStdString(scan->error.message);
        else if (!scan->complete)
            lines << tr("Bytes are missing: the file ends before the tensor does, or its size is not known.");
        if (scan->finite == gguf::FiniteVerdict::Finite)
            lines << counted(scan->units, tr("The numbers of its one block are finite."),
                tr("The numbers of all %1 blocks are finite."));
        else if (scan->finite == gguf::FiniteVerdict::NotJudged)
            lines << tr(
                "This type holds nothing that could be NaN or infinite, or its scales are not known.");
        for (const gguf::Problem& problem : gguf::dataProblems(m_model->document(), *scan))
            lines << tr("%1 At %2.").arg(problemText(problem), NumberText::offset(problem.range.offset));
        for (std::size_t i = 0; i < std::min(kListedRuns, scan->zeroRuns.ranges.size()); ++i) {
            const gguf::ByteRange& run = scan->zeroRuns.ranges[i];
            lines << tr("Zeros: %1").arg(NumberText::range(run.offset, run.length));
        }
        if (const auto& values = scan->values) {
            lines << tr("%1, %2 of them zero.")
                         .arg(counted(values->finite, tr("1 value"), tr("%1 values")), NumberText::count(values->zeros));
            lines << tr("From %1 to %2, mean %3, standard deviation %4.")
                         .arg(static_cast<double>(values->min), 0, 'g', 9)
                         .arg(static_cast<double>(values->max), 0, 'g', 9)
                         .arg(values->mean, 0, 'g', 9)
                         .arg(values->deviation, 0, 'g', 9);
            if (values->notFinite > 0)
                lines << counted(values->notFinite, tr("1 value is NaN or infinite; it is left out."),
                    tr("%1 values are NaN or infinite; they are left out."));
        }
    }
    if (result.hash && result.hash->sha256)
        lines << tr("SHA-256: %1").arg(QString::fromStdString(gguf::sha256Text(*result.hash->sha256)));
    return lines.join(u'\n');
}

/// To what was found, else to the tensor's data.
void DataPane::goToData(int row, Selection::Kind kind)
{
    const DataResult& result = m_model->resultAt(row);
    if (!result.tensor)
        return;
    Place place;
    place.tensor = result.tensor;
    if (result.scan && result.scan->firstBad)
        place.range = result.scan->firstBad->range;
    else if (result.scan && !result.scan->zeroRuns.ranges.empty())
        place.range = result.scan->zeroRuns.ranges.front();
    else
        place.range = m_model->document().tensor(*result.tensor).dataRange().value_or(gguf::ByteRange{});
    m_selection.select(place, this, kind);
}

void DataPane::follow(QObject* origin)
{
    if (origin == this || !m_selection.place() || !m_selection.place()->tensor)
        return;
    const int row = m_model->rowOf(m_selection.place()->tensor);
    if (row < 0 || row == m_view->currentIndex().row())
        return;
    m_following = true;
    m_view->selectRow(row);
    m_following = false;
}

void DataPane::compare()
{
    const QString pasted = m_expected->text();
    const QString source = pasted.isEmpty() ? m_loader.name() : pasted;
    const auto expected = gguf::findSha256(source.toStdString());
    if (!expected) {
        m_comparison->setText(pasted.isEmpty() ? QString() : tr("There is no single SHA-256 in this text."));
        m_comparison->setVisible(!pasted.isEmpty());
        return;
    }
    m_comparison->show();
    const QString whose = pasted.isEmpty() ? tr("The hash in the file's name: %1") : u"%1"_s;
    for (const DataResult& result : m_model->results()) {
        if (result.hash && result.hash->sha256 == expected) {
            m_comparison->setText(
                whose.arg(result.tensor ? tr("Equal to tensor %1.").arg(m_model->nameText(result))
                                        : tr("Equal to the whole file.")));
            return;
        }
    }
    const DataResult* file = m_model->find(std::nullopt);
    const bool hashed = file && file->hash && file->hash->sha256;
    m_comparison->setText(
        whose.arg(hashed ? tr("Not equal: this is another file, or it is damaged.")
                         : tr("Nothing to compare with yet: compute the SHA-256 of all tensors.")));
}

void DataPane::copy()
{
    QStringList rows;
    QModelIndexList selected = m_view->selectionModel()->selectedRows();
    std::ranges::sort(selected, {}, &QModelIndex::row);
    for (const QModelIndex& index : selected) {
        QStringList cells;
        for (int column = 0; column < DataModel::kColumnCount; ++column)
            cells << index.siblingAtColumn(column).data(CopyRole).toString();
        rows << cells.join(u'\t');
    }
    if (!rows.isEmpty())
        QGuiApplication::clipboard()->setText(rows.join(u'\n'));
}
