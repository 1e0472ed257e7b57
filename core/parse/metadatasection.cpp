// SPDX-License-Identifier: GPL-3.0-or-later
#include "document/text.h"
#include "parse/parsecontext.h"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <vector>

namespace gguf {

namespace {

std::string_view asText(const std::byte* bytes, std::uint64_t length)
{
    return {reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(length)};
}

// gguf.md: hierarchical keys in lower_snake_case, segments joined with dots.
bool followsKeyStyle(std::string_view key)
{
    char previous = '.';
    for (const char c : key) {
        const bool plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
        if (!plain && (c != '.' || previous == '.'))
            return false;
        previous = c;
    }
    return previous != '.';
}

class MetadataParser
{
public:
    explicit MetadataParser(ParseContext& context)
        : m_context(context)
        , m_reader(context.reader)
        , m_builder(context.builder)
        , m_countBytes(context.countBytes())
    {
    }

    bool run()
    {
        const std::uint64_t count = m_context.header().metadataCount;
        const std::uint64_t most = m_reader.remaining() / (m_countBytes + 5);
        m_keys->reserve(static_cast<std::size_t>(std::min<std::uint64_t>({count, most, 4096})));
        bool complete = true;
        for (std::uint64_t i = 0; i < count && complete; ++i) {
            m_subject.index = m_builder.document().metadataCount();
            m_reader.charge(kPairMemory);
            complete = parsePair() && m_context.recordDone();
        }
        m_builder.setKeyTable(m_keys);
        return complete;
    }

private:
    // A pair's entry, its slot in the table of keys, and the same again while the table grows.
    static constexpr std::uint64_t kPairMemory = sizeof(MetadataEntry) + 32;

    bool parsePair()
    {
        m_entry = {};
        m_entry.offset = m_reader.position();
        std::uint64_t keyLength = 0;
        if (!readKey(keyLength))
            return false;
        m_entry.valueOffset = m_reader.position() + 4;
        if (!m_reader.ensure(4)) {
            m_context.reportEnd(Rule::MetadataTruncated, m_subject, 4,
                fmt::format("the value type of {}", visibleText(m_key, 100)));
            return false;
        }
        const std::uint32_t typeId = m_context.load<std::uint32_t>(m_reader.data());
        const auto type = valueTypeFromId(typeId);
        if (!type) {
            m_builder.addProblem(Rule::ValueTypeUnknown, {m_reader.position(), 4}, m_subject,
                fmt::format("type {} for {}", typeId, visibleText(m_key, 100)), "0 to 12");
            return false;
        }
        m_reader.advance(4);
        m_entry.type = *type;

        const bool complete = parseValue(*type);
        m_entry.complete = complete;
        m_entry.end = complete ? m_reader.position() : m_reader.position() + keptAfterFault();
        m_builder.addMetadata(m_entry);
        // Judged now that the pair is in the document, which problems refer to.
        judgeKey();
        if (complete && m_isAlignment)
            judgeAlignment();
        return complete;
    }

    // A string cut by the file's end is still shown as far as it goes.
    std::uint64_t keptAfterFault() const { return m_cutString ? m_reader.remaining() : 0; }

    bool readKey(std::uint64_t& length)
    {
        if (!m_reader.ensure(m_countBytes)) {
            m_context.reportEnd(Rule::MetadataTruncated, m_subject, m_countBytes,
                fmt::format(
                    "the length of key {} of {}", m_subject.index + 1, m_context.header().metadataCount));
            return false;
        }
        length = m_context.loadCount(m_reader.data());
        const std::uint64_t left = m_reader.remaining() - m_countBytes;
        if (length > left && length > kMaxKeyDoc) {
            m_builder.addProblem(Rule::KeyLengthImpossible, {m_reader.position(), m_countBytes}, m_subject,
                fmt::format("a key of {} bytes", length), fmt::format("at most {}, which follow", left));
            return false;
        }
        if (length > kMaxStringGgml || !m_reader.ensure(m_countBytes + length)) {
            m_context.reportEnd(Rule::MetadataTruncated, m_subject, m_countBytes + length,
                fmt::format("key {} of {}", m_subject.index + 1, m_context.header().metadataCount));
            return false;
        }
        m_key = asText(m_reader.data() + m_countBytes, length);
        m_isAlignment = m_key == "general.alignment";
        m_reader.advance(m_countBytes + length);
        return true;
    }

