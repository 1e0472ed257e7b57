// SPDX-License-Identifier: GPL-3.0-or-later
#include "panes/metadatapane.h"

#include "format/arithmetic.h"
#include "format/knownkeys.h"
#include "load/documentloader.h"
#include "models/counted.h"
#include "models/metadatamodel.h"
#include "models/numbertext.h"
#include "panes/celldelegate.h"
#include "panes/panetext.h"
#include "panes/rowchoice.h"
#include "widgets/filterline.h"
#include "widgets/plaintext.h"

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QFontDatabase>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QPlainTextEdit>
#include <QScopedValueRollback>
#include <QSplitter>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>
#include <memory>

using namespace Qt::StringLiterals;

namespace {

/// More text than this is laid out too slowly by a text view; nobody reads it there either.
constexpr std::size_t kMostShownBytes = 64 * 1024;
/// A text view lays out a line as a whole, however little of it is in sight.
constexpr std::size_t kMostLineBytes = 8 * 1024;
/// Elements of an array that the viewer spells out.
constexpr std::uint64_t kMostShownElements = 100;
/// So much is copied within a frame; more on a worker.
constexpr std::size_t kMostCopiedAtOnce = 1000; ///< rows
constexpr std::uint64_t kMostBytesAtOnce = 256 * 1024; ///< of their values
/// Groups with at most so many rows are open at first.
constexpr int kShortGroup = 40;
// Opened at once by an asterisk, so that this takes less than a frame.
constexpr std::uint64_t kFewElements = 1000; ///< of an array, with what they hold
constexpr int kMostGroups = 1000;

std::size_t shownBytes(std::string_view text)
{
    text = text.substr(0, kMostShownBytes);
    for (std::size_t start = 0; start < text.size();) {
        const std::size_t end = std::min(text.find('\n', start), text.size());
        if (end - start > kMostLineBytes)
            return start + kMostLineBytes;
        start = end + 1;
    }
    return text.size();
}

QString valueText(const gguf::ValueView& value)
{
    if (value.type() == gguf::ValueType::String)
        return fileTextLines(value.asString(), shownBytes(value.asString()));
    if (value.type() != gguf::ValueType::Array)
        return QString::fromStdString(value.text());
    QStringList lines;
    const std::uint64_t count = qMin(value.available(), kMostShownElements);
    for (std::uint64_t i = 0; i < count; ++i)
        lines.append(QString::fromStdString(value.element(i).text()));
    return lines.join(u'\n');
}

QString cutText(const gguf::ValueView& value)
{
    if (value.type() == gguf::ValueType::String) {
        const std::size_t shown = shownBytes(value.asString());
        if (shown < value.stringLength())
            return MetadataPane::tr("The first %1 of %2.")
                .arg(NumberText::shortSize(shown), NumberText::size(value.stringLength()));
    }
    if (value.type() == gguf::ValueType::Array && value.count() > kMostShownElements)
        return MetadataPane::tr("The first %1 of %2 elements; open the row to see all.")
            .arg(NumberText::count(kMostShownElements), NumberText::count(value.count()));
    return {};
}

} // namespace

