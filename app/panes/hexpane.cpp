// SPDX-License-Identifier: GPL-3.0-or-later
#include "panes/hexpane.h"

#include "document/datablock.h"
#include "load/documentloader.h"
#include "models/numbertext.h"
#include "panes/datainspector.h"
#include "panes/findbar.h"
#include "panes/gotobar.h"
#include "panes/savedialog.h"
#include "widgets/hexview.h"
#include "widgets/plaintext.h"

#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QMenu>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace {

constexpr std::uint64_t kMostValueBytes = 4096; ///< bytes fetched to spell out one field
constexpr std::uint64_t kMostBlockBytes = 64 * 1024;
constexpr std::size_t kMostProblemsSearched = 20'000;
constexpr int kQuickSteps = 64; ///< regions passed at once; more of them in the background

using RegionTest = bool (*)(const gguf::Region&);

bool isAny(const gguf::Region&)
{
    return true;
}

bool isTensorData(const gguf::Region& region)
{
    return region.kind == gguf::RegionKind::TensorData;
}

bool isPadding(const gguf::Region& region)
{
    return region.kind == gguf::RegionKind::TensorPadding || region.kind == gguf::RegionKind::HeaderPadding;
}

/// The next region inside the file that passes the test; after `most` others the last one of them, which does not.
std::optional<gguf::Region> findRegion(const gguf::ByteMap& map, gguf::Region from, RegionTest test, bool forwards,
    std::uint64_t most, const std::stop_token& stop = {})
{
    for (std::uint64_t steps = 0; steps < most && !stop.stop_requested(); ++steps) {
        const std::optional<gguf::Region> next = forwards ? map.next(from) : map.previous(from);
        if (!next || next->range.offset >= map.document().fileSize())
            return {};
        from = *next;
        if (test(from))
            break;
    }
    return from;
}

} // namespace

