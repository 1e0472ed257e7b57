// SPDX-License-Identifier: GPL-3.0-or-later
#include "panes/tensorpane.h"

#include "load/documentloader.h"
#include "load/filewriter.h"
#include "models/counted.h"
#include "models/numbertext.h"
#include "models/tensormodel.h"
#include "panes/celldelegate.h"
#include "panes/filterchips.h"
#include "panes/panetext.h"
#include "panes/rowchoice.h"
#include "panes/savedialog.h"
#include "panes/severityicon.h"
#include "widgets/emptystate.h"
#include "widgets/filterline.h"
#include "widgets/plaintext.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QFileInfo>
#include <QHeaderView>
#include <QIODevice>
#include <QLabel>
#include <QMenu>
#include <QScopedValueRollback>
#include <QStackedLayout>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <map>
#include <numeric>

using namespace Qt::StringLiterals;

namespace {

enum Page { TablePage, NonePage };

const QString kTypeChip = u"chipTypes"_s;
const QString kTensorChip = u"chipTensors"_s;

/// Widths by sample texts; the rest of the width is the table's to scroll.
struct ColumnSample
{
    int column;
    const char16_t* text;
};
constexpr ColumnSample kColumnSamples[] = {
    {TensorModel::NameColumn, u"blk.10.ffn_gate_exps.weight___"},
    {TensorModel::TypeColumn, u"IQ2_XXS_____"},
    {TensorModel::DimensionsColumn, u"14336 × 128256__"},
    {TensorModel::ElementsColumn, u"525,336,576__"},
    {TensorModel::SizeColumn, u"430,940,160__"},
    {TensorModel::BitsPerWeightColumn, u"Bits/weight"},
    {TensorModel::OffsetColumn, u"4,920,739,872__"},
    {TensorModel::FileOffsetColumn, u"0x0001A2B0C0__"},
    {TensorModel::PaddingColumn, u"Padding__"},
    {TensorModel::RequiredColumn, u"430,940,160__"},
    {TensorModel::ReservedColumn, u"430,940,160__"},
    {TensorModel::PresentColumn, u"missing__"},
};

/// So many tensors are sorted, filtered and copied within a frame; more of them on a worker, and what needs an
/// expression too.
constexpr std::size_t kAtOnce = 4096;

QString sumText(const gguf::TensorSum& sum)
{
    QStringList parts{!sum.parameters() ? TensorPane::tr("unknown number of elements")
            : sum.elements == 1          ? TensorPane::tr("1 element")
                                         : TensorPane::tr("%1 elements").arg(NumberText::parameters(sum.elements)),
        NumberText::size(sum.bytes)};
    if (sum.bitsPerWeight())
        parts.append(TensorPane::tr("%1 bits per weight").arg(NumberText::bitsPerWeight(sum.bitsPerWeight())));
    if (sum.unsized > 0)
        parts.append(TensorPane::tr("%1 of unknown size").arg(NumberText::count(sum.unsized)));
    return parts.join(u" · "_s);
}

} // namespace

