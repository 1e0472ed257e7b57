// SPDX-License-Identifier: GPL-3.0-or-later
#include "panes/problempane.h"

#include "load/documentloader.h"
#include "load/futurework.h"
#include "models/counted.h"
#include "models/problemmodel.h"
#include "panes/celldelegate.h"
#include "panes/panetext.h"
#include "panes/rowchoice.h"
#include "report/markdownreport.h"
#include "widgets/emptystate.h"
#include "widgets/filterline.h"
#include "widgets/plaintext.h"

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QFutureWatcher>
#include <QHeaderView>
#include <QMenu>
#include <QScopedValueRollback>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedLayout>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

#include <numeric>

using namespace Qt::StringLiterals;

namespace {

struct DetailText
{
    int role;
    const char* heading;
};
constexpr DetailText kDetails[] = {
    {ProblemModel::FoundRole, QT_TRANSLATE_NOOP("ProblemPane", "Found")},
    {ProblemModel::ExpectedRole, QT_TRANSLATE_NOOP("ProblemPane", "Expected")},
    {ProblemModel::ConsequenceRole, QT_TRANSLATE_NOOP("ProblemPane", "Consequence")},
    {ProblemModel::RemedyRole, QT_TRANSLATE_NOOP("ProblemPane", "What to do")},
    {ProblemModel::JudgesRole, QT_TRANSLATE_NOOP("ProblemPane", "Who minds")},
    {ProblemModel::MeaningRole, QT_TRANSLATE_NOOP("ProblemPane", "The rule")},
};

enum Page { NonePage, ListPage };

} // namespace

