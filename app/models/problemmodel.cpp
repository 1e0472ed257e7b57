// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/problemmodel.h"

#include "models/numbertext.h"
#include "models/problemtext.h"
#include "models/rowruns.h"

#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace {

QString fromView(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

bool minds(ProblemModel::Judge judge, const gguf::Judges& judges)
{
    switch (judge) {
    case ProblemModel::Judge::GgmlOpens:
        return judges.ggml == gguf::GgmlVerdict::RefusesToOpen;
    case ProblemModel::Judge::GgmlReads:
        return judges.ggml == gguf::GgmlVerdict::RefusesToRead;
    case ProblemModel::Judge::Spec:
        return judges.spec;
    case ProblemModel::Judge::Doc:
        return judges.doc;
    case ProblemModel::Judge::DataCheck:
        return false; // by origin, not by opinion
    case ProblemModel::Judge::Nobody:
        break;
    }
    return !judges.spec && !judges.doc && judges.ggml == gguf::GgmlVerdict::Accepts;
}

constexpr int judgeNode(int judge)
{
    return 1 + judge;
}

constexpr int leafNode(int judge, int severity)
{
    return 1 + ProblemModel::kJudgeCount + 3 * judge + severity;
}

} // namespace

ProblemModel::ProblemModel(QObject* parent)
    : QAbstractItemModel(parent)
{
}

void ProblemModel::setDocument(const gguf::Document& document)
{
    beginResetModel();
    m_document = document;
    m_found.clear();
    rebuild();
    endResetModel();
}

void ProblemModel::updateDocument(const gguf::Document& document)
{
    const bool grew = document.problemCount() != m_document.problemCount();
    std::vector<gguf::Problem> found;
    if (grew && !m_found.empty()) {
        found = std::exchange(m_found, {}); // their numbers change
        apply();
    }
    m_document = document;
    if (!found.empty())
        m_found = std::move(found);
    if (grew)
        apply();
}

void ProblemModel::setDataProblems(std::vector<gguf::Problem> problems)
{
    const auto same = [](const gguf::Problem& a, const gguf::Problem& b) {
        return a.rule == b.rule && a.range == b.range && a.subject.index == b.subject.index && a.found == b.found;
    };
    const bool onlyMore = problems.size() >= m_found.size()
        && std::equal(m_found.begin(), m_found.end(), problems.begin(), same);
    if (!onlyMore) {
        m_found.clear(); // rows are known by their numbers, which now mean others
        apply();
    }
    m_found = std::move(problems);
    apply();
}

const gguf::Problem& ProblemModel::listedProblem(std::size_t number) const
{
    const std::size_t own = m_document.problemCount();
    return number < own ? m_document.problem(number) : m_found[number - own];
}

void ProblemModel::setFlat(bool flat)
{
    if (flat == m_flat)
        return;
    beginResetModel();
    m_flat = flat;
    rebuild();
    endResetModel();
}

void ProblemModel::setFilter(const QString& text)
{
    if (text == m_filter)
        return;
    m_filter = text;
    apply();
}

void ProblemModel::rebuild()
{
    const std::vector<std::vector<quint32>> wanted = wantedRows();
    for (std::size_t node = 0; node < kNodeCount; ++node)
        m_nodes[node].rows = wanted[node];
}

bool ProblemModel::passes(const gguf::Problem& problem) const
{
    if (m_filter.isEmpty())
        return true;
    const auto contains = [this](const QString& text) { return text.contains(m_filter, Qt::CaseInsensitive); };
    return contains(fromView(gguf::ruleInfo(problem.rule).code))
        || contains(QString::fromStdString(gguf::problemMessage(problem)))
        || contains(QString::fromStdString(m_document.subjectName(problem.subject)))
        || contains(fromView(gguf::severityName(problem.severity)));
}