MetadataPane::MetadataPane(DocumentLoader& loader, Selection& selection, QWidget* parent)
    : QWidget(parent)
    , m_loader(loader)
    , m_selection(selection)
    , m_model(new MetadataModel(this))
    , m_copying(
          this, [](const QString& text) { QApplication::clipboard()->setText(text); },
          [this](const QString& sentence) { m_count->setText(sentence); })
    , m_filter(new FilterLine(tr("Filter keys")))
    , m_flat(new QCheckBox)
    , m_view(new QTreeView)
    , m_count(new PlainLabel)
    , m_key(new PlainLabel)
    , m_meaning(new PlainLabel)
    , m_cut(new PlainLabel)
    , m_value(new QPlainTextEdit)
{
    // Who copies something else meanwhile wants that.
    connect(QApplication::clipboard(), &QClipboard::dataChanged, this, [this] { m_copying.cancel(); });
    setObjectName(u"metadataPane"_s);
    m_filter->setObjectName(u"metadataFilter"_s);
    m_filter->setAccessibleName(tr("Filter keys"));
    m_flat->setObjectName(u"metadataFlat"_s);
    m_flat->setText(tr("Flat"));
    m_flat->setToolTip(plainToolTip(tr("Show whole keys in one list instead of a tree")));

    m_view->setObjectName(u"metadataView"_s);
    m_view->setAccessibleName(tr("Metadata"));
    m_view->setModel(m_model);
    m_view->setItemDelegate(new CellDelegate(MetadataModel::KeyColumn, -1, m_view));
    m_view->setUniformRowHeights(true);
    m_view->setAlternatingRowColors(true);
    m_view->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_view->setContextMenuPolicy(Qt::CustomContextMenu);
    m_view->setIndentation(14);
    m_view->installEventFilter(this);
    const QFontMetrics metrics = m_view->fontMetrics();
    m_view->setColumnWidth(MetadataModel::KeyColumn, metrics.horizontalAdvance(u"embedding_length_of_"_s));
    m_view->setColumnWidth(MetadataModel::TypeColumn, metrics.horizontalAdvance(u"arr of str  "_s));

    m_key->setObjectName(u"metadataKey"_s);
    m_key->setSelectable(true);
    m_key->setElideMode(Qt::ElideMiddle);
    QFont bold = font();
    bold.setBold(true);
    m_key->setFont(bold);
    m_meaning->setObjectName(u"metadataMeaning"_s);
    m_meaning->setWordWrap(true);
    m_cut->setObjectName(u"metadataCut"_s);
    m_cut->setWordWrap(true);
    m_value->setObjectName(u"metadataValue"_s);
    m_value->setAccessibleName(tr("The chosen value in full"));
    m_value->setReadOnly(true);
    m_value->setMinimumHeight(3 * fontMetrics().height());
    m_value->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_value->setPlaceholderText(tr("Choose a row to read its value here"));

    auto* top = new QHBoxLayout;
    top->addWidget(m_filter, 1);
    top->addWidget(m_count);
    top->addWidget(m_flat);
    auto* details = new QWidget;
    auto* detailsLayout = new QVBoxLayout(details);
    detailsLayout->setContentsMargins({});
    detailsLayout->addWidget(m_key);
    detailsLayout->addWidget(m_meaning);
    detailsLayout->addWidget(m_value, 1);
    detailsLayout->addWidget(m_cut);
    auto* splitter = new QSplitter(Qt::Vertical);
    splitter->setObjectName(u"metadataSplitter"_s);
    splitter->addWidget(m_view);
    splitter->addWidget(details);
    splitter->setChildrenCollapsible(false);
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 1);
    splitter->setSizes({300, 120});
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(4, 4, 4, 4);
    layout->addLayout(top);
    layout->addWidget(splitter, 1);
    for (auto [first, second] : {std::pair<QWidget*, QWidget*>{m_filter, m_flat}, {m_flat, m_view}, {m_view, m_value}})
        setTabOrder(first, second);

    connect(&m_loader, &DocumentLoader::started, this, [this] {
        m_model->setDocument(m_loader.document());
        showDetails();
        updateCount();
    });
    const auto update = [this] {
        m_model->updateDocument(m_loader.document());
        updateCount();
    };
    connect(&m_loader, &DocumentLoader::documentChanged, this, update);
    connect(&m_loader, &DocumentLoader::inspected, this, update);
    connect(&m_loader, &DocumentLoader::stateChanged, this, [this, update] {
        update();
        expandShortGroups();
    });
    connect(m_filter, &FilterLine::filterChanged, this, [this](const QString& text) {
        m_model->setFilter(text);
        if (!text.isEmpty())
            expandShortGroups();
        updateCount();
    });
    connect(m_flat, &QCheckBox::toggled, this, [this](bool flat) {
        m_model->setFlat(flat);
        m_view->setRootIsDecorated(true);
        expandShortGroups();
        follow(nullptr);
        emit flatChanged(flat);
    });
    connect(m_view->selectionModel(), &QItemSelectionModel::currentChanged, this, [this] { showDetails(); });
    onRowChosen(*m_view, m_following,
        [this](const QModelIndex& index, Selection::Kind kind) { showBytes(index, kind); });
    connect(m_view, &QWidget::customContextMenuRequested, this, &MetadataPane::showMenu);
    connect(&m_selection, &Selection::changed, this, &MetadataPane::follow);
    m_model->setDocument(m_loader.document());
    updateCount();
    showDetails();
}

