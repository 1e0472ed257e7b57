// SPDX-License-Identifier: GPL-3.0-or-later
// What is not GGUF is recognised by its bytes, and GGUF files inside other files are found.

#include "io/memorysource.h"
#include "parse/parser.h"
#include "parse/sniff.h"
#include "support/fakesource.h"
#include "support/ggufwriter.h"

#include <QTest>

using namespace gguf;
using namespace std::string_literals;
using namespace std::string_view_literals;

Q_DECLARE_METATYPE(gguf::ForeignKind)

namespace {

std::vector<std::byte> bytesOf(std::string_view text)
{
    const auto bytes = std::as_bytes(std::span(text.data(), text.size()));
    return {bytes.begin(), bytes.end()};
}

void putNumber(std::string& text, std::uint64_t number, std::size_t bytes)
{
    for (std::size_t i = 0; i < bytes; ++i)
        text += static_cast<char>(number >> (8 * i) & 0xFF);
}

std::string numbers(std::string_view magic, std::initializer_list<std::uint32_t> values)
{
    std::string text(magic);
    for (const std::uint32_t value : values)
        putNumber(text, value, 4);
    return text;
}

std::string safetensors(std::string_view json)
{
    std::string text;
    putNumber(text, json.size(), 8);
    return text.append(json).append(64, '\0');
}

std::string tarHeader()
{
    std::string text(512, '\0');
    text.replace(0, 10, "model.gguf");
    text.replace(124, 11, "00000000030");
    text.replace(257, 5, "ustar");
    return text;
}

QString detail(const Foreign& foreign, std::string_view name)
{
    for (const auto& [key, value] : foreign.details) {
        if (key == name)
            return QString::fromStdString(value);
    }
    return {};
}

struct Case
{
    const char* name;
    std::string content;
    ForeignKind kind;
    const char* detailName; ///< null: none to check
    const char* detailValue;
    std::string fileName = "model.gguf";
};

const std::vector<Case>& cases()
{
    static const std::string kLfs
        = "version https://git-lfs.github.com/spec/v1\n"
          "oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\n"
          "size 12345678\n";
    static const std::vector<Case> kCases = {
        {"empty", "", ForeignKind::Empty, nullptr, nullptr},
        {"zeros", std::string(5000, '\0'), ForeignKind::Zeros, "Zero bytes", "5000"},
        {"a single zero", std::string(1, '\0'), ForeignKind::Zeros, "Zero bytes", "1"},
        {"zeros, then data", std::string(3000, '\0') + "data", ForeignKind::ZerosThenData, "First other byte",
            "at 3000 (0xBB8)"},
        {"FUGG", "FUGG\0\0\0\3"s, ForeignKind::ReversedMagic, "Expected", nullptr},
        {"byte order mark", "\xEF\xBB\xBFGGUF\3\0\0\0"s, ForeignKind::TextConverted, "Conversion", nullptr},
        {"UTF-16", "\xFF\xFEG\0G\0U\0F\0\3\0\0\0"s, ForeignKind::TextConverted, "Conversion", nullptr},
        {"HTML", "<!DOCTYPE html>\n<html><head><title>Sign in</title>", ForeignKind::Html, "Page title",
            "Sign in"},
        {"HTML after blanks, upper case", "\r\n  <HTML><HEAD><TITLE lang=en>\n A  B </TITLE>",
            ForeignKind::Html, "Page title", "A B"},
        {"HTML in XML", "<?xml version=\"1.0\"?><!DOCTYPE html><html><body>Hello <b>you</b></body>",
            ForeignKind::Html, "Text", "Hello you"},
        {"S3 error",
            "<?xml version=\"1.0\"?>\n<Error><Code>AccessDenied</Code><Message>Access Denied</Message>",
            ForeignKind::Xml, "Message", "Access Denied"},
        {"JSON error", "{\"error\":\"Repository \\u2019x\\u2019 not found\"}", ForeignKind::Json, "error",
            "Repository ’x’ not found"},
        {"JSON error object", "{\"error\":{\"code\":401,\"message\":\"no\"},\"x\":[1,{\"y\":2}]}",
            ForeignKind::Json, "code", "401"},
        {"JSON array", "[1, 2]", ForeignKind::Json, "Line 1", "[1, 2]"},
        {"LFS pointer", kLfs, ForeignKind::GitLfsPointer, "Size of the real file",
            "12345678 bytes (0.01 GiB)"},
        {"GGML", numbers("lmgg", {32000, 4096, 256, 32, 32, 128, 2}), ForeignKind::LegacyGgml,
            "Layers (n_layer)", "32"},
        {"GGMF", numbers("fmgg", {1, 32000, 4096, 256, 32, 32, 128, 2}), ForeignKind::LegacyGgml, "Version",
            "1"},
        {"GGJT", numbers("tjgg", {3, 32000, 4096, 256, 32, 32, 128, 2}), ForeignKind::LegacyGgml,
            "Vocabulary (n_vocab)", "32000"},
        {"GGLA", numbers("algg", {1, 8, 16}), ForeignKind::LegacyLora, "Rank (r)", "8"},
        {"whisper", numbers("lmgg", {51865, 1500, 384, 6, 4, 448, 384, 6, 4, 80, 1}), ForeignKind::Whisper,
            "Mel bands (n_mels)", "80"},
        {"session", numbers("nsgg", {9}), ForeignKind::LlamaSession, "Version", "9"},
        {"sequence", numbers("qsgg", {2}), ForeignKind::LlamaSession, "Version", "2"},
        {"safetensors",
            safetensors("{\"__metadata__\":{\"format\":\"pt\"},\"a.weight\":{\"dtype\":\"F16\",\"shape\":[2,"
                        "3],\"data_offsets\":[0,12]}}"),
            ForeignKind::Safetensors, "a.weight", "F16 [2,3]"},
        {"zip", "PK\3\4\x14\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x6\0\0\0m.ggufGGUF"s, ForeignKind::Zip,
            "Compression", "stored, not compressed"},
        {"PyTorch", "PK\3\4\x14\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x10\0\0\0archive/data.pkl"s,
            ForeignKind::Zip, "First entry", "archive/data.pkl"},
        {"gzip", "\x1f\x8b\x08\x08\0\0\0\0\0\0model.gguf\0data"s, ForeignKind::Gzip, "Original name",
            "model.gguf"},
        {"zstd", "\x28\xb5\x2f\xfd....", ForeignKind::Zstd, nullptr, nullptr},
        {"xz",
            "\xfd"
            "7zXZ\0...."s,
            ForeignKind::Xz, nullptr, nullptr},
        {"tar", tarHeader(), ForeignKind::Tar, "Size of the first entry", "24 bytes"},
        {"ELF",
            "\x7f"
            "ELF\2\1\1",
            ForeignKind::Elf, nullptr, nullptr},
        {"PE", "MZ\x90\0\3\0"s, ForeignKind::Pe, nullptr, nullptr},
        {"HDF5", "\x89HDF\r\n\x1a\n", ForeignKind::Hdf5, nullptr, nullptr},
        {"ONNX", "\x08\x07\x12\x07pytorch\x1a\x01", ForeignKind::Onnx, "Producer", "pytorch"},
        {"pickle", "\x80\x02}q\0."s, ForeignKind::Pickle, "Protocol", "2"},
        {"second piece", "\x91\x11\xfe\0\x80"s, ForeignKind::SplitPart, "Piece", "2", "m.gguf.part2of3"},
        {"piece by split -d", "\x91\x11\xfe\0\x80"s, ForeignKind::SplitPart, "Piece", "2", "m.gguf.002"},
        {"piece by split", "\x91\x11\xfe\0\x80"s, ForeignKind::SplitPart, "Piece", "2", "m.gguf.ab"},
        {"piece -split-b", "\x91\x11\xfe\0\x80"s, ForeignKind::SplitPart, "Piece", "2", "m.gguf-split-b"},
        {"first piece without magic", "\x91\x11\xfe\0\x80"s, ForeignKind::Unknown, nullptr, nullptr,
            "m.gguf.part1of3"},
        {"text", "Hello,\nworld\n", ForeignKind::Text, "Line 2", "world"},
        {"hostile text", "\x1b[31mred \xE2\x80\xAE", ForeignKind::Text, "Line 1", "\\x1B[31mred \\u202E"},
        {"noise", "\x91\x11\xfe\0\x80"s, ForeignKind::Unknown, "First bytes", "91 11 FE 00 80"},
        {"wrong letter", "GGUE\3\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"s, ForeignKind::Unknown, "Found",
            "GGUE"},
    };
    return kCases;
}

} // namespace

