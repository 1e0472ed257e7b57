// SPDX-License-Identifier: GPL-3.0-or-later
#include "parse/parser.h"
#include "report/commandline.h"
#include "report/headless.h"
#include "report/htmlreport.h"
#include "report/output.h"
#include "support/ggufwriter.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QSet>
#include <QTemporaryDir>
#include <QTest>

#include <new>
#include <stdexcept>

namespace {

GgufWriter model(std::uint32_t attnType)
{
    GgufWriter writer;
    writer.kv("general.architecture", "llama").kv("general.file_type", 7U).kv("llama.block_count", 1U);
    writer.kv("general.name", "<script>alert('x')</script> & \xE2\x80\xAE");
    writer.tensor("token_embd.weight", kQ8_0, {256, 8}).tensor("output.weight", kQ8_0, {256, 8});
    writer.tensor("blk.0.attn_q.weight", attnType, {256, 16});
    return writer;
}

struct Answer
{
    int status = -1;
    std::string out, err;
    QJsonObject json() const { return QJsonDocument::fromJson(QByteArray::fromStdString(out)).object(); }
};

Answer run(const QStringList& arguments, const HtmlReport::TypeColor& color = {})
{
    Answer answer;
    {
        Output out(answer.out), err(answer.err);
        answer.status = runHeadless(
            CommandLine::parse(QStringList{QStringLiteral("gguf-inspector")} + arguments), out, err, color);
    }
    return answer;
}

} // namespace

