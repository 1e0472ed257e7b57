// SPDX-License-Identifier: GPL-3.0-or-later
#include "panes/audittables.h"

#include "document/text.h"
#include "models/numbertext.h"
#include "panes/resttaker.h"
#include "widgets/plaintext.h"

#include <QCoreApplication>
#include <QHeaderView>
#include <QScrollBar>
#include <QTableView>

#include <algorithm>

namespace {

constexpr int kMostFitted = 460; ///< a column of long texts is cut and has tooltips

using Column = ColumnTableModel::Column;
using Content = ColumnTableModel::Content;

constexpr std::size_t kMostBytes = 1000; ///< of a cell

QString text(std::string_view bytes)
{
    return QString::fromStdString(gguf::visibleText(bytes, kMostBytes));
}

QString tr(const char* source)
{
    return QCoreApplication::translate("AuditTables", source);
}

QVariant number(std::uint64_t value)
{
    return QVariant::fromValue<quint64>(value);
}

QVariant number(std::optional<double> value)
{
    return value ? QVariant(*value) : QVariant();
}

/// A size that may have tensors beside it whose size is not known.
QString sizeText(const gguf::MixSum& sum, const QString& size)
{
    return sum.unsized == 0          ? size
        : sum.unsized == sum.tensors ? tr("unknown")
                                     : tr("%1 and more").arg(size);
}

/// The columns that every table of sums has; `sumOf(row)` gives the sums.
template <class SumOf> void addSumColumns(std::vector<Column>& columns, std::uint64_t wholeBytes, SumOf sumOf)
{
    columns.push_back(
        {QStringLiteral("bytes"), tr("Bytes"), true, [sumOf](int row) { return number(sumOf(row).bytes); },
            [sumOf](int row) { return sizeText(sumOf(row), NumberText::shortSize(sumOf(row).bytes)); },
            [sumOf](int row) { return plainToolTip(sizeText(sumOf(row), NumberText::size(sumOf(row).bytes))); }});
    columns.push_back(
        {QStringLiteral("share"), tr("Share"), true, [sumOf](int row) { return number(sumOf(row).bytes); },
            [sumOf, wholeBytes](int row) { return NumberText::share(sumOf(row).bytes, wholeBytes); }});
    columns.push_back({QStringLiteral("tensors"), tr("Tensors"), true,
        [sumOf](int row) { return number(sumOf(row).tensors); },
        [sumOf](int row) { return NumberText::count(sumOf(row).tensors); }});
    columns.push_back({QStringLiteral("bits_per_weight"), tr("BPW"), true,
        [sumOf](int row) { return number(sumOf(row).bitsPerWeight()); },
        [sumOf](int row) {
            const gguf::MixSum& sum = sumOf(row);
            return sum.unsized > 0 ? tr("unknown") : NumberText::bitsPerWeight(sum.bitsPerWeight());
        },
        [sumOf](int row) {
            const QString why = QString::fromStdString(sumOf(row).whyNoBitsPerWeight());
            return plainToolTip(why.isEmpty() ? tr("Bits per weight: 8 × bytes ÷ weights") : why);
        }});
}

} // namespace

