// SPDX-License-Identifier: GPL-3.0-or-later
#include "parse/rules.h"
#include "support/ggufwriter.h"
#include "support/qt/judgedfiles.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <limits>

using namespace Qt::StringLiterals;

namespace {

struct Run
{
    int exitCode = -1;
    QByteArray out;
    QByteArray err;
};

/// The program itself, without a display, or with this one.
Run run(const QStringList& arguments, const QString& display = {})
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM", "QT_LOGGING_RULES"})
        environment.remove(QString::fromLatin1(name));
    if (!display.isEmpty())
        environment.insert(u"DISPLAY"_s, display);
    QProcess process;
    process.setProcessEnvironment(environment);
    process.start(QStringLiteral(GGUF_INSPECTOR), arguments);
    Run result;
    if (process.waitForFinished(-1) && process.exitStatus() == QProcess::NormalExit)
        result = {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
    return result;
}

QList<QJsonObject> jsonLines(const QByteArray& output)
{
    QList<QJsonObject> objects;
    for (const QByteArray& line : output.split('\n')) {
        if (!line.isEmpty())
            objects.append(QJsonDocument::fromJson(line).object());
    }
    return objects;
}

/// Nothing that a terminal would act on: printable text in UTF-8 and line feeds.
bool isSafeForTerminals(const QByteArray& output)
{
    for (const QChar character : QString::fromUtf8(output)) {
        const char16_t unit = character.unicode();
        const bool control = (unit < 0x20 && unit != '\n') || (unit >= 0x7F && unit < 0xA0);
        const bool bidirectional = (unit >= 0x202A && unit <= 0x202E) || (unit >= 0x2066 && unit <= 0x2069);
        if (control || bidirectional)
            return false;
    }
    return true;
}

QStringList codes(const QJsonObject& report)
{
    QStringList result;
    for (const QJsonValue problem : report[u"problems"_s].toArray())
        result.append(problem[u"code"_s].toString());
    return result;
}

constexpr const char* kMembers[] = {"file", "size", "status", "spec_valid", "ggml_opens", "ggml_reads",
    "version", "byte_order", "alignment", "data_offset", "expected_size", "pronom", "parameters",
    "bits_per_weight", "file_type", "metadata", "tensors", "types", "problems"};

} // namespace

class TestHeadless : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { QVERIFY(m_folder.isValid()); }

    void helpAndVersion();
    void badArguments();
    void jsonHasAllMembersInOrder();
    void jsonOfASmallModel();
    void jsonKeepsIntegersExact();
    void jsonOfOddValues();
    void jsonShortensArraysUnlessAskedForAll();
    void jsonReportsEachFileOnItsLine();
    void jsonOfForkTypes();
    void jsonOfTheCorpus();
    void jsonOfRealModels();
    void exitCodes_data();
    void exitCodes();
    void contradictingModes();
    void noDisplayIsNoCrash();
    void checkIsForPeople();
    void hostileTextNeverReachesTheTerminal();
    void markdownQuotesTheBytes();
    void listsChecks();
    void mapCoversTheFile();
    void mapCoversEveryFileOnce();
    void locates();
    void aClosedPipeIsNoTrouble();

private:
    QString path(const QString& name) const { return m_folder.filePath(name); }
    QString write(const QString& name, const GgufWriter& writer) const
    {
        writer.write(path(name).toStdString());
        return path(name);
    }
    QJsonObject json(const GgufWriter& writer, const QStringList& options = {}) const
    {
        const Run result = run(QStringList{u"--json"_s} + options + QStringList{write(u"x.gguf"_s, writer)});
        return jsonLines(result.out).value(0);
    }

    QTemporaryDir m_folder;
};

static GgufWriter smallModel(gguf::ByteOrder order = gguf::ByteOrder::Little)
{
    GgufWriter writer(3, order);
    writer.kv("general.architecture", "llama");
    writer.kv("general.file_type", std::uint32_t{15});
    writer.kv("general.quantization_version", std::uint32_t{2});
    writer.tensor("token_embd.weight", kF32, {8, 4}).tensor("blk.0.ffn_up.weight", kQ4K, {256, 2});
    return writer;
}

