// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/commandline.h"

#include <QTest>

using namespace Qt::StringLiterals;

Q_DECLARE_METATYPE(CommandLine::Mode)

using Mode = CommandLine::Mode;

class TestCommandLine : public QObject
{
    Q_OBJECT

private slots:
    void modes_data()
    {
        QTest::addColumn<QString>("arguments");
        QTest::addColumn<Mode>("mode");
        QTest::addColumn<QString>("files");
        const auto row = [](const char* arguments, Mode mode, const char* files) {
            QTest::newRow(*arguments ? arguments : "nothing")
                << QString::fromLatin1(arguments) << mode << QString::fromLatin1(files);
        };
        row("", Mode::Window, "");
        row("a.gguf b.gguf", Mode::Window, "a.gguf b.gguf");
        row("-platform offscreen -style fusion a.gguf", Mode::Window, "a.gguf");
        row("--help", Mode::Help, "");
        row("-h a.gguf", Mode::Help, "a.gguf");
        row("--version", Mode::Version, "");
        row("--json a b c", Mode::Json, "a b c");
        row("a --json b --full", Mode::Json, "a b");
        row("--check a", Mode::Check, "a");
        row("--compare --json a b", Mode::Compare, "a b");
        row("--list-checks", Mode::ListChecks, "");
        row("--list-checks --json", Mode::ListChecks, "");
        row("--map a", Mode::Map, "a");
        row("--locate 0 a", Mode::Locate, "a");
        row("--check -- --odd", Mode::Check, "--odd");
        row("--json", Mode::Invalid, "");
        row("--check", Mode::Invalid, "");
        row("--map a b", Mode::Invalid, "");
        row("--map", Mode::Invalid, "");
        row("--locate a", Mode::Invalid, "");
        row("--locate x a", Mode::Invalid, "");
        row("--check --map a", Mode::Invalid, "");
        for (const char* mode : {"--check", "--markdown", "--map", "--locate 0", "--audit", "--audit-html",
                 "--check-data", "--hash"})
            row((std::string(mode) + " --json a").c_str(), Mode::Invalid, "");
        row("--full a", Mode::Invalid, "");
        row("--list-checks a", Mode::Invalid, "");
        row("--frobnicate a", Mode::Invalid, "");
    }

    void modes()
    {
        QFETCH(QString, arguments);
        QFETCH(Mode, mode);
        QFETCH(QString, files);
        const CommandLine line = CommandLine::parse(
            QStringList{u"gguf-inspector"_s} + arguments.split(u' ', Qt::SkipEmptyParts));
        QCOMPARE(line.mode, mode);
        QCOMPARE(line.error.isEmpty(), mode != Mode::Invalid);
        if (mode != Mode::Invalid)
            QCOMPARE(line.files, files.split(u' ', Qt::SkipEmptyParts));
    }

    void modifiers()
    {
        QVERIFY(CommandLine::parse({u"p"_s, u"--json"_s, u"--full"_s, u"a"_s}).full);
        QVERIFY(!CommandLine::parse({u"p"_s, u"--json"_s, u"a"_s}).full);
        QVERIFY(CommandLine::parse({u"p"_s, u"--list-checks"_s, u"--json"_s}).json);
    }

    void offsets()
    {
        const CommandLine line
            = CommandLine::parse({u"p"_s, u"--locate"_s, u"7,0x1F, 18446744073709551615"_s, u"a"_s});
        QCOMPARE(line.offsets, (QList<quint64>{7, 31, 18446744073709551615ULL}));
        for (const char* bad : {"", "-1", "+1", "0x", "12a", "0xg", "18446744073709551616", "1,,2", " 1"})
            QVERIFY2(!CommandLine::parseOffset(QString::fromLatin1(bad)), bad);
    }

    void helpNamesAllOptions()
    {
        const QString help = CommandLine::helpText();
        for (const char* option : {"--json FILE...", "--full", "--check FILE...", "--list-checks",
                 "--map FILE", "--locate OFFSET", "--audit", "--compare", "--help", "--version"})
            QVERIFY2(help.contains(QString::fromLatin1(option)), option);
        QVERIFY(!help.contains(u"platform"_s));
    }
};

QTEST_GUILESS_MAIN(TestCommandLine)
#include "tst_commandline.moc"
