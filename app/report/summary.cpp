// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/summary.h"

#include "document/text.h"
#include "format/filetype.h"

#include <QLocale>

using namespace Qt::StringLiterals;

namespace {

constexpr std::size_t kMostText = 120;

QString fromFile(std::string_view bytes)
{
    return QString::fromStdString(gguf::visibleText(bytes, kMostText));
}

QString fromView(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

QString number(quint64 count)
{
    return QLocale::c().toString(count);
}

QLocale english()
{
    return QLocale(QLocale::English, QLocale::UnitedStates);
}

QString verdict(bool favourable, const QString& yes, const QString& no,
    const std::optional<std::size_t>& reason, const gguf::Document& document)
{
    if (favourable)
        return yes;
    if (!reason)
        return no;
    return u"%1: %2"_s.arg(no, QString::fromStdString(gguf::problemMessage(document.problem(*reason))));
}

} // namespace

QString Summary::bytes(quint64 count)
{
    const QString exact = count == 1 ? tr("1 byte") : tr("%1 bytes").arg(english().toString(count));
    if (count < 1024)
        return exact;
    return u"%1 (%2)"_s.arg(
        exact, english().formattedDataSize(static_cast<qint64>(std::min<quint64>(count, INT64_MAX))));
}

QString Summary::hexOffset(quint64 offset, quint64 fileSize)
{
    const int digits = fileSize > 0xFFFFFFFF ? 12 : 8;
    return u"0x%1"_s.arg(offset, digits, 16, QChar(u'0'));
}

/// What was recovered comes last.
template <class IsRecovered> static std::size_t recoveredAtEnd(std::size_t count, IsRecovered isRecovered)
{
    std::size_t recovered = 0;
    while (recovered < count && isRecovered(count - recovered - 1))
        ++recovered;
    return recovered;
}

QString Summary::judges(const gguf::Judges& judges)
{
    QStringList names;
    if (judges.spec)
        names.append(tr("spec"));
    if (judges.doc)
        names.append(tr("doc"));
    if (judges.ggml == gguf::GgmlVerdict::RefusesToOpen)
        names.append(tr("ggml opening"));
    if (judges.ggml == gguf::GgmlVerdict::RefusesToRead)
        names.append(tr("ggml reading"));
    return names.isEmpty() ? tr("nobody") : names.join(u", "_s);
}

QString Summary::problemCounts(const gguf::Document& document)
{
    QStringList parts;
    if (const quint64 errors = document.problemTotal(gguf::Severity::Error))
        parts.append(errors == 1 ? tr("1 error") : tr("%1 errors").arg(errors));
    if (const quint64 warnings = document.problemTotal(gguf::Severity::Warning))
        parts.append(warnings == 1 ? tr("1 warning") : tr("%1 warnings").arg(warnings));
    if (const quint64 notes = document.problemTotal(gguf::Severity::Note))
        parts.append(notes == 1 ? tr("1 note") : tr("%1 notes").arg(notes));
    return parts.isEmpty() ? tr("no problems") : parts.join(u", "_s);
}

std::vector<std::pair<QString, QString>> Summary::facts(const gguf::Document& document)
{
    std::vector<std::pair<QString, QString>> lines;
    const auto add = [&](const QString& name, const QString& value) { lines.push_back({name, value}); };

    add(tr("Size"), bytes(document.fileSize()));
    if (const gguf::Foreign* foreign = document.foreign()) {
        add(tr("What it is"), QString::fromStdString(foreign->title));
        for (const auto& [name, value] : foreign->details)
            add(QString::fromStdString(name), QString::fromStdString(value));
        if (!foreign->remedy.empty())
            add(tr("What to do"), QString::fromStdString(foreign->remedy));
        return lines;
    }
    if (!document.header())
        return lines;

    const gguf::Header& header = *document.header();
    const QString order
        = header.byteOrder == gguf::ByteOrder::Little ? tr("little-endian") : tr("big-endian");
    add(tr("Format"), tr("GGUF version %1, %2").arg(number(header.version), order));
    if (document.status() == gguf::Status::Partial)
        add(tr("Read"),
            tr("up to byte %1; what follows could not be followed").arg(number(document.parsedEnd())));
    if (const std::string_view name = document.stringValue("general.name"); !name.empty())
        add(tr("Name"), fromFile(name));
    if (!document.architecture().empty())
        add(tr("Architecture"), fromFile(document.architecture()));
    if (const auto stored = document.unsignedValue("general.file_type")) {
        const gguf::FileTypeInfo* info
            = *stored <= UINT32_MAX ? gguf::findFileType(static_cast<std::uint32_t>(*stored)) : nullptr;
        add(tr("File type"),
            info ? tr("%1 (%2)").arg(fromView(info->name), number(*stored))
                 : tr("%1 (unknown)").arg(number(*stored)));
    }
    const auto withRecovered = [](const QString& text, std::size_t recovered) {
        return recovered == 0 ? text : tr("%1 (%2 of them recovered)").arg(text, number(recovered));
    };
    add(tr("Metadata"),
        withRecovered(document.metadataCount() == 1 ? tr("1 pair") : tr("%1 pairs").arg(number(document.metadataCount())),
            recoveredAtEnd(document.metadataCount(), [&](std::size_t i) { return document.metadata(i).recovered; })));
    add(tr("Tensors"),
        withRecovered(number(document.tensorCount()),
            recoveredAtEnd(document.tensorCount(), [&](std::size_t i) { return document.tensorRecord(i).recovered; })));
    // They are summed up where the whole table could be read.
    if (const std::optional<gguf::TensorSum>& sum = document.sum()) {
        const auto unknown = [](const std::string& why) { return tr("unknown (%1)").arg(QString::fromStdString(why)); };
        add(tr("Parameters"),
            sum->parameters() ? english().toString(quint64{sum->elements}) : unknown(sum->whyNoParameters()));
        if (const std::optional<double> weight = sum->bitsPerWeight())
            add(tr("Bits per weight"), QString::number(*weight, 'f', 4));
        else if (const std::string why = sum->whyNoBitsPerWeight(); !why.empty())
            add(tr("Bits per weight"), unknown(why));
    }
    add(tr("Alignment"), number(document.alignment()));
    if (document.dataOffset())
        add(tr("Data section"), tr("from byte %1").arg(number(*document.dataOffset())));
    if (document.expectedSize() && *document.expectedSize() != document.fileSize())
        add(tr("Expected size"), bytes(*document.expectedSize()));
    return lines;
}

std::vector<std::pair<QString, QString>> Summary::verdicts(const gguf::Document& document)
{
    const gguf::Verdicts verdicts = document.verdicts();
    return {
        {tr("Specification"),
            verdict(verdicts.specValid, tr("valid"), tr("invalid"), verdicts.specReason, document)},
        {tr("ggml opens it"),
            verdict(verdicts.ggmlOpens, tr("yes"), tr("no"), verdicts.ggmlOpensReason, document)},
        {tr("ggml reads its data"),
            verdict(verdicts.ggmlReads, tr("yes"), tr("no"), verdicts.ggmlReadsReason, document)},
    };
}
