// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/headless.h"
#include "report/output.h"
#include "support/ggufwriter.h"
#include "support/qt/judgedfiles.h"

#include <QCryptographicHash>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QtTest>

using namespace Qt::StringLiterals;

namespace {

struct Answer
{
    int status = 0;
    QList<QJsonObject> lines;
    QString complaints;
};

Answer ask(const QStringList& arguments)
{
    std::string out, err;
    Answer answer;
    {
        Output output(out), errors(err);
        answer.status
            = runHeadless(CommandLine::parse(QStringList{u"gguf-inspector"_s} + arguments), output, errors);
    }
    for (const QByteArray& line : QByteArray::fromStdString(out).split('\n')) {
        if (!line.isEmpty())
            answer.lines.append(QJsonDocument::fromJson(line).object());
    }
    answer.complaints = QString::fromStdString(err);
    return answer;
}

} // namespace

class DataReportTest : public QObject
{
    Q_OBJECT
private slots:
    void init() { QVERIFY(m_folder.isValid()); }
    void soundFile();
    void statisticsOnRequest();
    void notFinite();
    void zeros();
    void truncated();
    void hashOfAnUnknownType();
    void notGguf();
    void hashes();
    void realModelsAreFinite();

private:
    QString write(const GgufWriter& writer, const QString& name = u"m.gguf"_s)
    {
        const QString path = m_folder.filePath(name);
        writer.write(path.toStdString());
        return path;
    }
    QTemporaryDir m_folder;
};

void DataReportTest::soundFile()
{
    GgufWriter writer;
    for (int i = 0; i < 40; ++i)
        writer.tensor("t" + std::to_string(i), 24, {100}, std::vector<std::byte>(100, std::byte{1}));
    writer.tensor("f", 0, {4}, std::vector<std::byte>(16, std::byte{0x33}));
    const Answer answer = ask({u"--check-data"_s, write(writer)});
    QCOMPARE(answer.status, int{ExitOk});
    QCOMPARE(answer.lines.size(), 42);
    for (int i = 0; i < 40; ++i) // in file order, whichever was done first
        QCOMPARE(answer.lines[i][u"tensor"_s].toString(), u"t%1"_s.arg(i));
    QCOMPARE(answer.lines[0][u"finite"_s].toString(), u"not_judged"_s);
    const QJsonObject last = answer.lines[40];
    QCOMPARE(last[u"type"_s].toString(), u"F32"_s);
    QCOMPARE(last[u"finite"_s].toString(), u"finite"_s);
    QCOMPARE(last[u"blocks"_s].toInt(), 4);
    QCOMPARE(last[u"bytes"_s].toInt(), 16);
    QVERIFY(last[u"complete"_s].toBool() && last[u"first_bad"_s].isNull() && last[u"error"_s].isNull());
    QVERIFY(!last.contains(u"mean"_s));
    QCOMPARE(answer.lines[41][u"tensors"_s].toInt(), 41);
    QVERIFY(!answer.lines[41].contains(u"tensor"_s));
}

void DataReportTest::statisticsOnRequest()
{
    const float values[] = {0, 1, 2, 5};
    std::vector<std::byte> data(16);
    std::memcpy(data.data(), values, 16);
    const QString path = write(GgufWriter().tensor("w", 0, {4}, data).tensor("k", 137, {256}));
    const Answer answer = ask({u"--check-data"_s, u"--full"_s, path});
    QCOMPARE(answer.lines[0][u"mean"_s].toDouble(), 2.0);
    QCOMPARE(answer.lines[0][u"max"_s].toDouble(), 5.0);
    QCOMPARE(answer.lines[0][u"zeros"_s].toDouble(), 0.25);
    QCOMPARE(answer.lines[0][u"histogram"_s].toArray().size(), 64);
    QVERIFY(answer.lines[1][u"mean"_s].isNull()); // not known how to dequantize
}

void DataReportTest::notFinite()
{
    std::vector<std::byte> data(36, std::byte{0x33});
    data[18] = std::byte{0x00};
    data[19] = std::byte{0x7C};
    GgufWriter writer;
    writer.tensor("w", 2, {64}, data);
    const Answer answer = ask({u"--check-data"_s, write(writer)});
    QCOMPARE(answer.status, int{ExitErrors});
    QCOMPARE(answer.lines[0][u"finite"_s].toString(), u"not_finite"_s);
    const QJsonObject bad = answer.lines[0][u"first_bad"_s].toObject();
    QCOMPARE(bad[u"block"_s].toInt(), 1);
    QCOMPARE(bad[u"kind"_s].toString(), u"inf"_s);
    QCOMPARE(bad[u"field"_s].toString(), u"d"_s);
    QCOMPARE(bad[u"offset"_s].toInt(), static_cast<int>(writer.dataRange("w").offset + 18));
    QCOMPARE(answer.lines[1][u"bad_tensors"_s].toInt(), 1);
}

