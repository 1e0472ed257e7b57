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
#include <QTemporaryDir>
#include <QTest>

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

Answer run(const QStringList& arguments)
{
    Answer answer;
    {
        Output out(answer.out), err(answer.err);
        answer.status = runHeadless(
            CommandLine::parse(QStringList{QStringLiteral("gguf-inspector")} + arguments), out, err);
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

private:
    QTemporaryDir m_folder;
    QString m_q8, m_q4;
};

QTEST_GUILESS_MAIN(AuditReportTest)
#include "tst_auditreport.moc"
