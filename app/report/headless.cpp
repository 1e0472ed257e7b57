// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/headless.h"

#include "document/text.h"
#include "io/filesource.h"
#include "parse/parser.h"
#include "report/auditreport.h"
#include "report/comparereport.h"
#include "report/datareport.h"
#include "report/jsonreport.h"
#include "report/mapreport.h"
#include "report/markdownreport.h"
#include "report/output.h"
#include "report/textreport.h"

#include <QFile>
#include <QFileInfo>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <memory>
#include <variant>
#include <vector>

using namespace Qt::StringLiterals;

namespace {

using Source = std::shared_ptr<const gguf::ByteSource>;

std::filesystem::path toPath(const QString& file)
{
    return std::filesystem::path(QFile::encodeName(file).toStdString());
}

std::variant<Source, gguf::IoError> openFile(const QString& file)
{
    auto opened = gguf::FileSource::open(toPath(file));
    if (const gguf::IoError* error = std::get_if<gguf::IoError>(&opened))
        return *error;
    return Source(std::get<std::shared_ptr<const gguf::FileSource>>(opened));
}

/// Parsed, with all that inspecting the data section adds.
gguf::Document readDocument(const gguf::ByteSource& source, const QString& file)
{
    gguf::ParseOptions options;
    options.fileName = toPath(file).filename().string();
    return gguf::inspectData(gguf::parse(source, options), source, options);
}

ExitStatus exitStatus(const gguf::Document& document)
{
    if (document.status() == gguf::Status::Foreign || document.status() == gguf::Status::Unreadable)
        return ExitTrouble;
    for (std::size_t i = 0; i < document.problemCount(); ++i) {
        if (document.problem(i).severity == gguf::Severity::Error)
            return ExitErrors;
    }
    return ExitOk;
}

void complain(Output& err, const QString& sentence)
{
    err.write(gguf::visibleText("gguf-inspector: " + sentence.toStdString()) + '\n');
}

/// Reports on each file in turn; a report has write() and writeUnreadable().
template <class Report> int reportFiles(const Report& report, const CommandLine& line, Output& out)
{
    int status = ExitOk;
    for (const QString& file : line.files) {
        const std::string name = file.toStdString();
        const auto opened = openFile(file);
        if (const gguf::IoError* error = std::get_if<gguf::IoError>(&opened)) {
            report.writeUnreadable(out, name, *error);
            status = ExitTrouble;
        } else {
            const gguf::Document document = readDocument(*std::get<Source>(opened), file);
            report.write(out, name, document);
            status = std::max<int>(status, exitStatus(document));
        }
        out.flush(); // what is known of a file is seen before the next is read
        if (out.failed())
            break;
    }
    return status;
}

/// Hands the one file that a mode is about to `write`. Such modes describe and do not judge: a damaged file
/// is no trouble to them.
template <class Write> int withFile(const QString& file, Output& err, Write write)
{
    const auto opened = openFile(file);
    if (const gguf::IoError* error = std::get_if<gguf::IoError>(&opened)) {
        complain(err, u"%1: %2"_s.arg(file, QString::fromStdString(error->message)));
        return ExitTrouble;
    }
    const Source source = std::get<Source>(opened);
    const gguf::Document document = readDocument(*source, file);
    write(document, *source);
    return document.status() == gguf::Status::Unreadable ? ExitTrouble : ExitOk;
}

int auditFiles(const CommandLine& line, Output& out, Output& err)
{
    int status = ExitOk;
    for (const QString& file : line.files) {
        const int one = withFile(file, err, [&](const gguf::Document& document, const auto&) {
            if (document.status() != gguf::Status::Unreadable)
                AuditReport::write(out, file.toStdString(), document);
        });
        status = std::max(status, one);
        out.flush();
    }
    return status;
}

int auditPage(const QString& file, const HtmlReport::TypeColor& color, Output& out, Output& err)
{
    bool foreign = false;
    const int status = withFile(file, err, [&](const gguf::Document& document, const auto&) {
        foreign = document.status() == gguf::Status::Foreign;
        if (!foreign && document.status() != gguf::Status::Unreadable)
            HtmlReport::write(out, file.toStdString(), document, color);
    });
    if (!foreign)
        return status;
    complain(err, CommandLine::tr("%1: This is not a GGUF file.").arg(file));
    return ExitTrouble;
}

/// Modes that read the data of each file in turn and say how it is.
template <class Report> int readData(const CommandLine& line, Output& out, Output& err, Report report)
{
    int status = ExitOk;
    for (const QString& file : line.files) {
        int found = ExitOk;
        const int opened
            = withFile(file, err, [&](const gguf::Document& document, const gguf::ByteSource& source) {
                  found = report(out, file.toStdString(), document, source);
                  if (document.status() == gguf::Status::Foreign && found == ExitTrouble)
                      complain(err, CommandLine::tr("%1: This is not a GGUF file.").arg(file));
              });
        status = std::max({status, opened, found});
        out.flush();
    }
    return status;
}

int compareFiles(const CommandLine& line, Output& out, Output& err)
{
    std::vector<gguf::Document> documents;
    for (const QString& file : line.files) {
        int status = withFile(
            file, err, [&](const gguf::Document& document, const auto&) { documents.push_back(document); });
        if (status == ExitOk && documents.back().status() == gguf::Status::Foreign) {
            complain(err, CommandLine::tr("%1: This is not a GGUF file.").arg(file));
            status = ExitTrouble;
        }
        if (status != ExitOk)
            return status;
    }
    const gguf::Comparison comparison = gguf::compareDocuments(documents[0], documents[1]);
    const auto write = line.json ? &CompareReport::writeJson : &CompareReport::writeText;
    write(out, line.files[0].toStdString(), line.files[1].toStdString(), comparison);
    return comparison.same() ? ExitOk : ExitErrors;
}

} // namespace