/// What each node shall show, in rising order: Problems, or nodes that are not empty.
std::vector<std::vector<quint32>> ProblemModel::wantedRows() const
{
    std::vector<std::vector<quint32>> rows(kNodeCount);
    for (std::size_t i = 0; i < problemCount(); ++i) {
        const gguf::Problem& problem = listedProblem(i);
        if (!passes(problem))
            continue;
        const auto number = static_cast<quint32>(i);
        if (m_flat) {
            rows[0].push_back(number);
            continue;
        }
        if (i >= m_document.problemCount()) {
            rows[static_cast<std::size_t>(leafNode(static_cast<int>(Judge::DataCheck), int(problem.severity)))]
                .push_back(number);
            continue;
        }
        for (int judge = 0; judge < kJudgeCount; ++judge) {
            if (minds(Judge(judge), problem.judges))
                rows[static_cast<std::size_t>(leafNode(judge, int(problem.severity)))].push_back(number);
        }
    }
    for (int judge = 0; !m_flat && judge < kJudgeCount; ++judge) {
        std::vector<quint32>& severities = rows[static_cast<std::size_t>(judgeNode(judge))];
        for (int severity = 0; severity < 3; ++severity) {
            const int leaf = leafNode(judge, severity);
            if (!rows[static_cast<std::size_t>(leaf)].empty())
                severities.push_back(static_cast<quint32>(leaf));
        }
        if (!severities.empty())
            rows[0].push_back(static_cast<quint32>(judgeNode(judge)));
    }
    return rows;
}

void ProblemModel::apply()
{
    replaceRows(0, wantedRows());
}

/// Brings a shown node and all below it up to date.
void ProblemModel::replaceRows(std::size_t node, const std::vector<std::vector<quint32>>& wanted)
{
    const std::vector<quint32> before = m_nodes[node].rows;
    const QModelIndex parent = nodeIndex(node);
    for (const RowRun& run : rowRuns(before, wanted[node], std::less<>())) {
        const int first = static_cast<int>(run.row);
        const int last = first + static_cast<int>(run.count) - 1;
        std::vector<quint32>& rows = m_nodes[node].rows;
        const auto at = rows.begin() + first;
        if (run.insert) {
            const auto source = wanted[node].begin() + static_cast<std::ptrdiff_t>(run.source);
            const auto end = source + static_cast<std::ptrdiff_t>(run.count);
            if (!holdsProblems(node))
                std::for_each(source, end, [&](quint32 child) { fill(child, wanted); });
            beginInsertRows(parent, first, last);
            rows.insert(at, source, end);
            endInsertRows();
        } else {
            const std::vector<quint32> gone(at, at + static_cast<std::ptrdiff_t>(run.count));
            beginRemoveRows(parent, first, last);
            rows.erase(at, at + static_cast<std::ptrdiff_t>(run.count));
            endRemoveRows();
            if (!holdsProblems(node))
                std::ranges::for_each(gone, [this](quint32 child) { forget(child); });
        }
    }
    if (holdsProblems(node))
        return;
    for (const quint32 child : m_nodes[node].rows) {
        replaceRows(child, wanted);
        emit dataChanged(nodeIndex(child), nodeIndex(child).siblingAtColumn(kColumnCount - 1)); // its count
    }
}

/// Readies a node that nobody sees yet.
void ProblemModel::fill(std::size_t node, const std::vector<std::vector<quint32>>& wanted)
{
    m_nodes[node].rows = wanted[node];
    if (holdsProblems(node))
        return;
    for (const quint32 child : wanted[node])
        fill(child, wanted);
}

/// Empties a node that nobody sees any more.
void ProblemModel::forget(std::size_t node)
{
    const std::vector<quint32> rows = std::exchange(m_nodes[node].rows, {});
    if (!holdsProblems(node))
        std::ranges::for_each(rows, [this](quint32 child) { forget(child); });
}