class TestSniff : public QObject
{
    Q_OBJECT

private slots:
    void kind_data()
    {
        QTest::addColumn<qsizetype>("index");
        for (std::size_t i = 0; i < cases().size(); ++i)
            QTest::newRow(cases()[i].name) << qsizetype(i);
    }

    void kind()
    {
        QFETCH(qsizetype, index);
        const Case& testCase = cases()[std::size_t(index)];
        const MemorySource source(bytesOf(testCase.content));
        const Foreign foreign = identifyForeign(source, testCase.fileName);
        QCOMPARE(int(foreign.kind), int(testCase.kind));
        QVERIFY(foreign.title.ends_with('.'));
        QVERIFY(foreign.remedy.ends_with('.'));
        QVERIFY(foreign.evidence.end() <= source.size());
        if (testCase.detailValue)
            QCOMPARE(detail(foreign, testCase.detailName), QString::fromUtf8(testCase.detailValue));
        else if (testCase.detailName)
            QVERIFY(!detail(foreign, testCase.detailName).isEmpty());

        // parse() says the same.
        ParseOptions options;
        options.fileName = testCase.fileName;
        const Document document = parse(source, options);
        QCOMPARE(document.status(), Status::Foreign);
        QCOMPARE(document.foreign()->title, foreign.title);
        QVERIFY(!document.verdicts().ggmlOpens);
    }

