// SPDX-License-Identifier: GPL-3.0-or-later
#include "document/text.h"
#include "parse/parsecontext.h"

#include <algorithm>
#include <fmt/format.h>

namespace gguf {

namespace {

class TensorTableParser
{
public:
    explicit TensorTableParser(ParseContext& context)
        : m_context(context)
        , m_reader(context.reader)
        , m_builder(context.builder)
        , m_countBytes(context.countBytes())
    {
    }

    bool run()
    {
        const std::uint64_t count = m_context.header().tensorCount;
        const std::uint64_t most = m_reader.remaining() / (m_countBytes + 16);
        m_context.tidyTable = TidyTable(m_builder.document().alignment());
        // Room for the records that there can be; a larger table grows as they come.
        m_names.reserve(static_cast<std::size_t>(std::min<std::uint64_t>({count, most, 1u << 20})));
        for (std::uint64_t i = 0; i < count; ++i) {
            m_subject.index = m_builder.document().tensorCount();
            m_reader.charge(kRecordMemory);
            if (!parseRecord() || !m_context.recordDone())
                return false;
        }
        settleNames();
        return true;
    }

private:
    // A record and its slot in the table of names, and the same again while the table grows.
    static constexpr std::uint64_t kRecordMemory = sizeof(TensorRecord) + 32;

    bool truncated(std::uint64_t needed, const char* what)
    {
        settleNames();
        m_context.reportEnd(Rule::TensorTableTruncated, m_subject, needed,
            fmt::format("{} of tensor {} of {}", what, m_subject.index + 1, m_context.header().tensorCount));
        return false;
    }

    bool parseRecord()
    {
        const std::uint64_t start = m_reader.position();
        if (!m_reader.ensure(m_countBytes))
            return truncated(m_countBytes, "the name's length");
        const std::uint64_t nameLength = m_context.loadCount(m_reader.data());
        const std::uint64_t left = m_reader.remaining() - m_countBytes;
        if (nameLength > left && nameLength > kMaxKeyDoc) {
            addProblem(Rule::TensorNameLengthImpossible, {start, m_countBytes},
                fmt::format("a name of {} bytes", nameLength), fmt::format("at most {}, which follow", left));
            return false;
        }
        const std::uint64_t nameEnd = m_countBytes + nameLength;
        if (nameLength > kMaxStringGgml || !m_reader.ensure(nameEnd))
            return truncated(nameEnd, "the name");
        if (!m_reader.ensure(nameEnd + 4))
            return truncated(nameEnd + 4, "the number of dimensions");
        const std::uint32_t dimCount = m_context.load<std::uint32_t>(m_reader.data() + nameEnd);
        if (dimCount > kMaxDimsRead) {
            addProblem(Rule::TensorDimsUnreadable, {start + nameEnd, 4},
                countText(dimCount, "dimension"), fmt::format("at most {}", kMaxDimsGgml));
            return false;
        }
        const std::uint64_t dimsEnd = nameEnd + 4 + std::uint64_t{dimCount} * m_countBytes;
        if (!m_reader.ensure(dimsEnd))
            return truncated(dimsEnd, "the dimensions");
        if (!m_reader.ensure(dimsEnd + 12))
            return truncated(dimsEnd + 12, "type and offset");

        m_builder.addTensor(
            {start, static_cast<std::uint32_t>(nameLength), static_cast<std::uint16_t>(dimCount), false});
        const std::string_view name{
            reinterpret_cast<const char*>(m_reader.data()) + m_countBytes, static_cast<std::size_t>(nameLength)};
        judgeName(name, start);
        if (dimCount > kMaxDimsGgml)
            addProblem(Rule::TensorDimsTooMany, {start + nameEnd, 4},
                countText(dimCount, "dimension"), fmt::format("at most {}", kMaxDimsGgml));
        m_context.tidyTable.add(
            m_reader.data() + nameEnd + 4, dimCount, m_countBytes, m_context.header().byteOrder);
        m_reader.advance(dimsEnd + 12);
        return true;
    }

    void judgeName(std::string_view name, std::uint64_t recordStart)
    {
        const ByteRange nameRange{recordStart + m_countBytes, name.size()};
        if (name.size() >= kMaxNameGgml && m_builder.wants(Rule::TensorNameTooLong))
            addProblem(Rule::TensorNameTooLong, {recordStart, m_countBytes},
                countText(name.size(), "byte"), fmt::format("fewer than {}", kMaxNameGgml));
        if (const std::size_t bad = firstInvalidUtf8(name); bad < name.size())
            addProblem(Rule::TensorNameNotUtf8, {nameRange.offset + bad, 1},
                visibleText(name, 200), "valid UTF-8");

        m_queue.add(m_names, untilNul(name), static_cast<std::uint32_t>(m_subject.index),
            [this](const NameQueue::Name& earlier) { putName(earlier); });
    }

    // ggml compares names as C strings, so one table finds both kinds of twins.
    static std::string_view untilNul(std::string_view text) { return text.substr(0, text.find('\0')); }

    /// Puts a name into the table and reports its twin.
    void putName(const NameQueue::Name& ggmlName)
    {
        const Document& document = m_builder.document();
        const auto first = m_names.put(ggmlName.hash, ggmlName.number,
            [&](std::uint32_t other) { return untilNul(document.tensorName(other)) == ggmlName.text; });
        if (!first)
            return;
        const std::string_view name = document.tensorName(ggmlName.number);
        const Rule rule
            = document.tensorName(*first) == name ? Rule::TensorNameDuplicate : Rule::TensorNameDuplicateForGgml;
        if (m_builder.wants(rule))
            m_builder.addProblem(rule,
                {document.tensorRecord(ggmlName.number).offset + m_countBytes, name.size()},
                {Subject::Kind::Tensor, ggmlName.number},
                fmt::format("{} stands at byte {} too", visibleText(ggmlName.text, 200),
                    document.tensorRecord(*first).offset));
    }

    void settleNames()
    {
        m_queue.finish([this](const NameQueue::Name& name) { putName(name); });
    }

    /// Twins among the names before come first, so that Problems stand in the order of the records.
    void addProblem(Rule rule, ByteRange range, std::string found, std::string expected)
    {
        settleNames();
        m_builder.addProblem(rule, range, m_subject, std::move(found), std::move(expected));
    }

    ParseContext& m_context;
    ImageReader& m_reader;
    DocumentBuilder& m_builder;
    const std::uint32_t m_countBytes;
    NameTable m_names;
    NameQueue m_queue;
    Subject m_subject{Subject::Kind::Tensor, 0};
};

} // namespace

bool parseTensors(ParseContext& context)
{
    return TensorTableParser(context).run();
}

} // namespace gguf
