// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/commandline.h"

#include <QCommandLineParser>

#include <array>
#include <optional>

using namespace Qt::StringLiterals;

namespace {

/// One option of ours. Those with a mode exclude each other, but for --json, which is also the form that
/// --compare and --list-checks answer in.
struct OptionInfo
{
    const char* name;
    const char* valueName; ///< null: a switch
    const char* arguments; ///< for the help: what files it takes
    CommandLine::Mode mode; ///< Window: only modifies another mode
    const char* description;
};

using Mode = CommandLine::Mode;

constexpr OptionInfo kOptions[] = {
    {"json", nullptr, "FILE...", Mode::Json,
        QT_TRANSLATE_NOOP("CommandLine",
            "Print one JSON object a line for each file: header, metadata, tensors, problems.")},
    {"full", nullptr, nullptr, Mode::Window,
        QT_TRANSLATE_NOOP("CommandLine",
            "With --json: all elements of arrays, not only the first 8. With --check-data: statistics too.")},
    {"check", nullptr, "FILE...", Mode::Check,
        QT_TRANSLATE_NOOP("CommandLine", "Print a summary of each file, and all that is wrong with it.")},
    {"markdown", nullptr, "FILE", Mode::Markdown,
        QT_TRANSLATE_NOOP("CommandLine",
            "Print a report of the file for a bug tracker, with the bytes at each problem.")},
    {"list-checks", nullptr, "[--json]", Mode::ListChecks,
        QT_TRANSLATE_NOOP("CommandLine", "Print the catalogue of everything that is checked.")},
    {"map", nullptr, "FILE", Mode::Map,
        QT_TRANSLATE_NOOP("CommandLine",
            "Print one JSON object a line for each region of the file, from the first byte to the last.")},
    {"locate", "OFFSET[,OFFSET...]", "FILE", Mode::Locate,
        QT_TRANSLATE_NOOP("CommandLine",
            "Print one JSON object a line for each offset (decimal or 0x...): what lies there, down to the "
            "field.")},
    {"audit", nullptr, "FILE...", Mode::Audit,
        QT_TRANSLATE_NOOP("CommandLine",
            "Print one JSON object a line for each file: its quantization mix, and whether its label is "
            "true.")},
    {"audit-html", nullptr, "FILE", Mode::AuditHtml,
        QT_TRANSLATE_NOOP("CommandLine",
            "Print the whole audit as one HTML page that needs nothing else: no scripts, no images, no network.")},
    {"compare", nullptr, "FILE FILE [--json]", Mode::Compare,
        QT_TRANSLATE_NOOP("CommandLine",
            "Print how two files differ: metadata and tensors, by name. Order and offsets do not count.")},
    {"check-data", nullptr, "FILE...", Mode::CheckData,
        QT_TRANSLATE_NOOP("CommandLine",
            "Read all tensor data and print one JSON object a line for each tensor, then one for the file: "
            "NaN, infinity, runs of zeros.")},
    {"hash", nullptr, "FILE...", Mode::Hash,
        QT_TRANSLATE_NOOP("CommandLine",
            "Print the SHA-256 of each tensor's data and of the whole file, one JSON object a line.")},
};

/// Qt's own options of GUI programs: QApplication takes them.
constexpr const char* kQtSwitches[] = {"reverse", "nograb", "dograb", "sync", "widgetcount"};
constexpr const char* kQtValues[]
    = {"platform", "platformpluginpath", "platformtheme", "plugin", "style", "stylesheet", "qwindowgeometry",
        "qwindowicon", "qwindowtitle", "geometry", "display", "title", "icon", "session", "qmljsdebugger"};

void addHidden(QCommandLineParser& parser, const char* name, bool withValue)
{
    QCommandLineOption option(QString::fromLatin1(name));
    if (withValue)
        option.setValueName(u"value"_s);
    option.setFlags(QCommandLineOption::HiddenFromHelp);
    parser.addOption(option);
}

CommandLine invalid(const QString& error)
{
    CommandLine result;
    result.mode = Mode::Invalid;
    result.error = error;
    return result;
}

std::optional<QList<quint64>> parseOffsets(const QString& text)
{
    QList<quint64> offsets;
    for (const QString& part : text.split(u',')) {
        const std::optional<quint64> offset = CommandLine::parseOffset(part.trimmed());
        if (!offset)
            return std::nullopt;
        offsets.append(*offset);
    }
    return offsets;
}

/// Empty, or why the number of files does not suit the mode.
QString fileCountError(const CommandLine& line)
{
    switch (line.mode) {
    case Mode::Json:
    case Mode::Check:
    case Mode::Audit:
    case Mode::CheckData:
    case Mode::Hash:
        return line.files.isEmpty() ? CommandLine::tr("No file was given.") : QString();
    case Mode::Markdown:
    case Mode::Map:
    case Mode::Locate:
    case Mode::AuditHtml:
        return line.files.size() != 1 ? CommandLine::tr("Exactly one file is needed.") : QString();
    case Mode::Compare:
        return line.files.size() != 2 ? CommandLine::tr("Exactly two files are needed.") : QString();
    case Mode::ListChecks:
        return line.files.isEmpty() ? QString() : CommandLine::tr("--list-checks takes no file.");
    case Mode::Window:
    case Mode::Help:
    case Mode::Version:
    case Mode::Invalid:
        break;
    }
    return {};
}

} // namespace