    void judgeKey()
    {
        const std::uint64_t start = m_entry.offset + m_countBytes;
        const ByteRange keyRange{start, m_entry.valueOffset - 4 - start};
        const std::string_view key = m_builder.document().key(m_subject.index);
        if (keyRange.length == 0)
            m_builder.addProblem(
                Rule::KeyEmpty, {m_entry.offset, m_countBytes}, m_subject, "a key of 0 bytes");
        if (keyRange.length > kMaxKeyDoc)
            m_builder.addProblem(Rule::KeyTooLong, {m_entry.offset, m_countBytes}, m_subject,
                countText(keyRange.length, "byte"), fmt::format("at most {}", kMaxKeyDoc));
        if (const std::size_t bad = firstInvalidUtf8(key); bad < key.size())
            m_builder.addProblem(Rule::KeyNotUtf8, {start + bad, 1}, m_subject, visibleText(key, 100));
        else if (!key.empty() && !followsKeyStyle(key) && m_builder.wants(Rule::KeyStyle))
            judgeKeyStyle(key, keyRange);

        const auto number = static_cast<std::uint32_t>(m_subject.index);
        const auto first = m_keys->put(hashBytes(key), number,
            [&](std::uint32_t other) { return m_builder.document().key(other) == key; });
        if (first && m_builder.wants(Rule::KeyDuplicate))
            m_builder.addProblem(Rule::KeyDuplicate, keyRange, m_subject,
                fmt::format("{} stands at byte {} too", visibleText(key, 100),
                    m_builder.document().metadata(*first).offset));
    }

    // An architecture called "gpt-oss" stands in front of most keys: that is one fault, not fifty.
    void judgeKeyStyle(std::string_view key, ByteRange keyRange)
    {
        const std::size_t dot = key.find('.');
        const bool onlyPrefix = dot != std::string_view::npos && followsKeyStyle(key.substr(dot + 1));
        if (onlyPrefix && key.substr(0, dot) == m_reportedPrefix)
            return;
        if (onlyPrefix)
            m_reportedPrefix = key.substr(0, dot);
        m_builder.addProblem(Rule::KeyStyle, keyRange, m_subject,
            onlyPrefix ? fmt::format("{}, and whatever other keys begin with {}", visibleText(key, 100),
                visibleText(m_reportedPrefix, 100))
                       : visibleText(key, 100));
    }

    void judgeAlignment()
    {
        const ValueView value = m_builder.document().value(m_subject.index);
        const bool isNumber = value.type() != ValueType::String && value.type() != ValueType::Array
            && value.type() != ValueType::Bool && value.type() != ValueType::Float32
            && value.type() != ValueType::Float64;
        const std::uint64_t alignment = isNumber ? value.asUnsigned() : 0;
        if (value.type() != ValueType::UInt32)
            m_builder.addProblem(Rule::AlignmentType, m_entry.typeRange(), m_subject,
                std::string(valueTypeName(value.type())), "u32");
        else if (!std::has_single_bit(alignment))
            m_builder.addProblem(Rule::AlignmentInvalid, m_entry.valueRange(), m_subject,
                fmt::format("{}", alignment), "a power of 2");
        if (isNumber && alignment % 8 != 0)
            m_builder.addProblem(Rule::AlignmentStyle, m_entry.valueRange(), m_subject,
                fmt::format("{}", alignment), "a multiple of 8");
        // A wrong one is still the best guess at where the data lies.
        if (alignment != 0 && alignment <= UINT32_MAX)
            m_builder.setAlignment(static_cast<std::uint32_t>(alignment));
    }

    bool parseValue(ValueType type)
    {
        m_cutString = false;
        m_element = {};
        switch (type) {
        case ValueType::String:
            return parseString();
        case ValueType::Array:
            return parseArray();
        default:
            return parseScalars(type, 1) == 1;
        }
    }

    // Moves over up to `count` scalars; returns how many there were.
    std::uint64_t parseScalars(ValueType type, std::uint64_t count)
    {
        const std::uint32_t size = valueTypeSize(type);
        std::uint64_t done = 0;
        while (done < count) {
            if (!m_reader.ensure(size)) {
                m_context.reportEnd(Rule::MetadataTruncated, m_subject, (count - done) * size,
                    count == 1 ? fmt::format("the value of {}", visibleText(m_key, 100))
                               : fmt::format("{}, element {} of {}", visibleText(m_key, 100), done, count));
                break;
            }
            const std::uint64_t piece = std::min(count - done, m_reader.held() / size);
            if (type == ValueType::Bool)
                judgeBools(piece, done);
            m_reader.advance(piece * size);
            done += piece;
            if (!m_context.goesOn())
                break;
        }
        return done;
    }

    void judgeBools(std::uint64_t count, std::uint64_t firstIndex)
    {
        const std::byte* bytes = m_reader.data();
        for (std::uint64_t i = 0; i < count; ++i) {
            if (bytes[i] > std::byte{1} && m_builder.wants(Rule::BoolInvalid))
                m_builder.addProblem(Rule::BoolInvalid, {m_reader.position() + i, 1}, m_subject,
                    fmt::format("{}{}", static_cast<unsigned>(bytes[i]), elementText(firstIndex + i)),
                    "0 or 1");
        }
    }

