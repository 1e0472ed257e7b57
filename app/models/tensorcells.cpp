// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/tensorcells.h"

#include "document/text.h"
#include "models/numbertext.h"
#include "models/tensormodel.h"

using namespace Qt::StringLiterals;

namespace {

constexpr std::size_t kToolTipBytes = 1000; ///< of a name

QString fromFile(std::string_view bytes, std::size_t maxBytes = 0)
{
    return QString::fromStdString(gguf::visibleText(bytes, maxBytes));
}

QVariant variantOf(const std::optional<std::uint64_t>& value)
{
    return value ? QVariant(quint64{*value}) : QVariant();
}

QString countOf(const std::optional<std::uint64_t>& value)
{
    return value ? NumberText::count(*value) : QString();
}

/// Columns that need the whole table: see Document::tensorSpace.
bool isSpaceColumn(int column)
{
    return column == TensorModel::ReservedColumn || column == TensorModel::PresentColumn;
}

QString presence(const gguf::Document& document, const gguf::Tensor& tensor)
{
    const gguf::TensorSpace space = document.tensorSpace(tensor.index);
    if (!space.required)
        return TensorModel::tr("unknown");
    if (space.missing())
        return TensorModel::tr("missing");
    if (space.cut())
        return TensorModel::tr("cut: %1 of %2 bytes").arg(NumberText::count(space.present), NumberText::count(*space.required));
    return TensorModel::tr("whole");
}

} // namespace

QString TensorCells::text(
    const gguf::Document& document, const gguf::Tensor& tensor, int column, std::size_t maxNameBytes)
{
    if (isSpaceColumn(column) && !document.isFinished())
        return {};
    switch (column) {
    case TensorModel::NameColumn:
        return tensor.recovered ? TensorModel::tr("%1 (recovered)").arg(fromFile(tensor.name, maxNameBytes))
                                : fromFile(tensor.name, maxNameBytes);
    case TensorModel::TypeColumn:
        return QString::fromStdString(tensor.typeName());
    case TensorModel::DimensionsColumn:
        return NumberText::dimensions(tensor.dims());
    case TensorModel::ElementsColumn:
        return countOf(tensor.elements);
    case TensorModel::SizeColumn:
        return tensor.dataBytes ? NumberText::shortSize(*tensor.dataBytes) : TensorModel::tr("unknown");
    case TensorModel::BitsPerWeightColumn:
        return NumberText::bitsPerWeight(tensor.bitsPerWeight());
    case TensorModel::OffsetColumn:
        return NumberText::hex(tensor.offset);
    case TensorModel::FileOffsetColumn:
        return tensor.fileOffset ? NumberText::hex(*tensor.fileOffset) : QString();
    case TensorModel::PaddingColumn:
        return countOf(tensor.padding);
    case TensorModel::RequiredColumn:
        return countOf(tensor.dataBytes);
    case TensorModel::ReservedColumn:
        return countOf(document.tensorSpace(tensor.index).reserved);
    case TensorModel::PresentColumn:
        return presence(document, tensor);
    default:
        return {};
    }
}

QVariant TensorCells::value(const gguf::Document& document, const gguf::Tensor& tensor, int column)
{
    if (isSpaceColumn(column) && !document.isFinished())
        return {};
    switch (column) {
    case TensorModel::NameColumn:
        return fromFile(tensor.name);
    case TensorModel::TypeColumn:
    case TensorModel::DimensionsColumn:
        return text(document, tensor, column);
    case TensorModel::ElementsColumn:
        return variantOf(tensor.elements);
    case TensorModel::SizeColumn:
    case TensorModel::RequiredColumn:
        return variantOf(tensor.dataBytes);
    case TensorModel::BitsPerWeightColumn: {
        const std::optional<double> bits = tensor.bitsPerWeight();
        return bits ? QVariant(*bits) : QVariant();
    }
    case TensorModel::OffsetColumn:
        return quint64{tensor.offset};
    case TensorModel::FileOffsetColumn:
        return variantOf(tensor.fileOffset);
    case TensorModel::PaddingColumn:
        return variantOf(tensor.padding);
    case TensorModel::ReservedColumn:
        return variantOf(document.tensorSpace(tensor.index).reserved);
    case TensorModel::PresentColumn: {
        const std::optional<double> share = presentShare(document.tensorSpace(tensor.index));
        return share ? QVariant(*share) : QVariant();
    }
    default:
        return {};
    }
}

QString TensorCells::toolTip(const gguf::Document& document, const gguf::Tensor& tensor, int column)
{
    switch (column) {
    case TensorModel::NameColumn:
        return document.isFinished() && document.tensorSpace(tensor.index).cut()
            ? TensorModel::tr("%1\nThe file ends before this tensor's data: %2.")
                  .arg(fromFile(tensor.name, kToolTipBytes), presence(document, tensor))
            : fromFile(tensor.name, kToolTipBytes);
    case TensorModel::TypeColumn: {
        const gguf::TensorTypeInfo* const type = tensor.type;
        if (!type)
            return TensorModel::tr("Type id %1: nobody is known to use it.").arg(tensor.typeId);
        QString text = TensorModel::tr("Type id %1 (%2): %3 bytes for each %4 elements.")
                           .arg(QString::number(tensor.typeId), QString::fromUtf8(type->owner.data(), qsizetype(type->owner.size())),
                               QString::number(type->blockBytes), QString::number(type->blockLength));
        if (!type->note.empty())
            text += u'\n' + QString::fromUtf8(type->note.data(), qsizetype(type->note.size()));
        return text;
    }
    case TensorModel::SizeColumn:
        return tensor.dataBytes ? NumberText::size(*tensor.dataBytes) : QString();
    case TensorModel::OffsetColumn:
        return NumberText::offset(tensor.offset);
    case TensorModel::FileOffsetColumn:
        return tensor.fileOffset ? NumberText::offset(*tensor.fileOffset) : QString();
    case TensorModel::RequiredColumn:
    case TensorModel::ReservedColumn: {
        if (!document.isFinished())
            return {};
        const gguf::TensorSpace space = document.tensorSpace(tensor.index);
        if (space.overlap > 0)
            return TensorModel::tr("%1 are claimed by the next tensor too.").arg(NumberText::bytes(space.overlap));
        if (space.gap > 0)
            return TensorModel::tr("%1 after data and padding belong to nobody.").arg(NumberText::bytes(space.gap));
        return {};
    }
    default:
        return {};
    }
}
