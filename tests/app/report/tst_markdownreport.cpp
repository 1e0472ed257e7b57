// SPDX-License-Identifier: GPL-3.0-or-later
#include "parse/parser.h"
#include "report/markdownreport.h"
#include "support/ggufwriter.h"

#include <QTest>

using namespace Qt::StringLiterals;

class TestMarkdownReport : public QObject
{
    Q_OBJECT

private slots:
    void holdsWhatABugTrackerNeeds()
    {
        GgufWriter writer;
        writer.kv("general.architecture", "llama");
        writer.kv("tokenizer.ggml.tokens", std::vector<std::string>{"secret-token-one", "secret-token-two"});
        writer.tensor("a.weight", kQ4K, {256, 2}).tensor("b.weight", kF32, {8}).statedOffset(5);
        const auto source = writer.source();
        const gguf::Document document = gguf::parse(*source);
        const QString report = MarkdownReport::text(u"model.gguf"_s, document, source.get());

        QVERIFY(report.startsWith(u"### model.gguf\n"_s));
        QVERIFY(report.contains(u"| Size | "_s));
        QVERIFY(report.contains(u"| Specification | invalid"_s));
        QVERIFY(report.contains(u"| ggml opens it | no"_s));
        QVERIFY(report.contains(u"| Q4\\_K | 1 | 512 | 288 |"_s));
        QVERIFY(report.contains(u"`tensor-offset-unaligned` error"_s));
        QVERIFY(!report.contains(u"secret-token"_s));
    }

    void showsTheBytesAtEachProblem()
    {
        GgufWriter writer;
        writer.kv("general.architecture", "llama");
        writer.kv("flag", true);
        const std::uint64_t flag = writer.valueOffset("flag");
        writer.patch(flag, {2});
        const auto source = writer.source();
        const gguf::Document document = gguf::parse(*source);
        const QString report = MarkdownReport::text(u"m"_s, document, source.get());
        QVERIFY(report.contains(u"`bool-invalid`"_s));
        const QString row = u"\n```\n0x%1  "_s.arg(
            flag / 16 * 16 - (flag + 16 >= writer.size() ? 16 : 0), 8, 16, QChar(u'0'));
        QVERIFY2(report.contains(row), qPrintable(row + report));
    }

    void textFromTheFileStaysText()
    {
        GgufWriter writer;
        writer.kv("general.name",
            "<img src=x onerror=alert(1)> @everyone | `code` [link](http://x) \x1B[31m\n# big");
        writer.tensor("<b>bold</b>|*x*", 999, {4});
        const auto source = writer.source();
        const QString report = MarkdownReport::text(u"<i>.gguf"_s, gguf::parse(*source), source.get());
        for (const char* bad : {"<img", "<b>", "<i>", "@everyone", "\x1B", "\n# big", " `code`", "(1)> @"})
            QVERIFY2(!report.contains(QString::fromLatin1(bad)), bad);
        QVERIFY(report.contains(u"&lt;img src=x"_s));
    }

    void whatWasRecoveredIsCalledSo()
    {
        GgufWriter writer;
        writer.kv("general.architecture", "llama").kv("a.b", "x").kv("a.c", "y").statedKeyLength(UINT64_MAX);
        writer.kv("a.d", std::uint32_t{1}).kv("a.e", true).tensor("w", kF32, {4}).tensor("v", kF32, {4});
        const auto source = writer.source();
        const gguf::Document document = gguf::inspectData(gguf::parse(*source), *source);
        const QString report = MarkdownReport::text(u"m"_s, document, source.get());
        QVERIFY2(report.contains(u"| Metadata | 4 pairs (2 of them recovered) |"_s), qPrintable(report));
        QVERIFY(report.contains(u"| Tensors | 2 (2 of them recovered) |"_s));
        QVERIFY(!report.contains(u"Parameters"_s) && !report.contains(u"| Type |"_s));
        QVERIFY(report.contains(u"in metadata pair 3,"_s)); // not in a.d, which has its number now
    }

    void aFileThatIsNotGguf()
    {
        const std::string page = "<!DOCTYPE html><html><head><title>Sign in</title></head></html>";
        const gguf::MemorySource source(
            std::span(reinterpret_cast<const std::uint8_t*>(page.data()), page.size()));
        const QString report = MarkdownReport::text(u"m.gguf"_s, gguf::parse(source), &source);
        QVERIFY(report.contains(u"Sign in"_s));
        QVERIFY(report.contains(u"3C 21 44 4F 43"_s));
        QVERIFY(!report.contains(u"<html>\n"_s));
    }
};

QTEST_GUILESS_MAIN(TestMarkdownReport)
#include "tst_markdownreport.moc"