    std::string elementText(std::uint64_t index) const
    {
        return m_element.inArray ? fmt::format(" in element {}", index) : std::string();
    }

    bool parseString()
    {
        if (!m_reader.ensure(m_countBytes)) {
            m_context.reportEnd(Rule::MetadataTruncated, m_subject, m_countBytes, stringText());
            return false;
        }
        const std::uint64_t length = m_context.loadCount(m_reader.data());
        const std::uint64_t left = m_reader.remaining() - m_countBytes;
        if (length > left && length > kPlausibleLength) {
            m_builder.addProblem(Rule::StringLengthImpossible, {m_reader.position(), m_countBytes}, m_subject,
                fmt::format("{} bytes{}", length, elementText(m_element.index)),
                fmt::format("at most {}, which follow", left));
            return false;
        }
        if (length > kMaxStringGgml) {
            // Its bytes are not kept: nobody can show them, and they may be most of the file.
            m_builder.addProblem(Rule::StringTooLong, {m_reader.position(), m_countBytes}, m_subject,
                countText(length, "byte"), fmt::format("at most {}", kMaxStringGgml));
            m_reader.advance(m_countBytes);
            m_reader.skip(length);
            return true;
        }
        if (!m_reader.ensure(m_countBytes + length)) {
            m_context.reportEnd(Rule::MetadataTruncated, m_subject, m_countBytes + length, stringText());
            // In an array the elements before are what is shown; a string by itself is shown as far as it
            // goes.
            m_cutString = !m_element.inArray && m_reader.ensure(m_reader.remaining());
            return false;
        }
        const std::string_view text = asText(m_reader.data() + m_countBytes, length);
        if (const std::size_t bad = firstInvalidUtf8(text); bad < text.size())
            reportInvalidUtf8(text, bad);
        m_reader.advance(m_countBytes + length);
        return true;
    }

    void reportInvalidUtf8(std::string_view text, std::size_t bad)
    {
        if (!m_builder.wants(Rule::StringNotUtf8)) {
            m_builder.addProblem(Rule::StringNotUtf8, {}, m_subject); // counted only
            return;
        }
        const std::string_view around = text.substr(bad > 20 ? bad - 20 : 0, 60);
        m_builder.addProblem(Rule::StringNotUtf8, {m_reader.position() + m_countBytes + bad, 1}, m_subject,
            fmt::format("{}{}", visibleText(around), elementText(m_element.index)), "valid UTF-8");
    }

    std::string stringText() const
    {
        return m_element.inArray
            ? fmt::format("{}, element {} of {}", visibleText(m_key, 100), m_element.index, m_element.count)
            : fmt::format("the text of {}", visibleText(m_key, 100));
    }

    struct Level
    {
        ValueType type;
        std::uint64_t count;
        std::uint64_t done;
        std::vector<std::uint64_t>* positions; ///< null: elements of one size, or too few to index
    };

    // Reads an array's element type and count.
    bool readArrayHead(Level& level)
    {
        const std::uint64_t start = m_reader.position();
        if (!m_reader.ensure(4)) {
            m_context.reportEnd(Rule::MetadataTruncated, m_subject, 4,
                fmt::format("the element type of {}", visibleText(m_key, 100)));
            return false;
        }
        const std::uint32_t typeId = m_context.load<std::uint32_t>(m_reader.data());
        const auto type = valueTypeFromId(typeId);
        if (!type) {
            m_builder.addProblem(Rule::ElementTypeUnknown, {start, 4}, m_subject,
                fmt::format("element type {} for {}", typeId, visibleText(m_key, 100)), "0 to 12");
            return false;
        }
        if (!m_reader.ensure(4 + m_countBytes)) {
            m_context.reportEnd(Rule::MetadataTruncated, m_subject, 4 + m_countBytes,
                fmt::format("the number of elements of {}", visibleText(m_key, 100)));
            return false;
        }
        const std::uint64_t count = m_context.loadCount(m_reader.data() + 4);
        const ByteRange countField{start + 4, m_countBytes};
        m_reader.advance(4 + m_countBytes);

        // Every element takes at least this much, so more of them cannot be there.
        const std::uint32_t size = valueTypeSize(*type);
        const std::uint32_t least = size != 0 ? size
            : *type == ValueType::String      ? m_countBytes
                                              : 4 + m_countBytes;
        const std::uint64_t most = m_reader.remaining() / least;
        if (count > most && count > kPlausibleLength / least) {
            m_builder.addProblem(Rule::ArrayLengthImpossible, countField, m_subject,
                fmt::format("{} elements of {}", count, valueTypeName(*type)),
                fmt::format("at most {} in the {} that follow", most, countText(m_reader.remaining(), "byte")));
            return false;
        }
        if (count > kMaxArrayGgml)
            m_builder.addProblem(Rule::ArrayTooLong, countField, m_subject, fmt::format("{} elements", count),
                fmt::format("at most {}", kMaxArrayGgml));
        level = {*type, count, 0, nullptr};
        if (size == 0 && count > 2 * Document::kArrayStride)
            level.positions = &m_builder.addArrayIndex(start);
        return true;
    }