ProblemPane::ProblemPane(DocumentLoader& loader, Selection& selection, QWidget* parent)
    : QWidget(parent)
    , m_loader(loader)
    , m_selection(selection)
    , m_model(new ProblemModel(this))
    , m_pages(new QStackedLayout(this))
    , m_filter(new FilterLine(tr("Filter problems")))
    , m_grouped(new QCheckBox)
    , m_splitter(new QSplitter)
    , m_view(new QTreeView)
    , m_counts(new PlainLabel)
    , m_unlisted(new PlainLabel)
    , m_headline(new PlainLabel)
    , m_openEmbedded(new QToolButton)
{
    setObjectName(u"problemPane"_s);
    auto* none = new EmptyState;
    none->setObjectName(u"noProblems"_s);
    none->setTitle(tr("No problems"));
    none->setText(tr("All checks passed. Help > Checks lists them."));
    m_pages->addWidget(none);

    m_filter->setObjectName(u"problemFilter"_s);
    m_filter->setAccessibleName(tr("Filter problems"));
    m_grouped->setObjectName(u"problemGrouped"_s);
    m_grouped->setText(tr("Group by judge"));
    m_grouped->setChecked(true);
    auto* copyReport = new QToolButton;
    copyReport->setObjectName(u"problemCopyReport"_s);
    copyReport->setText(tr("Copy Report"));
    copyReport->setToolTip(plainToolTip(tr("Copy a Markdown report of the file, fit for a bug tracker")));
    connect(copyReport, &QToolButton::clicked, this, &ProblemPane::copyReport);

    m_view->setObjectName(u"problemView"_s);
    m_view->setAccessibleName(tr("Problems"));
    m_view->setModel(m_model);
    m_view->setItemDelegate(new CellDelegate(ProblemModel::SeverityColumn, -1, m_view));
    m_view->setUniformRowHeights(true);
    m_view->setAlternatingRowColors(true);
    m_view->setIndentation(14);
    m_view->setTextElideMode(Qt::ElideRight);
    m_view->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_view->setContextMenuPolicy(Qt::CustomContextMenu);
    const QFontMetrics metrics = m_view->fontMetrics();
    // The message is what people read; the code is for looking it up.
    m_view->header()->moveSection(ProblemModel::MessageColumn, 1);
    m_view->header()->moveSection(m_view->header()->visualIndex(ProblemModel::CodeColumn), ProblemModel::kColumnCount - 1);
    m_view->header()->setStretchLastSection(false);
    m_view->setColumnWidth(ProblemModel::SeverityColumn, metrics.horizontalAdvance(u"____________Warning__"_s));
    m_view->setColumnWidth(ProblemModel::MessageColumn, metrics.horizontalAdvance(u"An offset is not a multiple of the alignment"_s));
    m_view->setColumnWidth(ProblemModel::CodeColumn, metrics.horizontalAdvance(u"tensor-offset-unaligned_"_s));
    m_view->setColumnWidth(ProblemModel::OffsetColumn, metrics.horizontalAdvance(u"0x0001A2B0C0_"_s));
    m_view->setColumnWidth(ProblemModel::SubjectColumn, metrics.horizontalAdvance(u"blk.10.attn_q.weight"_s));

    QFont bold = font();
    bold.setBold(true);
    m_headline->setFont(bold);
    m_headline->setWordWrap(true);
    m_headline->setObjectName(u"problemHeadline"_s);
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->addWidget(m_headline);
    m_openEmbedded->setObjectName(u"problemOpenEmbedded"_s);
    connect(m_openEmbedded, &QToolButton::clicked, this, [this] {
        if (const auto offset = embeddedAt(m_view->currentIndex()))
            emit embeddedAsked(*offset);
    });
    column->addWidget(m_openEmbedded);
    for (const DetailText& text : kDetails) {
        const Detail detail{new PlainLabel(tr(text.heading)), new PlainLabel, text.role};
        detail.heading->setFont(bold);
        detail.text->setWordWrap(true);
        detail.text->setSelectable(true);
        column->addSpacing(4);
        column->addWidget(detail.heading);
        column->addWidget(detail.text);
        m_details.push_back(detail);
    }
    column->addStretch(1);
    column->setSpacing(2);
    auto* scroll = new QScrollArea;
    scroll->setObjectName(u"problemDetails"_s);
    scroll->setAccessibleName(tr("The chosen problem"));
    scroll->setWidget(page);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_splitter->setObjectName(u"problemSplitter"_s);
    m_splitter->addWidget(m_view);
    m_splitter->addWidget(scroll);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setStretchFactor(0, 3);
    m_splitter->setStretchFactor(1, 2);
    m_splitter->setSizes({320, 240});
    m_unlisted->setObjectName(u"problemUnlisted"_s);
    m_unlisted->setWordWrap(true);
    m_counts->setObjectName(u"problemCounts"_s);
    m_counts->setElideMode(Qt::ElideRight);

    auto* top = new QHBoxLayout;
    top->addWidget(m_filter, 1);
    top->addWidget(m_grouped);
    top->addWidget(copyReport);
    auto* list = new QWidget;
    auto* layout = new QVBoxLayout(list);
    layout->setContentsMargins(4, 4, 4, 4);
    layout->addLayout(top);
    layout->addWidget(m_counts);
    layout->addWidget(m_splitter, 1);
    layout->addWidget(m_unlisted);
    m_pages->addWidget(list);

    connect(&m_loader, &DocumentLoader::started, this, [this] {
        m_model->setDocument(m_loader.document());
        update();
    });
    connect(&m_loader, &DocumentLoader::documentChanged, this, &ProblemPane::update);
    connect(&m_loader, &DocumentLoader::stateChanged, this, &ProblemPane::update);
    connect(&m_loader, &DocumentLoader::inspected, this, &ProblemPane::update);
    connect(m_filter, &FilterLine::filterChanged, this, [this](const QString& filter) {
        m_model->setFilter(filter);
        showGroups();
    });
    connect(m_grouped, &QCheckBox::toggled, this, [this](bool grouped) {
        m_model->setFlat(!grouped);
        m_view->setRootIsDecorated(grouped);
        showGroups();
        follow(nullptr);
        showDetails();
    });
    connect(m_model, &QAbstractItemModel::rowsInserted, m_view, [this] { showGroups(); });
    connect(m_view->selectionModel(), &QItemSelectionModel::currentChanged, this, [this] { showDetails(); });
    onRowChosen(*m_view, m_following,
        [this](const QModelIndex& index, Selection::Kind kind) { showBytes(index, kind); });
    connect(m_view, &QWidget::customContextMenuRequested, this, &ProblemPane::showMenu);
    connect(&m_selection, &Selection::changed, this, &ProblemPane::follow);
    m_model->setDocument(m_loader.document());
    update();
}