std::array<std::uint64_t, 3> ProblemModel::totals() const
{
    std::array<std::uint64_t, 3> totals{};
    for (const gguf::Severity severity : {gguf::Severity::Error, gguf::Severity::Warning, gguf::Severity::Note})
        totals[static_cast<std::size_t>(severity)] = m_document.problemTotal(severity);
    for (const gguf::Problem& problem : m_found)
        ++totals[static_cast<std::size_t>(problem.severity)];
    return totals;
}

std::size_t ProblemModel::visibleProblems() const
{
    std::size_t count = 0;
    for (std::size_t i = 0; i < problemCount(); ++i)
        count += passes(listedProblem(i)) ? 1U : 0U;
    return count;
}

QString ProblemModel::unlistedText() const
{
    std::array<std::uint64_t, gguf::kRuleCount> listed{};
    for (std::size_t i = 0; i < m_document.problemCount(); ++i)
        ++listed[static_cast<std::size_t>(m_document.problem(i).rule)];
    QStringList sentences;
    for (const gguf::RuleInfo& rule : gguf::allRules()) {
        const std::uint64_t stored = listed[static_cast<std::size_t>(rule.rule)];
        const std::uint64_t total = m_document.problemTotal(rule.rule);
        if (total > stored)
            sentences.append(total - stored == 1
                    ? tr("1 more of %1 is counted but not listed.").arg(fromView(rule.code))
                    : tr("%1 more of %2 are counted but not listed.")
                          .arg(NumberText::count(total - stored), fromView(rule.code)));
    }
    return sentences.join(u' ');
}

QModelIndex ProblemModel::nodeIndex(std::size_t node) const
{
    if (node == 0)
        return {};
    const std::size_t parent = node <= kJudgeCount ? 0 : 1 + (node - 1 - kJudgeCount) / 3;
    const std::vector<quint32>& siblings = m_nodes[parent].rows;
    const auto found = std::ranges::lower_bound(siblings, static_cast<quint32>(node));
    return createIndex(static_cast<int>(found - siblings.begin()), 0, quintptr{parent});
}

QModelIndex ProblemModel::indexOf(std::size_t problem, int column) const
{
    for (std::size_t node = 0; node < kNodeCount; ++node) {
        if (!holdsProblems(node))
            continue;
        const std::vector<quint32>& rows = m_nodes[node].rows;
        const auto found = std::ranges::lower_bound(rows, problem);
        if (found != rows.end() && *found == problem)
            return createIndex(static_cast<int>(found - rows.begin()), column, quintptr{node});
    }
    return {};
}

std::optional<std::size_t> ProblemModel::problemAt(const QModelIndex& index) const
{
    if (!index.isValid() || !holdsProblems(index.internalId()))
        return {};
    return m_nodes[index.internalId()].rows[static_cast<std::size_t>(index.row())];
}

std::optional<std::size_t> ProblemModel::nextProblem(std::optional<std::size_t> problem, bool forwards) const
{
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < problemCount(); ++i) {
        if (passes(listedProblem(i)))
            order.push_back(i);
    }
    if (order.empty())
        return {};
    std::ranges::stable_sort(
        order, {}, [this](std::size_t i) { return listedProblem(i).range.offset; });
    const auto here = problem ? std::ranges::find(order, *problem) : order.end();
    if (here == order.end())
        return forwards ? order.front() : order.back();
    if (forwards)
        return here + 1 == order.end() ? order.front() : *(here + 1);
    return here == order.begin() ? order.back() : *(here - 1);
}

QModelIndex ProblemModel::index(int row, int column, const QModelIndex& parent) const
{
    if (!hasIndex(row, column, parent))
        return {};
    return createIndex(row, column, quintptr{nodeAt(parent)});
}

/// The node that a row stands for.
std::size_t ProblemModel::nodeAt(const QModelIndex& index) const
{
    return index.isValid() ? m_nodes[index.internalId()].rows[static_cast<std::size_t>(index.row())] : 0;
}

QModelIndex ProblemModel::parent(const QModelIndex& child) const
{
    return child.isValid() ? nodeIndex(child.internalId()) : QModelIndex();
}

