// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/problemtext.h"

#include "models/numbertext.h"

using namespace Qt::StringLiterals;

namespace {

QString fromView(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

} // namespace

QString ProblemText::severity(gguf::Severity severity)
{
    switch (severity) {
    case gguf::Severity::Error:
        return ProblemModel::tr("Error");
    case gguf::Severity::Warning:
        return ProblemModel::tr("Warning");
    case gguf::Severity::Note:
        break;
    }
    return ProblemModel::tr("Note");
}

QString ProblemText::severities(gguf::Severity severity)
{
    switch (severity) {
    case gguf::Severity::Error:
        return ProblemModel::tr("Errors");
    case gguf::Severity::Warning:
        return ProblemModel::tr("Warnings");
    case gguf::Severity::Note:
        break;
    }
    return ProblemModel::tr("Notes");
}

QString ProblemText::judge(ProblemModel::Judge judge)
{
    using Judge = ProblemModel::Judge;
    switch (judge) {
    case Judge::GgmlOpens:
        return ProblemModel::tr("ggml refuses to open the file");
    case Judge::GgmlReads:
        return ProblemModel::tr("ggml refuses to read the tensor data");
    case Judge::Spec:
        return ProblemModel::tr("The specification calls it invalid");
    case Judge::Doc:
        return ProblemModel::tr("ggml's gguf.md asks for something else");
    case Judge::DataCheck:
        return ProblemModel::tr("Found by the data check");
    case Judge::Nobody:
        break;
    }
    return ProblemModel::tr("Nobody refuses it, but it is worth knowing");
}

QString ProblemText::judges(const gguf::Judges& judges)
{
    QStringList sentences;
    if (judges.ggml == gguf::GgmlVerdict::RefusesToOpen)
        sentences.append(ProblemModel::tr("ggml refuses to open the file."));
    if (judges.ggml == gguf::GgmlVerdict::RefusesToRead)
        sentences.append(ProblemModel::tr("ggml opens the file but refuses to read the tensor data."));
    if (judges.spec)
        sentences.append(ProblemModel::tr("The specification calls it invalid."));
    if (judges.doc)
        sentences.append(ProblemModel::tr("ggml's gguf.md asks for something else."));
    if (sentences.isEmpty())
        sentences.append(ProblemModel::tr("Neither the specification nor ggml refuses it."));
    return sentences.join(u' ');
}

QString ProblemText::cell(const gguf::Document& document, const gguf::Problem& problem, int column)
{
    switch (column) {
    case ProblemModel::SeverityColumn:
        return severity(problem.severity);
    case ProblemModel::CodeColumn:
        return fromView(gguf::ruleInfo(problem.rule).code);
    case ProblemModel::OffsetColumn:
        return NumberText::offset(problem.range.offset);
    case ProblemModel::SubjectColumn:
        return QString::fromStdString(document.subjectName(problem.subject));
    default:
        return QString::fromStdString(gguf::problemMessage(problem));
    }
}

QString ProblemText::detail(const gguf::Problem& problem, int role)
{
    const gguf::RuleInfo& rule = gguf::ruleInfo(problem.rule);
    switch (role) {
    case ProblemModel::FoundRole:
        return QString::fromStdString(problem.found);
    case ProblemModel::ExpectedRole:
        return QString::fromStdString(problem.expected);
    case ProblemModel::MeaningRole:
        return fromView(rule.meaning);
    case ProblemModel::ConsequenceRole:
        return fromView(rule.consequence);
    case ProblemModel::RemedyRole:
        return fromView(rule.remedy);
    default:
        return {};
    }
}