HexPane::HexPane(DocumentLoader& loader, Selection& selection, QWidget* parent)
    : QWidget(parent)
    , m_loader(loader)
    , m_selection(selection)
    , m_data(m_cache)
    , m_view(new HexView)
    , m_pathLabel(new PlainLabel)
    , m_inspector(new DataInspector)
    , m_findBar(new FindBar([this] { return m_source; },
          [this](bool forwards) {
              const HexRange selected = m_view->selection();
              return forwards && selected.length > 0 ? selected.offset + 1 : m_view->focusOffset();
          }))
    , m_goToBar(new GoToBar([this] {
        return GoToBar::Context{map().document(), m_view->focusOffset(), m_cache.size()};
    }))
    , m_message(new StatusMessage)
    , m_bookmarkMenu(new QMenu(tr("Bookmarks"), this))
    , m_viewButton(new QToolButton)
    , m_splitter(new QSplitter)
    , m_step(
          this, [this](const std::optional<gguf::Region>& region) { finishStep(region); },
          [this](const QString& sentence) { say(Kind::Warning, sentence); })
{
    setObjectName(QStringLiteral("hexPane"));
    m_view->setObjectName(QStringLiteral("hexView"));
    m_inspector->setObjectName(QStringLiteral("dataInspector"));
    m_message->setObjectName(QStringLiteral("hexMessage"));
    m_pathLabel->setObjectName(QStringLiteral("hexPath"));
    m_pathLabel->setElideMode(Qt::ElideMiddle);
    m_pathLabel->setSelectable(true);
    m_bookmarkMenu->setObjectName(QStringLiteral("bookmarkMenu"));
    m_data.setColors(TypePalette::forPalette(palette()));
    m_view->setData(&m_data);
    m_view->setToolTipText([this](quint64 offset) { return toolTipAt(offset); });
    makeActions();
    makeViewActions();

    m_viewButton->setObjectName(QStringLiteral("hexViewButton"));
    m_viewButton->setText(tr("View"));
    m_viewButton->setAutoRaise(true);
    m_viewButton->setPopupMode(QToolButton::InstantPopup);
    auto* viewMenu = new QMenu(this);
    viewMenu->addActions(m_viewActions);
    m_viewButton->setMenu(viewMenu);
    auto* goButton = new QToolButton;
    goButton->setObjectName(QStringLiteral("hexGoButton"));
    goButton->setText(tr("Go"));
    goButton->setAutoRaise(true);
    goButton->setPopupMode(QToolButton::InstantPopup);
    auto* goMenu = new QMenu(this);
    goMenu->addAction(tr("Go to Offset, Tensor, or Key…"), this, &HexPane::showGoTo);
    goMenu->addAction(tr("Find Bytes or Text…"), this, &HexPane::showFind);
    goMenu->addActions(m_goActions);
    goMenu->addMenu(m_bookmarkMenu);
    goButton->setMenu(goMenu);

    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(8, 2, 4, 2);
    bar->setSpacing(4);
    bar->addWidget(m_pathLabel, 1);
    bar->addWidget(goButton);
    bar->addWidget(m_viewButton);
    QSplitter* splitter = m_splitter;
    splitter->setObjectName(QStringLiteral("hexSplitter"));
    splitter->addWidget(m_view);
    splitter->addWidget(m_inspector);
    splitter->setStretchFactor(0, 1);
    splitter->setStretchFactor(1, 0);
    splitter->setChildrenCollapsible(false);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(bar);
    column->addWidget(m_message);
    column->addWidget(m_goToBar);
    column->addWidget(m_findBar);
    column->addWidget(splitter, 1);

    connect(m_splitter, &QSplitter::splitterMoved, this, [this] { m_isDividedByHand = true; });
    connect(m_view, &HexView::caretMoved, this, &HexPane::onCaretMoved);
    connect(m_view, &HexView::selectionChanged, this, &HexPane::onCaretMoved);
    connect(m_view, &HexView::visibleRangeChanged, this, [this] {
        const HexRange window = m_view->visibleRange();
        m_cache.setWindow({window.offset, window.length});
        emit windowChanged(window.offset, window.length);
    });
    connect(&m_cache, &BlockCache::changed, this, [this](quint64 offset, quint64 length) {
        m_view->refresh();
        // A field or block that holds the caret may begin or end in the neighbour of its cache block.
        const quint64 focus = m_view->focusOffset();
        if (focus + kMostValueBytes >= offset && focus < offset + length + kMostValueBytes)
            describe();
        finishCopy();
    });
    connect(m_findBar, &FindBar::found, this, [this](quint64 offset, quint64 length) { goTo(offset, length); });
    connect(m_goToBar, &GoToBar::chosen, this, [this](quint64 offset, quint64 length) { goTo(offset, length); });
    connect(m_findBar, &FindBar::skipped, this, [this](const QString& sentence) { say(Kind::Warning, sentence); });
    connect(m_findBar, &FindBar::closed, m_view, qOverload<>(&QWidget::setFocus));
    connect(m_goToBar, &GoToBar::closed, m_view, qOverload<>(&QWidget::setFocus));
    connect(&m_selection, &Selection::changed, this, [this](QObject* origin) { follow(origin); });
    connect(&m_loader, &DocumentLoader::started, this, &HexPane::clear);
    connect(&m_loader, &DocumentLoader::documentChanged, this, &HexPane::takeDocument);
    connect(&m_loader, &DocumentLoader::stateChanged, this, &HexPane::takeDocument);
    connect(&m_loader, &DocumentLoader::inspected, this, &HexPane::takeDocument);
    connect(&m_saver, &RangeSaver::progress, this, [this](quint64 written, quint64 total) {
        say(Kind::Information,
            tr("Saving: %1 of %2.").arg(NumberText::shortSize(written), NumberText::shortSize(total)), m_cancelSave);
    });
    connect(&m_saver, &RangeSaver::saved, this, [this](const QString& path, quint64 bytes) {
        say(Kind::Success,
            tr("Saved %1 to %2.").arg(NumberText::bytes(bytes), QFileInfo(path).fileName()));
    });
    connect(&m_saver, &RangeSaver::failed, this, [this](const QString& path, const QString& reason) {
        say(Kind::Error,
            tr("%1 could not be written. %2").arg(QFileInfo(path).fileName(), reason));
    });
    takeDocument();
}

HexPane::~HexPane() = default;

Place HexPane::placeAt(quint64 offset) const
{
    Place place;
    place.range = {offset, 0};
    if (const std::optional<gguf::Region> region = map().regionAt(offset)) {
        place.metadata = region->metadata;
        place.tensor = region->tensor;
    }
    const gguf::Document& document = map().document();
    const std::size_t problems = std::min(document.problemCount(), kMostProblemsSearched);
    std::uint64_t shortest = UINT64_MAX;
    for (std::size_t i = 0; i < problems; ++i) {
        const gguf::ByteRange range = document.problem(i).range;
        if (range.contains(offset) && range.length < shortest) {
            place.problem = i;
            shortest = range.length;
        }
    }
    return place;
}

