// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/overview.h"

#include "document/text.h"
#include "format/filetype.h"
#include "models/counted.h"
#include "models/numbertext.h"

#include <QCoreApplication>

namespace {

QString tr(const char* text, int n = -1)
{
    return QCoreApplication::translate("Overview", text, nullptr, n);
}

QString fromFile(std::string_view bytes)
{
    return QString::fromStdString(gguf::visibleText(bytes, 200));
}

Overview::Verdict verdict(const gguf::Document& document, bool good, std::optional<std::size_t> reason,
    const char* yes, const char* no)
{
    Overview::Verdict result;
    result.good = good;
    result.text = tr(good ? yes : no);
    if (good)
        return result;
    result.problem = reason;
    if (reason)
        result.reason = QString::fromStdString(gguf::problemMessage(document.problem(*reason)));
    else if (document.status() == gguf::Status::Cancelled || document.status() == gguf::Status::Parsing)
        result.text = tr("not judged: reading has not come to its end");
    else if (document.foreign())
        result.reason = QString::fromStdString(document.foreign()->title);
    return result;
}

QString fileTypeText(const gguf::Document& document)
{
    const std::optional<std::uint64_t> stored = document.unsignedValue("general.file_type");
    if (!stored)
        return {};
    const gguf::FileTypeInfo* const type
        = *stored <= UINT32_MAX ? gguf::findFileType(static_cast<std::uint32_t>(*stored)) : nullptr;
    const QString name
        = type ? QString::fromUtf8(type->name.data(), static_cast<qsizetype>(type->name.size())) : tr("unknown");
    return tr("%1 (%2)").arg(name).arg(quint64{*stored});
}

QString formatText(const gguf::Document& document)
{
    if (!document.header())
        return {};
    return (document.byteOrder() == gguf::ByteOrder::Little ? tr("GGUF version %1, little-endian")
                                                            : tr("GGUF version %1, big-endian"))
        .arg(document.header()->version);
}

void judgeCompleteness(Overview& overview, const gguf::Document& document)
{
    if (!document.isFinished() || document.status() == gguf::Status::Foreign
        || document.status() == gguf::Status::Unreadable)
        return;
    const bool allThere = document.contentEnd() && *document.contentEnd() <= document.fileSize();
    for (std::size_t rank = 0; !allThere && rank < document.tensorCount(); ++rank) {
        const std::size_t tensor = document.tensorInOffsetOrder(rank);
        const gguf::TensorSpace space = document.tensorSpace(tensor);
        if (!space.cut())
            continue;
        if (!overview.firstCutTensor)
            overview.firstCutTensor = tensor;
        overview.missingTensors += space.missing() ? 1U : 0U;
    }
    const std::uint64_t expected = document.expectedSize().value_or(document.contentEnd().value_or(0));
    overview.missingBytes = expected > document.fileSize() ? expected - document.fileSize() : 0;
    const bool tablesEnd = document.status() == gguf::Status::Ok;
    overview.complete = tablesEnd && !overview.firstCutTensor && overview.missingBytes == 0;
    if (overview.complete) {
        overview.completeness = tr("Complete.");
    } else if (!tablesEnd) {
        overview.completeness = tr("The metadata and tensor table could not be read to their end: reading stopped at %1.")
                                    .arg(NumberText::offset(document.parsedEnd()));
    } else {
        overview.completeness = tr("%1 of %2 bytes are there (%3); %4 are missing.")
                                    .arg(NumberText::count(document.fileSize()), NumberText::count(expected),
                                        NumberText::share(document.fileSize(), expected),
                                        NumberText::bytes(overview.missingBytes));
        if (overview.firstCutTensor) {
            overview.completeness += u' ' + tr("The first tensor cut is %1.")
                                               .arg(fromFile(document.tensorName(*overview.firstCutTensor)));
        } else {
            overview.completeness += u' ' + tr("All tensor data are there: only the last padding is missing.");
        }
        if (overview.missingTensors > 0)
            overview.completeness += u' ' + tr("Tensors wholly missing: %1.").arg(overview.missingTensors);
    }
}

QString parametersText(const gguf::TensorSum& sum)
{
    if (!sum.parameters())
        return tr("parameters unknown: %1").arg(QString::fromStdString(sum.whyNoParameters()));
    return sum.elements == 1 ? tr("1 parameter") : tr("%1 parameters").arg(NumberText::parameters(sum.elements));
}

QString bitsPerWeightText(const gguf::TensorSum& sum)
{
    if (sum.bitsPerWeight())
        return tr("%1 bits per weight").arg(NumberText::bitsPerWeight(sum.bitsPerWeight()));
    const std::string why = sum.whyNoBitsPerWeight();
    return why.empty() ? QString() : tr("bits per weight unknown: %1").arg(QString::fromStdString(why));
}

} // namespace

Overview Overview::of(const gguf::Document& document, const QString& fileName)
{
    Overview overview;
    overview.title = fromFile(document.stringValue("general.name"));
    if (overview.title.trimmed().isEmpty())
        overview.title = fileName;
    overview.architecture = fromFile(document.architecture());
    if (document.sum() && document.sum()->tensors > 0) {
        overview.parameters = parametersText(*document.sum());
        overview.bitsPerWeight = bitsPerWeightText(*document.sum());
    }
    overview.size = NumberText::size(document.fileSize());
    overview.fileType = fileTypeText(document);
    overview.format = formatText(document);
    overview.tensors = counted(document.tensorCount(), tr("1 tensor"), tr("%1 tensors"));
    overview.metadata = counted(document.metadataCount(), tr("1 key"), tr("%1 keys"));

    const gguf::Verdicts verdicts = document.verdicts();
    overview.spec = verdict(document, verdicts.specValid, verdicts.specReason,
        QT_TRANSLATE_NOOP("Overview", "valid by the specification"),
        QT_TRANSLATE_NOOP("Overview", "not valid by the specification"));
    overview.ggmlOpens = verdict(document, verdicts.ggmlOpens, verdicts.ggmlOpensReason,
        QT_TRANSLATE_NOOP("Overview", "ggml opens it"), QT_TRANSLATE_NOOP("Overview", "ggml refuses to open it"));
    overview.ggmlReads = verdict(document, verdicts.ggmlReads, verdicts.ggmlReadsReason,
        QT_TRANSLATE_NOOP("Overview", "ggml reads all its data"),
        QT_TRANSLATE_NOOP("Overview", "ggml refuses to read its data"));
    judgeCompleteness(overview, document);
    return overview;
}