    bool parseArray()
    {
        m_element.inArray = true;
        std::vector<Level> outer; // the arrays around the current one; no recursion, whatever the file says
        Level level{};
        if (!readArrayHead(level))
            return false;
        if (level.type == ValueType::Array)
            m_builder.addProblem(Rule::ArrayNested, {m_entry.valueOffset, 4}, m_subject,
                fmt::format("{} arrays in an array", level.count));
        const auto fail = [&] {
            m_builder.setPartialElements(outer.empty() ? level.done : outer.front().done);
            return false;
        };
        for (;;) {
            while (level.done == level.count) {
                if (outer.empty())
                    return true;
                level = outer.back();
                outer.pop_back();
                ++level.done;
            }
            if (level.type == ValueType::String) {
                if (!parseStrings(level))
                    return fail();
            } else if (level.type == ValueType::Array) {
                if (level.positions && level.done % Document::kArrayStride == 0)
                    level.positions->push_back(m_reader.position());
                if (outer.size() + 2 > kMaxNesting) {
                    m_builder.addProblem(Rule::NestingTooDeep, {m_reader.position(), 4}, m_subject,
                        fmt::format("more than {} levels", kMaxNesting));
                    return fail();
                }
                outer.push_back(level);
                Level inner{};
                if (!readArrayHead(inner)) {
                    return fail();
                }
                level = inner;
            } else {
                level.done = parseScalars(level.type, level.count);
                if (level.done < level.count)
                    return fail();
            }
            if (!m_context.goesOn())
                return fail();
        }
    }

    bool parseStrings(Level& level)
    {
        m_element.count = level.count;
        while (level.done < level.count) {
            if (level.done % Document::kArrayStride == 0) {
                if (level.positions)
                    level.positions->push_back(m_reader.position());
                if (!m_context.goesOn())
                    return false;
            }
            const std::uint64_t stride = Document::kArrayStride - level.done % Document::kArrayStride;
            const std::uint64_t stop = std::min(level.count, level.done + stride);
            level.done += passValidStrings(stop - level.done);
            if (level.done == stop)
                continue;
            // What is left here is at the end of the window or at fault.
            m_element.index = level.done;
            if (!parseString())
                return false;
            ++level.done;
        }
        return true;
    }

    // Moves over up to `count` strings that are whole in memory and valid UTF-8; returns how many. The
    // inner loop of a vocabulary: twice as fast as parseString(), which judges whatever this leaves.
    std::uint64_t passValidStrings(std::uint64_t count)
    {
        const std::byte* at = m_reader.data();
        const std::byte* const end = at + m_reader.held();
        std::uint64_t done = 0;
        for (; done < count; ++done) {
            if (static_cast<std::uint64_t>(end - at) < m_countBytes)
                break;
            const std::uint64_t length = m_context.loadCount(at);
            if (length > static_cast<std::uint64_t>(end - at) - m_countBytes)
                break;
            const std::string_view text = asText(at + m_countBytes, length);
            if (firstInvalidUtf8(text) != text.size())
                break;
            at += m_countBytes + length;
        }
        m_reader.advance(static_cast<std::uint64_t>(at - m_reader.data()));
        return done;
    }

    struct ElementPlace
    {
        bool inArray = false;
        std::uint64_t index = 0;
        std::uint64_t count = 0;
    };

    ParseContext& m_context;
    ImageReader& m_reader;
    DocumentBuilder& m_builder;
    const std::uint32_t m_countBytes;
    const std::shared_ptr<NameTable> m_keys = std::make_shared<NameTable>();
    Subject m_subject{Subject::Kind::Metadata, 0};
    MetadataEntry m_entry;
    std::string_view
        m_reportedPrefix; ///< first segment of the last key whose style was reported; in the image
    std::string_view m_key; ///< of the pair being read; in the document's image, which never moves
    bool m_isAlignment = false;
    bool m_cutString = false;
    ElementPlace m_element;
};

} // namespace

bool parseMetadata(ParseContext& context)
{
    return MetadataParser(context).run();
}

} // namespace gguf