void TestHeadless::helpAndVersion()
{
    const Run help = run({u"--help"_s});
    QCOMPARE(help.exitCode, 0);
    QVERIFY(help.out.startsWith("Usage: gguf-inspector"));
    QVERIFY(help.err.isEmpty());
    const Run version = run({u"--version"_s});
    QCOMPARE(version.exitCode, 0);
    QCOMPARE(version.out, QByteArray("gguf-inspector " GGUF_VERSION "\n"));
}

void TestHeadless::badArguments()
{
    const Run result = run({u"--locate"_s, u"\x1B[31m"_s, u"x.gguf"_s});
    QCOMPARE(result.exitCode, 2);
    QVERIFY(result.out.isEmpty());
    QVERIFY(result.err.contains("--help"));
    QCOMPARE(result.err.count('\n'), 1);
    QVERIFY(isSafeForTerminals(result.err));
}

void TestHeadless::jsonHasAllMembersInOrder()
{
    write(u"ok.gguf"_s, smallModel());
    write(u"cut.gguf"_s, smallModel().truncateTo(70));
    QFile(path(u"foreign.gguf"_s)).open(QIODevice::WriteOnly);
    const Run result = run({u"--json"_s, path(u"ok.gguf"_s), path(u"cut.gguf"_s), path(u"foreign.gguf"_s),
        path(u"absent.gguf"_s)});
    const QList<QByteArray> lines = result.out.trimmed().split('\n');
    QCOMPARE(lines.size(), 4);
    for (const QByteArray& line : lines) {
        qsizetype from = 0;
        for (const char* member : kMembers) {
            const qsizetype at = line.indexOf(QByteArray('"' + QByteArray(member) + "\": "), from);
            QVERIFY2(at > 0, member);
            from = at;
        }
        QVERIFY(!QJsonDocument::fromJson(line).object().isEmpty());
    }
}

void TestHeadless::jsonOfASmallModel()
{
    for (const gguf::ByteOrder order : {gguf::ByteOrder::Little, gguf::ByteOrder::Big}) {
        const GgufWriter writer = smallModel(order);
        const QJsonObject report = json(writer);
        const bool isLittle = order == gguf::ByteOrder::Little;
        QCOMPARE(report[u"size"_s].toInteger(), qint64(writer.size()));
        QCOMPARE(report[u"status"_s], QJsonValue(u"ok"_s));
        QCOMPARE(report[u"spec_valid"_s], QJsonValue(true));
        QCOMPARE(report[u"ggml_opens"_s], QJsonValue(isLittle));
        QCOMPARE(report[u"ggml_reads"_s], QJsonValue(isLittle));
        QCOMPARE(report[u"version"_s], QJsonValue(3));
        QCOMPARE(report[u"byte_order"_s], QJsonValue(isLittle ? u"little"_s : u"big"_s));
        QCOMPARE(report[u"alignment"_s], QJsonValue(32));
        QCOMPARE(report[u"data_offset"_s].toInteger(), qint64(writer.dataOffset()));
        QCOMPARE(report[u"expected_size"_s].toInteger(), qint64(writer.size()));
        QCOMPARE(report[u"pronom"_s], QJsonValue(u"fmt/2098"_s));
        QCOMPARE(report[u"parameters"_s], QJsonValue(32 + 512));
        QCOMPARE(report[u"bits_per_weight"_s].toDouble(), 8.0 * (128 + 288) / 544);
        QCOMPARE(report[u"file_type"_s], QJsonValue(15));

        const gguf::ByteRange pair = writer.pairRange("general.file_type");
        QCOMPARE(report[u"metadata"_s][1],
            QJsonValue(QJsonObject{{u"key"_s, u"general.file_type"_s}, {u"type"_s, u"u32"_s},
                {u"offset"_s, qint64(pair.offset)}, {u"size"_s, qint64(pair.length)}, {u"value"_s, 15}}));
        QCOMPARE(report[u"tensors"_s][1],
            QJsonValue(QJsonObject{{u"name"_s, u"blk.0.ffn_up.weight"_s}, {u"type"_s, u"Q4_K"_s},
                {u"type_id"_s, 12}, {u"dims"_s, QJsonArray{256, 2}}, {u"elements"_s, 512}, {u"offset"_s, 128},
                {u"file_offset"_s, qint64(writer.dataRange("blk.0.ffn_up.weight").offset)}, {u"size"_s, 288},
                {u"padding"_s, 0}}));
        QCOMPARE(report[u"types"_s],
            QJsonValue(QJsonArray{QJsonObject{{u"type"_s, u"Q4_K"_s}, {u"type_id"_s, 12}, {u"tensors"_s, 1},
                                      {u"elements"_s, 512}, {u"bytes"_s, 288}},
                QJsonObject{{u"type"_s, u"F32"_s}, {u"type_id"_s, 0}, {u"tensors"_s, 1}, {u"elements"_s, 32},
                    {u"bytes"_s, 128}}}));
    }
}