void DataReportTest::zeros()
{
    const QString path = write(GgufWriter().tensor("w", 24, {200'000}, std::vector<std::byte>(200'000)));
    const Answer answer = ask({u"--check-data"_s, path});
    QCOMPARE(answer.status, int{ExitOk}); // worth a word, but no error
    QVERIFY(answer.lines[0][u"all_zero"_s].toBool());
    QCOMPARE(answer.lines[0][u"first_zero_run"_s].toObject()[u"length"_s].toInt(), 200'000);
    QCOMPARE(answer.lines[1][u"all_zero_tensors"_s].toInt(), 1);
}

void DataReportTest::truncated()
{
    GgufWriter writer;
    writer.tensor("w", 0, {100}).tensor("v", 0, {100}).truncateBy(500);
    const QString path = write(writer);
    const Answer answer = ask({u"--check-data"_s, path});
    QCOMPARE(answer.status, int{ExitErrors});
    QVERIFY(!answer.lines[0][u"complete"_s].toBool());
    QVERIFY(!answer.lines[2][u"complete"_s].toBool());
    const Answer hashed = ask({u"--hash"_s, path});
    QCOMPARE(hashed.status, int{ExitErrors});
    QVERIFY(hashed.lines[1][u"sha256"_s].isNull());
    QCOMPARE(hashed.lines[1][u"error"_s].toString(), u"Only 0 of 400 bytes are there."_s);
    QVERIFY(!hashed.lines[2][u"sha256"_s].isNull()); // the file itself is what it is
    QVERIFY(hashed.lines[2][u"error"_s].isNull());
    QCOMPARE(hashed.complaints,
        QString(u"gguf-inspector: "_s + path + u": 2 of 3 hashes could not be made; the first is of w.\n"_s));
}

void DataReportTest::hashOfAnUnknownType()
{
    const Answer answer = ask({u"--hash"_s, write(GgufWriter().tensor("odd", 999, {4}))});
    QCOMPARE(answer.status, int{ExitErrors});
    QVERIFY(answer.lines[0][u"sha256"_s].isNull());
    QCOMPARE(answer.lines[0][u"error"_s].toString(), u"Where its data lie is not known."_s);
    QVERIFY(answer.complaints.contains(u"of odd."_s));
}

void DataReportTest::notGguf()
{
    const QString path = m_folder.filePath(u"page.gguf"_s);
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("<html>");
    file.close();
    const Answer answer = ask({u"--check-data"_s, path});
    QCOMPARE(answer.status, int{ExitTrouble});
    QVERIFY(answer.lines.isEmpty() && !answer.complaints.isEmpty());
    const Answer hashed = ask({u"--hash"_s, path});
    QCOMPARE(hashed.status, int{ExitTrouble});
    QCOMPARE(hashed.lines.size(), 1);
    QCOMPARE(hashed.lines[0][u"sha256"_s].toString(),
        QString::fromLatin1(QCryptographicHash::hash("<html>", QCryptographicHash::Sha256).toHex()));
    QCOMPARE(ask({u"--hash"_s, m_folder.filePath(u"none"_s)}).status, int{ExitTrouble});
    QCOMPARE(ask({u"--hash"_s}).status, int{ExitTrouble});
    QCOMPARE(ask({u"--hash"_s, u"--full"_s, path}).status, int{ExitTrouble});
}

void DataReportTest::hashes()
{
    GgufWriter writer;
    writer.tensor("w", 0, {100}).tensor("v", 8, {32, 3});
    const QString path = write(writer);
    const auto bytes = writer.bytes();
    const QByteArray all(reinterpret_cast<const char*>(bytes.data()), static_cast<qsizetype>(bytes.size()));
    const auto hashOf = [](const QByteArray& part) {
        return QString::fromLatin1(QCryptographicHash::hash(part, QCryptographicHash::Sha256).toHex());
    };
    const Answer answer = ask({u"--hash"_s, path});
    QCOMPARE(answer.status, int{ExitOk});
    QCOMPARE(answer.lines.size(), 3);
    const gguf::ByteRange v = writer.dataRange("v");
    QCOMPARE(answer.lines[1][u"tensor"_s].toString(), u"v"_s);
    QCOMPARE(answer.lines[1][u"sha256"_s].toString(),
        hashOf(all.mid(static_cast<qsizetype>(v.offset), static_cast<qsizetype>(v.length))));
    QCOMPARE(answer.lines[1][u"size"_s].toInt(), 102);
    QVERIFY(answer.lines[2][u"tensor"_s].isNull());
    QCOMPARE(answer.lines[2][u"sha256"_s].toString(), hashOf(all));
}

void DataReportTest::realModelsAreFinite()
{
    const QJsonArray models = readManifest(GGUF_MODELS_DIR);
    if (models.isEmpty())
        QSKIP("No models: set GGUF_MODELS_DIR.");
    int seen = 0;
    for (const QJsonValue& entry : models) {
        const QJsonObject model = entry.toObject();
        if (model[u"head_only"_s].toBool())
            continue;
        const QString path = QStringLiteral(GGUF_MODELS_DIR "/") + model[u"file"_s].toString();
        const Answer answer = ask({u"--check-data"_s, path});
        QVERIFY2(answer.status != ExitTrouble && !answer.lines.isEmpty(), qPrintable(path));
        // Types of forks are errors of the file, not of its data.
        const QJsonObject sum = answer.lines.last();
        QVERIFY2(sum[u"bad_tensors"_s].toInt(-1) == 0 && sum[u"complete"_s].toBool(), qPrintable(path));
        ++seen;
    }
    QVERIFY(seen > 10);
}

QTEST_GUILESS_MAIN(DataReportTest)
#include "tst_datareport.moc"
