// SPDX-License-Identifier: GPL-3.0-or-later
// For each rule at least one file that breaks it, and what is said of it.

#include "audit/datascan.h"
#include "io/memorysource.h"
#include "parse/parser.h"
#include "support/fakesource.h"
#include "support/ggufwriter.h"

#include <QTest>

#include <functional>
#include <set>

using namespace gguf;

namespace {

constexpr std::uint32_t kIq2Xxs = 16, kQ2_0 = 42;

struct Case
{
    Rule rule;
    const char* name;
    std::function<std::vector<std::byte>()> file;
    std::optional<std::uint64_t> offset; ///< where the Problem lies, if that is worth a check
    std::string fileName = "model.gguf";
};

/// A small complete model, so that a fault is the only one.
GgufWriter model()
{
    GgufWriter writer;
    writer.kv("general.architecture", "llama")
        .kv("general.name", "test")
        .kv("llama.block_count", std::uint32_t{1});
    return writer;
}

std::vector<std::byte> fromText(std::string_view text)
{
    const auto bytes = std::as_bytes(std::span(text.data(), text.size()));
    return {bytes.begin(), bytes.end()};
}

std::vector<std::string> tokens()
{
    return {"<unk>", "<s>", "</s>", "a"};
}

GgufWriter vocabulary(const char* kind)
{
    GgufWriter writer;
    writer.kv("general.architecture", "llama").kv("tokenizer.ggml.model", kind);
    writer.kv("tokenizer.ggml.tokens", tokens());
    return writer;
}

/// Text as a conversion to UTF-8 leaves it: all above 7F replaced.
std::vector<std::byte> replacedAbove7F(const std::vector<std::byte>& bytes)
{
    std::vector<std::byte> out;
    for (const std::byte byte : bytes) {
        if (byte < std::byte{0x80})
            out.push_back(byte);
        else
            out.insert(out.end(), {std::byte{0xEF}, std::byte{0xBF}, std::byte{0xBD}});
    }
    return out;
}

std::vector<std::byte> withCrLf(const std::vector<std::byte>& bytes)
{
    std::vector<std::byte> out;
    for (const std::byte byte : bytes) {
        if (byte == std::byte{'\n'})
            out.push_back(std::byte{'\r'});
        out.push_back(byte);
    }
    return out;
}

GgufWriter twoTensors()
{
    GgufWriter writer = model();
    writer.tensor("blk.0.a.weight", kF32, {8, 2}).tensor("blk.0.b.weight", kF32, {8, 2});
    return writer;
}

const std::vector<Case>& cases()
{
    static const std::vector<Case> kCases = {
        // What kind of file
        {Rule::FileEmpty, "empty", [] { return std::vector<std::byte>(); }, 0},
        {Rule::NotGguf, "text", [] { return fromText("hello"); }, 0},
        {Rule::MagicReversed, "FUGG", [] { return model().magic("FUGG").bytes(); }, 0},
        {Rule::TextConversion, "byte order mark",
            [] {
                auto bytes = fromText("\xEF\xBB\xBF");
                const auto rest = model().bytes();
                bytes.insert(bytes.end(), rest.begin(), rest.end());
                return bytes;
            },
            0},
        {Rule::TextConversion, "EF BF BD in lengths",
            [] {
                return replacedAbove7F(model()
                                           .kv("a.b", std::vector<float>{-1.5f, -2.5f, -3.5f, -4.5f, -5.5f})
                                           .kv("a.c", std::string(200, 'x'))
                                           .bytes());
            },
            {}},
        {Rule::TextConversion, "0D 0A in the header",
            [] {
                return withCrLf(
                    model().kv("a.b", std::string(2570, '\n')).kv("a.c", std::uint32_t{10}).bytes());
            },
            {}},
        {Rule::TextConversion, "0D 0A in the data",
            [] {
                return withCrLf(
                    model().tensor("w", kI8, {4096}, std::vector<std::byte>(4096, std::byte{'\n'})).bytes());
            },
            {}},
        {Rule::TextConversion, "no NUL left",
            [] {
                auto bytes = model().bytes();
                std::ranges::replace(bytes, std::byte{0}, std::byte{' '});
                return bytes;
            },
            4},
        // Header
        {Rule::HeaderTruncated, "12 bytes", [] { return model().truncateTo(12).bytes(); }, 12},
        {Rule::VersionUnsupported, "version 4", [] { return model().version(4).bytes(); }, 4},
        {Rule::VersionObsolete, "version 1",
            [] { return GgufWriter(1).kv("general.architecture", "x").bytes(); }, 4},
        {Rule::ByteOrderForeign, "big-endian", [] { return model().byteOrder(ByteOrder::Big).bytes(); }, 4},
        {Rule::MetadataCountImpossible, "2^60 pairs",
            [] { return model().statedMetadataCount(1ull << 60).bytes(); }, 16},
        {Rule::TensorCountImpossible, "2^60 tensors",
            [] { return model().statedTensorCount(1ull << 60).bytes(); }, 8},
        {Rule::CountSuggestion, "a pair too many", [] { return model().statedMetadataCount(4).bytes(); }, 16},
        {Rule::CountSuggestion, "a tensor too many", [] { return twoTensors().statedTensorCount(3).bytes(); },
            8},
        {Rule::CountSuggestion, "a tensor too few", [] { return twoTensors().statedTensorCount(1).bytes(); },
            8},
        {Rule::CountSuggestion, "a pair too few", [] { return twoTensors().statedMetadataCount(2).bytes(); },
            16},
        {Rule::CountSuggestion, "a tensor read as a pair",
            [] { return twoTensors().statedMetadataCount(4).bytes(); }, 16},
        {Rule::LengthSuggestion, "a key", [] { return model().statedKeyLength(100).bytes(); },
            model().pairRange("llama.block_count").offset},
        {Rule::LengthSuggestion, "a name", [] { return twoTensors().statedNameLength(3000).bytes(); },
            twoTensors().recordRange("blk.0.b.weight").offset},
        // Metadata
        {Rule::MetadataTruncated, "cut in a string", [] { return model().truncateTo(60).bytes(); }, 60},
        {Rule::KeyLengthImpossible, "2^63", [] { return model().statedKeyLength(1ull << 63).bytes(); }, {}},
        {Rule::KeyEmpty, "empty", [] { return model().kv("", true).bytes(); }, {}},
        {Rule::KeyTooLong, "70,000 bytes",
            [] { return model().kv("a." + std::string(70000, 'k'), true).bytes(); }, {}},
        {Rule::KeyDuplicate, "name twice", [] { return model().kv("general.name", "again").bytes(); }, {}},
        {Rule::KeyNotUtf8, "FF", [] { return model().kv("a.\xFF", true).bytes(); }, {}},
        {Rule::KeyStyle, "upper case", [] { return model().kv("General.Name", true).bytes(); }, {}},
        {Rule::KeyStyle, "architecture with a hyphen",
            [] { return model().kv("gpt-oss.a", true).kv("gpt-oss.b", true).bytes(); }, {}},
        {Rule::ValueTypeUnknown, "13", [] { return model().statedType(13).bytes(); }, {}},
        {Rule::ElementTypeUnknown, "255",
            [] {
                return model().kv("a.b", std::vector<std::uint8_t>{1, 2}).statedElementType(255).bytes();
            },
            {}},
        {Rule::StringLengthImpossible, "2^63",
            [] { return model().kv("a.b", "text").statedLength(1ull << 63).bytes(); }, {}},
        {Rule::StringNotUtf8, "Latin-1", [] { return model().kv("a.b", "Gr\xFC\xDF").bytes(); }, {}},
        {Rule::ArrayLengthImpossible, "2^61 floats",
            [] { return model().kv("a.b", std::vector<float>{1}).statedLength(1ull << 61).bytes(); }, {}},
        {Rule::ArrayNested, "arrays of u32",
            [] {
                return model().kv("a.b", std::vector<std::vector<std::uint32_t>>{{1, 2}, {3}}).bytes();
            },
            {}},
        {Rule::NestingTooDeep, "300 levels",
            [] {
                return model()
                    .rawArray("a.b", 9, 1,
                        [](GgufBytes& bytes) {
                            for (int i = 0; i < 300; ++i) {
                                bytes.put(std::uint32_t{9});
                                bytes.put(std::uint64_t{1});
                            }
                            bytes.put(std::uint32_t{0});
                            bytes.put(std::uint64_t{0});
                        })
                    .bytes();
            },
            {}},
        {Rule::BoolInvalid, "2",
            [] {
                return model().raw("a.b", 7, [](GgufBytes& bytes) { bytes.put(std::uint8_t{2}); }).bytes();
            },
            {}},
        {Rule::AlignmentType, "u64",
            [] { return model().kv("general.alignment", std::uint64_t{32}).bytes(); }, {}},
        {Rule::AlignmentInvalid, "24",
            [] { return model().kv("general.alignment", std::uint32_t{24}).bytes(); }, {}},
        {Rule::AlignmentStyle, "4", [] { return model().alignment(4).bytes(); }, {}},
        {Rule::AlignmentUnusual, "4096",
            [] { return model().alignment(4096).tensor("w", kF32, {4}).bytes(); }, {}},
        {Rule::MetadataRecovered, "behind a wrong length",
            [] {
                return model()
                    .kv("a.b", "text")
                    .statedLength(1ull << 63)
                    .kv("a.c", std::uint32_t{1})
                    .kv("a.d", "more")
                    .bytes();
            },
            {}},
        // Tensor table
        {Rule::TensorTableTruncated, "cut in a record",
            [] {
                GgufWriter writer = twoTensors();
                return writer.truncateTo(writer.recordRange("blk.0.b.weight").offset + 10).bytes();
            },
            {}},
        {Rule::TensorNameLengthImpossible, "2^63",
            [] { return twoTensors().statedNameLength(1ull << 63).bytes(); }, {}},
        {Rule::TensorNameTooLong, "64 bytes",
            [] { return model().tensor(std::string(64, 'n'), kF32, {4}).bytes(); }, {}},
        {Rule::TensorNameDuplicate, "twice",
            [] { return model().tensor("w", kF32, {4}).tensor("w", kF32, {4}).bytes(); }, {}},
        {Rule::TensorNameDuplicateForGgml, "equal up to a NUL",
            [] {
                return model()
                    .tensor(std::string_view("a\0b", 3), kF32, {4})
                    .tensor(std::string_view("a\0c", 3), kF32, {4})
                    .bytes();
            },
            {}},
        {Rule::TensorNameNotUtf8, "FF", [] { return model().tensor("w\xFF", kF32, {4}).bytes(); }, {}},
        {Rule::TensorDimsTooMany, "5",
            [] {
                return model().tensor("w", kF32, {1, 1, 1, 1, 2}).bytes();
            },
            {}},
        {Rule::TensorDimsUnreadable, "2^31",
            [] { return model().tensor("w", kF32, {4}).statedDimCount(1u << 31).bytes(); }, {}},
        {Rule::TensorDimNegative, "-1", [] { return model().tensor("w", kF32, {UINT64_MAX}).bytes(); }, {}},
        {Rule::TensorTypeUnknown, "5000",
            [] { return model().tensor("w", 5000, {64}).dataBytes(64).bytes(); }, {}},
        {Rule::TensorTypeRemoved, "Q4_0_4_4",
            [] {
                return model().tensor("w", 31, {32, 4}).bytes();
            },
            {}},
        {Rule::TensorTypeFork, "IQ4_K", [] { return model().tensor("w", 139, {256}).dataBytes(144).bytes(); },
            {}},
        {Rule::TensorTypeLayout, "both fit",
            [] { return model().tensor("w", kQ2_0, {128}).tensor("v", kQ2_0, {128}).bytes(); }, {}},
        {Rule::TensorTypeLayout, "only the fork's fits",
            [] {
                return model()
                    .tensor("w", kQ2_0, {128, 64})
                    .dataBytes(34 * 64)
                    .tensor("v", kF32, {4})
                    .bytes();
            },
            {}},
        {Rule::TensorTypeLayout, "an unknown id of a known size",
            [] {
                return model()
                    .tensor("w", 5000, {256, 64})
                    .dataBytes(144 * 64)
                    .tensor("v", kF32, {4})
                    .bytes();
            },
            {}},
        {Rule::TensorRowPartial, "Q4_0 with rows of 48",
            [] { return model().tensor("w", kQ4_0, {48}).dataBytes(32).bytes(); }, {}},
        {Rule::TensorSizeOverflow, "2^32 x 2^32",
            [] {
                return model().tensor("w", kF32, {1ull << 32, 1ull << 32}).dataBytes(32).bytes();
            },
            {}},
        {Rule::DataSizeOverflow, "offset near 2^64",
            [] { return model().tensor("w", kF32, {4}).statedOffset(UINT64_MAX - 31).bytes(); }, {}},
        {Rule::TensorOffsetUnaligned, "33", [] { return twoTensors().statedOffset(33).bytes(); }, {}},
        {Rule::TensorOffsetUnexpected, "swapped", [] { return twoTensors().statedOffset(128).bytes(); }, {}},
        {Rule::OffsetsShifted, "64 too large", [] { return twoTensors().shiftOffsets(64).bytes(); }, {}},
        {Rule::TensorOverlap, "half", [] { return twoTensors().statedOffset(32).bytes(); }, {}},
        {Rule::TensorGap, "32 bytes", [] { return twoTensors().gapBefore(32).bytes(); }, {}},
        {Rule::TensorsRecovered, "behind an impossible count of dimensions",
            [] {
                return model()
                    .tensor("blk.0.a", kF32, {4})
                    .statedDimCount(1u << 31)
                    .tensor("blk.0.b", kF32, {4})
                    .tensor("blk.0.c", kF32, {4})
                    .bytes();
            },
            {}},
        // Tensor data and length
        {Rule::DataStartMissing, "cut after the table",
            [] {
                GgufWriter writer = twoTensors();
                return writer.truncateTo(writer.recordRange("blk.0.b.weight").end()).bytes();
            },
            {}},
        {Rule::DataTruncated, "cut in the data", [] { return twoTensors().truncateBy(70).bytes(); }, {}},
        {Rule::LastPaddingMissing, "none",
            [] { return model().tensor("w", kF32, {3}).withoutLastPadding().bytes(); }, {}},
        {Rule::TrailingBytes, "text", [] { return twoTensors().trailing("hello").bytes(); }, {}},
        {Rule::TrailingContent, "text", [] { return twoTensors().trailing("hello").bytes(); }, {}},
        {Rule::EmbeddedGguf, "two models",
            [] {
                const auto second = twoTensors().bytes();
                return twoTensors()
                    .trailing({reinterpret_cast<const char*>(second.data()), second.size()})
                    .bytes();
            },
            twoTensors().size()},
        {Rule::EmbeddedGguf, "a download begun again",
            [] {
                auto bytes = twoTensors().truncateBy(20).bytes();
                const auto whole = twoTensors().bytes();
                bytes.insert(bytes.end(), whole.begin(), whole.end());
                return bytes;
            },
            twoTensors().size() - 20},
        {Rule::PaddingNotZero, "AA",
            [] { return model().paddingByte(0xAA).tensor("w", kF32, {3}).tensor("v", kF32, {3}).bytes(); },
            {}},
        // Meaning
        {Rule::ArchitectureMissing, "no key", [] { return GgufWriter().kv("general.name", "x").bytes(); },
            {}},
        {Rule::QuantizationVersionMissing, "Q4_0",
            [] { return model().tensor("blk.0.w", kQ4_0, {32}).bytes(); }, {}},
        {Rule::KeyWrongType, "architecture as a number",
            [] { return GgufWriter().kv("general.architecture", std::uint32_t{1}).bytes(); }, {}},
        {Rule::BlockCountMismatch, "a layer is missing",
            [] {
                return GgufWriter()
                    .kv("general.architecture", "llama")
                    .kv("llama.block_count", std::uint32_t{3})
                    .tensor("blk.0.w", kF32, {4})
                    .tensor("blk.2.w", kF32, {4})
                    .bytes();
            },
            {}},
        {Rule::VocabularySizeMismatch, "rows and tokens",
            [] {
                return vocabulary("llama").tensor("token_embd.weight", kF32, {8, 5}).bytes();
            },
            {}},
        {Rule::TokenArrayLength, "scores",
            [] {
                return vocabulary("llama").kv("tokenizer.ggml.scores", std::vector<float>{1, 2, 3}).bytes();
            },
            {}},
        {Rule::TokenIdOutOfRange, "4 of 4",
            [] { return vocabulary("llama").kv("tokenizer.ggml.bos_token_id", std::uint32_t{4}).bytes(); },
            {}},
        {Rule::TokenDuplicate, "a twice",
            [] {
                return GgufWriter()
                    .kv("general.architecture", "llama")
                    .kv("tokenizer.ggml.tokens", std::vector<std::string>{"a", "b", "a"})
                    .bytes();
            },
            {}},
        {Rule::MergesMissing, "gpt2",
            [] { return vocabulary("gpt2").kv("tokenizer.ggml.pre", "llama-bpe").bytes(); }, {}},
        {Rule::PreTokenizerMissing, "gpt2",
            [] {
                return vocabulary("gpt2")
                    .kv("tokenizer.ggml.merges", std::vector<std::string>{"a b"})
                    .bytes();
            },
            {}},
        {Rule::FloatNotFinite, "NaN",
            [] { return model().kv("a.b", std::numeric_limits<float>::quiet_NaN()).bytes(); }, {}},
        {Rule::FloatNotFinite, "infinity in an array",
            [] {
                return model()
                    .kv("a.b", std::vector<double>{1, std::numeric_limits<double>::infinity()})
                    .bytes();
            },
            {}},
        {Rule::FileTypeMismatch, "Q8_0 labelled Q4_K_M",
            [] {
                return model()
                    .kv("general.file_type", std::uint32_t{15})
                    .kv("general.quantization_version", std::uint32_t{2})
                    .tensor("blk.0.ffn_up.weight", kQ8_0, {256, 4})
                    .bytes();
            },
            {}},
        {Rule::ImatrixMissing, "IQ2_XXS",
            [] {
                return model()
                    .kv("general.quantization_version", std::uint32_t{2})
                    .tensor("blk.0.w.weight", kIq2Xxs, {256, 2})
                    .bytes();
            },
            {}},
        {Rule::CompanionFile, "adapter", [] { return model().kv("general.type", "adapter").bytes(); }, {}},
        {Rule::CompanionFile, "vocabulary", [] { return vocabulary("llama").bytes(); }, {}},
        {Rule::SplitShard, "second of three",
            [] {
                return GgufWriter()
                    .kv("split.no", std::uint16_t{1})
                    .kv("split.count", std::uint16_t{3})
                    .bytes();
            },
            {}, "m-00002-of-00003.gguf"},
        {Rule::SplitMismatch, "the name says third",
            [] {
                return GgufWriter()
                    .kv("split.no", std::uint16_t{1})
                    .kv("split.count", std::uint16_t{3})
                    .bytes();
            },
            {}, "m-00003-of-00003.gguf"},
        {Rule::SplitMismatch, "the name says nothing",
            [] {
                return GgufWriter()
                    .kv("split.no", std::uint16_t{1})
                    .kv("split.count", std::uint16_t{3})
                    .bytes();
            },
            {}, "renamed.gguf"},
        {Rule::SplitMismatch, "only the name", [] { return model().bytes(); }, {}, "m-00001-of-00002.gguf"},
        // Tensor contents
        {Rule::DataNotFinite, "NaN",
            [] {
                return model()
                    .tensor("w", kF32, {4}, floats(std::vector<float>(4, std::numeric_limits<float>::quiet_NaN())))
                    .bytes();
            },
            {}},
        {Rule::DataZeroRun, "1 MiB",
            [] { return model().tensor("w", kF32, {1 << 18}, std::vector<std::byte>(1 << 20)).bytes(); }, {}},
    };
    return kCases;
}

/// Rules that no file of a test's size breaks: they have tests of their own below.
const std::set<Rule>& rulesWithOwnTests()
{
    static const std::set<Rule> kRules = {
        Rule::ReadFailed, Rule::StringTooLong, Rule::ArrayTooLong, Rule::MetadataTooLarge, Rule::SizeLimit};
    return kRules;
}

/// A file larger than memory: the bytes it begins with, then zeros.
class LargeSource final : public ByteSource
{
public:
    LargeSource(std::vector<std::byte> start, std::uint64_t size)
        : m_start(std::move(start))
        , m_size(size)
    {
    }
    std::uint64_t size() const override { return m_size; }
    ReadResult read(std::uint64_t offset, std::span<std::byte> into) const override
    {
        const std::uint64_t length
            = std::min<std::uint64_t>(into.size(), offset < m_size ? m_size - offset : 0);
        for (std::uint64_t i = 0; i < length; ++i)
            into[static_cast<std::size_t>(i)]
                = offset + i < m_start.size() ? m_start[static_cast<std::size_t>(offset + i)] : std::byte{0};
        return {static_cast<std::size_t>(length), {}};
    }

private:
    std::vector<std::byte> m_start;
    std::uint64_t m_size;
};

/// A larger file still: what is beyond its start counts as read though nothing was written, so that gigabytes cost
/// neither memory nor time.
class HollowSource final : public ByteSource
{
public:
    HollowSource(std::vector<std::byte> start, std::uint64_t size)
        : m_start(std::move(start))
        , m_size(size)
    {
    }
    std::uint64_t size() const override { return m_size; }
    ReadResult read(std::uint64_t offset, std::span<std::byte> into) const override
    {
        const std::uint64_t length = std::min<std::uint64_t>(into.size(), m_size - std::min(m_size, offset));
        if (offset < m_start.size())
            std::copy_n(m_start.begin() + static_cast<std::ptrdiff_t>(offset),
                std::min<std::uint64_t>(length, m_start.size() - offset), into.begin());
        return {static_cast<std::size_t>(length), {}};
    }

private:
    std::vector<std::byte> m_start;
    std::uint64_t m_size;
};

bool has(const Document& document, Rule rule)
{
    return document.problemTotal(rule) > 0;
}

} // namespace