void TestHeadless::jsonKeepsIntegersExact()
{
    GgufWriter writer;
    writer.kv("u", std::numeric_limits<std::uint64_t>::max())
        .kv("i", std::numeric_limits<std::int64_t>::min());
    writer.kv("list", std::vector<std::uint64_t>{9007199254740993});
    const Run result = run({u"--json"_s, write(u"x.gguf"_s, writer)});
    QVERIFY(result.out.contains("\"value\": 18446744073709551615}"));
    QVERIFY(result.out.contains("\"value\": -9223372036854775808}"));
    QVERIFY(result.out.contains("\"elements\": [9007199254740993]"));
}

void TestHeadless::jsonOfOddValues()
{
    GgufWriter writer;
    writer.kv("nan", std::numeric_limits<float>::quiet_NaN());
    writer.kv("inf", std::vector<double>{INFINITY, -INFINITY, 0.5});
    writer.kv("bytes", std::string("a\xFF\n"));
    writer.kv("list", std::vector<std::string>{"ok", "\xC3"});
    writer.kv("deep", std::vector<std::vector<std::int8_t>>{{-1}, {}});
    writer.kv("yes", true).kv("\xFEkey", std::uint8_t{1});
    writer.tensor("t\xFF", 999, {4});
    const QJsonObject report = json(writer);
    const QJsonArray metadata = report[u"metadata"_s].toArray();
    QCOMPARE(metadata[0][u"value"_s], QJsonValue(u"nan"_s));
    QCOMPARE(metadata[1][u"value"_s][u"elements"_s], QJsonValue(QJsonArray{u"inf"_s, u"-inf"_s, 0.5}));
    QCOMPARE(metadata[2][u"value"_s], QJsonValue(u"a\uFFFD\n"_s));
    QCOMPARE(metadata[2][u"bytes"_s], QJsonValue(u"61ff0a"_s));
    QCOMPARE(metadata[3][u"value"_s][u"elements"_s], QJsonValue(QJsonArray{u"ok"_s, u"\uFFFD"_s}));
    QCOMPARE(metadata[3][u"value"_s][u"bytes"_s], QJsonValue(QJsonArray{QJsonValue::Null, u"c3"_s}));
    const QJsonValue deep = metadata[4][u"value"_s];
    QCOMPARE(deep[u"element_type"_s], QJsonValue(u"arr"_s));
    QCOMPARE(deep[u"elements"_s][0],
        QJsonValue(
            QJsonObject{{u"element_type"_s, u"i8"_s}, {u"count"_s, 1}, {u"elements"_s, QJsonArray{-1}}}));
    QCOMPARE(deep[u"elements"_s][1][u"count"_s], QJsonValue(0));
    QCOMPARE(metadata[5][u"value"_s], QJsonValue(true));
    QCOMPARE(metadata[6][u"key_bytes"_s], QJsonValue(u"fe6b6579"_s));

    const QJsonValue tensor = report[u"tensors"_s][0];
    QCOMPARE(tensor[u"type"_s], QJsonValue(u"type 999"_s));
    QCOMPARE(tensor[u"size"_s], QJsonValue(QJsonValue::Null));
    QCOMPARE(tensor[u"elements"_s], QJsonValue(4));
    QCOMPARE(tensor[u"name_bytes"_s], QJsonValue(u"74ff"_s));
    QCOMPARE(report[u"types"_s][0][u"bytes"_s], QJsonValue(QJsonValue::Null));
    QCOMPARE(report[u"expected_size"_s], QJsonValue(QJsonValue::Null));
}

