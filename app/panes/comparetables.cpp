// SPDX-License-Identifier: GPL-3.0-or-later
#include "panes/comparetables.h"

#include "document/text.h"
#include "format/filetype.h"
#include "load/datacomparison.h"
#include "models/counted.h"
#include "models/numbertext.h"
#include "widgets/plaintext.h"

#include <QCoreApplication>

#include <algorithm>

using gguf::ChangeKind;
using gguf::Comparison;
using gguf::ComparisonPart;
using gguf::MixSum;

namespace {

using Column = ColumnTableModel::Column;
using Content = ColumnTableModel::Content;

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(CompareTables)
};

QString visible(std::string_view text, std::size_t most = 200)
{
    return QString::fromStdString(gguf::visibleText(text, most));
}

QVariant number(std::uint64_t value)
{
    return QVariant::fromValue<quint64>(value);
}

QString kindText(ChangeKind kind)
{
    switch (kind) {
    case ChangeKind::Removed:
        return Words::tr("only in A");
    case ChangeKind::Added:
        return Words::tr("only in B");
    case ChangeKind::Changed:
        break;
    }
    return Words::tr("changed");
}

QString valueText(const gguf::Document& document, std::optional<std::size_t> pair)
{
    if (!pair)
        return {};
    const gguf::ValueView value = document.value(*pair);
    const QString text = QString::fromStdString(value.text(160));
    if (document.key(*pair) != "general.file_type" || !gguf::isInteger(value.type()) || !value.complete())
        return text;
    const std::uint64_t number = value.asUnsigned();
    const gguf::FileTypeInfo* info
        = number <= UINT32_MAX ? gguf::findFileType(static_cast<std::uint32_t>(number)) : nullptr;
    return info ? Words::tr("%1 (%2)").arg(text, visible(info->name)) : text;
}

std::optional<gguf::Tensor> tensorOf(const gguf::Document& document, std::optional<std::size_t> index)
{
    return index ? std::optional(document.tensor(*index)) : std::nullopt;
}

std::optional<double> change(std::optional<double> a, std::optional<double> b)
{
    return a && b ? std::optional(*b - *a) : std::nullopt;
}

QVariant number(std::optional<double> value)
{
    return value ? QVariant(*value) : QVariant();
}

QString bitsChange(std::optional<double> a, std::optional<double> b)
{
    if (!a || !b)
        return {};
    const double change = *b - *a;
    if (change == 0)
        return QStringLiteral("0");
    const QString text = QString::number(std::abs(change), 'f', 2);
    return change < 0 ? QString(QChar(0x2212) + text) : QString(u'+' + text);
}

