// SPDX-License-Identifier: GPL-3.0-or-later
#include "document/bytemap.h"
#include "io/filesource.h"
#include "parse/parser.h"
#include "support/invariants.h"
#include "support/qt/judgedfiles.h"

#include <QTest>

using gguf::Document;

/// What the specification and ggml's own reader said of each file of a corpus must be what we say.
class CorpusTest : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase();
    void verdicts_data();
    void verdicts();
};

void CorpusTest::initTestCase()
{
    if (readManifest(GGUF_CORPUS_DIR).isEmpty())
        QSKIP("No corpus: set GGUF_CORPUS_DIR.");
}

void CorpusTest::verdicts_data()
{
    QTest::addColumn<QJsonObject>("entry");
    for (const QJsonValue& entry : readManifest(GGUF_CORPUS_DIR))
        QTest::newRow(qPrintable(entry[u"file"].toString())) << entry.toObject();
}

static QString problemList(const Document& document)
{
    QString text;
    for (std::size_t i = 0; i < document.problemCount(); ++i) {
        const gguf::Problem& problem = document.problem(i);
        text += QString::fromUtf8(gguf::ruleInfo(problem.rule).code.data()) + QStringLiteral(" at ")
            + QString::number(problem.range.offset) + QStringLiteral("; ");
    }
    return text;
}

void CorpusTest::verdicts()
{
    QFETCH(QJsonObject, entry);
    const QString path = QDir(QStringLiteral(GGUF_CORPUS_DIR)).filePath(entry[u"file"].toString());
    auto opened = gguf::FileSource::open(path.toStdString());
    const auto* source = std::get_if<std::shared_ptr<const gguf::FileSource>>(&opened);
    QVERIFY(source);
    gguf::ParseOptions options;
    options.fileName = entry[u"file"].toString().toStdString();
    Document document = gguf::parse(**source, options);
    const std::string broken = brokenInvariant(document);
    QVERIFY2(broken.empty(), broken.c_str());

    const auto compare = [&](QStringView judge, bool said) {
        const QJsonValue expected = entry[judge];
        if (expected.isNull() || expected.toBool() == said)
            return QString();
        return judge.toString() + (said ? QStringLiteral(" said true; ") : QStringLiteral(" said false; "));
    };
    const gguf::Verdicts verdicts = document.verdicts();
    const QString wrong = compare(u"spec_valid", verdicts.specValid) + compare(u"ggml_opens", verdicts.ggmlOpens)
        + compare(u"ggml_reads", verdicts.ggmlReads);
    const QString message = wrong + entry[u"title"].toString() + QStringLiteral(" | ") + problemList(document);
    QVERIFY2(wrong.isEmpty(), qPrintable(message));

    // A malformed file has a reason, and one reason begins where a reader first meets the fault, or before.
    if (!verdicts.specValid)
        QVERIFY(verdicts.specReason);

    // Looking into the data adds notes, and never changes a verdict.
    document = gguf::inspectData(document, **source, options);
    QCOMPARE(document.verdicts().specValid, verdicts.specValid);
    QCOMPARE(document.verdicts().ggmlReads, verdicts.ggmlReads);
}

QTEST_GUILESS_MAIN(CorpusTest)
#include "tst_corpus.moc"