void TestHeadless::jsonShortensArraysUnlessAskedForAll()
{
    std::vector<std::string> tokens;
    for (int i = 0; i < 3000; ++i)
        tokens.push_back("token " + std::to_string(i));
    GgufWriter writer;
    writer.kv("tokenizer.ggml.tokens", tokens);

    const QJsonValue brief = json(writer)[u"metadata"_s][0][u"value"_s];
    QCOMPARE(brief[u"element_type"_s], QJsonValue(u"str"_s));
    QCOMPARE(brief[u"count"_s], QJsonValue(3000));
    QCOMPARE(brief[u"elements"_s].toArray().size(), 8);
    const QJsonArray all = json(writer, {u"--full"_s})[u"metadata"_s][0][u"value"_s][u"elements"_s].toArray();
    QCOMPARE(all.size(), 3000);
    for (qsizetype i = 0; i < all.size(); ++i)
        QCOMPARE(all[i].toString(), u"token %1"_s.arg(i));
}

void TestHeadless::jsonReportsEachFileOnItsLine()
{
    const QString first = write(u"first.gguf"_s, smallModel());
    QFile page(path(u"page.gguf"_s));
    QVERIFY(page.open(QIODevice::WriteOnly));
    page.write("<!DOCTYPE html><html><title>Sign in</title></html>");
    page.close();
    const Run result
        = run({u"--json"_s, path(u"absent.gguf"_s), first, path(u"page.gguf"_s), m_folder.path()});
    QCOMPARE(result.exitCode, 2);
    QVERIFY(result.err.isEmpty());
    const QList<QJsonObject> lines = jsonLines(result.out);
    QCOMPARE(lines.size(), 4);
    QCOMPARE(lines[0][u"status"_s], QJsonValue(u"unreadable"_s));
    QCOMPARE(lines[0][u"file"_s], QJsonValue(path(u"absent.gguf"_s)));
    QCOMPARE(codes(lines[0]), QStringList{u"read-failed"_s});
    QVERIFY(!lines[0][u"error"_s].toString().isEmpty());
    QVERIFY(!lines[0][u"problems"_s][0][u"remedy"_s].toString().isEmpty());
    QCOMPARE(lines[1][u"status"_s], QJsonValue(u"ok"_s));
    QCOMPARE(lines[2][u"status"_s], QJsonValue(u"foreign"_s));
    QCOMPARE(lines[2][u"spec_valid"_s], QJsonValue(false));
    QVERIFY(!lines[2][u"foreign"_s][u"title"_s].toString().isEmpty());
    QCOMPARE(lines[3][u"status"_s], QJsonValue(u"unreadable"_s));
}

void TestHeadless::jsonOfForkTypes()
{
    // IQ4_KS of ik_llama.cpp: four bytes a row beyond its blocks.
    GgufWriter writer;
    writer.kv("general.architecture", "llama");
    writer.tensor("a", 144, {512, 3}, std::vector<std::byte>(3 * (4 + 2 * 136)));
    const QJsonObject report = json(writer);
    QCOMPARE(report[u"tensors"_s][0][u"type"_s], QJsonValue(u"IQ4_KS"_s));
    QCOMPARE(report[u"tensors"_s][0][u"size"_s], QJsonValue(828));
    QCOMPARE(report[u"ggml_opens"_s], QJsonValue(false));
}

void TestHeadless::jsonOfTheCorpus()
{
    const QDir folder(QStringLiteral(GGUF_CORPUS_DIR));
    const QJsonArray expected = readManifest(GGUF_CORPUS_DIR);
    if (expected.isEmpty())
        QSKIP("No corpus: set GGUF_CORPUS_DIR.");
    QStringList arguments{u"--json"_s};
    for (const QJsonValue entry : expected)
        arguments.append(folder.filePath(entry[u"file"_s].toString()));
    const QList<QJsonObject> reports = jsonLines(run(arguments).out);
    QCOMPARE(reports.size(), expected.size());
    for (qsizetype i = 0; i < reports.size(); ++i) {
        for (const QString& verdict : {u"spec_valid"_s, u"ggml_opens"_s, u"ggml_reads"_s}) {
            const QJsonValue wanted = expected[i][verdict];
            QVERIFY2(wanted.isNull() || wanted == reports[i][verdict],
                qPrintable(arguments[i + 1] + u' ' + verdict + u' ' + codes(reports[i]).join(u' ')));
        }
        for (const char* member : kMembers)
            QVERIFY2(reports[i].contains(QString::fromLatin1(member)), member);
    }
}