Content parts(const CompareTables::Shared& comparison, const std::vector<ComparisonPart> Comparison::*list,
    const QString& title)
{
    Content content;
    if (!comparison)
        return content;
    std::vector<std::size_t> shown;
    for (std::size_t i = 0; i < ((*comparison).*list).size(); ++i) {
        if (((*comparison).*list)[i].differs())
            shown.push_back(i);
    }
    content.rows = static_cast<int>(shown.size());
    const auto part = [comparison, list, shown](int row) -> const ComparisonPart& {
        return ((*comparison).*list)[shown[static_cast<std::size_t>(row)]];
    };
    const auto order = [shown](int row) { return number(shown[static_cast<std::size_t>(row)]); };
    const auto add = [&content](const char* id, const QString& heading, auto value, auto text) {
        content.columns.push_back({QString::fromLatin1(id), heading, true, value, text});
    };
    content.columns.push_back(
        {QStringLiteral("part"), title, false, order, [part](int row) { return visible(part(row).label); }});
    add(
        "changed", Words::tr("Changed"), [part](int row) { return number(part(row).changed); },
        [part](int row) { return NumberText::count(part(row).changed); });
    add(
        "only_a", Words::tr("Only in A"), [part](int row) { return number(part(row).removed); },
        [part](int row) { return NumberText::count(part(row).removed); });
    add(
        "only_b", Words::tr("Only in B"), [part](int row) { return number(part(row).added); },
        [part](int row) { return NumberText::count(part(row).added); });
    add(
        "bytes_a", Words::tr("Size in A"), [part](int row) { return number(part(row).a.bytes); },
        [part](int row) { return NumberText::shortSize(part(row).a.bytes); });
    add(
        "bytes_b", Words::tr("Size in B"), [part](int row) { return number(part(row).b.bytes); },
        [part](int row) { return NumberText::shortSize(part(row).b.bytes); });
    add(
        "byte_change", Words::tr("Size change"),
        [part](int row) {
            return QVariant::fromValue<qint64>(CompareTables::difference(part(row).a.bytes, part(row).b.bytes));
        },
        [part](
            int row) { return CompareTables::signedSize(CompareTables::difference(part(row).a.bytes, part(row).b.bytes)); });
    const auto bitsA = [part](int row) { return part(row).a.bitsPerWeight(); };
    const auto bitsB = [part](int row) { return part(row).b.bitsPerWeight(); };
    add(
        "bpw_a", Words::tr("BPW in A"), [bitsA](int row) { return number(bitsA(row)); },
        [bitsA](int row) { return NumberText::bitsPerWeight(bitsA(row)); });
    add(
        "bpw_b", Words::tr("BPW in B"), [bitsB](int row) { return number(bitsB(row)); },
        [bitsB](int row) { return NumberText::bitsPerWeight(bitsB(row)); });
    add(
        "bpw_change", Words::tr("BPW change"),
        [bitsA, bitsB](int row) { return number(change(bitsA(row), bitsB(row))); },
        [bitsA, bitsB](int row) { return bitsChange(bitsA(row), bitsB(row)); });
    return content;
}

} // namespace