bool MetadataPane::isFlat() const
{
    return m_flat->isChecked();
}

void MetadataPane::setFlat(bool flat)
{
    m_flat->setChecked(flat);
}

void MetadataPane::focusFilter()
{
    m_filter->setFocus(Qt::ShortcutFocusReason);
    m_filter->selectAll();
}

void MetadataPane::showBytes(const QModelIndex& index, Selection::Kind kind)
{
    const QVariant offset = index.data(RangeOffsetRole);
    if (!offset.isValid())
        return;
    Place place;
    place.range = {offset.toULongLong(), index.data(RangeLengthRole).toULongLong()};
    place.metadata = m_model->pairAt(index);
    m_selection.select(place, this, kind);
}

void MetadataPane::follow(QObject* origin)
{
    const auto& place = m_selection.place();
    if (origin == this || !place || !place->metadata)
        return;
    const QModelIndex index = m_model->indexOf(*place->metadata);
    // A row below the pair (an array's element) may be chosen already: that is nearer.
    if (!index.isValid() || m_model->pairAt(m_view->currentIndex()) == place->metadata)
        return;
    const QScopedValueRollback following(m_following, true);
    m_view->setCurrentIndex(index);
    // Later: the details may just have taken some of the tree's room.
    QMetaObject::invokeMethod(
        m_view, [this] { m_view->scrollTo(m_view->currentIndex()); }, Qt::QueuedConnection);
}

void MetadataPane::showDetails()
{
    const QModelIndex index = m_view->currentIndex();
    const auto pair = m_model->pairAt(index);
    const auto value = m_model->valueAt(index);
    QString meaning;
    if (pair) {
        const std::string_view key = m_model->document().key(*pair);
        m_key->setText(fileText(key, 400));
        if (const gguf::KnownKey* known = gguf::findKnownKey(key)) {
            meaning = known->unit.empty() ? tr("%1.").arg(coreText(known->meaning))
                                          : tr("%1 (%2).").arg(coreText(known->meaning), coreText(known->unit));
        }
    }
    m_key->setVisible(pair.has_value());
    m_meaning->setText(meaning);
    m_meaning->setVisible(!meaning.isEmpty());
    m_value->setPlainText(value ? valueText(*value) : QString());
    const QString cut = value ? cutText(*value) : QString();
    m_cut->setText(cut);
    m_cut->setVisible(!cut.isEmpty());
}

void MetadataPane::copy()
{
    std::vector<CopiedRow> copied;
    const QModelIndexList rows = m_view->selectionModel()->selectedRows(MetadataModel::KeyColumn);
    for (const QModelIndex& row : rows) {
        const auto cell = [&row](int column) { return row.siblingAtColumn(column).data(CopyRole).toString(); };
        CopiedRow next{{cell(MetadataModel::KeyColumn), cell(MetadataModel::TypeColumn)}, m_model->valueAt(row)};
        if (!next.value)
            next.cells.append(cell(MetadataModel::ValueColumn));
        copied.push_back(std::move(next));
    }
    copyRows(std::move(copied), MetadataModel::kCopyBytes);
}

QString MetadataPane::textOf(
    const std::vector<CopiedRow>& rows, std::size_t mostBytes, const std::stop_token& stop)
{
    QStringList lines;
    for (std::size_t i = 0; i < rows.size() && !stop.stop_requested(); ++i) {
        QStringList cells = rows[i].cells;
        if (const auto& value = rows[i].value) {
            const bool isText = value->type() == gguf::ValueType::String;
            cells.append(isText ? fileTextLines(value->asString(), mostBytes)
                                : QString::fromStdString(value->text(mostBytes)));
        }
        lines.append(cells.join(u'\t'));
    }
    return lines.join(u'\n');
}

