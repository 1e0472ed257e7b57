// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/metadatamodel.h"

#include "document/text.h"
#include "format/filetype.h"
#include "format/knownkeys.h"
#include "models/counted.h"
#include "models/numbertext.h"
#include "models/rowruns.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace {

/// Keys with more segments keep the rest in the last one, so that a hostile key makes no tower of groups.
constexpr int kMaxDepth = 8;
constexpr std::size_t kCellBytes = 300; ///< of a value in a cell

QString fromFile(std::string_view bytes, std::size_t maxBytes = 0)
{
    return QString::fromStdString(gguf::visibleText(bytes, maxBytes));
}

QString fromView(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

} // namespace

MetadataModel::MetadataModel(QObject* parent)
    : QAbstractItemModel(parent)
    , m_containers(1)
{
}

void MetadataModel::setDocument(const gguf::Document& document)
{
    beginResetModel();
    m_document = document;
    rebuild();
    endResetModel();
}

void MetadataModel::updateDocument(const gguf::Document& document)
{
    const std::size_t pairs = m_document.metadataCount();
    const std::size_t problems = m_document.problemCount();
    m_document = document;
    addPairs(pairs);
    show(0, false);
    noteProblems(problems, true);
}

void MetadataModel::setFlat(bool flat)
{
    if (flat == m_flat)
        return;
    beginResetModel();
    m_flat = flat;
    rebuild();
    endResetModel();
}

void MetadataModel::setFilter(const QString& text)
{
    if (text == m_filter)
        return;
    m_filter = text;
    m_passing.clear();
    notePassing();
    show(0, true);
}

std::size_t MetadataModel::visiblePairs() const
{
    return m_containers.front().pairs;
}

void MetadataModel::rebuild()
{
    m_containers.assign(1, {});
    m_children.clear();
    m_groups.clear();
    m_severities.clear();
    m_tokens.reset();
    m_passing.clear();
    addPairs(0);
    noteProblems(0, false);
    // Nobody sees the rows before the reset is over: no signals.
    hideBelow(0);
    m_containers.front().visible = wanted(0, true);
}

void MetadataModel::addPairs(std::size_t from)
{
    notePassing();
    for (std::size_t pair = from; pair < m_document.metadataCount(); ++pair) {
        const gguf::MetadataEntry& entry = m_document.metadata(pair);
        if (!entry.recovered && entry.type == gguf::ValueType::Array
            && m_document.key(pair) == "tokenizer.ggml.tokens")
            m_tokens = pair;
        const quint32 group = m_flat ? 0 : groupFor(pair);
        m_containers[group].all.push_back({static_cast<quint32>(pair), kNoGroup});
        for (quint32 id = group;; id = m_containers[id].parent) {
            m_containers[id].changed = true;
            if (id == 0)
                break;
        }
    }
}

/// The group that the pair belongs in; makes those that are missing.
quint32 MetadataModel::groupFor(std::size_t pair)
{
    const std::string_view key = m_document.key(pair);
    quint32 group = 0;
    std::size_t start = 0;
    for (int depth = 0; depth < kMaxDepth; ++depth) {
        const std::size_t dot = key.find('.', start);
        if (dot == std::string_view::npos)
            break;
        const auto [entry, isNew] = m_groups.try_emplace(std::string(key.substr(0, dot)), kNoGroup);
        if (isNew) {
            entry->second = static_cast<quint32>(m_containers.size());
            Container container;
            container.parent = group;
            container.number = pair;
            container.name = fromFile(key.substr(start, dot - start), kCellBytes);
            m_containers.push_back(std::move(container));
            m_containers[group].all.push_back({static_cast<quint32>(pair), entry->second});
        }
        group = entry->second;
        start = dot + 1;
    }
    return group;
}