class TestRules : public QObject
{
    Q_OBJECT

private slots:
    void everyRuleHasACase()
    {
        std::set<Rule> covered = rulesWithOwnTests();
        for (const Case& testCase : cases())
            covered.insert(testCase.rule);
        for (const RuleInfo& info : allRules())
            QVERIFY2(covered.contains(info.rule), info.code.data());
    }

    void everyRuleHasACatalogueEntry()
    {
        QCOMPARE(allRules().size(), kRuleCount);
        std::set<std::string_view> codes;
        for (const RuleInfo& info : allRules()) {
            QVERIFY2(codes.insert(info.code).second, "a code twice");
            for (const char c : info.code)
                QVERIFY2((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-', info.code.data());
            for (const std::string_view text :
                {info.title, info.meaning, info.consequence, info.remedy, info.example})
                QVERIFY2(!text.empty(), info.code.data());
            for (const std::string_view sentence : {info.meaning, info.consequence, info.remedy})
                QVERIFY2(sentence.ends_with('.'), info.code.data());
            QCOMPARE(findRule(info.code), &info);
            QCOMPARE(&ruleInfo(info.rule), &info);
            // Severity follows from who minds (see the design); notes and own limits excepted.
            if (info.judges.ggml == GgmlVerdict::Accepts && (info.judges.spec || info.judges.doc))
                QCOMPARE(info.severity, Severity::Warning);
            if (info.judges.ggml != GgmlVerdict::Accepts && info.rule != Rule::ByteOrderForeign)
                QCOMPARE(info.severity, Severity::Error);
        }
        QCOMPARE(findRule("no-such-rule"), nullptr);
    }

    void brokenFileIsNamed_data()
    {
        QTest::addColumn<qsizetype>("index");
        for (std::size_t i = 0; i < cases().size(); ++i)
            QTest::addRow("%s: %s", ruleInfo(cases()[i].rule).code.data(), cases()[i].name) << qsizetype(i);
    }

    void brokenFileIsNamed()
    {
        QFETCH(qsizetype, index);
        const Case& testCase = cases()[std::size_t(index)];
        const MemorySource source(testCase.file());
        ParseOptions options;
        options.fileName = testCase.fileName;
        const Document document = inspectData(parse(source, options), source, options);
        std::vector<Problem> problems;
        for (std::size_t i = 0; i < document.problemCount(); ++i)
            problems.push_back(document.problem(i));
        if (document.status() == Status::Ok) {
            std::vector<std::size_t> tensors(document.tensorCount());
            for (std::size_t i = 0; i < tensors.size(); ++i)
                tensors[i] = i;
            for (const TensorScan& scan : scanData(document, source, tensors)) {
                for (Problem& problem : dataProblems(document, scan))
                    problems.push_back(std::move(problem));
            }
        }

        bool found = false;
        QStringList messages;
        for (const Problem& problem : problems) {
            const std::string message = problemMessage(problem);
            messages << QString::fromStdString(message);
            QVERIFY(message.starts_with(ruleInfo(problem.rule).title));
            QVERIFY(message.ends_with('.'));
            QVERIFY(problem.range.offset <= source.size());
            QVERIFY(problem.range.length <= source.size() - problem.range.offset);
            if (problem.rule == testCase.rule
                && (!testCase.offset || problem.range.offset == *testCase.offset))
                found = true;
        }
        QVERIFY2(found, qPrintable(messages.join(u'\n')));
    }

    void soundFileHasNoProblem()
    {
        const auto source = model()
                                .kv("general.quantization_version", std::uint32_t{2})
                                .tensor("blk.0.attn_q.weight", kQ4_0, {64, 2})
                                .tensor("blk.0.attn_k.weight", kF32, {3})
                                .source();
        const Document document = inspectData(parse(*source), *source);
        for (std::size_t i = 0; i < document.problemCount(); ++i)
            QFAIL(problemMessage(document.problem(i)).c_str());
    }

    void failingDisk()
    {
        FakeSource source(twoTensors().bytes());
        source.failAt(30);
        QVERIFY(has(parse(source), Rule::ReadFailed));
    }

    void failingDiskInPadding()
    {
        GgufWriter writer = model().tensor("w", kF32, {3});
        FakeSource source(writer.tensor("v", kF32, {3}).bytes());
        Document document = parse(source);
        QCOMPARE(document.problemCount(), std::size_t(0));
        source.failAt(writer.dataOffset() + 4);
        document = inspectData(document, source);
        QVERIFY(has(document, Rule::ReadFailed));
    }

    void stringLongerThanGgmlReads()
    {
        GgufWriter writer = model().kv("a.b", "").statedLength((1ull << 30) + 1);
        const LargeSource source(writer.bytes(), writer.size() + (1ull << 30) + 1);
        const Document document = parse(source);
        QVERIFY(has(document, Rule::StringTooLong));
        QCOMPARE(document.status(), Status::Ok);
        QVERIFY(!document.verdicts().ggmlOpens);
        QVERIFY(document.verdicts().specValid);
    }

    void arrayLongerThanGgmlReads()
    {
        constexpr std::uint64_t kCount = (1ull << 30) + 1;
        GgufWriter writer = model().kv("a.b", std::vector<std::uint8_t>{1}).statedLength(kCount);
        const HollowSource source(writer.bytes(), writer.size() - 1 + kCount);
        const Document document = parse(source);
        QVERIFY(has(document, Rule::ArrayTooLong));
        QCOMPARE(document.status(), Status::Ok);
        QCOMPARE(document.problem(0).range, (ByteRange{writer.valueOffset("a.b") + 4, 8}));
        QVERIFY(!document.verdicts().ggmlOpens);
        QVERIFY(document.verdicts().specValid);
        QVERIFY(document.value(document.metadataCount() - 1).available() == kCount);
    }

    void metadataLargerThanThisProgramReads()
    {
        constexpr std::uint64_t kCount = 5ull << 30;
        GgufWriter writer = model().kv("a.b", std::vector<std::uint8_t>{1}).statedLength(kCount);
        const HollowSource source(writer.bytes(), writer.size() - 1 + kCount);
        const Document document = inspectData(parse(source), source);
        QVERIFY(has(document, Rule::MetadataTooLarge));
        QCOMPARE(document.status(), Status::Partial);
        QVERIFY(document.key(0) == "general.architecture"); // what was read stays
        QCOMPARE(document.metadataCount(), std::size_t(4));
        QVERIFY(document.value(3).available() > 3ull << 30);
        QVERIFY(!has(document, Rule::MetadataTruncated));
    }

    void countsOfACutFileAreNotCalledImpossible()
    {
        GgufWriter writer = twoTensors();
        for (int i = 0; i < 50; ++i)
            writer.kv("a.number_" + std::to_string(i), std::uint32_t{1}).tensor("blk.1." + std::to_string(i), kF32, {8});
        const std::vector<std::byte> bytes = writer.bytes();
        for (std::size_t length = 24; length < bytes.size(); ++length) {
            const MemorySource cut(std::vector(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(length)));
            const Document document = parse(cut);
            QVERIFY(!has(document, Rule::MetadataCountImpossible) && !has(document, Rule::TensorCountImpossible));
            QVERIFY(!document.verdicts().specValid && document.verdicts().specReason);
        }
    }

    void sizeOfOldFileSystems()
    {
        GgufWriter writer = model().tensor("w", kI8, {1ull << 33}).dataBytes(1);
        const LargeSource source(writer.bytes(), (1ull << 32) - 1);
        const Document document = parse(source);
        QVERIFY(has(document, Rule::DataTruncated));
        QVERIFY(has(document, Rule::SizeLimit));
    }
};

QTEST_GUILESS_MAIN(TestRules)
#include "tst_rules.moc"