TensorPane::TensorPane(DocumentLoader& loader, Selection& selection, QWidget* parent)
    : QWidget(parent)
    , m_loader(loader)
    , m_selection(selection)
    , m_model(new TensorModel(this))
    , m_arranging(
          this, [this](TensorRows rows) { m_model->show(std::move(rows)); },
          [this](const QString& sentence) {
              showFiltering();
              m_sum->setText(sentence);
          })
    , m_copying(
          this, [](const QString& text) { QApplication::clipboard()->setText(text); },
          [this](const QString& sentence) { emit exportFailed(sentence); })
    , m_filter(new FilterLine(tr("Filter tensors by name")))
    , m_mode(new QComboBox)
    , m_typeButton(new QToolButton)
    , m_typeMenu(new QMenu(this))
    , m_chips(new FilterChips)
    , m_view(new QTableView)
    , m_filtering(new QLabel(tr("Filtering…")))
    , m_sum(new PlainLabel)
    , m_pages(new QStackedLayout(this))
{
    setObjectName(u"tensorPane"_s);
    // Who copies something else meanwhile wants that.
    connect(QApplication::clipboard(), &QClipboard::dataChanged, this, [this] { m_copying.cancel(); });
    m_model->setArranger([this](const TensorRowsWish& wish) {
        if (wish.document.tensorCount() <= kAtOnce && !wish.filter.name().isSlow()) {
            m_arranging.cancel();
            m_model->show(tensorRows(wish));
        } else {
            m_arranging.start([wish](const std::stop_token& stop) { return tensorRows(wish, stop); });
        }
        showFiltering();
    });
    m_filter->setObjectName(u"tensorFilter"_s);
    m_filter->setAccessibleName(tr("Filter tensors by name"));
    m_mode->setObjectName(u"tensorFilterMode"_s);
    m_mode->setAccessibleName(tr("How the filter is read"));
    m_mode->addItem(tr("Contains"), static_cast<int>(NameFilter::Mode::Substring));
    m_mode->addItem(tr("Wildcard"), static_cast<int>(NameFilter::Mode::Wildcard));
    m_mode->addItem(tr("Regular expression"), static_cast<int>(NameFilter::Mode::RegularExpression));
    m_typeButton->setObjectName(u"tensorTypes"_s);
    m_typeButton->setText(tr("Types"));
    m_typeButton->setPopupMode(QToolButton::InstantPopup);
    m_typeButton->setMenu(m_typeMenu);
    m_typeButton->setFocusPolicy(Qt::StrongFocus);
    m_typeButton->setToolTip(plainToolTip(tr("Show only some types")));
    m_chips->setObjectName(u"tensorChips"_s);

    m_view->setObjectName(u"tensorView"_s);
    m_view->setAccessibleName(tr("Tensors"));
    m_view->setModel(m_model);
    m_view->setItemDelegate(new CellDelegate(TensorModel::NameColumn, TensorModel::TypeColumn, m_view));
    m_view->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_view->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_view->setAlternatingRowColors(true);
    m_view->setShowGrid(false);
    m_view->setWordWrap(false);
    m_view->setTextElideMode(Qt::ElideMiddle);
    m_view->setTabKeyNavigation(false);
    m_view->setContextMenuPolicy(Qt::CustomContextMenu);
    m_view->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_view->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_view->verticalHeader()->setDefaultSectionSize(m_view->fontMetrics().height() + 6);
    m_view->verticalHeader()->hide();
    QHeaderView* header = m_view->horizontalHeader();
    header->setSectionsMovable(true);
    header->setHighlightSections(false);
    header->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(header, &QWidget::customContextMenuRequested, this, &TensorPane::showColumnMenu);
    // Columns that others add are many, and empty at first.
    connect(m_model, &QAbstractItemModel::columnsInserted, this, [this](const QModelIndex&, int first, int last) {
        for (int column = first; column <= last; ++column)
            m_view->setColumnHidden(column, true);
    });
    header->setSortIndicatorClearable(true); // the third click comes back to file order
    header->setSortIndicator(-1, Qt::AscendingOrder);
    m_view->setSortingEnabled(true);
    for (const ColumnSample& sample : kColumnSamples)
        m_view->setColumnWidth(sample.column, m_view->fontMetrics().horizontalAdvance(QString::fromUtf16(sample.text)));
    m_filtering->setObjectName(u"tensorFiltering"_s);
    m_filtering->hide();
    m_patience.setSingleShot(true);
    m_patience.setInterval(200);
    connect(&m_patience, &QTimer::timeout, this, [this] { m_filtering->show(); });
    m_sum->setObjectName(u"tensorSum"_s);
    m_sum->setElideMode(Qt::ElideRight);

    auto* top = new QHBoxLayout;
    top->addWidget(m_filter, 1);
    top->addWidget(m_filtering);
    top->addWidget(m_mode);
    top->addWidget(m_typeButton);
    auto* table = new QWidget;
    auto* layout = new QVBoxLayout(table);
    layout->setContentsMargins(4, 4, 4, 4);
    layout->addLayout(top);
    layout->addWidget(m_chips);
    layout->addWidget(m_view, 1);
    layout->addWidget(m_sum);
    auto* none = new EmptyState;
    none->setObjectName(u"noTensors"_s);
    const auto explainNone = [this, none] {
        const auto& stated = m_loader.document().header();
        const std::uint64_t announced = stated ? stated->tensorCount : 0;
        none->setTitle(announced == 0 ? tr("No tensors") : tr("No tensor could be read"));
        none->setText(announced == 0
                ? tr("The file has metadata alone, as vocabularies and the first part of a split model do.")
                : tr("The header announces %1. The problems tell where reading stopped.")
                      .arg(counted(announced, tr("1 tensor"), tr("%1 tensors"))));
    };
    explainNone();
    m_pages->addWidget(table);
    m_pages->addWidget(none);

    const auto update = [this, explainNone] {
        explainNone();
        m_model->updateDocument(m_loader.document());
        updateSum();
    };
    connect(&m_loader, &DocumentLoader::started, this, [this] {
        // Chosen for the file that was open before; the types and numbers of another mean something else.
        setTypeFilter({});
        setTensorFilter({});
        m_model->setDocument(m_loader.document());
        updateSum();
    });
    connect(&m_loader, &DocumentLoader::documentChanged, this, update);
    connect(&m_loader, &DocumentLoader::stateChanged, this, update);
    connect(&m_loader, &DocumentLoader::inspected, this, update);
    connect(m_filter, &FilterLine::filterChanged, this, &TensorPane::applyNameFilter);
    connect(m_mode, &QComboBox::currentIndexChanged, this, &TensorPane::applyNameFilter);
    connect(m_typeMenu, &QMenu::aboutToShow, this, &TensorPane::fillTypeMenu);
    connect(m_chips, &FilterChips::removed, this, [this](const QString& id) {
        if (id == kTypeChip)
            setTypeFilter({});
        else
            setTensorFilter({});
    });
    connect(m_view->selectionModel(), &QItemSelectionModel::selectionChanged, this, &TensorPane::updateSum);
    connect(m_model, &TensorModel::rowsChanged, this, [this] {
        showFiltering();
        updateSum();
    });
    onRowChosen(*m_view, m_following, [this](const QModelIndex& index, Selection::Kind kind) {
        goTo(m_model->tensorAt(index.row()), Target::Data, kind);
    });
    connect(m_view, &QWidget::customContextMenuRequested, this, &TensorPane::showMenu);
    connect(&m_selection, &Selection::changed, this, &TensorPane::follow);
    m_model->setDocument(m_loader.document());
    updateSum();
}

