// SPDX-License-Identifier: GPL-3.0-or-later
#include "document/document.h"
#include "io/filesource.h"
#include "parse/parser.h"
#include "support/invariants.h"
#include "support/qt/judgedfiles.h"

#include <QTest>

using gguf::Document;

/// Real models, written by several programs: names, types and shapes as those programs know them.
class ModelsTest : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase();
    void tensors_data();
    void tensors();
};

void ModelsTest::initTestCase()
{
    if (readManifest(GGUF_MODELS_DIR).isEmpty())
        QSKIP("No models: set GGUF_MODELS_DIR.");
}

void ModelsTest::tensors_data()
{
    QTest::addColumn<QJsonObject>("entry");
    for (const QJsonValue& entry : readManifest(GGUF_MODELS_DIR))
        QTest::newRow(qPrintable(entry[u"file"].toString())) << entry.toObject();
}

static QString tensorLine(const QString& name, const QString& type, const QStringList& dims)
{
    return name + QStringLiteral(" ") + type.toUpper() + QStringLiteral(" ") + dims.join(QStringLiteral("x"));
}

void ModelsTest::tensors()
{
    QFETCH(QJsonObject, entry);
    const QString path = QDir(QStringLiteral(GGUF_MODELS_DIR)).filePath(entry[u"file"].toString());
    auto opened = gguf::FileSource::open(path.toStdString());
    const auto* source = std::get_if<std::shared_ptr<const gguf::FileSource>>(&opened);
    QVERIFY(source);
    gguf::ParseOptions options;
    options.fileName = QFileInfo(path).fileName().toStdString();
    const Document document = gguf::inspectData(gguf::parse(**source, options), **source, options);
    QCOMPARE(brokenInvariant(document), std::string());
    QVERIFY(document.status() == gguf::Status::Ok);

    QStringList expected;
    for (const QJsonValue& tensor : entry[u"tensors"].toArray()) {
        QStringList dims;
        for (const QJsonValue& dim : tensor[2].toArray())
            dims.append(QString::number(dim.toInteger()));
        expected.append(tensorLine(tensor[0].toString(), tensor[1].toString(), dims));
    }
    QStringList actual;
    for (std::size_t i = 0; i < document.tensorCount(); ++i) {
        const gguf::Tensor tensor = document.tensor(i);
        QStringList dims;
        for (const std::int64_t dim : tensor.dims())
            dims.append(QString::number(dim));
        actual.append(tensorLine(QString::fromUtf8(tensor.name.data(), static_cast<qsizetype>(tensor.name.size())),
            QString::fromStdString(tensor.typeName()), dims));
    }
    QCOMPARE(actual, expected);

    if (entry[u"clean"].toBool()) {
        for (std::size_t i = 0; i < document.problemCount(); ++i) {
            const gguf::Problem& problem = document.problem(i);
            if (problem.severity == gguf::Severity::Error)
                QFAIL(gguf::problemMessage(problem).c_str());
        }
        QVERIFY(document.verdicts().specValid);
        QVERIFY(document.verdicts().ggmlReads || document.byteOrder() == gguf::ByteOrder::Big);
    }
    // What the tensors need is what the producer's file had before its data were cut off.
    if (document.expectedSize() && entry[u"full_size"].isDouble())
        QCOMPARE(static_cast<qint64>(*document.expectedSize()), entry[u"full_size"].toInteger());
}

QTEST_GUILESS_MAIN(ModelsTest)
#include "tst_models.moc"