QAction* HexPane::makeAction(
    const QString& name, const QString& text, const QString& shortcut, std::function<void()> run)
{
    auto* action = new QAction(text, this);
    action->setObjectName(name);
    action->setShortcut(QKeySequence(shortcut));
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    connect(action, &QAction::triggered, this, [run = std::move(run)] { run(); });
    addAction(action);
    return action;
}

void HexPane::makeActions()
{
    const auto separator = [this] {
        auto* action = new QAction(this);
        action->setSeparator(true);
        return action;
    };
    const auto go = [this](const char* name, const QString& text, const char* keys, Target target, bool forwards) {
        m_goActions += makeAction(QLatin1String(name), text, QLatin1String(keys),
            [this, target, forwards] { target == Target::Problem ? stepProblem(forwards) : step(target, forwards); });
    };
    m_goActions += makeAction(QStringLiteral("hexFindNext"), tr("Find Next"), QStringLiteral("F3"), [this] { findNext(); });
    m_goActions += makeAction(
        QStringLiteral("hexFindPrevious"), tr("Find Previous"), QStringLiteral("Shift+F3"), [this] { findPrevious(); });
    m_goActions += separator();
    go("hexNextRegion", tr("Next Region"), "Ctrl+Alt+Down", Target::Region, true);
    go("hexPreviousRegion", tr("Previous Region"), "Ctrl+Alt+Up", Target::Region, false);
    go("hexNextTensor", tr("Next Tensor"), "Ctrl+Alt+T", Target::Tensor, true);
    go("hexPreviousTensor", tr("Previous Tensor"), "Ctrl+Alt+Shift+T", Target::Tensor, false);
    go("hexNextPadding", tr("Next Padding"), "Ctrl+Alt+P", Target::Padding, true);
    go("hexPreviousPadding", tr("Previous Padding"), "Ctrl+Alt+Shift+P", Target::Padding, false);
    go("hexNextProblem", tr("Next Problem from Here"), "Ctrl+Alt+E", Target::Problem, true);
    go("hexPreviousProblem", tr("Previous Problem from Here"), "Ctrl+Alt+Shift+E", Target::Problem, false);
    m_goActions += separator();
    m_goActions += makeAction(QStringLiteral("hexToggleBookmark"), tr("Set or Remove Bookmark"),
        QStringLiteral("Ctrl+B"), [this] { toggleBookmark(); });
    m_goActions += makeAction(QStringLiteral("hexNextBookmark"), tr("Next Bookmark"), QStringLiteral("F2"),
        [this] { stepBookmark(true); });
    m_goActions += makeAction(QStringLiteral("hexPreviousBookmark"), tr("Previous Bookmark"), QStringLiteral("Shift+F2"),
        [this] { stepBookmark(false); });
    connect(m_bookmarkMenu, &QMenu::aboutToShow, this, &HexPane::fillBookmarks);

    const auto copyAction = [this](const char* name, const QString& text, const char* keys, HexCopyFormat format) {
        m_editActions += makeAction(
            QLatin1String(name), text, QLatin1String(keys), [this, format] { copyAs(format); });
    };
    copyAction("hexCopyHex", tr("Copy as Hex"), "", HexCopyFormat::Hex);
    copyAction("hexCopyArray", tr("Copy as C Array"), "", HexCopyFormat::CArray);
    copyAction("hexCopyBase64", tr("Copy as Base64"), "", HexCopyFormat::Base64);
    copyAction("hexCopyRaw", tr("Copy Raw Bytes"), "", HexCopyFormat::Raw);
    m_editActions += makeAction(QStringLiteral("hexCopyOffset"), tr("Copy Offset"), {},
        [this] { QApplication::clipboard()->setText(NumberText::hex(m_view->focusOffset())); });
    m_editActions += separator();
    m_saveSelection = makeAction(QStringLiteral("hexSaveSelection"), tr("Save Selection As…"), {}, [this] {
        const HexRange range = m_view->selection();
        saveRange({range.offset, range.length}, QStringLiteral("selection.bin"));
    });
    m_editActions += m_saveSelection;
    m_editActions += makeAction(QStringLiteral("hexSaveRegion"), tr("Save This Tensor or Region As…"), {}, [this] {
        if (const std::optional<gguf::Region> region = map().regionAt(m_view->focusOffset())) {
            const std::vector<std::string> path = map().path(*region);
            QString name = path.empty() ? QStringLiteral("region") : QString::fromStdString(path.back());
            name.replace(u'/', u'_').replace(u'\\', u'_');
            saveRange(region->range, name.left(120) + QStringLiteral(".bin"));
        }
    });
    m_cancelSave = new QAction(tr("Cancel"), this);
    connect(m_cancelSave, &QAction::triggered, this, [this] {
        m_saver.cancel();
        say(Kind::Information, tr("Nothing was saved."));
    });
}