    void everyCutOfEveryCaseIsSafe()
    {
        for (const Case& testCase : cases()) {
            for (std::size_t length = 0; length < std::min<std::size_t>(testCase.content.size(), 600);
                 ++length) {
                const MemorySource source(bytesOf(std::string_view(testCase.content).substr(0, length)));
                const Foreign foreign = identifyForeign(source, testCase.fileName);
                QVERIFY(!foreign.title.empty() && !foreign.remedy.empty());
                QVERIFY(foreign.evidence.end() <= source.size());
            }
        }
    }

    void longListsAreCut()
    {
        std::string json = "{";
        for (int i = 0; i < 5000; ++i)
            json
                += "\"t" + std::to_string(i) + "\":{\"dtype\":\"F" + std::to_string(i) + "\",\"shape\":[1]},";
        json.back() = '}';
        const MemorySource source(bytesOf(safetensors(json)));
        const Foreign foreign = identifyForeign(source, {});
        QCOMPARE(int(foreign.kind), int(ForeignKind::Safetensors));
        QCOMPARE(detail(foreign, "Tensors"), QStringLiteral("5000"));
        QVERIFY(foreign.details.size() < 300);
    }

    void deepJsonIsNoRecursion()
    {
        const MemorySource source(bytesOf("{\"error\":" + std::string(500'000, '[')));
        QCOMPARE(int(identifyForeign(source, {}).kind), int(ForeignKind::Json));
    }

    void embeddedFilesAreFound()
    {
        const auto little = GgufWriter().kv("a.b", true).bytes();
        const auto big = GgufWriter(3, ByteOrder::Big).kv("a.b", true).bytes();
        std::vector<std::byte> bytes(std::size_t{5} << 20, std::byte{'G'});
        const std::size_t border = std::size_t{4} << 20; // of two read windows
        std::ranges::copy(little, bytes.begin() + std::ptrdiff_t(border) - 7);
        std::ranges::copy(big, bytes.begin() + std::ptrdiff_t(border) + 1000);
        const auto words = bytesOf(
            "GGUF is a format; GGUF\3\0\0\0\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF"sv);
        std::ranges::copy(words, bytes.begin() + 1000);
        const MemorySource source(bytes);
        std::uint64_t told = 0;
        const auto found = findEmbeddedGguf(
            source, {0, source.size()}, 10, {}, [&told](std::uint64_t searched) { told = searched; });
        QCOMPARE(found.size(), std::size_t(2));
        QCOMPARE(found[0].offset, std::uint64_t(border - 7));
        QCOMPARE(found[0].metadataCount, std::uint64_t(1));
        QVERIFY(!found[0].bigEndian);
        QCOMPARE(found[1].offset, std::uint64_t(border + 1000));
        QVERIFY(found[1].bigEndian);
        QCOMPARE(told, source.size());
        QCOMPARE(findEmbeddedGguf(source, {0, source.size()}, 1, {}).size(), std::size_t(1));
        QVERIFY(findEmbeddedGguf(source, {border, 500}, 10, {}).empty());
    }

    void searchStopsWhenAsked()
    {
        std::stop_source stop;
        stop.request_stop();
        FakeSource source(std::vector<std::byte>(1000));
        QVERIFY(findEmbeddedGguf(source, {0, 1000}, 10, stop.get_token()).empty());
        QCOMPARE(source.reads(), std::uint64_t(0));
    }
};

QTEST_GUILESS_MAIN(TestSniff)
#include "tst_sniff.moc"