void TensorPane::setTypeFilter(const QSet<quint32>& types)
{
    QStringList names;
    for (const quint32 id : types) {
        const gguf::TensorTypeInfo* info = gguf::findTensorType(id);
        names.append(info ? coreText(info->name) : tr("type %1").arg(id));
    }
    names.sort();
    m_model->setTypeFilter(types);
    m_chips->setChip(kTypeChip, names.isEmpty() ? QString() : tr("Type: %1").arg(names.join(u", "_s)));
    updateSum();
}

void TensorPane::setTensorFilter(std::optional<std::vector<std::size_t>> tensors, const QString& reason)
{
    QString text;
    if (tensors)
        text = reason.isEmpty() ? tr("Chosen tensors: %1").arg(NumberText::count(tensors->size())) : reason;
    m_model->setTensorFilter(std::move(tensors));
    m_chips->setChip(kTensorChip, text);
    updateSum();
}

std::vector<std::size_t> TensorPane::selectedTensors() const
{
    std::vector<std::size_t> tensors;
    const QList<int> rows = selectedRows();
    for (int row : rows)
        tensors.push_back(m_model->tensorAt(row));
    return tensors;
}

void TensorPane::focusFilter()
{
    m_filter->setFocus(Qt::ShortcutFocusReason);
    m_filter->selectAll();
}

void TensorPane::applyNameFilter()
{
    const auto mode = static_cast<NameFilter::Mode>(m_mode->currentData().toInt());
    m_model->setNameFilter(m_filter->text(), mode);
    updateSum();
}

void TensorPane::showFiltering()
{
    if (!m_arranging.isRunning() || !m_model->isFiltered()) {
        m_patience.stop();
        m_filtering->hide();
    } else if (m_filtering->isHidden() && !m_patience.isActive()) {
        m_patience.start();
    }
}

void TensorPane::goTo(std::size_t tensor, Target target, Selection::Kind kind)
{
    const gguf::Tensor t = m_model->document().tensor(tensor);
    Place place;
    place.tensor = tensor;
    place.range = t.record;
    const auto bytes = t.dataRange();
    if (target == Target::Data && bytes)
        place.range = *bytes;
    if (target == Target::Padding && bytes && t.padding)
        place.range = {bytes->end(), *t.padding};
    m_selection.select(place, this, kind);
}

void TensorPane::follow(QObject* origin)
{
    const auto& place = m_selection.place();
    if (origin == this || !place || !place->tensor)
        return;
    const QModelIndex index = m_model->indexOf(*place->tensor);
    if (!index.isValid() || m_view->currentIndex().row() == index.row())
        return;
    const QScopedValueRollback following(m_following, true);
    m_view->setCurrentIndex(index);
    m_view->scrollTo(index);
}