void HexPane::makeViewActions()
{
    const auto choice = [this](QActionGroup* group, const char* name, const QString& text, bool checked,
                            std::function<void()> run) {
        auto* action = new QAction(text, this);
        action->setObjectName(QLatin1String(name));
        action->setCheckable(true);
        action->setChecked(checked);
        if (group)
            group->addAction(action);
        connect(action, &QAction::triggered, this, [run = std::move(run)] { run(); });
        m_viewActions += action;
        return action;
    };
    const auto separator = [this] {
        auto* action = new QAction(this);
        action->setSeparator(true);
        m_viewActions += action;
    };
    auto* widths = new QActionGroup(this);
    choice(widths, "hexRowAuto", tr("As Many Bytes a Row as Fit"), true, [this] { m_view->setBytesPerRow(0); });
    choice(widths, "hexRow8", tr("8 Bytes a Row"), false, [this] { m_view->setBytesPerRow(8); });
    choice(widths, "hexRow16", tr("16 Bytes a Row"), false, [this] { m_view->setBytesPerRow(16); });
    choice(widths, "hexRow32", tr("32 Bytes a Row"), false, [this] { m_view->setBytesPerRow(32); });
    separator();
    choice(nullptr, "hexDecimalOffsets", tr("Decimal Offsets"), false, [this] {
        const bool hex = m_view->offsetBase() == HexLayout::OffsetBase::Hex;
        m_view->setOffsetBase(hex ? HexLayout::OffsetBase::Decimal : HexLayout::OffsetBase::Hex);
    });
    choice(nullptr, "hexUtf8", tr("Text as UTF-8"), false, [this] {
        const bool ascii = m_view->textEncoding() == HexView::TextEncoding::Ascii;
        m_view->setTextEncoding(ascii ? HexView::TextEncoding::Utf8 : HexView::TextEncoding::Ascii);
    });
    choice(nullptr, "hexStructure", tr("Structure Column"), false,
        [this] { m_view->setStructureVisible(!m_view->isStructureVisible()); });
    m_showInspector = choice(nullptr, "hexInspector", tr("Data Inspector"), true,
        [this] { m_inspector->setVisible(m_showInspector->isChecked()); });
    separator();
    m_viewActions += makeAction(QStringLiteral("hexZoomIn"), tr("Larger Text"), {}, [this] { m_view->setZoom(m_view->zoom() + 1); });
    m_viewActions += makeAction(QStringLiteral("hexZoomOut"), tr("Smaller Text"), {}, [this] { m_view->setZoom(m_view->zoom() - 1); });
    m_viewActions += makeAction(QStringLiteral("hexZoomReset"), tr("Normal Text Size"), {}, [this] { m_view->setZoom(0); });
}

void HexPane::clear()
{
    m_step.cancel();
    m_findBar->cancel();
    m_goToBar->hide();
    m_pendingCopy.reset();
    m_bookmarks.clear();
    m_message->clear();
    m_source.reset();
    m_cache.setSource(nullptr);
    m_data.setMap(gguf::ByteMap(gguf::Document()));
    m_view->setData(&m_data);
    emit mapChanged();
    describe();
    updateEnabled();
}

void HexPane::takeDocument()
{
    if (!m_isActive)
        return;
    if (const auto source = m_loader.source(); source != m_source) {
        m_source = source;
        m_cache.setSource(m_source);
        m_view->refresh();
    }
    m_data.setMap(gguf::ByteMap(m_loader.document()));
    m_view->refresh();
    emit mapChanged();
    describe();
    updateEnabled();
}