int ProblemModel::rowCount(const QModelIndex& parent) const
{
    if (parent.isValid() && (parent.column() != 0 || holdsProblems(parent.internalId())))
        return 0;
    return static_cast<int>(m_nodes[nodeAt(parent)].rows.size());
}

int ProblemModel::columnCount(const QModelIndex& /*parent*/) const
{
    return kColumnCount;
}

Qt::ItemFlags ProblemModel::flags(const QModelIndex& index) const
{
    if (!index.isValid())
        return Qt::NoItemFlags;
    const Qt::ItemFlags flags = Qt::ItemIsEnabled | Qt::ItemIsSelectable;
    return holdsProblems(index.internalId()) ? flags | Qt::ItemNeverHasChildren : flags;
}

QString ProblemModel::groupText(std::size_t node) const
{
    const std::vector<quint32>& rows = m_nodes[node].rows;
    QString text;
    std::size_t count = 0;
    if (node > kJudgeCount) {
        text = ProblemText::severities(static_cast<gguf::Severity>((node - 1 - kJudgeCount) % 3));
        count = rows.size();
    } else {
        text = ProblemText::judge(static_cast<Judge>(node - 1));
        for (const quint32 leaf : rows)
            count += m_nodes[leaf].rows.size();
    }
    return u"%1 (%2)"_s.arg(text, NumberText::count(count));
}

QVariant ProblemModel::groupData(std::size_t node, int column, int role) const
{
    switch (role) {
    case Qt::DisplayRole:
    case CopyRole:
    case SortRole:
    case Qt::AccessibleTextRole:
        return column == 0 ? QVariant(groupText(node)) : QVariant();
    case SeverityRole: {
        if (column != 0 || m_nodes[node].rows.empty())
            return {};
        const quint32 leaf = node > kJudgeCount ? static_cast<quint32>(node) : m_nodes[node].rows.front();
        return static_cast<int>((leaf - 1 - kJudgeCount) % 3); // the first severity is the worst
    }
    default:
        return {};
    }
}

QVariant ProblemModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    if (!holdsProblems(index.internalId()))
        return groupData(nodeAt(index), index.column(), role);
    const std::size_t number = *problemAt(index);
    const gguf::Problem& problem = listedProblem(number);
    switch (role) {
    case Qt::DisplayRole:
    case CopyRole:
    case Qt::AccessibleTextRole:
        return ProblemText::cell(m_document, problem, index.column());
    case SortRole:
        if (index.column() == OffsetColumn)
            return quint64{problem.range.offset};
        if (index.column() == SeverityColumn)
            return static_cast<int>(problem.severity);
        return data(index, Qt::DisplayRole);
    case Qt::ToolTipRole:
        return index.column() == OffsetColumn
            ? NumberText::range(problem.range.offset, problem.range.length)
            : QString::fromStdString(gguf::problemMessage(problem));
    case RangeOffsetRole:
        return quint64{problem.range.offset};
    case RangeLengthRole:
        return quint64{problem.range.length};
    case SeverityRole:
        return static_cast<int>(problem.severity);
    case IndexRole:
        return quint64{number};
    case JudgesRole:
        return number < m_document.problemCount()
            ? ProblemText::judges(problem.judges)
            : tr("Found by the data check. %1").arg(ProblemText::judges(problem.judges));
    case FoundRole:
    case ExpectedRole:
    case MeaningRole:
    case ConsequenceRole:
    case RemedyRole:
        return ProblemText::detail(problem, role);
    default:
        return {};
    }
}

QVariant ProblemModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case SeverityColumn:
        return tr("Severity");
    case CodeColumn:
        return tr("Code");
    case OffsetColumn:
        return tr("Offset");
    case SubjectColumn:
        return tr("Belongs to");
    case MessageColumn:
        return tr("Message");
    default:
        return {};
    }
}
