// SPDX-License-Identifier: GPL-3.0-or-later
#include "audit/label.h"

#include "document/document.h"
#include "io/filesource.h"
#include "parse/parser.h"
#include "support/qt/judgedfiles.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTest>

#include <algorithm>
#include <array>
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

/// An entry of the manifest, without our reading of the file.
struct Made
{
    QString file, model, producer, ftype;
    Alteration alteration;
    std::map<QString, QString> types; ///< of each tensor, in capitals

    static Made of(const QJsonObject& entry)
    {
        Made made;
        made.file = entry[QStringLiteral("file")].toString();
        // "llama4" of ".../llama4-Q4_K_M.gguf" and of ".../llama4-leave-output.gguf".
        made.model = made.file.section(QLatin1Char('/'), -1).section(QLatin1Char('-'), 0, 0);
        made.producer = entry[QStringLiteral("producer")].toString();
        made.ftype = entry[QStringLiteral("requested_ftype")].toString();
        made.alteration = alterationOf(entry[QStringLiteral("args")].toArray());
        for (const QJsonValue& row : entry[QStringLiteral("tensors")].toArray())
            made.types[row[0].toString()] = row[1].toString().toUpper();
        return made;
    }
};

/// The stock mixes of a plain model of four layers, for which there is no unaltered file: written down from the
/// published table of llama.cpp's mixes. In a model of four layers "each third, and the last eighth" is layers 2, 3.
struct WrittenMix
{
    QString ftype, usual;
    std::vector<std::pair<QString, QString>> others; ///< a name's pattern and its type; the first counts
};

const std::vector<WrittenMix> kFourLayers{
    {QStringLiteral("Q8_0"), QStringLiteral("Q8_0"), {}},
    {QStringLiteral("Q3_K_M"), QStringLiteral("Q3_K"),
        {{QStringLiteral("^output\\.weight$"), QStringLiteral("Q6_K")},
            {QStringLiteral("^blk\\.[01]\\.attn_v\\."), QStringLiteral("Q5_K")},
            {QStringLiteral("^blk\\.\\d\\.(attn_v|attn_output|ffn_down)\\."), QStringLiteral("Q4_K")}}},
    {QStringLiteral("Q5_K_M"), QStringLiteral("Q5_K"),
        {{QStringLiteral("^output\\.weight$"), QStringLiteral("Q6_K")},
            {QStringLiteral("^blk\\.[23]\\.(attn_v|ffn_down)\\."), QStringLiteral("Q6_K")}}},
    {QStringLiteral("Q4_K_M"), QStringLiteral("Q4_K"),
        {{QStringLiteral("^output\\.weight$"), QStringLiteral("Q6_K")},
            {QStringLiteral("^blk\\.[23]\\.(attn_v|ffn_down)\\."), QStringLiteral("Q6_K")}}},
    {QStringLiteral("Q2_K"), QStringLiteral("Q2_K"),
        {{QStringLiteral("^output\\.weight$"), QStringLiteral("Q6_K")},
            {QStringLiteral("^blk\\.\\d\\.(attn_v|attn_output|ffn_down)\\."), QStringLiteral("Q3_K")}}},
};

