// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/textreport.h"

#include "document/text.h"
#include "report/output.h"
#include "report/summary.h"
#include "report/typetotals.h"

using namespace Qt::StringLiterals;

namespace {

void writeLine(Output& output, const QString& text)
{
    output.write(text.toStdString());
    output.write("\n");
}

void writeTable(Output& output, const std::vector<std::pair<QString, QString>>& lines)
{
    qsizetype width = 0;
    for (const auto& [name, value] : lines)
        width = std::max(width, name.size());
    for (const auto& [name, value] : lines)
        writeLine(output, u"  "_s + name.leftJustified(width) + u"  "_s + value);
}

QString fromView(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

} // namespace

void TextReport::write(Output& output, const std::string& file, const gguf::Document& document)
{
    output.write(gguf::visibleText(file) + "\n");
    writeTable(output, Summary::facts(document));
    writeTable(output, Summary::verdicts(document));
    if (document.tensorCount() != 0) {
        std::vector<std::pair<QString, QString>> types;
        for (const TypeTotal& total : typeTotals(document)) {
            const gguf::TensorSum& sum = total.sum;
            const QString tensors = sum.tensors == 1 ? tr("1 tensor") : tr("%1 tensors").arg(sum.tensors);
            const QString size = sum.knownBytes() ? Summary::bytes(sum.bytes) : tr("unknown size");
            types.push_back({QString::fromStdString(total.name), u"%1, %2"_s.arg(tensors, size)});
        }
        writeTable(output, types);
    }
    writeLine(output, u"  "_s + Summary::problemCounts(document));
    for (const gguf::Severity severity :
        {gguf::Severity::Error, gguf::Severity::Warning, gguf::Severity::Note})
        writeProblems(output, document, severity);
    writeAdvice(output, document);
}

void TextReport::writeProblems(Output& output, const gguf::Document& document, gguf::Severity severity)
{
    for (std::size_t i = 0; i < document.problemCount() && !output.failed(); ++i) {
        const gguf::Problem& problem = document.problem(i);
        if (problem.severity != severity)
            continue;
        writeLine(output,
            u"  %1 (%2) %3 %4: %5 (%6)"_s.arg(Summary::hexOffset(problem.range.offset, document.fileSize()),
                QString::number(problem.range.offset), fromView(gguf::severityName(severity)),
                fromView(gguf::ruleInfo(problem.rule).code),
                QString::fromStdString(gguf::problemMessage(problem)),
                tr("in %1; minded by %2")
                    .arg(QString::fromStdString(document.subjectName(problem.subject)),
                        Summary::judges(problem.judges))));
    }
}

/// What follows from each kind of Problem and what to do, once for each rule.
void TextReport::writeAdvice(Output& output, const gguf::Document& document)
{
    for (const gguf::RuleInfo& rule : gguf::allRules()) {
        const std::uint64_t total = document.problemTotal(rule.rule);
        if (total == 0)
            continue;
        writeLine(output,
            u"  %1: %2 %3"_s.arg(fromView(rule.code), fromView(rule.consequence), fromView(rule.remedy)));
        if (total > gguf::kMaxProblemsPerRule)
            writeLine(output, u"    "_s + tr("Found %1 times; only the first are listed.").arg(total));
    }
}

void TextReport::writeUnreadable(Output& output, const std::string& file, const gguf::IoError& error)
{
    output.write(gguf::visibleText(file) + "\n");
    writeLine(output, u"  "_s + tr("Could not be read: %1").arg(QString::fromStdString(error.message)));
}

void TextReport::writeChecks(Output& output)
{
    bool first = true;
    for (const gguf::RuleInfo& rule : gguf::allRules()) {
        if (!first)
            output.write("\n");
        first = false;
        writeLine(output, u"%1 (%2)"_s.arg(fromView(rule.code), fromView(gguf::severityName(rule.severity))));
        writeTable(output,
            {
                {tr("What"), fromView(rule.title)},
                {tr("Rule"), fromView(rule.meaning)},
                {tr("Minded by"), Summary::judges(rule.judges)},
                {tr("Consequence"), fromView(rule.consequence)},
                {tr("Remedy"), fromView(rule.remedy)},
                {tr("Example"), fromView(rule.example)},
            });
    }
}