void MetadataPane::copyRows(std::vector<CopiedRow> rows, std::size_t mostBytes)
{
    if (rows.empty())
        return;
    m_copying.cancel();
    updateCount(); // where the failure of an earlier copy may stand
    std::uint64_t bytes = 0;
    for (const CopiedRow& row : rows)
        bytes = gguf::saturatingAdd(bytes, row.value ? row.value->range().length : 0);
    if (rows.size() <= kMostCopiedAtOnce && bytes <= kMostBytesAtOnce) {
        QApplication::clipboard()->setText(textOf(rows, mostBytes, {}));
        return;
    }
    // The values look into the document of whoever asks.
    const auto document = std::make_shared<const gguf::Document>(m_model->document());
    for (CopiedRow& row : rows) {
        if (row.value)
            row.value.emplace(*document, row.value->type(), row.value->range(), row.value->complete());
    }
    m_copying.start([document, rows = std::move(rows), mostBytes](const std::stop_token& stop) {
        return textOf(rows, mostBytes, stop);
    });
}

void MetadataPane::copyRole(int column)
{
    QApplication::clipboard()->setText(m_view->currentIndex().siblingAtColumn(column).data(CopyRole).toString());
}

void MetadataPane::copyValue()
{
    const auto value = m_model->valueAt(m_view->currentIndex());
    if (value)
        copyRows({{{}, value}}, value->type() == gguf::ValueType::String ? 0 : MetadataModel::kCopyBytes);
    else
        copyRole(MetadataModel::ValueColumn);
}

void MetadataPane::showMenu(const QPoint& position)
{
    const QPersistentModelIndex index = m_view->indexAt(position);
    if (!index.isValid())
        return;
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addAction(tr("Show &Bytes"), this, [this, index] { showBytes(index, Selection::Kind::Jump); })
        ->setEnabled(index.data(RangeOffsetRole).isValid());
    menu->addSeparator();
    menu->addAction(tr("Copy &Key"), this, [this] { copyRole(MetadataModel::KeyColumn); });
    menu->addAction(tr("Copy &Value"), this, &MetadataPane::copyValue)
        ->setEnabled(m_model->valueAt(index).has_value());
    menu->addAction(tr("Copy &Row"), this, &MetadataPane::copy);
    menu->addSeparator();
    menu->addAction(tr("&Expand Groups"), this, &MetadataPane::expandShortGroups)->setEnabled(!m_model->isFlat());
    menu->addAction(tr("&Collapse All"), m_view, &QTreeView::collapseAll);
    menu->popup(m_view->viewport()->mapToGlobal(position));
}

void MetadataPane::updateCount()
{
    const std::size_t all = m_model->document().metadataCount();
    const std::size_t shown = m_model->visiblePairs();
    m_count->setText(shown == all ? counted(all, tr("1 key"), tr("%1 keys"))
                                  : tr("%1 of %2 keys").arg(NumberText::count(shown), NumberText::count(all)));
}

void MetadataPane::expandShortGroups()
{
    if (m_model->isFlat())
        return;
    // Only groups: an array is opened by whoever wants to see its elements.
    std::vector<QModelIndex> open{QModelIndex()};
    while (!open.empty()) {
        const QModelIndex parent = open.back();
        open.pop_back();
        const int rows = m_model->rowCount(parent);
        if (rows > kShortGroup && parent.isValid())
            continue;
        for (int row = 0; row < rows; ++row) {
            const QModelIndex child = m_model->index(row, 0, parent);
            if (m_model->hasChildren(child) && !m_model->valueAt(child)) {
                m_view->expand(child);
                open.push_back(child);
            }
        }
    }
}

/// What the view would do by itself for an asterisk lays out every element of every array below.
void MetadataPane::expandBelow(const QModelIndex& index)
{
    const std::optional<gguf::ValueView> value = m_model->valueAt(index);
    if (m_model->pairAt(index)) {
        const bool few = value && value->available() <= kFewElements;
        m_view->expandRecursively(index, few ? -1 : 0);
        return;
    }
    std::vector<QModelIndex> open{index};
    for (int opened = 0; !open.empty() && opened < kMostGroups; ++opened) {
        const QModelIndex group = open.back();
        open.pop_back();
        m_view->expand(group);
        for (int row = 0; row < m_model->rowCount(group); ++row) {
            const QModelIndex child = m_model->index(row, 0, group);
            if (!m_model->pairAt(child))
                open.push_back(child);
        }
    }
}

bool MetadataPane::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_view && event->type() == QEvent::KeyPress
        && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Asterisk && m_view->currentIndex().isValid()) {
        expandBelow(m_view->currentIndex().siblingAtColumn(MetadataModel::KeyColumn));
        return true;
    }
    return QWidget::eventFilter(watched, event);
}