void HexPane::updateEnabled()
{
    const bool hasBytes = m_cache.size() > 0;
    for (const QList<QAction*>& actions : {m_goActions, m_editActions}) {
        for (QAction* action : actions)
            action->setEnabled(hasBytes);
    }
    m_saveSelection->setEnabled(m_view->selection().length > 0);
}

void HexPane::setActive(bool active)
{
    if (active == m_isActive)
        return;
    m_isActive = active;
    for (const QList<QAction*>& actions : {m_goActions, m_editActions, m_viewActions}) {
        for (QAction* action : actions)
            action->setVisible(active);
    }
    if (active)
        takeDocument();
    else
        clear();
}

void HexPane::goTo(quint64 offset, quint64 length)
{
    m_step.cancel();
    Place place = placeAt(offset);
    place.range.length = length;
    m_view->showRange({offset, length});
    describe();
    updateEnabled();
    m_selection.select(place, this, Selection::Kind::Jump);
}

void HexPane::onCaretMoved()
{
    m_step.cancel();
    describe();
    updateEnabled();
    const HexRange selected = m_view->selection();
    if (m_cache.size() == 0)
        return;
    Place place = placeAt(m_view->focusOffset());
    place.range.length = selected.length;
    m_selection.select(place, this, Selection::Kind::Move);
}

void HexPane::follow(QObject* origin)
{
    if (origin == this || !m_isActive || !m_selection.place())
        return;
    m_step.cancel();
    const gguf::ByteRange range = m_selection.place()->range;
    m_view->showRange({range.offset, range.length});
    describe();
    updateEnabled();
}

void HexPane::describe()
{
    const quint64 offset = m_view->focusOffset();
    const quint64 size = m_cache.size();
    if (offset >= size) {
        m_path.clear();
        m_offsetText.clear();
        m_pathLabel->setText({});
        m_inspector->setBytes({}, map().document().byteOrder());
        m_inspector->clearBlock({});
        m_view->setPlaceDescription({});
        emit locationChanged(m_path, m_offsetText);
        return;
    }
    gguf::Location place = map().locate(offset);
    if (place.range.length > 0 && place.range.length <= kMostValueBytes) {
        const std::vector<std::byte> bytes = m_cache.copy(place.range);
        if (!bytes.empty())
            place = map().locate(offset, bytes, place.range.offset);
    }
    m_path = QString::fromStdString(place.pathText());
    QString value = QString::fromStdString(place.value);
    if (value.size() > 120)
        value = value.left(119) + QChar(0x2026);
    m_pathLabel->setText(value.isEmpty() ? m_path : m_path + QStringLiteral("  =  ") + value);
    const HexRange selected = m_view->selection();
    m_offsetText = selected.length > 0 ? tr("%1 selected").arg(NumberText::range(selected.offset, selected.length))
                                       : NumberText::offset(offset);
    const QString failure = m_cache.error(offset);
    if (!failure.isEmpty())
        m_offsetText += u' ' + tr("could not be read: %1").arg(failure);
    m_inspector->setBytes(m_cache.copy({offset, std::min<quint64>(8, size - offset)}), map().document().byteOrder());
    describeBlock(place);
    m_view->setPlaceDescription(m_pathLabel->fullText());
    emit caretChanged(offset);
    emit locationChanged(m_path, m_offsetText);
}

void HexPane::describeBlock(const gguf::Location& place)
{
    const gguf::Document& document = map().document();
    const bool isData = place.region.kind == gguf::RegionKind::TensorData && place.region.tensor;
    const gguf::Tensor tensor = isData ? document.tensor(*place.region.tensor) : gguf::Tensor();
    const std::optional<gguf::DataBlock> at = gguf::dataBlockAt(tensor, place.offset);
    if (!at || at->range.length > kMostBlockBytes) {
        m_inspector->clearBlock({});
        return;
    }
    InspectedBlock block;
    block.type = tensor.type;
    block.order = document.byteOrder();
    block.meta = m_cache.copy(at->meta);
    if (!at->isMeta())
        block.bytes = m_cache.copy(at->range);
    if (block.meta.size() != at->meta.length || (!at->isMeta() && block.bytes.empty())) {
        const bool failed = m_cache.state(at->range.offset) == BlockCache::State::Failed
            || m_cache.state(at->range.end() - 1) == BlockCache::State::Failed
            || (at->meta.length > 0 && m_cache.state(at->meta.offset) == BlockCache::State::Failed);
        m_inspector->clearBlock(at->range.end() > m_cache.size() ? tr("The file ends inside this block.")
                : failed                                         ? tr("This block could not be read.")
                                                                 : tr("This block is being read."));
        return;
    }
    const QString type = QString::fromStdString(tensor.typeName());
    const QString rows = at->rows > 1
        ? tr("rows %1 to %2").arg(NumberText::count(at->row), NumberText::count(at->row + at->rows - 1))
        : tr("row %1").arg(NumberText::count(at->row));
    block.title = at->isMeta() ? tr("%1, %2").arg(type, rows)
        : tensor.type->blockLength == 1 && at->rows == 1
        ? tr("%1, %2, element %3").arg(type, rows, NumberText::count(*at->block))
        : tr("%1, %2, block %3").arg(type, rows, NumberText::count(*at->block));
    if (!at->isMeta()) {
        block.firstElement = *at->block * tensor.type->blockLength;
        block.caret = static_cast<quint32>(place.offset - at->range.offset);
    }
    m_inspector->setBlock(block);
}