int runHeadless(const CommandLine& line, Output& out, Output& err, const HtmlReport::TypeColor& color)
{
    int status = ExitOk;
    switch (line.mode) {
    case CommandLine::Mode::Help:
        out.write(CommandLine::helpText().toStdString());
        break;
    case CommandLine::Mode::Version:
        out.write("gguf-inspector " GGUF_VERSION "\n");
        break;
    case CommandLine::Mode::Json:
        status = reportFiles(JsonReport{line.full}, line, out);
        break;
    case CommandLine::Mode::ListChecks:
        if (line.json)
            writeChecksAsJson(out);
        else
            TextReport::writeChecks(out);
        break;
    case CommandLine::Mode::Invalid:
        complain(err, CommandLine::tr("%1 Try --help.").arg(line.error));
        return ExitTrouble;
    case CommandLine::Mode::Check:
        status = reportFiles(TextReport{}, line, out);
        break;
    case CommandLine::Mode::Markdown:
        status = withFile(
            line.files.first(), err, [&](const gguf::Document& document, const gguf::ByteSource& source) {
                const QString name = QFileInfo(line.files.first()).fileName();
                out.write(MarkdownReport::text(name, document, &source).toStdString());
            });
        break;
    case CommandLine::Mode::Map:
        status = withFile(line.files.first(), err,
            [&](const gguf::Document& document, const auto&) { MapReport::writeMap(out, document); });
        break;
    case CommandLine::Mode::Locate:
        status = withFile(
            line.files.first(), err, [&](const gguf::Document& document, const gguf::ByteSource& source) {
                MapReport::writeLocations(out, document, source, line.offsets);
            });
        break;
    case CommandLine::Mode::Audit:
        status = auditFiles(line, out, err);
        break;
    case CommandLine::Mode::AuditHtml:
        status = auditPage(line.files.first(), color, out, err);
        break;
    case CommandLine::Mode::CheckData:
        status = readData(line, out, err,
            [&line](auto&&... arguments) { return checkDataReport(arguments..., line.full); });
        break;
    case CommandLine::Mode::Hash:
        status = readData(line, out, err, hashReport);
        break;
    case CommandLine::Mode::Compare:
        status = compareFiles(line, out, err);
        break;
    case CommandLine::Mode::Window:
        break;
    }
    out.flush();
    if (out.failed()) {
        // A reader that has seen enough closes the pipe: no complaint.
        if (out.error() != EPIPE)
            complain(err, CommandLine::tr("The output could not be written."));
        return ExitTrouble;
    }
    return status;
}
