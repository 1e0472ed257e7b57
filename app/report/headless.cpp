// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/headless.h"

#include "document/text.h"
#include "io/filesource.h"
#include "load/workers.h"
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
#include <optional>
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
    return document.problemTotal(gguf::Severity::Error) > 0 ? ExitErrors : ExitOk;
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

struct ReadFile
{
    Source source;
    gguf::Document document;
};

/// Opens and reads a file, and complains where that is impossible or it is not GGUF. Nothing where not one byte
/// could be read.
std::optional<ReadFile> readFile(const QString& file, Output& err)
{
    const auto opened = openFile(file);
    std::optional<ReadFile> read;
    gguf::IoError error;
    if (const gguf::IoError* failure = std::get_if<gguf::IoError>(&opened)) {
        error = *failure;
    } else {
        const Source source = std::get<Source>(opened);
        read = ReadFile{source, readDocument(*source, file)};
        error = read->document.readError();
    }
    if (!read || read->document.status() == gguf::Status::Unreadable) {
        complain(err, u"%1: %2"_s.arg(file, QString::fromStdString(error.message)));
        return std::nullopt;
    }
    if (read->document.status() == gguf::Status::Foreign)
        complain(err, CommandLine::tr("%1: This is not a GGUF file.").arg(file));
    return read;
}

/// Lets `write(name, document, source)` print what it has to say of each file in turn, and return what it found
/// beyond the document's problems.
template <class Write> int describeFiles(const CommandLine& line, Output& out, Output& err, Write write)
{
    int status = ExitOk;
    for (const QString& file : line.files) {
        const std::optional<ReadFile> read = readFile(file, err);
        if (!read) {
            status = ExitTrouble;
            continue;
        }
        const int found = write(file.toStdString(), read->document, *read->source);
        status = std::max({status, found, int{exitStatus(read->document)}});
        out.flush(); // what is known of a file is seen before the next is read
        if (out.failed())
            break;
    }
    return status;
}

int compareFiles(const CommandLine& line, Output& out, Output& err)
{
    std::vector<gguf::Document> documents;
    for (const QString& file : line.files) {
        const std::optional<ReadFile> read = readFile(file, err);
        if (!read || exitStatus(read->document) == ExitTrouble)
            return ExitTrouble;
        documents.push_back(read->document);
    }
    const gguf::Comparison comparison = gguf::compareDocuments(documents[0], documents[1]);
    const auto write = line.json ? &CompareReport::writeJson : &CompareReport::writeText;
    write(out, line.files[0].toStdString(), line.files[1].toStdString(), comparison);
    return comparison.same() ? ExitOk : ExitErrors;
}

/// Modes that describe files one by one.
int describe(const CommandLine& line, Output& out, Output& err, const HtmlReport::TypeColor& color)
{
    using Document = gguf::Document;
    using ByteSource = gguf::ByteSource;
    return describeFiles(
        line, out, err, [&](const std::string& file, const Document& document, const ByteSource& source) -> int {
            switch (line.mode) {
            case CommandLine::Mode::Markdown: {
                const QString name = QFileInfo(QString::fromStdString(file)).fileName();
                out.write(MarkdownReport::text(name, document, &source).toStdString());
                break;
            }
            case CommandLine::Mode::Map:
                MapReport::writeMap(out, document);
                break;
            case CommandLine::Mode::Locate:
                MapReport::writeLocations(out, document, source, line.offsets);
                break;
            case CommandLine::Mode::Audit:
                AuditReport::write(out, file, document);
                break;
            case CommandLine::Mode::AuditHtml:
                if (document.status() != gguf::Status::Foreign)
                    HtmlReport::write(out, file, document, color);
                break;
            case CommandLine::Mode::CheckData:
                return checkDataReport(out, file, document, source, line.full);
            case CommandLine::Mode::Hash:
                return hashReport(out, err, file, document, source);
            default:
                break;
            }
            return ExitOk;
        });
}

int runMode(const CommandLine& line, Output& out, Output& err, const HtmlReport::TypeColor& color)
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
    case CommandLine::Mode::Map:
    case CommandLine::Mode::Locate:
    case CommandLine::Mode::Audit:
    case CommandLine::Mode::AuditHtml:
    case CommandLine::Mode::CheckData:
    case CommandLine::Mode::Hash:
        status = describe(line, out, err, color);
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

} // namespace

int runHeadless(const CommandLine& line, Output& out, Output& err, const HtmlReport::TypeColor& color)
{
    try {
        return runMode(line, out, err, color);
    } catch (const std::exception& error) {
        complain(err, QString::fromStdString(Workers::failureSentence(error)));
    }
    return ExitTrouble;
}