QString HexPane::toolTipAt(quint64 offset)
{
    gguf::Location place = map().locate(offset);
    if (place.range.length > 0 && place.range.length <= kMostValueBytes) {
        const std::vector<std::byte> bytes = m_cache.copy(place.range);
        if (!bytes.empty())
            place = map().locate(offset, bytes, place.range.offset);
    }
    QString text = QString::fromStdString(place.pathText());
    if (!place.type.empty())
        text += u'\n' + QString::fromStdString(place.type);
    if (!place.value.empty())
        text += u'\n' + QString::fromStdString(place.value);
    text += u'\n' + NumberText::range(place.range.offset, place.range.length);
    const QString failure = m_cache.error(offset);
    if (!failure.isEmpty())
        text += u'\n' + tr("Could not be read: %1").arg(failure);
    return text;
}

void HexPane::say(Kind kind, const QString& text, QAction* action)
{
    m_message->setAction(action);
    m_message->showMessage(kind, text);
}

void HexPane::stepProblem(bool forwards)
{
    const quint64 from = m_view->focusOffset();
    const gguf::Document& document = map().document();
    std::optional<gguf::ByteRange> best;
    for (std::size_t i = 0; i < std::min(document.problemCount(), kMostProblemsSearched); ++i) {
        const gguf::ByteRange range = document.problem(i).range;
        const bool candidate = range.offset < m_cache.size() && (forwards ? range.offset > from : range.offset < from);
        if (candidate && (!best || (forwards ? range.offset < best->offset : range.offset > best->offset)))
            best = range;
    }
    if (best)
        goTo(best->offset, best->length);
    else
        say(Kind::Information,
            forwards ? tr("No problem lies behind this byte.") : tr("No problem lies before this byte."));
}

void HexPane::step(Target target, bool forwards)
{
    const std::optional<gguf::Region> from = map().regionAt(m_view->focusOffset());
    if (!from)
        return;
    const RegionTest test = target == Target::Padding ? isPadding : target == Target::Tensor ? isTensorData : isAny;
    m_stepTarget = target;
    m_step.cancel();
    const std::optional<gguf::Region> first = findRegion(map(), *from, test, forwards, kQuickSteps);
    if (!first || test(*first)) {
        finishStep(first);
        return;
    }
    m_step.start([map = map(), first = *first, test, forwards](const std::stop_token& stop) {
        return findRegion(map, first, test, forwards, UINT64_MAX, stop);
    });
}

void HexPane::finishStep(const std::optional<gguf::Region>& region)
{
    if (region) {
        goTo(region->range.offset, region->range.length);
        return;
    }
    const QString text = m_stepTarget == Target::Padding ? tr("There is no more padding in this direction.")
        : m_stepTarget == Target::Tensor                 ? tr("There is no more tensor in this direction.")
                                                         : tr("There is no more region in this direction.");
    say(Kind::Information, text);
}

void HexPane::showGoTo()
{
    m_goToBar->open();
}

void HexPane::showFind()
{
    m_findBar->open();
}

void HexPane::findNext()
{
    m_findBar->findNext();
}

void HexPane::findPrevious()
{
    m_findBar->findPrevious();
}

void HexPane::copy()
{
    copyAs(HexCopyFormat::Hex);
}