void TestHeadless::jsonOfRealModels()
{
    const QDir folder(QStringLiteral(GGUF_MODELS_DIR));
    const QJsonArray expected = readManifest(GGUF_MODELS_DIR);
    if (expected.isEmpty())
        QSKIP("No models: set GGUF_MODELS_DIR.");
    QStringList arguments{u"--json"_s};
    for (const QJsonValue entry : expected)
        arguments.append(folder.filePath(entry[u"file"_s].toString()));
    const QList<QJsonObject> reports = jsonLines(run(arguments).out);
    QCOMPARE(reports.size(), expected.size());
    for (qsizetype i = 0; i < reports.size(); ++i) {
        QJsonArray tensors;
        for (const QJsonValue tensor : reports[i][u"tensors"_s].toArray()) {
            tensors.append(QJsonArray{
                tensor[u"name"_s], tensor[u"type"_s].toString().toLower(), tensor[u"dims"_s].toArray()});
        }
        QJsonArray wanted;
        for (const QJsonValue tensor : expected[i][u"tensors"_s].toArray())
            wanted.append(QJsonArray{tensor[0], tensor[1].toString().toLower(), tensor[2].toArray()});
        QVERIFY2(tensors == wanted, qPrintable(arguments[i + 1]));
        bool hasError = false;
        for (const QJsonValue problem : reports[i][u"problems"_s].toArray())
            hasError = hasError || problem[u"severity"_s] == QJsonValue(u"error"_s);
        if (expected[i][u"clean"_s].toBool())
            QVERIFY2(!hasError, qPrintable(arguments[i + 1] + codes(reports[i]).join(u' ')));
    }
}

void TestHeadless::exitCodes_data()
{
    QTest::addColumn<QStringList>("mode");
    QTest::addColumn<bool>("takesSeveral");
    for (const char* mode : {"--json", "--check", "--audit", "--check-data", "--hash"})
        QTest::newRow(mode) << QStringList{QString::fromLatin1(mode)} << true;
    for (const char* mode : {"--markdown", "--audit-html", "--map"})
        QTest::newRow(mode) << QStringList{QString::fromLatin1(mode)} << false;
    QTest::newRow("--locate") << QStringList{u"--locate"_s, u"0"_s} << false;
}

/// All modes that read files one by one end alike.
void TestHeadless::exitCodes()
{
    QFETCH(QStringList, mode);
    QFETCH(bool, takesSeveral);
    const QString good = write(u"good.gguf"_s, smallModel());
    const QString bad = write(u"bad.gguf"_s, smallModel().statedOffset(7));
    const QString cut = write(u"cut.gguf"_s, smallModel().truncateBy(100));
    const QString page = path(u"page.gguf"_s);
    QFile file(page);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write("<!DOCTYPE html><html></html>") > 0);
    file.close();
    const QString absent = path(u"absent.gguf"_s);
    const QString folder = m_folder.path();
    QCOMPARE(run(mode + QStringList{good}).exitCode, 0);
    QVERIFY(run(mode + QStringList{good}).err.isEmpty());
    QCOMPARE(run(mode + QStringList{bad}).exitCode, 1);
    QCOMPARE(run(mode + QStringList{cut}).exitCode, 1);
    for (const QString& none : {page, absent, folder}) {
        const Run result = run(mode + QStringList{none});
        QCOMPARE(result.exitCode, 2);
        // What is wrong is said once: in the answer, or in one line
        const bool answers = mode.first() == "--json"_L1 || mode.first() == "--check"_L1;
        QCOMPARE(result.err.count('\n'), answers ? 0 : 1);
        QVERIFY(result.err.contains(none.toUtf8()) != answers);
    }
    if (takesSeveral) {
        QCOMPARE(run(mode + QStringList{good, bad, good}).exitCode, 1);
        QCOMPARE(run(mode + QStringList{bad, absent, good}).exitCode, 2);
    }
}

