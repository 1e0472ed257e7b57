// SPDX-License-Identifier: GPL-3.0-or-later
#include "audit/label.h"

#include "document/document.h"
#include "io/filesource.h"
#include "parse/parser.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTest>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

using gguf::RecipeVerdict;

namespace {

const QString kModels = QStringLiteral(GGUF_MODELS_DIR);

gguf::Document parseFile(const QString& path)
{
    auto opened = gguf::FileSource::open(path.toStdString());
    const auto* source = std::get_if<std::shared_ptr<const gguf::FileSource>>(&opened);
    return source ? gguf::parse(**source) : gguf::Document();
}

gguf::Label labelOf(const gguf::Document& document)
{
    const auto tensors = gguf::auditTensors(document);
    return gguf::auditLabel(document, tensors, gguf::computeMix(tensors));
}

QStringList deviationLines(const gguf::Document& document, const gguf::Label& label)
{
    QStringList lines;
    for (const gguf::Deviation& deviation : label.recipe.deviations) {
        lines << QStringLiteral("%1: %2, stock %3")
                     .arg(QString::fromStdString(std::string(document.tensorName(deviation.tensor))),
                         QString::fromStdString(deviation.found), QString::fromStdString(deviation.stock));
    }
    return lines;
}

/// What an altered file's arguments change, and the file type it is a change of.
struct Alteration
{
    QStringList patterns; ///< --tensor-type
    bool output = false, embedding = false, all = false;
    bool isEmpty() const { return patterns.isEmpty() && !output && !embedding && !all; }

    bool mayChange(const QString& tensor) const
    {
        if (all || (output && tensor == QLatin1String("output.weight"))
            || (embedding && tensor == QLatin1String("token_embd.weight")))
            return true;
        return std::any_of(patterns.begin(), patterns.end(),
            [&](const QString& pattern) { return QRegularExpression(pattern).match(tensor).hasMatch(); });
    }
};

Alteration alterationOf(const QJsonArray& args)
{
    Alteration result;
    for (qsizetype i = 0; i < args.size(); ++i) {
        const QString arg = args[i].toString();
        if (arg == QLatin1String("--tensor-type") || arg == QLatin1String("--custom-q"))
            result.patterns << args[i + 1].toString().section(QLatin1Char('='), 0, 0);
        result.output = result.output || arg == QLatin1String("--output-tensor-type")
            || arg == QLatin1String("--leave-output-tensor");
        result.embedding = result.embedding || arg == QLatin1String("--token-embedding-type");
        result.all
            = result.all || arg == QLatin1String("--pure") || arg == QLatin1String("--tensor-type-file");
    }
    return result;
}

} // namespace

/// The recipes against files that the real quantizers made.
class RecipesTest : public QObject
{
    Q_OBJECT
private slots:
    void realFiles_data()
    {
        QTest::addColumn<QJsonObject>("entry");
        QFile file(kModels + QStringLiteral("/manifest.json"));
        if (kModels.isEmpty() || !file.open(QIODevice::ReadOnly))
            QSKIP("The folder of real models is not given.");
        const QJsonArray entries = QJsonDocument::fromJson(file.readAll()).array();
        QVERIFY(entries.size() > 100);
        for (const QJsonValue& entry : entries)
            QTest::newRow(qPrintable(entry[QStringLiteral("file")].toString())) << entry.toObject();
    }

    void realFiles()
    {
        QFETCH(QJsonObject, entry);
        const QString path = kModels + QLatin1Char('/') + entry[QStringLiteral("file")].toString();
        const QString producer = entry[QStringLiteral("producer")].toString();
        QString ftype = entry[QStringLiteral("requested_ftype")].toString();
        if (ftype == QLatin1String("F32"))
            ftype = QStringLiteral("ALL_F32");
        const gguf::Document document = parseFile(path);
        const gguf::Label label = labelOf(document);
        const RecipeVerdict& verdict = label.recipe;
        const QString name = QString::fromStdString(verdict.name);
        const QByteArray lines = deviationLines(document, label).join(QLatin1Char('\n')).toUtf8();
        const QByteArray explanation = QByteArray::fromStdString(verdict.explanation);

        const bool hasForkTypes = [&] {
            for (std::size_t i = 0; i < document.tensorCount(); ++i) {
                const gguf::Tensor tensor = document.tensor(i);
                if (!tensor.type || tensor.type->status != gguf::TypeStatus::Current)
                    return true;
            }
            return false;
        }();
        if (hasForkTypes
            || (producer.startsWith(QLatin1String("ik_")) && !gguf::findFileType(ftype.toStdString()))) {
            QVERIFY2(verdict.kind == RecipeVerdict::Kind::ForkMix, explanation);
            QVERIFY(verdict.name.empty() && verdict.deviations.empty());
            return;
        }
        if (producer.startsWith(QLatin1String("ik_"))) {
            // ik_llama.cpp's own numbers are fork mixes; where its mix is upstream's, it is that recipe.
            QVERIFY2(
                verdict.kind == RecipeVerdict::Kind::ForkMix || verdict.kind == RecipeVerdict::Kind::Equal,
                lines + explanation);
            return;
        }
        if (document.architecture().empty() || document.tensorCount() == 0) {
            QVERIFY2(verdict.kind == RecipeVerdict::Kind::Unknown, explanation);
            QVERIFY(!verdict.explanation.empty());
            return;
        }
        if (!gguf::findFileType(ftype.toStdString())) // sources, splits, merges: whatever they were made from
            return;

        const Alteration alteration = alterationOf(entry[QStringLiteral("args")].toArray());
        QCOMPARE(name, ftype);
        if (alteration.isEmpty()) {
            QVERIFY2(verdict.kind == RecipeVerdict::Kind::Equal, lines);
            QCOMPARE(label.bestFit.value_or(9999), static_cast<std::uint32_t>(label.fileType.value_or(8888)));
            return;
        }
        QVERIFY(verdict.kind == RecipeVerdict::Kind::Deviates);
        for (const gguf::Deviation& deviation : verdict.deviations) {
            const QString tensor = QString::fromStdString(std::string(document.tensorName(deviation.tensor)));
            QVERIFY2(alteration.mayChange(tensor), qPrintable(tensor));
            QVERIFY(deviation.found != deviation.stock && !deviation.reason.empty());
        }
    }
};

QTEST_GUILESS_MAIN(RecipesTest)
#include "tst_recipes.moc"