std::optional<quint64> CommandLine::parseOffset(const QString& text)
{
    bool valid = false;
    const bool isHex = text.startsWith("0x"_L1, Qt::CaseInsensitive);
    const QString digits = isHex ? text.sliced(2) : text;
    // toULongLong would take a sign and blanks.
    if (digits.isEmpty() || !(digits.front().isDigit() || (isHex && digits.front().isLetter())))
        return std::nullopt;
    const quint64 offset = digits.toULongLong(&valid, isHex ? 16 : 10);
    return valid ? std::optional(offset) : std::nullopt;
}

CommandLine CommandLine::parse(const QStringList& arguments)
{
    QCommandLineParser parser;
    parser.setSingleDashWordOptionMode(QCommandLineParser::ParseAsLongOptions);
    parser.addOption(QCommandLineOption(QStringList{u"h"_s, u"help"_s}));
    parser.addOption(QCommandLineOption(QStringList{u"v"_s, u"version"_s}));
    for (const OptionInfo& option : kOptions) {
        const QString name = QString::fromLatin1(option.name);
        parser.addOption(option.valueName
                ? QCommandLineOption(name, {}, QString::fromLatin1(option.valueName))
                : QCommandLineOption(name));
    }
    for (const char* name : kQtSwitches)
        addHidden(parser, name, false);
    for (const char* name : kQtValues)
        addHidden(parser, name, true);

    if (!parser.parse(arguments))
        return invalid(parser.errorText());

    CommandLine line;
    line.files = parser.positionalArguments();
    line.json = parser.isSet(u"json"_s);
    line.full = parser.isSet(u"full"_s);
    if (parser.isSet(u"help"_s) || parser.isSet(u"version"_s)) {
        line.mode = parser.isSet(u"help"_s) ? Mode::Help : Mode::Version;
        return line;
    }

    const char* chosen = nullptr;
    for (const OptionInfo& option : kOptions) {
        const bool isModifier = option.mode == Mode::Window || option.mode == Mode::Json;
        if (isModifier || !parser.isSet(QString::fromLatin1(option.name)))
            continue;
        if (chosen) {
            return invalid(tr("--%1 and --%2 cannot be used together.")
                               .arg(QString::fromLatin1(chosen), QString::fromLatin1(option.name)));
        }
        chosen = option.name;
        line.mode = option.mode;
    }
    if (line.json && !chosen)
        line.mode = Mode::Json;
    else if (line.json && line.mode != Mode::Compare && line.mode != Mode::ListChecks)
        return invalid(tr("--%1 and --%2 cannot be used together.").arg(QString::fromLatin1(chosen), u"json"_s));
    if (line.full && line.mode != Mode::Json && line.mode != Mode::CheckData)
        return invalid(tr("--full needs --json or --check-data."));
    if (line.mode == Mode::Locate) {
        const QString text = parser.value(u"locate"_s);
        const std::optional<QList<quint64>> offsets = parseOffsets(text);
        if (!offsets)
            return invalid(tr("%1 is no list of offsets.").arg(text));
        line.offsets = *offsets;
    }
    const QString error = fileCountError(line);
    return error.isEmpty() ? line : invalid(error);
}

QString CommandLine::helpText()
{
    QString text = tr(
        "Usage: gguf-inspector [FILE...]\n"
        "       gguf-inspector OPTION... FILE...\n\n"
        "Shows what is inside a GGUF model file. Without an option the files open in windows; with one of\n"
        "the following the answer is printed, and no display is needed.\n\n");
    for (const OptionInfo& option : kOptions) {
        QString left = u"--"_s + QString::fromLatin1(option.name);
        for (const char* part : {option.valueName, option.arguments}) {
            if (part)
                left += u' ' + QString::fromLatin1(part);
        }
        text += u"  "_s + left + u"\n      "_s + tr(option.description) + u'\n';
    }
    text += u"  -h, --help\n      "_s + tr("Print this text.") + u'\n';
    text += u"  -v, --version\n      "_s + tr("Print the version.") + u"\n\n"_s;
    text += tr("Members of --check-data: file, tensor, type, type_id, offset, bytes, complete, finite, "
               "blocks, bad_blocks,\n"
               "first_bad (row, block, field, offset, length, kind), all_zero, zero_runs, zero_bytes, "
               "first_zero_run\n"
               "(offset, length), error; with --full also min, max, mean, deviation, zeros, histogram. Of "
               "the file:\n"
               "tensors, bytes, complete, bad_tensors, bad_blocks, all_zero_tensors, zero_runs, zero_bytes.\n"
               "Members of --hash: file, tensor (null for the whole file), offset, size, sha256, error.\n\n");
    text += tr("Exit status: 0 no errors, 1 errors were found, 2 a file could not be read or is not GGUF, the output\n"
               "could not be written, or the arguments make no sense. Of several files the largest counts. For\n"
               "--check-data a number that is not finite is an error too, for --hash a tensor that could not be hashed.\n"
               "Exit status of --compare: 0 no difference, 1 the files differ, 2 trouble.\n");
    return text;
}