void HexPane::copyAs(HexCopyFormat format)
{
    HexRange range = m_view->selection();
    if (range.length == 0)
        range = {m_view->caret(), m_view->caret() < m_cache.size() ? 1u : 0u};
    if (range.length > kCopyLimit) {
        say(Kind::Warning,
            tr("The selection has %1. Up to %2 can be copied; larger ones can be saved to a file.")
                .arg(NumberText::size(range.length), NumberText::shortSize(kCopyLimit)),
            m_saveSelection);
        return;
    }
    m_pendingCopy = PendingCopy{{range.offset, range.length}, format};
    finishCopy();
}

void HexPane::finishCopy()
{
    if (!m_pendingCopy || m_pendingCopy->range.length == 0)
        return;
    const std::vector<std::byte> bytes = m_cache.copy(m_pendingCopy->range);
    if (bytes.empty()) {
        const std::uint64_t end = m_pendingCopy->range.end();
        for (std::uint64_t at = m_pendingCopy->range.offset; at < end; at += BlockCache::kBlockSize) {
            if (m_cache.state(at) == BlockCache::State::Failed) {
                m_pendingCopy.reset();
                say(Kind::Error, tr("Nothing was copied: some bytes could not be read."));
                return;
            }
        }
        return; // the cache has been asked for them
    }
    QApplication::clipboard()->setMimeData(hexCopy(bytes, m_pendingCopy->format).release());
    m_pendingCopy.reset();
}

void HexPane::saveRange(gguf::ByteRange range, const QString& suggestedName)
{
    if (!m_source || range.length == 0)
        return;
    // The source of now: another file may be open when the dialog is closed.
    askWhereToSave(*this, tr("Save Bytes"), suggestedName, {},
        [this, range, source = m_source, shown = m_loader.filePath()](const QString& path) {
            say(Kind::Information, tr("Saving %1.").arg(NumberText::size(range.length)), m_cancelSave);
            m_saver.save(source, range, path, shown);
        });
}

void HexPane::toggleBookmark()
{
    const QString offset = NumberText::hex(m_view->focusOffset());
    say(Kind::Information,
        m_bookmarks.toggle(m_view->focusOffset(), m_path)
            ? tr("Bookmark set at %1. F2 goes to the next one.").arg(offset)
            : tr("The bookmark at %1 was removed.").arg(offset));
}

void HexPane::stepBookmark(bool forwards)
{
    if (const std::optional<quint64> offset = m_bookmarks.step(m_view->focusOffset(), forwards))
        goTo(*offset);
    else
        say(Kind::Information, tr("There are no bookmarks. Ctrl+B sets one."));
}

void HexPane::fillBookmarks()
{
    m_bookmarkMenu->clear();
    for (const Bookmarks::Bookmark& bookmark : m_bookmarks.all()) {
        QString text = NumberText::hex(bookmark.offset) + QStringLiteral("  ") + bookmark.name;
        text.replace(u'&', QStringLiteral("&&"));
        m_bookmarkMenu->addAction(text, this, [this, offset = bookmark.offset] { goTo(offset); });
    }
    if (m_bookmarks.all().isEmpty())
        m_bookmarkMenu->addAction(tr("No bookmarks yet"))->setEnabled(false);
}

void HexPane::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    if (m_isDividedByHand)
        return;
    // 16 bytes a row come first.
    const int most = m_inspector->sizeHint().width();
    const int room = width() - m_splitter->handleWidth();
    const int inspector = std::clamp(room - m_view->sizeHint().width(), std::min(room / 4, most), most);
    m_splitter->setSizes({room - inspector, inspector});
}

void HexPane::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) {
        m_data.setColors(TypePalette::forPalette(palette()));
        m_view->refresh();
    }
}

void HexPane::contextMenuEvent(QContextMenuEvent* event)
{
    if (!m_view->geometry().contains(m_view->parentWidget()->mapFrom(this, event->pos())))
        return;
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addActions(m_editActions);
    menu->addSeparator();
    menu->addAction(tr("Go to Offset, Tensor, or Key…"), this, &HexPane::showGoTo);
    menu->addAction(tr("Find Bytes or Text…"), this, &HexPane::showFind);
    QMenu* go = menu->addMenu(tr("Go"));
    go->addActions(m_goActions);
    QMenu* view = menu->addMenu(tr("View"));
    view->addActions(m_viewActions);
    menu->popup(event->globalPos());
}
