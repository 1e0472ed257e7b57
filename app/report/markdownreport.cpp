// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/markdownreport.h"

#include "document/text.h"
#include "report/summary.h"
#include "report/typetotals.h"

#include <algorithm>
#include <array>

using namespace Qt::StringLiterals;

namespace {

/// Text that stays text: each character that Markdown or HTML could act on gets a backslash or an entity.
QString escaped(const QString& text)
{
    QString result;
    result.reserve(text.size() + 8);
    for (const QChar character : text) {
        switch (character.unicode()) {
        case u'<':
            result += "&lt;"_L1;
            break;
        case u'>':
            result += "&gt;"_L1;
            break;
        case u'&':
            result += "&amp;"_L1;
            break;
        case u'@':
            result += "&#64;"_L1;
            break; // would notify somebody
        case u'\\':
        case u'`':
        case u'*':
        case u'_':
        case u'{':
        case u'}':
        case u'[':
        case u']':
        case u'#':
        case u'|':
        case u'~':
        case u'!':
            result += u'\\';
            [[fallthrough]];
        default:
            result += character;
        }
    }
    return result;
}

QString escaped(std::string_view text)
{
    return escaped(QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())));
}

void addTable(QString& text, const std::vector<std::pair<QString, QString>>& lines)
{
    text += "| | |\n|---|---|\n"_L1;
    for (const auto& [name, value] : lines)
        text += u"| "_s + escaped(name) + u" | "_s + escaped(value) + u" |\n"_s;
    text += u'\n';
}

/// The bytes at a problem: from one row before it on, so that what leads to it is seen.
QString excerpt(const gguf::Document& document, const gguf::ByteSource* source, std::uint64_t offset)
{
    constexpr std::uint64_t kRow = 16;
    const std::uint64_t aligned = offset / kRow * kRow;
    const std::uint64_t start
        = aligned + kRow >= document.fileSize() && aligned >= kRow ? aligned - kRow : aligned;
    if (start >= document.fileSize())
        return {};
    const std::uint64_t length
        = std::min<std::uint64_t>(MarkdownReport::kExcerptBytes, document.fileSize() - start);

    std::array<std::byte, MarkdownReport::kExcerptBytes> buffer;
    std::span<const std::byte> bytes = document.bytes({start, length});
    if (bytes.empty() && source) {
        const gguf::ReadResult result
            = source->read(start, std::span(buffer).first(static_cast<std::size_t>(length)));
        bytes = std::span<const std::byte>(buffer).first(result.bytes);
    }

    QString text;
    for (std::size_t row = 0; row < bytes.size(); row += kRow) {
        const std::span<const std::byte> part
            = bytes.subspan(row, std::min<std::size_t>(kRow, bytes.size() - row));
        QString characters;
        for (const std::byte byte : part) {
            const auto value = static_cast<char>(byte);
            characters
                += value >= 0x20 && value < 0x7F && value != '`' ? QChar::fromLatin1(value) : QChar(u'.');
        }
        text += u"%1  %2  %3\n"_s.arg(Summary::hexOffset(start + row, document.fileSize()))
                    .arg(QString::fromStdString(gguf::hexBytes(part)), -47)
                    .arg(characters);
    }
    return text;
}

QString numberOrUnknown(std::optional<std::uint64_t> value)
{
    return value ? QString::number(*value) : MarkdownReport::tr("unknown");
}

} // namespace

QString MarkdownReport::text(
    const QString& name, const gguf::Document& document, const gguf::ByteSource* source)
{
    QString text = u"### "_s + escaped(gguf::visibleText(name.toStdString())) + u"\n\n"_s;
    std::vector<std::pair<QString, QString>> lines = Summary::facts(document);
    for (const auto& verdict : Summary::verdicts(document))
        lines.push_back(verdict);
    addTable(text, lines);

    // What was recovered is a guess and counts for nothing.
    if (const auto totals = typeTotals(document); !totals.empty()) {
        text += u"| "_s + tr("Type") + u" | "_s + tr("Tensors") + u" | "_s + tr("Elements") + u" | "_s
            + tr("Bytes") + u" |\n|---|--:|--:|--:|\n"_s;
        for (const TypeTotal& total : totals) {
            text += u"| %1 | %2 | %3 | %4 |\n"_s.arg(escaped(total.name), QString::number(total.sum.tensors),
                numberOrUnknown(total.sum.parameters()), numberOrUnknown(total.sum.knownBytes()));
        }
        text += u'\n';
    }

    text += u"**"_s + tr("Problems: %1").arg(Summary::problemCounts(document)) + u"**\n\n"_s;
    const std::size_t shown = std::min(document.problemCount(), kMostProblems);
    for (std::size_t i = 0; i < shown; ++i) {
        const gguf::Problem& problem = document.problem(i);
        text += u"%1. `%2` %3, %4 (%5), %6: %7\n"_s.arg(QString::number(i + 1),
            QString::fromUtf8(gguf::ruleInfo(problem.rule).code.data(),
                static_cast<qsizetype>(gguf::ruleInfo(problem.rule).code.size())),
            escaped(gguf::severityName(problem.severity)),
            Summary::hexOffset(problem.range.offset, document.fileSize()),
            QString::number(problem.range.offset),
            tr("in %1, minded by %2")
                .arg(escaped(document.subjectName(problem.subject)), Summary::judges(problem.judges)),
            escaped(gguf::problemMessage(problem)));
        const QString bytes = excerpt(document, source, problem.range.offset);
        if (!bytes.isEmpty())
            text += u"\n```\n"_s + bytes + u"```\n\n"_s;
    }
    std::uint64_t unlisted = 0;
    for (const gguf::Severity severity : {gguf::Severity::Error, gguf::Severity::Warning, gguf::Severity::Note})
        unlisted += document.problemTotal(severity);
    unlisted -= shown;
    if (unlisted > 0)
        text += u'\n' + (unlisted == 1 ? tr("1 more is not listed here.") : tr("%1 more are not listed here.").arg(unlisted)) + u'\n';
    text += u'\n' + tr("Made by gguf-inspector %1").arg(QStringLiteral(GGUF_VERSION)) + u'\n';
    return text;
}