void ProblemPane::update()
{
    m_model->updateDocument(m_loader.document());
    m_pages->setCurrentIndex(m_model->problemCount() == 0 ? NonePage : ListPage);
    const QString unlisted = m_model->unlistedText();
    m_unlisted->setText(unlisted);
    m_unlisted->setVisible(!unlisted.isEmpty());
    showCounts();
    showDetails();
    emit titleChanged();
}

void ProblemPane::setDataProblems(std::vector<gguf::Problem> problems)
{
    m_model->setDataProblems(std::move(problems));
    update();
}

QString ProblemPane::title() const
{
    const auto totals = m_model->totals();
    const std::uint64_t all = std::accumulate(totals.begin(), totals.end(), std::uint64_t{0});
    return all == 0 ? tr("Problems") : tr("Problems (%1)").arg(all);
}

void ProblemPane::showGroups()
{
    m_view->expandAll();
    // A group's name needs the whole width; groups lie at most two deep.
    for (int i = 0; i < m_model->rowCount(); ++i) {
        const QModelIndex judge = m_model->index(i, 0);
        m_view->setFirstColumnSpanned(i, {}, m_model->hasChildren(judge));
        for (int j = 0; j < m_model->rowCount(judge); ++j)
            m_view->setFirstColumnSpanned(j, judge, true);
    }
    showCounts();
}

/// Grouped by judge, a problem stands under each who minds it: that makes more rows, not more problems.
void ProblemPane::showCounts()
{
    std::size_t rows = 0;
    for (int i = 0; m_grouped->isChecked() && i < m_model->rowCount(); ++i) {
        const QModelIndex judge = m_model->index(i, 0);
        for (int j = 0; j < m_model->rowCount(judge); ++j)
            rows += static_cast<std::size_t>(m_model->rowCount(m_model->index(j, 0, judge)));
    }
    const std::size_t problems = m_model->visibleProblems();
    m_counts->setVisible(rows > problems);
    m_counts->setText(tr("%1, listed once under each judge who minds: %2 rows")
                          .arg(counted(problems, tr("1 problem"), tr("%1 problems")), NumberText::count(rows)));
}

std::optional<std::size_t> ProblemPane::current() const
{
    return m_model->problemAt(m_view->currentIndex());
}

void ProblemPane::goTo(std::size_t problem)
{
    QModelIndex index = m_model->indexOf(problem);
    if (!index.isValid()) {
        m_filter->clear();
        m_model->setFilter({});
        index = m_model->indexOf(problem);
    }
    {
        const QScopedValueRollback following(m_following, true);
        m_view->setCurrentIndex(index);
        m_view->scrollTo(index);
    }
    showBytes(index, Selection::Kind::Jump);
}

void ProblemPane::nextProblem()
{
    step(true);
}

void ProblemPane::previousProblem()
{
    step(false);
}

void ProblemPane::step(bool forwards)
{
    if (const auto problem = m_model->nextProblem(current(), forwards))
        goTo(*problem);
}

void ProblemPane::showBytes(const QModelIndex& index, Selection::Kind kind)
{
    const auto problem = m_model->problemAt(index);
    if (!problem)
        return;
    const gguf::Problem& what = m_model->listedProblem(*problem);
    Place place;
    place.range = what.range;
    place.problem = problem;
    place.metadata = m_model->document().metadataOf(what.subject);
    place.tensor = m_model->document().tensorOf(what.subject);
    m_selection.select(place, this, kind);
}