QList<int> TensorPane::selectedRows() const
{
    // Ranges instead of selectedRows(): that costs a search per cell.
    QList<int> rows;
    const QItemSelection selection = m_view->selectionModel()->selection();
    for (const QItemSelectionRange& range : selection) {
        for (int row = range.top(); row <= range.bottom(); ++row)
            rows.append(row);
    }
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    return rows;
}

void TensorPane::copy()
{
    copyAs(TableText::Format::Text);
}

void TensorPane::copyAs(TableText::Format format)
{
    const QList<int> rows = selectedRows();
    if (rows.isEmpty())
        return;
    m_copying.cancel();
    const TableText::Table table = m_model->table(rows, format, shownColumns());
    if (static_cast<std::size_t>(table.rows) <= kAtOnce) {
        QApplication::clipboard()->setText(TableText::text(table));
        return;
    }
    m_copying.start([table](const std::stop_token& stop) {
        QString text;
        TableText::write(table, [&](const QString& piece) {
            text += piece;
            return !stop.stop_requested();
        });
        return text;
    });
}

void TensorPane::exportTable()
{
    const QString csv = tr("CSV table (*.csv)");
    const QString markdown = tr("Markdown table (*.md)");
    const QString json = tr("JSON (*.json)");
    const QString suggestion = QString(QFileInfo(m_loader.name()).completeBaseName() + u"-tensors.csv"_s);
    askWhereToSave(*this, tr("Export the tensor table"), suggestion, {csv, markdown, json},
        [this](const QString& path) { exportTo(path); });
}

void TensorPane::exportTo(const QString& path)
{
    const QString suffix = QFileInfo(path).suffix().toLower();
    const auto format = suffix == "json"_L1 ? TableText::Format::Json
        : suffix == "md"_L1                 ? TableText::Format::Markdown
                                            : TableText::Format::Csv;
    QList<int> rows(m_model->rowCount());
    std::iota(rows.begin(), rows.end(), 0);
    FileWriter::start(
        *this, path, m_loader.filePath(),
        [table = m_model->table(rows, format, shownColumns())](
            QIODevice& file, const FileWriter::IsCancelled& isCancelled) {
            TableText::write(table, [&](const QString& piece) {
                file.write(piece.toUtf8());
                return !isCancelled();
            });
        },
        [this, path](const QString& error) {
            if (error.isEmpty())
                emit exported(path);
            else
                emit exportFailed(error);
        });
}

void TensorPane::fillTypeMenu()
{
    const gguf::Document& document = m_model->document();
    std::map<quint32, std::pair<std::size_t, std::uint64_t>> found; // by type id: a tensor with it, how many
    for (std::size_t i = 0; i < document.tensorCount(); ++i)
        ++found.try_emplace(document.tensorTypeId(i), i, 0).first->second.second;
    std::map<QString, std::pair<quint32, std::uint64_t>> types;
    for (const auto& [id, example] : found)
        types[QString::fromStdString(document.tensor(example.first).typeName())] = {id, example.second};
    m_typeMenu->clear();
    for (const auto& [name, type] : types) {
        QAction* action = m_typeMenu->addAction(tr("%1 (%2)").arg(name, NumberText::count(type.second)));
        action->setCheckable(true);
        action->setChecked(m_model->typeFilter().contains(type.first));
        connect(action, &QAction::toggled, this, [this, id = type.first](bool on) {
            QSet<quint32> chosen = m_model->typeFilter();
            if (on)
                chosen.insert(id);
            else
                chosen.remove(id);
            setTypeFilter(chosen);
        });
    }
    if (types.empty())
        m_typeMenu->addAction(tr("No tensors"))->setEnabled(false);
    m_typeMenu->addSeparator();
    m_typeMenu->addAction(tr("All Types"), this, [this] { setTypeFilter({}); })
        ->setEnabled(!m_model->typeFilter().isEmpty());
}