/// The group that the pair lies in, if it was made already.
std::optional<quint32> MetadataModel::groupOf(std::size_t pair) const
{
    const std::string_view key = m_document.key(pair);
    quint32 group = 0;
    std::size_t start = 0;
    for (int depth = 0; !m_flat && depth < kMaxDepth; ++depth) {
        const std::size_t dot = key.find('.', start);
        if (dot == std::string_view::npos)
            break;
        const auto found = m_groups.find(std::string(key.substr(0, dot)));
        if (found == m_groups.end())
            return {};
        group = found->second;
        start = dot + 1;
    }
    return group;
}

/// Asks the filter about the pairs that it has not been asked about.
void MetadataModel::notePassing()
{
    const std::size_t known = m_passing.size();
    m_passing.resize(m_document.metadataCount(), true);
    if (m_filter.isEmpty())
        return;
    for (std::size_t pair = known; pair < m_passing.size(); ++pair)
        m_passing[pair] = fromFile(m_document.key(pair)).contains(m_filter, Qt::CaseInsensitive);
}

/// The children that the group shall show, and how many pairs that makes. Silently readies groups that are not
/// shown yet; those that are get their own turn in show().
std::vector<MetadataModel::Item> MetadataModel::wanted(quint32 group, bool all)
{
    std::vector<Item> items;
    std::size_t pairs = 0;
    const auto isShown = [this, group](const Item& item) {
        return std::ranges::binary_search(m_containers[group].visible, item.pair, {}, &Item::pair);
    };
    for (std::size_t i = 0; i < m_containers[group].all.size(); ++i) {
        const Item item = m_containers[group].all[i];
        if (item.group == kNoGroup) {
            if (!m_passing[item.pair])
                continue;
            ++pairs;
        } else {
            if (all || m_containers[item.group].changed) {
                if (isShown(item)) {
                    m_containers[item.group].pairs = countPassing(item.group);
                } else {
                    hideBelow(item.group);
                    m_containers[item.group].visible = wanted(item.group, true);
                }
            }
            if (m_containers[item.group].pairs == 0)
                continue;
            pairs += m_containers[item.group].pairs;
        }
        items.push_back(item);
    }
    m_containers[group].pairs = pairs;
    m_containers[group].changed = false;
    return items;
}

std::size_t MetadataModel::countPassing(quint32 group) const
{
    std::size_t count = 0;
    for (const Item& item : m_containers[group].all)
        count += item.group != kNoGroup ? countPassing(item.group) : m_passing[item.pair] ? 1U : 0U;
    return count;
}

/// Forgets what is shown below a group that nobody sees.
void MetadataModel::hideBelow(quint32 group)
{
    m_containers[group].visible.clear();
    m_containers[group].pairs = 0;
    for (const Item& item : m_containers[group].all) {
        if (item.group != kNoGroup)
            hideBelow(item.group);
    }
}

/// Brings a shown group up to date, with signals: everything, or only what `changed` marks.
void MetadataModel::show(quint32 group, bool all)
{
    if (!all && !m_containers[group].changed)
        return;
    std::vector<bool> grown(m_containers[group].visible.size());
    for (std::size_t i = 0; i < grown.size(); ++i) {
        const quint32 child = m_containers[group].visible[i].group;
        grown[i] = child != kNoGroup && (all || m_containers[child].changed);
    }
    const std::vector<Item> before = m_containers[group].visible;
    const std::vector<Item> items = wanted(group, all);
    const auto earlier = [](const Item& a, const Item& b) { return a.pair < b.pair; };
    const QModelIndex parent = containerIndex(group);
    for (const RowRun& run : rowRuns(before, items, earlier)) {
        const int first = static_cast<int>(run.row);
        const int last = first + static_cast<int>(run.count) - 1;
        const auto at = static_cast<std::ptrdiff_t>(run.row);
        const auto length = static_cast<std::ptrdiff_t>(run.count);
        if (run.insert) {
            beginInsertRows(parent, first, last);
            std::vector<Item>& visible = m_containers[group].visible;
            const auto source = items.begin() + static_cast<std::ptrdiff_t>(run.source);
            visible.insert(visible.begin() + at, source, source + length);
            endInsertRows();
        } else {
            beginRemoveRows(parent, first, last);
            std::vector<Item>& visible = m_containers[group].visible;
            visible.erase(visible.begin() + at, visible.begin() + at + length);
            endRemoveRows();
        }
    }
    for (std::size_t i = 0; i < before.size(); ++i) {
        if (!grown[i])
            continue;
        const quint32 child = before[i].group;
        if (m_containers[child].pairs == 0) {
            hideBelow(child);
            continue;
        }
        m_containers[child].changed = true;
        show(child, all);
        const int row = rowIn(m_containers[group], before[i].pair);
        emit dataChanged(createIndex(row, ValueColumn, quintptr{group}), createIndex(row, ValueColumn, quintptr{group}));
    }
}