namespace AuditTables {

Content types(AuditService::Result audit)
{
    Content content;
    if (!audit)
        return content;
    const gguf::Mix* mix = &audit->mix;
    content.rows = static_cast<int>(mix->types.size());
    const auto type = [audit, mix](int row) -> const gguf::Mix::Type& {
        return mix->types[static_cast<std::size_t>(row)];
    };
    content.columns.push_back({QStringLiteral("type"), tr("Type"), false,
        [type](int row) { return QVariant(text(type(row).name)); }, {}});
    addSumColumns(
        content.columns, mix->total.bytes, [type](int row) -> const gguf::MixSum& { return type(row).sum; });
    content.typeId = [type](int row, int column) {
        return column == 0 ? std::optional<quint32>(type(row).id) : std::nullopt;
    };
    return content;
}

Content kinds(AuditService::Result audit)
{
    Content content;
    if (!audit)
        return content;
    std::vector<std::size_t> present;
    for (std::size_t i = 0; i < audit->mix.byKind.size(); ++i) {
        if (audit->mix.byKind[i].tensors > 0)
            present.push_back(i);
    }
    content.rows = static_cast<int>(present.size());
    const auto kind = [present](int row) { return present[static_cast<std::size_t>(row)]; };
    content.columns.push_back({QStringLiteral("part"), tr("Part"), false,
        [kind](int row) { return QVariant(number(std::uint64_t{kind(row)})); },
        [kind](int row) { return text(gguf::roleKindName(static_cast<gguf::RoleKind>(kind(row)))); }});
    addSumColumns(content.columns, audit->mix.total.bytes,
        [audit, kind](int row) -> const gguf::MixSum& { return audit->mix.byKind[kind(row)]; });
    return content;
}

Content deviations(AuditService::Result audit)
{
    Content content;
    if (!audit)
        return content;
    const auto& list = audit->label.recipe.deviations;
    content.rows = static_cast<int>(std::min<std::size_t>(list.size(), 1'000'000));
    const auto at = [audit](int row) -> const gguf::Deviation& {
        return audit->label.recipe.deviations[static_cast<std::size_t>(row)];
    };
    content.columns.push_back({QStringLiteral("tensor"), tr("Tensor"), false,
        [at](int row) { return QVariant(number(std::uint64_t{at(row).tensor})); },
        [audit, at](int row) { return text(audit->tensors[at(row).tensor].name); }});
    content.columns.push_back({QStringLiteral("type"), tr("Found"), false,
        [at](int row) { return QVariant(text(at(row).found)); }, {}});
    content.columns.push_back({QStringLiteral("stock"), tr("Stock"), false,
        [at](int row) { return QVariant(text(at(row).stock)); }, {}});
    content.columns.push_back(
        {QStringLiteral("reason"), tr("Why"), false, [at](int row) { return QVariant(text(at(row).reason)); },
            {}, [at](int row) { return plainToolTip(text(at(row).reason)); }});
    content.columns.push_back({QStringLiteral("byte_change"), tr("Bytes against stock"), true,
        [at](int row) {
            return at(row).byteChange ? QVariant::fromValue<qint64>(*at(row).byteChange) : QVariant();
        },
        [at](int row) {
            if (!at(row).byteChange)
                return QString();
            const std::int64_t change = *at(row).byteChange;
            const auto size = static_cast<std::uint64_t>(change < 0 ? -change : change);
            return QString(
                (change < 0 ? QString(QChar(0x2212)) : QStringLiteral("+")) + NumberText::shortSize(size));
        }});
    content.index = [at](int row) { return std::optional<quint64>(at(row).tensor); };
    content.typeId = [audit, at](int row, int column) -> std::optional<quint32> {
        if (column == 1)
            return audit->tensors[at(row).tensor].typeId;
        const gguf::TensorTypeInfo* info = column == 2 ? gguf::findTensorType(at(row).stock) : nullptr;
        return info ? std::optional<quint32>(info->id) : std::nullopt;
    };
    return content;
}

void setUp(QTableView& view)
{
    view.setSelectionBehavior(QAbstractItemView::SelectRows);
    view.setSelectionMode(QAbstractItemView::ExtendedSelection);
    view.setSortingEnabled(true);
    view.horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
    view.horizontalHeader()->setHighlightSections(false);
    view.horizontalHeader()->setStretchLastSection(true);
    view.verticalHeader()->hide();
    view.verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    view.verticalHeader()->setDefaultSectionSize(view.fontMetrics().height() + 8);
    view.setShowGrid(false);
    view.setAlternatingRowColors(true);
    view.setWordWrap(false);
    view.setTabKeyNavigation(false);
    view.setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
}

void stretchColumn(QTableView& view, int column)
{
    view.horizontalHeader()->setStretchLastSection(false);
    new RestTaker(view, column);
}

void fitColumns(QTableView& view)
{
    const QAbstractItemModel* model = view.model();
    const int rows = std::min(model->rowCount(), 100);
    auto* restTaker = view.findChild<RestTaker*>(QString(), Qt::FindDirectChildrenOnly);
    int needed = 0;
    for (int column = 0; column < model->columnCount(); ++column) {
        const QFontMetrics metrics = view.fontMetrics();
        // The sort indicator needs its place beside the title.
        int width = metrics.horizontalAdvance(model->headerData(column, Qt::Horizontal).toString()) + 36;
        for (int row = 0; row < rows; ++row) {
            const QModelIndex index = model->index(row, column);
            const int swatch = index.data(Qt::DecorationRole).isValid() ? 24 : 0;
            width = std::max(width, metrics.horizontalAdvance(index.data().toString()) + swatch + 16);
        }
        width = std::min(width, kMostFitted);
        view.setColumnWidth(column, width);
        if (restTaker && restTaker->column() == column)
            needed = width;
    }
    if (restTaker)
        restTaker->setNeeded(needed);
}

int fittedWidth(const QTableView& view)
{
    const auto* restTaker = view.findChild<RestTaker*>(QString(), Qt::FindDirectChildrenOnly);
    const QHeaderView* header = view.horizontalHeader();
    const int spare = restTaker ? header->sectionSize(restTaker->column()) - restTaker->needed() : 0;
    return header->length() - spare + 2 * view.frameWidth() + view.verticalScrollBar()->sizeHint().width();
}

} // namespace AuditTables
