// SPDX-License-Identifier: GPL-3.0-or-later
// Faults are located where the corpus says that a reader first meets them, and nothing is said against sound
// models. The files are not part of the sources: without them the tests are skipped.

#include "io/filesource.h"
#include "parse/parser.h"
#include "support/qt/judgedfiles.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonObject>
#include <QTest>

using namespace gguf;

namespace {

Document read(const QString& path)
{
    auto opened = FileSource::open(path.toStdString());
    const auto source = std::get<0>(opened);
    ParseOptions options;
    options.fileName = QFileInfo(path).fileName().toStdString();
    return inspectData(parse(*source, options), *source, options);
}

/// The record that a Problem belongs to.
ByteRange subjectRange(const Document& document, const Subject& subject)
{
    if (const auto pair = document.metadataOf(subject))
        return document.metadata(*pair).range();
    if (const auto tensor = document.tensorOf(subject))
        return document.tensor(*tensor).record;
    return {};
}

QString messages(const Document& document)
{
    QStringList lines;
    for (std::size_t i = 0; i < document.problemCount(); ++i)
        lines << QStringLiteral("%1 at %2+%3: %4")
                     .arg(QLatin1String(ruleInfo(document.problem(i).rule).code.data()))
                     .arg(document.problem(i).range.offset)
                     .arg(document.problem(i).range.length)
                     .arg(QString::fromStdString(problemMessage(document.problem(i))));
    return lines.join(u'\n');
}

void addRows(const char* folder)
{
    QTest::addColumn<QJsonObject>("entry");
    const QJsonArray entries = readManifest(folder);
    for (const QJsonValue& value : entries)
        QTest::newRow(qPrintable(value[u"file"].toString())) << value.toObject();
    if (entries.isEmpty())
        QTest::newRow("none") << QJsonObject();
}

} // namespace

class TestFaultPlaces : public QObject
{
    Q_OBJECT

private:
    const QString m_corpus = QStringLiteral(GGUF_CORPUS_DIR);
    const QString m_models = QStringLiteral(GGUF_MODELS_DIR);

private slots:
    void faultIsLocated_data() { addRows(GGUF_CORPUS_DIR); }
    void faultIsLocated()
    {
        QFETCH(QJsonObject, entry);
        if (entry.isEmpty())
            QSKIP("no corpus");
        if (entry[u"fault_offset"].isNull())
            return;
        const auto fault = std::uint64_t(entry[u"fault_offset"].toInteger());
        const Document document = read(m_corpus + u'/' + entry[u"file"].toString());
        bool located = false;
        for (std::size_t i = 0; i < document.problemCount(); ++i) {
            const Problem& problem = document.problem(i);
            located = located || problem.range.offset == fault || problem.range.contains(fault)
                || subjectRange(document, problem.subject).contains(fault);
        }
        QVERIFY2(located, qPrintable(messages(document)));
    }

    void soundModelsHaveNoErrors_data() { addRows(GGUF_MODELS_DIR); }
    void soundModelsHaveNoErrors()
    {
        QFETCH(QJsonObject, entry);
        if (entry.isEmpty())
            QSKIP("no models");
        const QString path = m_models + u'/' + entry[u"file"].toString();
        if (!QFile::exists(path))
            QSKIP("the file is not there");
        const Document document = read(path);
        for (std::size_t i = 0; i < document.problemCount(); ++i) {
            const Problem& problem = document.problem(i);
            const QString message = QString::fromStdString(problemMessage(problem));
            if (entry[u"clean"].toBool())
                QVERIFY2(problem.severity != Severity::Error, qPrintable(message));
            // What their makers would call wrong, were it said of their files.
            for (const Rule rule :
                {Rule::BlockCountMismatch, Rule::VocabularySizeMismatch, Rule::TokenArrayLength,
                    Rule::TokenIdOutOfRange, Rule::KeyWrongType, Rule::QuantizationVersionMissing,
                    Rule::ImatrixMissing, Rule::MergesMissing, Rule::PreTokenizerMissing, Rule::SplitMismatch,
                    Rule::FloatNotFinite, Rule::PaddingNotZero, Rule::TrailingBytes, Rule::TensorTypeLayout,
                    Rule::CountSuggestion, Rule::MetadataRecovered, Rule::TensorsRecovered,
                    Rule::OffsetsShifted, Rule::TextConversion})
                QVERIFY2(problem.rule != rule, qPrintable(message));
            // One model was made by overriding every type that its label promises.
            if (!path.endsWith(u"llama4-all-nvfp4.gguf"))
                QVERIFY2(problem.rule != Rule::FileTypeMismatch, qPrintable(message));
        }
    }
};

QTEST_GUILESS_MAIN(TestFaultPlaces)
#include "tst_faultplaces.moc"