void MetadataModel::noteProblems(std::size_t from, bool announce)
{
    for (std::size_t i = from; i < m_document.problemCount(); ++i) {
        const gguf::Problem& problem = m_document.problem(i);
        const auto subject = m_document.metadataOf(problem.subject);
        if (!subject)
            continue;
        const std::size_t pair = *subject;
        const auto entry = m_severities.try_emplace(pair, problem.severity).first;
        entry->second = std::min(entry->second, problem.severity); // the worst comes first
        for (quint32 id = groupOf(pair).value_or(0); id != 0; id = m_containers[id].parent)
            m_containers[id].severity = std::min(m_containers[id].severity.value_or(problem.severity), problem.severity);
        if (!announce)
            continue;
        for (QModelIndex row = indexOf(pair); row.isValid(); row = parent(row))
            emit dataChanged(row, row, {SeverityRole});
    }
}

QModelIndex MetadataModel::indexOf(std::size_t pair, int column) const
{
    if (pair >= m_document.metadataCount())
        return {};
    const std::optional<quint32> group = groupOf(pair);
    if (!group)
        return {};
    const std::vector<Item>& visible = m_containers[*group].visible;
    const auto found = std::ranges::lower_bound(visible, pair, {}, &Item::pair);
    if (found == visible.end() || found->pair != pair)
        return {};
    return createIndex(static_cast<int>(found - visible.begin()), column, quintptr{*group});
}

std::optional<std::size_t> MetadataModel::pairAt(const QModelIndex& index) const
{
    if (!index.isValid())
        return {};
    quint32 id = static_cast<quint32>(index.internalId());
    if (m_containers[id].kind == Container::Kind::Group) {
        const Item* const item = itemAt(index);
        return item && item->group == kNoGroup ? std::optional<std::size_t>(item->pair) : std::nullopt;
    }
    std::uint64_t number = 0;
    for (; m_containers[id].kind != Container::Kind::Group; id = m_containers[id].parent)
        number = m_containers[id].number;
    return static_cast<std::size_t>(number);
}

const MetadataModel::Item* MetadataModel::itemAt(const QModelIndex& index) const
{
    const Container& container = m_containers[index.internalId()];
    const auto row = static_cast<std::size_t>(index.row());
    return container.kind == Container::Kind::Group && row < container.visible.size() ? &container.visible[row]
                                                                                     : nullptr;
}

std::optional<gguf::ValueView> MetadataModel::valueAt(const QModelIndex& index) const
{
    if (!index.isValid())
        return {};
    const Container& container = m_containers[index.internalId()];
    if (container.kind == Container::Kind::Group) {
        const Item* const item = itemAt(index);
        return item && item->group == kNoGroup ? std::optional(m_document.value(item->pair)) : std::nullopt;
    }
    if (container.ranges)
        return {};
    return container.value->element(container.first + static_cast<std::uint64_t>(index.row()));
}

/// The row of the child with this number (see Container::number), which must be shown.
int MetadataModel::rowIn(const Container& container, std::uint64_t number) const
{
    if (container.kind != Container::Kind::Group)
        return static_cast<int>(number - (container.ranges ? 0 : container.first));
    const auto found = std::ranges::lower_bound(container.visible, number, {}, &Item::pair);
    return static_cast<int>(found - container.visible.begin());
}