void ProblemPane::follow(QObject* origin)
{
    const auto& place = m_selection.place();
    if (origin == this || !place || !place->problem || current() == place->problem)
        return;
    const QModelIndex index = m_model->indexOf(*place->problem);
    if (!index.isValid())
        return;
    const QScopedValueRollback following(m_following, true);
    m_view->setCurrentIndex(index);
    m_view->scrollTo(index);
}

void ProblemPane::showDetails()
{
    const QModelIndex index = m_view->currentIndex();
    const bool any = m_model->problemAt(index).has_value();
    m_headline->setText(any ? index.siblingAtColumn(ProblemModel::MessageColumn).data().toString()
                            : tr("Choose a problem to read what it means and what to do."));
    const auto embedded = embeddedAt(index);
    m_openEmbedded->setVisible(embedded.has_value());
    if (embedded)
        m_openEmbedded->setText(tr("Open the GGUF at offset %1").arg(*embedded));
    for (const Detail& detail : m_details) {
        const QString text = any ? index.data(detail.role).toString() : QString();
        detail.text->setText(text);
        detail.text->setVisible(!text.isEmpty());
        detail.heading->setVisible(!text.isEmpty());
    }
}

std::optional<quint64> ProblemPane::embeddedAt(const QModelIndex& index) const
{
    const auto problem = m_model->problemAt(index);
    if (!problem || m_model->listedProblem(*problem).rule != gguf::Rule::EmbeddedGguf)
        return std::nullopt;
    return m_model->listedProblem(*problem).range.offset;
}

void ProblemPane::copy()
{
    QStringList lines;
    const QModelIndexList rows = m_view->selectionModel()->selectedRows(ProblemModel::MessageColumn);
    for (const QModelIndex& row : rows)
        lines.append(row.data(CopyRole).toString());
    if (!lines.isEmpty())
        QApplication::clipboard()->setText(lines.join(u'\n'));
}

void ProblemPane::copyReport()
{
    // Some of the bytes that it quotes must be read from the file.
    struct Result
    {
        QString report;
        QString failure;
    };
    const auto failure = [](const QString& sentence) { return Result{{}, sentence}; };
    auto* watcher = new QFutureWatcher<Result>(this);
    connect(watcher, &QFutureWatcherBase::finished, this, [this, watcher, failure] {
        watcher->deleteLater();
        const Result result = resultOf(*watcher, failure);
        if (!result.failure.isEmpty()) {
            emit reportFailed(result.failure);
            return;
        }
        QApplication::clipboard()->setText(result.report);
        emit reportCopied();
    });
    watcher->setFuture(runFutureWork<Result>(
        [name = m_loader.name(), document = m_loader.document(), source = m_loader.source()](const QPromise<Result>&) {
            return Result{MarkdownReport::text(name, document, source.get()), {}};
        },
        failure));
}

void ProblemPane::focusFilter()
{
    m_filter->setFocus(Qt::ShortcutFocusReason);
    m_filter->selectAll();
}

void ProblemPane::showMenu(const QPoint& position)
{
    const QPersistentModelIndex index = m_view->indexAt(position);
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const bool any = m_model->problemAt(index).has_value();
    menu->addAction(tr("Show &Bytes"), this, [this, index] { showBytes(index, Selection::Kind::Jump); })->setEnabled(any);
    menu->addAction(tr("About This &Check"), this, [this, index] {
        emit checkAsked(index.sibling(index.row(), ProblemModel::CodeColumn).data().toString());
    })->setEnabled(any);
    menu->addSeparator();
    menu->addAction(tr("&Copy"), this, &ProblemPane::copy)->setEnabled(any);
    menu->addAction(tr("Copy &Report"), this, &ProblemPane::copyReport);
    menu->popup(m_view->viewport()->mapToGlobal(position));
}

void ProblemPane::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    // A wide pane shows the details beside the list, a narrow one below it.
    const bool wide = width() > 110 * fontMetrics().averageCharWidth();
    const auto orientation = wide ? Qt::Horizontal : Qt::Vertical;
    if (m_splitter->orientation() != orientation)
        m_splitter->setOrientation(orientation);
}