void TensorPane::showMenu(const QPoint& position)
{
    const QModelIndex index = m_view->indexAt(position);
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    if (index.isValid()) {
        const std::size_t number = m_model->tensorAt(index.row());
        const gguf::Tensor tensor = m_model->document().tensor(number);
        const auto command = [this, number](Target target) {
            return [this, number, target] { goTo(number, target, Selection::Kind::Jump); };
        };
        menu->addAction(tr("Go to &Data"), this, command(Target::Data))->setEnabled(tensor.dataRange().has_value());
        menu->addAction(tr("Go to &Padding"), this, command(Target::Padding))
            ->setEnabled(tensor.padding.value_or(0) > 0);
        menu->addAction(tr("Go to &Record"), this, command(Target::Record));
        menu->addSeparator();
        menu->addAction(tr("Show Only &This Type"), this, [this, id = tensor.typeId] { setTypeFilter({id}); });
        menu->addSeparator();
    }
    const bool any = m_view->selectionModel()->hasSelection();
    menu->addAction(tr("&Copy as Text"), this, &TensorPane::copy)->setEnabled(any);
    menu->addAction(tr("Copy as CS&V"), this, [this] { copyAs(TableText::Format::Csv); })->setEnabled(any);
    menu->addAction(tr("Copy as &Markdown"), this, [this] { copyAs(TableText::Format::Markdown); })->setEnabled(any);
    menu->addSeparator();
    menu->addAction(tr("&Export Table…"), this, &TensorPane::exportTable)->setEnabled(m_model->rowCount() > 0);
    menu->popup(m_view->viewport()->mapToGlobal(position));
}

void TensorPane::setColumnShown(int column, bool shown)
{
    if (shown && m_view->isColumnHidden(column)) {
        const int title = m_view->fontMetrics().horizontalAdvance(
            m_model->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString());
        m_view->setColumnHidden(column, false);
        m_view->setColumnWidth(column, std::max(title + 36, m_view->fontMetrics().horizontalAdvance(u"ffn_down_exps___"_s)));
    }
    m_view->setColumnHidden(column, !shown);
}

QList<int> TensorPane::shownColumns() const
{
    const QHeaderView* header = m_view->horizontalHeader();
    QList<int> columns;
    for (int visual = 0; visual < header->count(); ++visual) {
        const int column = header->logicalIndex(visual);
        if (!m_view->isColumnHidden(column))
            columns.append(column);
    }
    return columns;
}

void TensorPane::showColumnMenu(const QPoint& position)
{
    auto* menu = new QMenu(this);
    menu->setObjectName(u"tensorColumns"_s);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    for (int column = 0; column < m_model->columnCount(); ++column) {
        QAction* action = menu->addAction(m_model->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString());
        action->setCheckable(true);
        action->setChecked(!m_view->isColumnHidden(column));
        action->setEnabled(column != TensorModel::NameColumn); // one must stay, or this menu is out of reach
        connect(action, &QAction::toggled, this, [this, column](bool on) { setColumnShown(column, on); });
    }
    menu->popup(m_view->horizontalHeader()->mapToGlobal(position));
}

void TensorPane::updateSum()
{
    gguf::TensorSum selected;
    const QItemSelection selection = m_view->selectionModel()->selection();
    for (const QItemSelectionRange& range : selection)
        selected.add(m_model->sum(range.top(), range.bottom()));
    const std::size_t all = m_model->document().tensorCount();
    const bool isFiltering = m_model->isFiltered() && m_model->isArranging();
    const QString undecided = m_model->undecided() == 0 || isFiltering ? QString()
        : counted(m_model->undecided(), tr("1 name not decided: this expression takes too long for it"),
            tr("%1 names not decided: this expression takes too long for them"));
    m_filter->setError(m_model->isNameFilterValid() ? undecided
                                                    : tr("This is not a regular expression; all tensors are shown."));
    m_pages->setCurrentIndex(all == 0 && m_model->document().isFinished() ? NonePage : TablePage);
    if (selected.tensors > 1) {
        m_sum->setText(tr("%1 selected: %2").arg(NumberText::count(selected.tensors), sumText(selected)));
        return;
    }
    if (isFiltering) {
        m_sum->setText(counted(all, tr("Filtering 1 tensor…"), tr("Filtering %1 tensors…")));
        return;
    }
    const QString heading = m_model->isFiltered()
        ? tr("%1 of %2 tensors").arg(NumberText::count(m_model->total().tensors), NumberText::count(all))
        : counted(all, tr("1 tensor"), tr("%1 tensors"));
    const bool isCounted = m_model->document().isFinished() && !m_model->isArranging();
    QString text = all == 0 ? tr("No tensors")
        : isCounted         ? tr("%1: %2").arg(heading, sumText(m_model->total()))
                            : heading;
    if (!undecided.isEmpty())
        text = tr("%1 · %2").arg(undecided, text); // what is elided stands at the end
    m_sum->setText(text);
}
