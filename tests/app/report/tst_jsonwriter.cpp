// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/jsonwriter.h"
#include "report/output.h"

#include <QTest>

#include <cstdlib>
#include <limits>

namespace {

template <class T> std::string written(const T& value)
{
    std::string text;
    {
        Output output(text);
        JsonWriter(output).value(value);
    }
    return text;
}

} // namespace

class TestJsonWriter : public QObject
{
    Q_OBJECT

private slots:
    void integersAreExact()
    {
        QCOMPARE(written(std::numeric_limits<std::uint64_t>::max()), std::string("18446744073709551615"));
        QCOMPARE(written(std::numeric_limits<std::int64_t>::min()), std::string("-9223372036854775808"));
        QCOMPARE(written((std::uint64_t{1} << 53) + 1), std::string("9007199254740993"));
    }

    void doublesReadBackAsTheSame()
    {
        for (const double number : {0.1, 1e-05, 1.0 / 3, 5e-324, 1.7976931348623157e308, -0.0, 10000.0}) {
            const std::string text = written(number);
            QCOMPARE(std::strtod(text.c_str(), nullptr), number);
        }
        QCOMPARE(written(0.1), std::string("0.1"));
        QCOMPARE(written(0.1F), std::string("0.10000000149011612")); // the stored number, not a prettier one
    }

    void numbersThatAreNotFiniteAreStrings()
    {
        const double infinity = std::numeric_limits<double>::infinity();
        QCOMPARE(written(std::numeric_limits<double>::quiet_NaN()), std::string("\"nan\""));
        QCOMPARE(written(infinity), std::string("\"inf\""));
        QCOMPARE(written(-infinity), std::string("\"-inf\""));
    }

    void stringsAreSafeAndWhole_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QByteArray>("json");
        QTest::newRow("plain") << QByteArray("plain text") << QByteArray("plain text");
        QTest::newRow("quotes") << QByteArray("a\"b\\c") << QByteArray("a\\\"b\\\\c");
        QTest::newRow("line ends") << QByteArray("a\r\n\tb") << QByteArray("a\\r\\n\\tb");
        QTest::newRow("NUL") << QByteArray("a\0b", 3) << QByteArray("a\\u0000b");
        QTest::newRow("ANSI escape") << QByteArray("\x1B[31m") << QByteArray("\\u001b[31m");
        QTest::newRow("delete") << QByteArray("\x7F") << QByteArray("\\u007f");
        QTest::newRow("C1 control") << QByteArray("\xC2\x9B") << QByteArray("\\u009b");
        QTest::newRow("bidirectional override") << QByteArray("\xE2\x80\xAE") << QByteArray("\\u202e");
        QTest::newRow("tag character") << QByteArray("\xF3\xA0\x81\x81") << QByteArray("\\udb40\\udc41");
        QTest::newRow("umlaut and emoji")
            << QByteArray("\xC3\xA4\xF0\x9F\x98\x80") << QByteArray("\xC3\xA4\xF0\x9F\x98\x80");
        QTest::newRow("not UTF-8") << QByteArray("a\xFF"
                                                 "b")
                                   << QByteArray("a\xEF\xBF\xBD"
                                                 "b");
        QTest::newRow("cut character") << QByteArray("a\xC3") << QByteArray("a\xEF\xBF\xBD");
    }

    void stringsAreSafeAndWhole()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(QByteArray, json);
        const std::string text
            = written(std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
        QCOMPARE(QByteArray::fromStdString(text), QByteArray('"' + json + '"'));
    }

    void membersAndElementsAreSeparated()
    {
        std::string text;
        {
            Output output(text);
            JsonWriter json(output);
            json.beginObject();
            json.member("a", 1);
            json.key("b");
            json.beginArray();
            json.value(true);
            json.value(nullptr);
            json.beginArray();
            json.endArray();
            json.beginObject();
            json.endObject();
            json.endArray();
            json.member("c", std::optional<int>());
            json.endObject();
            json.endLine();
        }
        QCOMPARE(text, std::string("{\"a\": 1, \"b\": [true, null, [], {}], \"c\": null}\n"));
    }

    void aBrokenStreamIsNoticed()
    {
        std::FILE* full = std::fopen("/dev/full", "w");
        if (!full)
            QSKIP("needs /dev/full");
        {
            Output output(full);
            output.write(std::string(1 << 20, 'x'));
            QVERIFY(output.failed());
            QCOMPARE(output.error(), ENOSPC);
        }
        std::fclose(full);
    }
};

QTEST_GUILESS_MAIN(TestJsonWriter)
#include "tst_jsonwriter.moc"