QModelIndex MetadataModel::containerIndex(quint32 id) const
{
    if (id == 0)
        return {};
    const Container& container = m_containers[id];
    return createIndex(rowIn(m_containers[container.parent], container.number), 0, quintptr{container.parent});
}

/// How many elements of an array can be shown; 0 where they cannot be told apart.
std::uint64_t MetadataModel::elementsOf(const gguf::ValueView& value) const
{
    if (value.type() != gguf::ValueType::Array || !gguf::valueTypeFromId(value.elementTypeId()))
        return 0;
    return value.available();
}

quint32 MetadataModel::childContainer(const QModelIndex& index) const
{
    if (!index.isValid())
        return 0;
    const auto parentId = static_cast<quint32>(index.internalId());
    const Item* const item = itemAt(index);
    if (item && item->group != kNoGroup)
        return item->group;

    const Container& container = m_containers[parentId];
    const auto row = static_cast<std::uint64_t>(index.row());
    const std::uint64_t number = item ? item->pair : container.ranges ? row : container.first + row;
    if (const auto known = m_children.find({parentId, number}); known != m_children.end())
        return known->second;

    Container child;
    child.parent = parentId;
    child.number = number;
    if (container.ranges) {
        child.kind = Container::Kind::Range;
        child.value = container.value;
        child.first = row * kRangeLength;
        child.count = std::min(kRangeLength, elementsOf(*child.value) - child.first);
    } else {
        child.kind = Container::Kind::Array;
        child.value = valueAt(index);
        const std::uint64_t elements = child.value ? elementsOf(*child.value) : 0;
        if (elements == 0)
            return 0;
        child.ranges = elements > kRangeLength;
        child.count = child.ranges ? (elements + kRangeLength - 1) / kRangeLength : elements;
    }
    const auto id = static_cast<quint32>(m_containers.size());
    m_children.emplace(std::pair(parentId, number), id);
    m_containers.push_back(std::move(child));
    return id;
}

QModelIndex MetadataModel::index(int row, int column, const QModelIndex& parent) const
{
    if (!hasIndex(row, column, parent))
        return {};
    return createIndex(row, column, quintptr{childContainer(parent)});
}

QModelIndex MetadataModel::parent(const QModelIndex& child) const
{
    return child.isValid() ? containerIndex(static_cast<quint32>(child.internalId())) : QModelIndex();
}

int MetadataModel::rowCount(const QModelIndex& parent) const
{
    if (parent.isValid() && (parent.column() != 0 || !hasChildren(parent)))
        return 0;
    const quint32 id = childContainer(parent);
    if (parent.isValid() && id == 0)
        return 0; // an empty array
    const Container& container = m_containers[id];
    return container.kind == Container::Kind::Group ? static_cast<int>(container.visible.size())
                                                    : static_cast<int>(container.count);
}

int MetadataModel::columnCount(const QModelIndex& /*parent*/) const
{
    return kColumnCount;
}

bool MetadataModel::hasChildren(const QModelIndex& parent) const
{
    if (!parent.isValid())
        return !m_containers.front().visible.empty();
    if (parent.column() != 0)
        return false;
    const Item* const item = itemAt(parent);
    const Container& container = m_containers[parent.internalId()];
    if ((item && item->group != kNoGroup) || container.ranges)
        return true;
    // Spares finding each of 100,000 elements while they are laid out; an empty array in an array opens to nothing.
    if (!item)
        return container.value->elementTypeId() == static_cast<std::uint32_t>(gguf::ValueType::Array);
    const std::optional<gguf::ValueView> value = valueAt(parent);
    return value && elementsOf(*value) > 0;
}

Qt::ItemFlags MetadataModel::flags(const QModelIndex& index) const
{
    if (!index.isValid())
        return Qt::NoItemFlags;
    Qt::ItemFlags flags = Qt::ItemIsEnabled | Qt::ItemIsSelectable;
    if (!hasChildren(index.siblingAtColumn(0)))
        flags |= Qt::ItemNeverHasChildren;
    return flags;
}