namespace CompareTables {

std::int64_t difference(std::uint64_t a, std::uint64_t b)
{
    constexpr std::uint64_t kMost = INT64_MAX;
    return b >= a ? static_cast<std::int64_t>(std::min(b - a, kMost))
                  : -static_cast<std::int64_t>(std::min(a - b, kMost));
}

QString differenceText(const gguf::TensorDifference& difference)
{
    QStringList parts;
    if (difference.type)
        parts << Words::tr("type");
    if (difference.dims)
        parts << Words::tr("dimensions");
    if (parts.isEmpty() && difference.size)
        parts << Words::tr("size");
    return parts.isEmpty() ? kindText(difference.kind) : parts.join(QStringLiteral(", "));
}

QString signedSize(std::optional<std::int64_t> change)
{
    if (!change)
        return {};
    if (*change == 0)
        return QStringLiteral("0");
    const auto size = *change < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(*change)
                                  : static_cast<std::uint64_t>(*change);
    return (*change < 0 ? QString(QChar(0x2212)) : QStringLiteral("+")) + NumberText::shortSize(size);
}

Content totals(const Shared& comparison)
{
    Content content;
    if (!comparison)
        return content;
    content.rows = 3;
    const auto add = [&content](const char* id, const QString& title, bool numeric,
                         std::function<QString(int)> text) {
        content.columns.push_back(
            {QString::fromLatin1(id), title, numeric, [text](int row) { return QVariant(text(row)); }, text});
    };
    const auto counts = [](std::uint64_t a, std::uint64_t b) {
        return [a, b](int row) {
            if (row < 2)
                return NumberText::count(row == 0 ? a : b);
            const QString size = NumberText::count(a > b ? a - b : b - a);
            return a == b ? QStringLiteral("0")
                : a > b   ? QString(QChar(0x2212) + size)
                          : QString(u'+' + size);
        };
    };
    const MixSum a = comparison->totalA, b = comparison->totalB;
    add("file", {}, false, [](int row) {
        return row == 0 ? QStringLiteral("A") : row == 1 ? QStringLiteral("B") : Words::tr("Change");
    });
    add("keys", Words::tr("Keys"), true,
        counts(comparison->a.metadataCount(), comparison->b.metadataCount()));
    add("tensors", Words::tr("Tensors"), true, counts(a.tensors, b.tensors));
    add("elements", Words::tr("Weights"), true,
        [a, b, text = counts(a.elements, b.elements)](int row) {
            const bool known = row == 0 ? a.parameters().has_value()
                : row == 1              ? b.parameters().has_value()
                                        : a.parameters() && b.parameters();
            return known ? text(row) : Words::tr("unknown");
        });
    add("bytes", Words::tr("Tensor data"), true, [a, b](int row) {
        if (row == 2)
            return a.unsized + b.unsized > 0 ? Words::tr("unknown") : signedSize(difference(a.bytes, b.bytes));
        const MixSum& sum = row == 0 ? a : b;
        const QString size = NumberText::size(sum.bytes);
        return sum.unsized == 0 ? size : Words::tr("%1, and %2").arg(size, counted(sum.unsized,
                   Words::tr("1 tensor of unknown size"), Words::tr("%1 tensors of unknown size")));
    });
    add("bpw", Words::tr("BPW"), true, [a, b](int row) {
        if (row == 2)
            return bitsChange(a.bitsPerWeight(), b.bitsPerWeight());
        const MixSum& sum = row == 0 ? a : b;
        return sum.unsized > 0 ? Words::tr("unknown") : NumberText::bitsPerWeight(sum.bitsPerWeight());
    });
    return content;
}

Content metadata(const Shared& comparison)
{
    Content content;
    if (!comparison)
        return content;
    content.rows = static_cast<int>(comparison->metadata.size());
    const auto at = [comparison](int row) -> const gguf::MetadataDifference& {
        return comparison->metadata[static_cast<std::size_t>(row)];
    };
    content.columns.push_back({QStringLiteral("key"), Words::tr("Key"), false,
        [at](int row) { return QVariant(visible(at(row).key)); }, {}});
    content.columns.push_back({QStringLiteral("change"), Words::tr("Difference"), false,
        [at](int row) { return QVariant(static_cast<int>(at(row).kind)); },
        [at](int row) {
            if (at(row).firstDifference)
                return Words::tr("changed from element %1").arg(NumberText::count(*at(row).firstDifference));
            return kindText(at(row).kind);
        }});
    content.columns.push_back({QStringLiteral("a"), Words::tr("A"), false,
        [comparison, at](int row) { return QVariant(valueText(comparison->a, at(row).a)); }, {},
        [comparison, at](int row) { return plainToolTip(valueText(comparison->a, at(row).a)); }});
    content.columns.push_back({QStringLiteral("b"), Words::tr("B"), false,
        [comparison, at](int row) { return QVariant(valueText(comparison->b, at(row).b)); }, {},
        [comparison, at](int row) { return plainToolTip(valueText(comparison->b, at(row).b)); }});
    return content;
}

Content tensors(const Shared& comparison)
{
    Content content;
    if (!comparison)
        return content;
    content.rows = static_cast<int>(comparison->differences.size());
    const auto at = [comparison](int row) -> const gguf::TensorDifference& {
        return comparison->differences[static_cast<std::size_t>(row)];
    };
    const auto a = [comparison, at](int row) { return tensorOf(comparison->a, at(row).a); };
    const auto b = [comparison, at](int row) { return tensorOf(comparison->b, at(row).b); };
    const auto typeText = [](const std::optional<gguf::Tensor>& tensor) {
        return tensor ? visible(tensor->typeName()) : QString();
    };
    const auto dimsText = [](const std::optional<gguf::Tensor>& tensor) {
        return tensor ? NumberText::dimensions(tensor->dims()) : QString();
    };
    const auto bits = [](const auto& tensor) {
        return [tensor](int row) {
            const auto found = tensor(row);
            return found ? found->bitsPerWeight() : std::optional<double>();
        };
    };
    const auto bitsA = bits(a);
    const auto bitsB = bits(b);
    const auto add = [&content](const char* id, const QString& title, bool numeric, auto value,
                         std::function<QString(int)> text = {}) {
        content.columns.push_back({QString::fromLatin1(id), title, numeric, value, text});
    };
    add(
        "name", Words::tr("Tensor"), false, [](int row) { return QVariant(row); },
        [at](int row) { return visible(at(row).name); });
    add(
        "change", Words::tr("Difference"), false,
        [at](int row) { return QVariant(differenceText(at(row))); },
        [at](int row) { return differenceText(at(row)); });
    add("type_a", Words::tr("Type in A"), false,
        [a, typeText](int row) { return QVariant(typeText(a(row))); });
    add("type_b", Words::tr("Type in B"), false,
        [b, typeText](int row) { return QVariant(typeText(b(row))); });
    add(
        "dims", Words::tr("Dimensions"), false,
        [a, b, dimsText](int row) { return QVariant(dimsText(a(row)) + dimsText(b(row))); },
        [at, a, b, dimsText](int row) {
            if (!at(row).dims)
                return at(row).a ? dimsText(a(row)) : dimsText(b(row));
            return Words::tr("%1 to %2").arg(dimsText(a(row)), dimsText(b(row)));
        });
    add(
        "byte_change", Words::tr("Size change"), true,
        [at](int row) {
            return at(row).byteChange ? QVariant::fromValue<qint64>(*at(row).byteChange) : QVariant();
        },
        [at](int row) { return signedSize(at(row).byteChange); });
    add(
        "bpw_a", Words::tr("BPW in A"), true, [bitsA](int row) { return number(bitsA(row)); },
        [bitsA](int row) { return NumberText::bitsPerWeight(bitsA(row)); });
    add(
        "bpw_b", Words::tr("BPW in B"), true, [bitsB](int row) { return number(bitsB(row)); },
        [bitsB](int row) { return NumberText::bitsPerWeight(bitsB(row)); });
    add(
        "bpw_change", Words::tr("BPW change"), true,
        [bitsA, bitsB](int row) { return number(change(bitsA(row), bitsB(row))); },
        [bitsA, bitsB](int row) { return bitsChange(bitsA(row), bitsB(row)); });
    content.typeId = [a, b](int row, int column) -> std::optional<quint32> {
        const auto tensor = column == 2 ? a(row) : column == 3 ? b(row) : std::nullopt;
        return tensor ? std::optional<quint32>(tensor->typeId) : std::nullopt;
    };
    return content;
}

Content layers(const Shared& comparison)
{
    return parts(comparison, &Comparison::layers, Words::tr("Layer"));
}

Content roles(const Shared& comparison)
{
    return parts(comparison, &Comparison::roles, Words::tr("Role"));
}

Content data(const Shared& comparison, const DataComparison& bytes)
{
    Content content;
    if (!comparison)
        return content;
    content.rows = static_cast<int>(comparison->matched.size());
    const auto pair = [comparison](int row) { return comparison->matched[static_cast<std::size_t>(row)]; };
    const DataComparison* results = &bytes;
    content.columns.push_back(
        {QStringLiteral("name"), Words::tr("Tensor"), false, [](int row) { return QVariant(row); },
            [comparison, pair](int row) { return visible(comparison->a.tensorName(pair(row).first)); }});
    content.columns.push_back({QStringLiteral("bytes"), Words::tr("Bytes"), false,
        [results](
            int row) { return QVariant(static_cast<int>(results->state(static_cast<std::size_t>(row)))); },
        [results](int row) {
            switch (results->state(static_cast<std::size_t>(row))) {
            case DataComparison::State::Equal:
                return Words::tr("equal");
            case DataComparison::State::Different:
                return Words::tr("different");
            case DataComparison::State::Unreadable:
                return Words::tr("could not be read");
            case DataComparison::State::Waiting:
                break;
            }
            return Words::tr("not compared");
        }});
    for (const bool ofB : {false, true}) {
        const auto text = [results, ofB](int row) {
            const auto hash = results->hash(static_cast<std::size_t>(row), ofB);
            return hash ? QString::fromStdString(gguf::sha256Text(*hash)) : QString();
        };
        content.columns.push_back({ofB ? QStringLiteral("sha256_b") : QStringLiteral("sha256_a"),
            ofB ? Words::tr("SHA-256 in B") : Words::tr("SHA-256 in A"), false,
            [text](int row) { return QVariant(text(row)); }, text});
    }
    return content;
}

} // namespace CompareTables