void TestHeadless::contradictingModes()
{
    const QString good = write(u"good.gguf"_s, smallModel());
    for (const QStringList& modes : {QStringList{u"--check"_s, u"--json"_s}, {u"--json"_s, u"--check"_s},
             {u"--map"_s, u"--json"_s}, {u"--check"_s, u"--markdown"_s}, {u"--full"_s}}) {
        const Run result = run(modes + QStringList{good});
        QVERIFY2(result.exitCode == 2, qPrintable(modes.join(u' ')));
        QVERIFY(result.out.isEmpty());
        QCOMPARE(result.err.count('\n'), 1);
    }
    QCOMPARE(run({u"--compare"_s, u"--json"_s, good, good}).exitCode, 0);
}

void TestHeadless::noDisplayIsNoCrash()
{
#if defined(Q_OS_UNIX) && !defined(Q_OS_DARWIN)
    const QString good = write(u"good.gguf"_s, smallModel());
    const Run none = run({u"-platform"_s, u"xcb"_s, good});
    QCOMPARE(none.exitCode, 2); // -1 after an abort
    QVERIFY(none.err.contains("(neither DISPLAY nor WAYLAND_DISPLAY is set)"));
    const Run dead = run({u"-platform"_s, u"xcb"_s, good}, u":4242"_s);
    QCOMPARE(dead.exitCode, 2);
    QVERIFY(!dead.err.contains("neither"));
    const Run absent = run({u"-platform"_s, u"nonesuch"_s}, u":4242"_s);
    QCOMPARE(absent.exitCode, 2);
    QVERIFY(absent.err.contains("nonesuch"));
    for (const Run& result : {none, dead, absent}) {
        QVERIFY(result.out.isEmpty());
        QCOMPARE(result.err.count('\n'), 1);
        QVERIFY(result.err.startsWith("gguf-inspector: "));
        QVERIFY(result.err.contains("--check"));
    }
#else
    QSKIP("Displays of this system cannot be absent.");
#endif
}

void TestHeadless::checkIsForPeople()
{
    const GgufWriter writer = smallModel().statedOffset(7);
    const Run result = run({u"--check"_s, write(u"bad.gguf"_s, writer)});
    QVERIFY(result.out.contains("GGUF version 3, little-endian"));
    QVERIFY(result.out.contains("Q4_K_M (15)"));
    QVERIFY(result.out.contains("tensor-offset-unaligned"));
    QVERIFY(result.out.contains("in blk.0.ffn_up.weight"));
    QVERIFY(result.out.contains("ggml opens it"));
    // The problem's place, in hex.
    const gguf::ByteRange record = writer.recordRange("blk.0.ffn_up.weight");
    const QByteArray place
        = "0x" + QByteArray::number(qulonglong(record.end() - 8), 16).rightJustified(8, '0');
    QVERIFY2(result.out.contains(place), place.constData());
    // And what to do about it.
    const gguf::RuleInfo* rule = gguf::findRule("tensor-offset-unaligned");
    QVERIFY(result.out.contains(QByteArray::fromStdString(std::string(rule->remedy))));
}

void TestHeadless::hostileTextNeverReachesTheTerminal()
{
    const std::string hostile = "\x1B]0;owned\x07\xC2\x9B"
                                "31m\xE2\x80\xAE\r\x08\x7F<b>";
    GgufWriter writer;
    writer.kv("general.architecture", hostile).kv("general.name", hostile).kv(hostile, hostile);
    writer.kv(hostile, std::vector<std::string>{hostile});
    writer.tensor(hostile, 999, {4}).tensor(hostile, kF32, {4});
    const QString name = path(u"a\x1B[31mb.gguf"_s);
    writer.write(name.toStdString());
    const QString other = write(u"other.gguf"_s, GgufWriter().kv("general.architecture", hostile + "2"));
    const QStringList modes[] = {{u"--json"_s, u"--full"_s}, {u"--check"_s}, {u"--map"_s}, {u"--audit"_s},
        {u"--markdown"_s}, {u"--check-data"_s, u"--full"_s}, {u"--hash"_s}, {u"--compare"_s, other},
        {u"--compare"_s, u"--json"_s, other},
        {u"--locate"_s, u"0,24,40,60,100,150,200,300,400,500,600,700"_s}};
    for (const QStringList& mode : modes) {
        const Run result = run(mode + QStringList{name});
        QVERIFY2(!result.out.isEmpty(), qPrintable(mode.first()));
        QVERIFY2(isSafeForTerminals(result.out), qPrintable(mode.first()));
        QVERIFY2(isSafeForTerminals(result.err), qPrintable(mode.first()));
    }
    const QJsonObject report = jsonLines(run({u"--json"_s, name}).out).value(0);
    QCOMPARE(
        report[u"metadata"_s][0][u"value"_s].toString(), QString::fromStdString(hostile)); // and none is lost
    QCOMPARE(report[u"file"_s].toString(), name);
}