std::optional<gguf::ByteRange> MetadataModel::rangeAt(const QModelIndex& index) const
{
    const Item* const item = itemAt(index);
    if (item && item->group == kNoGroup)
        return m_document.metadata(item->pair).range();
    const Container& container = m_containers[index.internalId()];
    if (container.kind == Container::Kind::Group)
        return {};
    if (!container.ranges)
        return valueAt(index)->range();
    const std::uint64_t first = static_cast<std::uint64_t>(index.row()) * kRangeLength;
    const std::uint64_t last = std::min(first + kRangeLength, elementsOf(*container.value)) - 1;
    const std::uint64_t start = container.value->element(first).range().offset;
    return gguf::ByteRange{start, container.value->element(last).range().end() - start};
}

std::optional<int> MetadataModel::severityAt(const QModelIndex& index) const
{
    const Item* const item = itemAt(index);
    if (!item)
        return {};
    if (item->group == kNoGroup) {
        const auto found = m_severities.find(item->pair);
        return found == m_severities.end() ? std::nullopt : std::optional(static_cast<int>(found->second));
    }
    const std::optional<gguf::Severity> worst = m_containers[item->group].severity;
    return worst ? std::optional(static_cast<int>(*worst)) : std::nullopt;
}

QString MetadataModel::keyText(const QModelIndex& index) const
{
    const Container& container = m_containers[index.internalId()];
    const auto row = static_cast<std::uint64_t>(index.row());
    if (container.ranges) {
        const std::uint64_t last = std::min((row + 1) * kRangeLength, elementsOf(*container.value)) - 1;
        return u"[%1 … %2]"_s.arg(NumberText::count(row * kRangeLength), NumberText::count(last));
    }
    if (container.kind != Container::Kind::Group)
        return u"[%1]"_s.arg(container.first + row);
    const Item* const item = itemAt(index);
    if (item->group != kNoGroup)
        return m_containers[item->group].name.isEmpty() ? tr("(empty)") : m_containers[item->group].name;
    std::string_view key = m_document.key(item->pair);
    if (!m_flat) {
        for (quint32 id = static_cast<quint32>(index.internalId()); id != 0; id = m_containers[id].parent)
            key.remove_prefix(std::min(key.find('.') + 1, key.size()));
    }
    const QString text = key.empty() ? tr("(empty)") : fromFile(key, kCellBytes);
    return m_document.metadata(item->pair).recovered ? tr("%1 (recovered)").arg(text) : text;
}

QString MetadataModel::typeText(const QModelIndex& index) const
{
    const std::optional<gguf::ValueView> value = valueAt(index);
    if (!value)
        return {};
    if (value->type() != gguf::ValueType::Array)
        return fromView(gguf::valueTypeName(value->type()));
    const auto element = gguf::valueTypeFromId(value->elementTypeId());
    return u"%1[%2]"_s.arg(element ? fromView(gguf::valueTypeName(*element))
                                   : tr("type %1").arg(value->elementTypeId()),
        NumberText::count(value->count()));
}

QString MetadataModel::valueText(const QModelIndex& index, std::size_t maxBytes) const
{
    const Item* const item = itemAt(index);
    if (item && item->group != kNoGroup) {
        const std::size_t pairs = m_containers[item->group].pairs;
        return counted(pairs, tr("1 key"), tr("%1 keys"));
    }
    const std::optional<gguf::ValueView> value = valueAt(index);
    if (!value)
        return {};
    QString text = QString::fromStdString(value->text(maxBytes));
    if (item) {
        if (const QString note = remark(item->pair, *value); !note.isEmpty())
            text = u"%1 (%2)"_s.arg(text, note);
    }
    if (!value->complete())
        text = text.isEmpty() ? tr("(not complete)") : tr("%1 (not complete)").arg(text);
    return text;
}

