// SPDX-License-Identifier: GPL-3.0-or-later
// What all tensors and all problems of a file come to: every mode says the same, or says what is unknown and why.
#include "report/commandline.h"
#include "report/headless.h"
#include "report/output.h"
#include "support/ggufwriter.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;

class TotalsTest : public QObject
{
    Q_OBJECT
private slots:
    void unknownSizesAreSaid_data()
    {
        QTest::addColumn<quint32>("type");
        QTest::addColumn<QList<quint64>>("dims");
        QTest::addColumn<QJsonValue>("elements");
        QTest::newRow("unknown type") << 48U << QList<quint64>{64, 16} << QJsonValue(1024);
        QTest::newRow("partial row") << quint32{kQ4_0} << QList<quint64>{33} << QJsonValue(33);
        QTest::newRow("overflow") << quint32{kQ8_0} << QList<quint64>{quint64{1} << 62, 3} << QJsonValue();
    }

    void unknownSizesAreSaid()
    {
        QFETCH(const quint32, type);
        QFETCH(const QList<quint64>, dims);
        QFETCH(const QJsonValue, elements);
        GgufWriter writer;
        writer.kv("general.architecture", "llama").tensor("a", type, {dims.begin(), dims.end()}, std::vector<std::byte>(1024));
        const QString file = write(u"odd.gguf"_s, writer.tensor("b", kF32, {4}));
        const bool counted = !elements.isNull();
        const QJsonValue all = counted ? QJsonValue(elements.toInt() + 4) : QJsonValue();

        const QJsonObject report = json({u"--json"_s, file});
        QCOMPARE(report[u"parameters"_s], all);
        QCOMPARE(report[u"bits_per_weight"_s], QJsonValue());
        QCOMPARE(partOf(report[u"types"_s], type)[u"elements"_s], elements);
        QCOMPARE(partOf(report[u"types"_s], type)[u"bytes"_s], QJsonValue());

        const QJsonObject audit = json({u"--audit"_s, file});
        QCOMPARE(audit[u"elements"_s], all);
        QCOMPARE(audit[u"bits_per_weight"_s], QJsonValue());
        QCOMPARE(audit[u"unknown_size"_s], QJsonValue(1));
        QCOMPARE(partOf(audit[u"by_type"_s], type)[u"elements"_s], elements);
        QCOMPARE(partOf(audit[u"by_type"_s], type)[u"bits_per_weight"_s], QJsonValue());
        QCOMPARE(partOf(audit[u"by_type"_s], kF32)[u"bits_per_weight"_s], QJsonValue(32));

        const QJsonObject side = json({u"--compare"_s, u"--json"_s, file, file})[u"totals"_s][u"a"_s].toObject();
        QCOMPARE(side[u"elements"_s], all);
        QCOMPARE(side[u"bits_per_weight"_s], QJsonValue());
        QCOMPARE(side[u"unknown_size"_s], QJsonValue(1));

        const QString why = u"1 tensor of unknown size"_s;
        const QString parameters = counted ? QLocale(QLocale::English).toString(all.toInt())
                                           : u"unknown (1 tensor of unknown element count)"_s;
        const auto says = [](const QString& text, const QString& line) {
            if (!text.simplified().contains(line))
                qWarning("%s\nlacks %s", qPrintable(text), qPrintable(line));
            return text.simplified().contains(line);
        };
        const QString check = text({u"--check"_s, file});
        QVERIFY(says(check, u"Parameters "_s + parameters));
        QVERIFY(says(check, u"Bits per weight unknown (%1)"_s.arg(why)));
        const QString markdown = text({u"--markdown"_s, file});
        QVERIFY(says(markdown, u"| Parameters | %1 |"_s.arg(parameters)));
        QVERIFY(says(markdown, u"| Bits per weight | unknown (%1) |"_s.arg(why)));
        QVERIFY(says(text({u"--compare"_s, file, file}), u"bits per weight unknown (%1)"_s.arg(why)));
        const QString html = text({u"--audit-html"_s, file});
        QVERIFY(says(html, u"<td>Bits per weight</td><td>unknown (%1)</td>"_s.arg(why)));
        QVERIFY(says(html, u"<td>Weights</td><td>%1 in 2 tensors</td>"_s
                               .arg(counted ? QString::number(all.toInt()) : u"unknown"_s)));
    }