class AuditReportTest : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase()
    {
        m_q8 = m_folder.filePath(QStringLiteral("model-Q8_0.gguf"));
        m_q4 = m_folder.filePath(QStringLiteral("altered.gguf"));
        model(kQ8_0).write(m_q8.toStdString());
        model(kQ4K).write(m_q4.toStdString());
    }

    void auditNamesTheRecipe()
    {
        const Answer answer = run({QStringLiteral("--audit"), m_q8});
        QCOMPARE(answer.status, 0);
        const QJsonObject audit = answer.json();
        for (const char* member : {"file_type", "dominant_type", "bits_per_weight", "by_type", "by_role",
                 "by_layer", "imatrix", "recipe", "best_fit"})
            QVERIFY2(audit.contains(QLatin1String(member)), member);
        QCOMPARE(audit[QStringLiteral("dominant_type")].toString(), QStringLiteral("Q8_0"));
        QCOMPARE(audit[QStringLiteral("bits_per_weight")].toDouble(), 8.5);
        const QJsonObject recipe = audit[QStringLiteral("recipe")].toObject();
        QCOMPARE(recipe[QStringLiteral("name")].toString(), QStringLiteral("Q8_0"));
        QVERIFY(recipe[QStringLiteral("deviations")].toArray().isEmpty());
        QCOMPARE(audit[QStringLiteral("best_fit")].toString(), QStringLiteral("Q8_0"));
        QVERIFY(audit[QStringLiteral("imatrix")].isNull());
    }

    void auditListsDeviations()
    {
        const QJsonObject recipe
            = run({QStringLiteral("--audit"), m_q4}).json()[QStringLiteral("recipe")].toObject();
        const QJsonArray deviations = recipe[QStringLiteral("deviations")].toArray();
        QCOMPARE(deviations.size(), 1);
        const QJsonObject one = deviations[0].toObject();
        QCOMPARE(one[QStringLiteral("tensor")].toString(), QStringLiteral("blk.0.attn_q.weight"));
        QCOMPARE(one[QStringLiteral("type")].toString(), QStringLiteral("Q4_K"));
        QCOMPARE(one[QStringLiteral("stock")].toString(), QStringLiteral("Q8_0"));
        QVERIFY(!one[QStringLiteral("reason")].toString().isEmpty());
    }

    void compareTellsByItsStatus()
    {
        QCOMPARE(run({QStringLiteral("--compare"), m_q8, m_q8}).status, 0);
        const Answer different = run({QStringLiteral("--compare"), m_q8, m_q4});
        QCOMPARE(different.status, 1);
        QVERIFY(different.out.find("blk.0.attn_q.weight: Q8_0 to Q4_K") != std::string::npos);
        const Answer json = run({QStringLiteral("--compare"), m_q8, m_q4, QStringLiteral("--json")});
        QCOMPARE(json.json()[QStringLiteral("tensors")].toArray().size(), 1);
        QCOMPARE(json.json()[QStringLiteral("same")].toBool(true), false);
        QCOMPARE(run({QStringLiteral("--compare"), m_q8, m_q8 + QStringLiteral(".none")}).status, 2);
        QCOMPARE(run({QStringLiteral("--compare"), m_q8}).status, 2);
        const QString text = m_folder.filePath(QStringLiteral("text.gguf"));
        QFile file(text);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("not a model");
        file.close();
        QCOMPARE(run({QStringLiteral("--compare"), m_q8, text}).status, 2);
    }

    void pageIsEscapedAndComplete()
    {
        std::string page;
        {
            Output output(page);
            HtmlReport::write(
                output, "models/<b>.gguf", gguf::parse(*model(kQ4K).source()), [](std::uint32_t) {
                    return HtmlReport::Color{"#123456", "#ffffff"};
                });
        }
        QVERIFY(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"));
        QVERIFY(page.find("<script") == std::string::npos);
        QVERIFY(page.find("<b>") == std::string::npos);
        QVERIFY(
            page.find("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt; &amp; \\u202E") != std::string::npos);
        for (const char* wanted : {"blk.0.attn_q.weight", "Q4_K", "#123456", "attn_q"})
            QVERIFY2(page.find(wanted) != std::string::npos, wanted);
    }

    /// All that a page could fetch, run or take for markup, from each place where a file's own text goes.
    void auditPageOfAHostileFileIsInert()
    {
        const std::string hostile = "\"><img src=x onerror=alert(1)><script>alert(2)</script>' & \x1B[31m</style>";
        GgufWriter writer;
        writer.kv("general.architecture", "llama").kv("general.file_type", 7U).kv("llama.block_count", 1U);
        writer.kv("general.name", hostile).kv("quantize.imatrix.file", hostile);
        writer.tensor("token_embd.weight", kQ8_0, {256, 8}).tensor("blk.0." + hostile + ".weight", kQ4K, {256, 8});
        writer.tensor("blk.0.attn_q." + hostile, 9999, {256, 8});
        const QString path = m_folder.filePath(QStringLiteral("<i>&'.gguf"));
        writer.write(path.toStdString());
        const Answer answer = run({QStringLiteral("--audit-html"), path});
        QCOMPARE(answer.status, 1); // the file has errors, and a page nevertheless
        QVERIFY(answer.err.empty());
        const QString page = QString::fromStdString(answer.out);
        QVERIFY(page.startsWith(QStringLiteral("<!DOCTYPE html>")) && page.endsWith(QStringLiteral("</html>\n")));
        QVERIFY(page.contains(QStringLiteral("default-src 'none'")));
        QVERIFY(page.contains(QStringLiteral("onerror=alert(1)&gt;&lt;script&gt;"))); // shown as text
        QVERIFY(!page.contains(QChar(0x1B)));

        // Only the report's own elements and attributes are left.
        static const QRegularExpression tag(QStringLiteral("<(/?)([A-Za-z!][A-Za-z0-9]*)([^>]*)>"));
        const QSet<QString> own{QStringLiteral("!DOCTYPE"), QStringLiteral("html"), QStringLiteral("head"),
            QStringLiteral("meta"), QStringLiteral("style"), QStringLiteral("title"), QStringLiteral("body"),
            QStringLiteral("h1"), QStringLiteral("h2"), QStringLiteral("p"), QStringLiteral("table"),
            QStringLiteral("tr"), QStringLiteral("th"), QStringLiteral("td"), QStringLiteral("span"),
            QStringLiteral("div")};
        int tags = 0;
        for (auto match = tag.globalMatch(page); match.hasNext(); ++tags) {
            const QRegularExpressionMatch one = match.next();
            QVERIFY2(own.contains(one.captured(2)), qPrintable(one.captured(0)));
            for (const char* attribute : {"src=", "href=", "onerror=", "url("})
                QVERIFY2(!one.captured(3).contains(QLatin1String(attribute)), qPrintable(one.captured(0)));
        }
        QVERIFY(tags > 50);
        QCOMPARE(page.count(QLatin1Char('<')), tags); // nothing that only looks like text
        QVERIFY(!page.contains(QStringLiteral("http://")) && !page.contains(QStringLiteral("https://")));
    }

    void auditPageNeedsOneModel()
    {
        QCOMPARE(run({QStringLiteral("--audit-html"), m_q8, m_q4}).status, 2);
        QCOMPARE(run({QStringLiteral("--audit-html"), m_q8 + QStringLiteral(".none")}).status, 2);
        const QString text = m_folder.filePath(QStringLiteral("words.gguf"));
        QFile file(text);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("not a model");
        file.close();
        const Answer foreign = run({QStringLiteral("--audit-html"), text});
        QCOMPARE(foreign.status, 2);
        QVERIFY(foreign.out.empty() && !foreign.err.empty());
        QVERIFY(CommandLine::helpText().contains(QStringLiteral("--audit-html FILE")));
    }

    void whatFailsIsSaidInOneSentence()
    {
        const Answer memory = run({QStringLiteral("--audit-html"), m_q8},
            [](std::uint32_t) -> HtmlReport::Color { throw std::bad_alloc(); });
        QCOMPARE(memory.status, 2);
        QCOMPARE(memory.err, std::string("gguf-inspector: There is not enough memory for this.\n"));
        const Answer other = run({QStringLiteral("--audit-html"), m_q8},
            [](std::uint32_t) -> HtmlReport::Color { throw std::runtime_error("no luck"); });
        QCOMPARE(other.status, 2);
        QCOMPARE(other.err, std::string("gguf-inspector: This failed unexpectedly: no luck\n"));
    }

    void compareSaysThatAFileIsDamaged()
    {
        const QString cut = m_folder.filePath(QStringLiteral("cut.gguf"));
        QVERIFY(QFile::copy(m_q8, cut));
        QFile file(cut);
        QVERIFY(file.resize(file.size() - 500));
        const Answer answer = run({QStringLiteral("--compare"), m_q8, cut});
        QVERIFY2(answer.out.find("1 error: what could be read is compared") != std::string::npos, answer.out.c_str());
        const QJsonObject errors = run({QStringLiteral("--compare"), m_q8, cut, QStringLiteral("--json")})
                                       .json()[QStringLiteral("errors")]
                                       .toObject();
        QCOMPARE(errors[QStringLiteral("a")].toInt(-1), 0);
        QCOMPARE(errors[QStringLiteral("b")].toInt(-1), 1);
    }

private:
    QTemporaryDir m_folder;
    QString m_q8, m_q4;
};

QTEST_GUILESS_MAIN(AuditReportTest)
#include "tst_auditreport.moc"