void TestHeadless::markdownQuotesTheBytes()
{
    // Padding that is not zero, far behind what is kept of the file.
    GgufWriter writer = smallModel().tensor("blk.0.attn_norm.weight", kF32, {300'000}).tensor("odd.weight", kF32, {3});
    writer.tensor("output_norm.weight", kF32, {8});
    const std::uint64_t padding = writer.dataRange("odd.weight").end();
    writer.patch(padding, {0xAB, 0xAB, 0xAB, 0xAB});
    const Run result = run({u"--markdown"_s, write(u"padded.gguf"_s, writer)});
    QCOMPARE(result.exitCode, 0);
    QVERIFY(result.out.startsWith("### padded.gguf\n"));
    QVERIFY(result.out.contains("`padding-not-zero`"));
    const QByteArray row = QByteArray::number(qulonglong(padding / 16 * 16), 16).rightJustified(8, '0');
    QVERIFY2(result.out.contains(QByteArray("0x" + row + "  ")), result.out.constData());
    QVERIFY(result.out.contains("AB AB AB AB"));
}

void TestHeadless::listsChecks()
{
    const Run json = run({u"--list-checks"_s, u"--json"_s});
    QCOMPARE(json.exitCode, 0);
    const QList<QJsonObject> lines = jsonLines(json.out);
    QCOMPARE(lines.size(), qsizetype(gguf::kRuleCount));
    const QByteArray text = run({u"--list-checks"_s}).out;
    for (const QJsonObject& line : lines) {
        const std::string code = line[u"code"_s].toString().toStdString();
        const gguf::RuleInfo* rule = gguf::findRule(code);
        QVERIFY(rule);
        QCOMPARE(line[u"remedy"_s].toString().toStdString(), std::string(rule->remedy));
        QCOMPARE(line[u"spec"_s].toBool(), rule->judges.spec);
        QVERIFY2(text.contains(QByteArray::fromStdString(code + " (")), code.c_str());
    }
}

void TestHeadless::mapCoversTheFile()
{
    const GgufWriter writer = smallModel().statedOffset(32).trailing("some bytes more");
    const Run result = run({u"--map"_s, write(u"x.gguf"_s, writer)});
    QCOMPARE(result.exitCode, 1); // two tensors overlap
    qint64 at = 0;
    QStringList kinds;
    QJsonArray owners;
    for (const QJsonObject& region : jsonLines(result.out)) {
        QCOMPARE(region[u"offset"_s].toInteger(), at);
        at += region[u"length"_s].toInteger();
        kinds.append(region[u"kind"_s].toString());
        QVERIFY(!region[u"path"_s].toArray().isEmpty());
        if (region.contains(u"owners"_s))
            owners = region[u"owners"_s].toArray();
    }
    QCOMPARE(at, QFileInfo(path(u"x.gguf"_s)).size());
    QCOMPARE(kinds,
        (QStringList{u"header"_s, u"metadata"_s, u"metadata"_s, u"metadata"_s, u"tensor_record"_s,
            u"tensor_record"_s, u"header_padding"_s, u"tensor_data"_s, u"tensor_data"_s, u"tensor_data"_s,
            u"trailing"_s}));
    QCOMPARE(owners, (QJsonArray{u"token_embd.weight"_s, u"blk.0.ffn_up.weight"_s}));
}

void TestHeadless::mapCoversEveryFileOnce()
{
    QStringList files;
    for (const char* folder : {GGUF_CORPUS_DIR, GGUF_SAMPLES_DIR}) {
        if (*folder != 0) {
            for (const QFileInfo& file : QDir(QString::fromUtf8(folder)).entryInfoList({u"*.gguf"_s}, QDir::Files))
                files.append(file.filePath());
        }
    }
    // A model cut at each of its first bytes, and some in its data
    const GgufWriter writer = smallModel();
    for (std::uint64_t size = 1; size < writer.size(); size += size < writer.dataOffset() + 8 ? 5U : 97U)
        files.append(write(u"cut%1.gguf"_s.arg(size), GgufWriter(writer).truncateTo(size)));
    QVERIFY(files.size() > 20);
    for (const QString& file : files) {
        const qint64 size = QFileInfo(file).size();
        const Run result = run({u"--map"_s, file});
        qint64 at = 0;
        for (const QJsonObject& region : jsonLines(result.out)) {
            QVERIFY2(region[u"offset"_s].toInteger() == at && region[u"length"_s].toInteger() > 0, qPrintable(file));
            QVERIFY2(!region[u"path"_s].toArray().isEmpty(), qPrintable(file));
            at += region[u"length"_s].toInteger();
        }
        QVERIFY2(at == size, qPrintable(u"%1: %2 of %3"_s.arg(file).arg(at).arg(size)));
    }
}

void TestHeadless::locates()
{
    for (const gguf::ByteOrder order : {gguf::ByteOrder::Little, gguf::ByteOrder::Big}) {
        const GgufWriter writer = smallModel(order);
        const std::uint64_t fileType = writer.valueOffset("general.file_type");
        const std::uint64_t embedding = writer.dataRange("token_embd.weight").offset;
        const std::uint64_t scales = writer.dataRange("blk.0.ffn_up.weight").offset + 144 + 4 + 3;
        const Run result = run({u"--locate"_s,
            u"4,%1,0x%2,%3,999999"_s.arg(fileType + 1).arg(embedding + 9 * 4, 0, 16).arg(scales),
            write(u"x.gguf"_s, writer)});
        QCOMPARE(result.exitCode, 0);
        const QList<QJsonObject> lines = jsonLines(result.out);
        QCOMPARE(lines.size(), 5);
        QCOMPARE(lines[0][u"path"_s], QJsonValue(QJsonArray{u"Header"_s, u"version"_s}));
        QCOMPARE(lines[0][u"value"_s], QJsonValue(u"3"_s));
        QCOMPARE(
            lines[1][u"path"_s], QJsonValue(QJsonArray{u"Metadata"_s, u"general.file_type"_s, u"value"_s}));
        QCOMPARE(lines[1][u"range_offset"_s].toInteger(), qint64(fileType));
        QCOMPARE(lines[1][u"range_length"_s], QJsonValue(4));
        QCOMPARE(lines[1][u"type"_s], QJsonValue(u"u32"_s));
        QCOMPARE(lines[1][u"value"_s], QJsonValue(u"15"_s));
        QCOMPARE(lines[2][u"tensor"_s], QJsonValue(u"token_embd.weight"_s));
        QCOMPARE(lines[2][u"row"_s], QJsonValue(1));
        QCOMPARE(lines[2][u"element"_s], QJsonValue(9));
        QCOMPARE(lines[3][u"path"_s],
            QJsonValue(QJsonArray{u"blk.0.ffn_up.weight"_s, u"row 1, block 0"_s, u"scales[3]"_s}));
        QCOMPARE(lines[3][u"row"_s], QJsonValue(1));
        QCOMPARE(lines[3][u"block"_s], QJsonValue(0));
        QCOMPARE(lines[3][u"field"_s], QJsonValue(u"scales[3]"_s));
        QCOMPARE(lines[3][u"element"_s], QJsonValue(256));
        QCOMPARE(lines[4][u"range_offset"_s], QJsonValue(QJsonValue::Null));
    }
}

void TestHeadless::aClosedPipeIsNoTrouble()
{
    std::vector<std::uint64_t> numbers(300000, 1234567890123);
    GgufWriter writer;
    writer.kv("numbers", numbers);
    const QString file = write(u"long.gguf"_s, writer);
    // The shell ignores SIGPIPE or not; both must end quietly.
    for (const QString& trap : {u""_s, u"trap '' PIPE; "_s}) {
        QProcess shell;
        shell.start(u"sh"_s,
            {u"-c"_s, trap + u"\"$0\" --json --full \"$1\" | head -c 100"_s, QStringLiteral(GGUF_INSPECTOR),
                file});
        QVERIFY(shell.waitForFinished(-1));
        QCOMPARE(shell.readAllStandardOutput().size(), 100);
        QCOMPARE(shell.readAllStandardError(), QByteArray());
    }
}

QTEST_GUILESS_MAIN(TestHeadless)
#include "tst_headless.moc"