    void aFileThatIsNotReadToItsEndHasNoParameters()
    {
        GgufWriter writer;
        writer.kv("general.architecture", "llama").tensor("a", kF32, {4}).statedTensorCount(1000);
        const QJsonObject report = json({u"--json"_s, write(u"cut.gguf"_s, writer)});
        QCOMPARE(report[u"status"_s], QJsonValue(u"partial"_s));
        QVERIFY(report.contains(u"parameters"_s));
        QCOMPARE(report[u"parameters"_s], QJsonValue());
    }

    void problemsThatAreNotListedAreCounted()
    {
        GgufWriter writer;
        writer.kv("general.architecture", "llama");
        const int count = static_cast<int>(gguf::kMaxProblemsPerRule) + 500;
        for (int i = 0; i < count; ++i)
            writer.tensor("t" + std::to_string(i), kF32, {8}).statedOffset(7);
        const QString file = write(u"many.gguf"_s, writer);
        const QJsonObject report = json({u"--json"_s, file});
        qint64 errors = 0;
        for (const QJsonValue& problem : report[u"problems"_s].toArray())
            errors += problem[u"severity"_s] == u"error"_s;
        const QJsonObject omitted = report[u"problems_omitted"_s].toObject();
        for (const QString& code : omitted.keys()) {
            if (gguf::findRule(code.toStdString())->severity == gguf::Severity::Error)
                errors += omitted[code].toInteger();
        }
        QVERIFY(errors >= count);

        const QString expected = u" %1 errors"_s.arg(errors);
        QVERIFY(text({u"--check"_s, file}).contains(expected));
        const QString markdown = text({u"--markdown"_s, file});
        QVERIFY(markdown.contains(u"**Problems:"_s + expected));
        QVERIFY(text({u"--compare"_s, file, file}).contains(expected));
        const QJsonObject compared = json({u"--compare"_s, u"--json"_s, file, file})[u"errors"_s].toObject();
        QCOMPARE(compared[u"a"_s], QJsonValue(errors));
        QCOMPARE(compared[u"b"_s], QJsonValue(errors));
        // And the short list says how many it leaves out.
        const qint64 listed = markdown.count(u"\n1. `"_s) > 0 ? markdown.count(QRegularExpression(u"\n\\d+\\. `"_s)) : 0;
        const qint64 all = errors + warningsAndNotes(text({u"--check"_s, file}));
        QVERIFY(markdown.contains(u"\n%1 more are not listed here."_s.arg(all - listed)));
    }

private:
    QString write(const QString& name, const GgufWriter& writer) const
    {
        writer.write(m_folder.filePath(name).toStdString());
        return m_folder.filePath(name);
    }
    static QString text(const QStringList& arguments)
    {
        std::string out, err;
        {
            Output output(out), errors(err);
            runHeadless(CommandLine::parse(QStringList{u"gguf-inspector"_s} + arguments), output, errors);
        }
        return QString::fromStdString(out);
    }
    static QJsonObject json(const QStringList& arguments)
    {
        return QJsonDocument::fromJson(text(arguments).toUtf8()).object();
    }
    static QJsonObject partOf(const QJsonValue& parts, quint32 type)
    {
        for (const QJsonValue& part : parts.toArray()) {
            if (part[u"type_id"_s].toInteger() == type)
                return part.toObject();
        }
        return {{u"elements"_s, u"no such type"_s}};
    }
    static qint64 warningsAndNotes(const QString& check)
    {
        qint64 count = 0;
        static const QRegularExpression words(u"(\\d+) (?:warnings?|notes?)\\b"_s);
        const qsizetype line = check.indexOf(QRegularExpression(u"\\d+ errors"_s));
        for (const auto& match : words.globalMatch(check.mid(line, check.indexOf(u'\n', line) - line)))
            count += match.captured(1).toLongLong();
        return count;
    }

    QTemporaryDir m_folder;
};

QTEST_MAIN(TotalsTest)
#include "tst_totals.moc"