std::map<QString, QString> writtenMix(const QString& ftype, const std::map<QString, QString>& tensors)
{
    const auto mix = std::find_if(
        kFourLayers.begin(), kFourLayers.end(), [&](const WrittenMix& row) { return row.ftype == ftype; });
    std::map<QString, QString> types;
    for (const auto& [name, type] : tensors) {
        if (mix == kFourLayers.end() || name.contains(QLatin1String("norm"))) {
            types[name] = type; // norms stay as they are
            continue;
        }
        const auto other = std::find_if(mix->others.begin(), mix->others.end(),
            [&name = name](const auto& row) { return QRegularExpression(row.first).match(name).hasMatch(); });
        types[name] = other == mix->others.end() ? mix->usual : other->second;
    }
    return types;
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
        const QJsonArray entries = readManifest(GGUF_MODELS_DIR);
        if (entries.isEmpty())
            QSKIP("The folder of real models is not given.");
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

    /// What an altered file must list is what differs between its tensors and those of the unaltered file that the
    /// same quantizer made of the same model; where there is none, of the mix as it is published.
    void alteredFilesListExactlyWhatWasAltered_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QStringList>("altered");
        std::vector<Made> all;
        for (const QJsonValue& entry : readManifest(GGUF_MODELS_DIR))
            all.push_back(Made::of(entry.toObject()));
        if (all.empty())
            QSKIP("The folder of real models is not given.");
        int rows = 0;
        for (const Made& made : all) {
            if (made.alteration.isEmpty() || !made.producer.startsWith(QLatin1String("llama.cpp")))
                continue;
            const auto unaltered = std::find_if(all.begin(), all.end(), [&made](const Made& other) {
                return other.alteration.isEmpty() && other.model == made.model && other.ftype == made.ftype
                    && other.types.size() == made.types.size();
            });
            const std::map<QString, QString> written = writtenMix(made.ftype, made.types);
            const std::map<QString, QString> stock = unaltered != all.end() ? unaltered->types : written;
            QCOMPARE(stock, written); // the published mix is the one of the real file
            QStringList altered;
            for (const auto& [name, type] : made.types) {
                if (type != stock.at(name))
                    altered << QStringLiteral("%1: %2, stock %3").arg(name, type, stock.at(name));
            }
            QVERIFY(!altered.isEmpty());
            QTest::newRow(qPrintable(made.file)) << made.file << altered;
            ++rows;
        }
        QVERIFY(rows >= 7);
    }

    void alteredFilesListExactlyWhatWasAltered()
    {
        QFETCH(QString, file);
        QFETCH(QStringList, altered);
        const gguf::Document document = parseFile(kModels + QLatin1Char('/') + file);
        QStringList listed = deviationLines(document, labelOf(document));
        listed.sort();
        altered.sort();
        QCOMPARE(listed, altered);
    }

    /// Any few tensors of a stock file given another type are listed, and nothing else is.
    void anyAlteredTensorIsListed_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("ftype");
        for (const QJsonValue& entry : readManifest(GGUF_MODELS_DIR)) {
            const Made made = Made::of(entry.toObject());
            if (made.alteration.isEmpty() && made.producer.contains(QLatin1String("llama-quantize"))
                && made.producer.startsWith(QLatin1String("llama.cpp")) && gguf::findFileType(made.ftype.toStdString())
                && !made.file.contains(QLatin1String("-of-")))
                QTest::newRow(qPrintable(made.file)) << made.file << made.ftype;
        }
        if (readManifest(GGUF_MODELS_DIR).isEmpty())
            QSKIP("The folder of real models is not given.");
    }

    void anyAlteredTensorIsListed()
    {
        QFETCH(QString, file);
        QFETCH(QString, ftype);
        const gguf::Document document = parseFile(kModels + QLatin1Char('/') + file);
        const std::vector<gguf::AuditTensor> stock = gguf::auditTensors(document);
        const gguf::ModelFacts facts = gguf::modelFacts(document);
        const std::uint32_t fileType = gguf::findFileType(ftype.toStdString())->id;
        QCOMPARE(gguf::judgeRecipe(stock, facts, fileType).recipe.deviations.size(), std::size_t{0});
        // Types that no mix gives to a matrix of these models, so that the altered file cannot be stock again.
        constexpr std::array<std::uint32_t, 2> kOdd{15, 40}; // Q8_K, NVFP4
        std::vector<gguf::AuditTensor> altered = stock;
        std::vector<std::size_t> expected;
        for (std::size_t i = stock.size() / 7; i < stock.size(); i += 1 + stock.size() / 7) {
            const std::uint32_t type = kOdd[i % kOdd.size()];
            altered[i].typeId = type;
            altered[i].type = gguf::findTensorType(type);
            expected.push_back(i);
            std::vector<std::size_t> listed;
            for (const gguf::Deviation& deviation : gguf::judgeRecipe(altered, facts, fileType).recipe.deviations)
                listed.push_back(deviation.tensor);
            QCOMPARE(listed, expected);
        }
    }
};

QTEST_GUILESS_MAIN(RecipesTest)
#include "tst_recipes.moc"