/// What a number means, where the file or the format tells: the token of a token id, the name of a file type.
QString MetadataModel::remark(std::size_t pair, const gguf::ValueView& value) const
{
    if (!gguf::isInteger(value.type()) || !value.complete())
        return {};
    const std::string_view key = m_document.key(pair);
    if (key.starts_with("tokenizer.ggml.") && key.ends_with("_token_id")) {
        if (value.asUnsigned() == gguf::kUnsetTokenId)
            return tr("not set");
        if (!m_tokens)
            return {};
        const gguf::ValueView tokens = m_document.value(*m_tokens);
        if (value.asUnsigned() >= elementsOf(tokens))
            return tr("no such token");
        return u'“' + QString::fromStdString(tokens.element(value.asUnsigned()).text(60)) + u'”';
    }
    if (key == "general.file_type" && value.asUnsigned() <= UINT32_MAX) {
        const gguf::FileTypeInfo* const type
            = gguf::findFileType(static_cast<std::uint32_t>(value.asUnsigned()));
        return type ? fromView(type->name) : tr("no known file type");
    }
    return {};
}

QVariant MetadataModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole:
        switch (index.column()) {
        case KeyColumn:
            return keyText(index);
        case TypeColumn:
            return typeText(index);
        default:
            return valueText(index, kCellBytes);
        }
    case CopyRole: {
        const std::optional<std::size_t> pair = pairAt(index);
        const Item* const item = itemAt(index);
        if (index.column() == KeyColumn)
            return item && pair ? fromFile(m_document.key(*pair)) : keyText(index);
        if (index.column() == TypeColumn)
            return typeText(index);
        if (const std::optional<gguf::ValueView> value = valueAt(index)) {
            return value->type() == gguf::ValueType::String
                ? QString::fromStdString(gguf::visibleMultiline(value->asString(), kCopyBytes))
                : QString::fromStdString(value->text(kCopyBytes));
        }
        return valueText(index, kCellBytes);
    }
    case SortRole: {
        const std::optional<gguf::ValueView> value = index.column() == ValueColumn ? valueAt(index) : std::nullopt;
        if (!value || value->type() == gguf::ValueType::String || value->type() == gguf::ValueType::Array)
            return data(index, Qt::DisplayRole);
        if (value->type() == gguf::ValueType::Float32 || value->type() == gguf::ValueType::Float64)
            return value->asDouble();
        return value->type() == gguf::ValueType::UInt64 ? QVariant(quint64{value->asUnsigned()})
                                                        : QVariant(qint64{value->asSigned()});
    }
    case RangeOffsetRole:
    case RangeLengthRole: {
        const std::optional<gguf::ByteRange> range = rangeAt(index);
        return range ? QVariant(quint64{role == RangeOffsetRole ? range->offset : range->length}) : QVariant();
    }
    case IndexRole: {
        const std::optional<std::size_t> pair = pairAt(index);
        return pair ? QVariant(quint64{*pair}) : QVariant();
    }
    case SeverityRole: {
        const std::optional<int> severity = index.column() == KeyColumn ? severityAt(index) : std::nullopt;
        return severity ? QVariant(*severity) : QVariant();
    }
    case Qt::ToolTipRole: {
        const Item* const item = itemAt(index);
        if (index.column() != KeyColumn || !item || item->group != kNoGroup)
            return index.column() == ValueColumn ? QVariant(valueText(index, 1000)) : QVariant();
        const QString key = fromFile(m_document.key(item->pair), 1000);
        const gguf::KnownKey* const known = gguf::findKnownKey(m_document.key(item->pair));
        return known ? QString(key + u'\n' + fromView(known->meaning)) : key;
    }
    default:
        return {};
    }
}

QVariant MetadataModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case KeyColumn:
        return tr("Key");
    case TypeColumn:
        return tr("Type");
    case ValueColumn:
        return tr("Value");
    default:
        return {};
    }
}
