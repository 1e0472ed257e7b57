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
        m_names.reserve(static_cast<std::size_t>(std::min<std::uint64_t>({count, most, 1u << 16})));
        for (std::uint64_t i = 0; i < count; ++i) {
            m_subject.index = m_builder.document().tensorCount();
            m_reader.charge(kRecordMemory);
            if (!parseRecord() || !m_context.recordDone())
                return false;
        }
        return true;
    }

private:
    // A record and its slot in the table of names, and the same again while the table grows.
    static constexpr std::uint64_t kRecordMemory = sizeof(TensorRecord) + 32;

    bool truncated(std::uint64_t needed, const char* what)
    {
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
            m_builder.addProblem(Rule::TensorNameLengthImpossible, {start, m_countBytes}, m_subject,
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
            m_builder.addProblem(Rule::TensorDimsUnreadable, {start + nameEnd, 4}, m_subject,
                fmt::format("{} dimensions", dimCount), fmt::format("at most {}", kMaxDimsGgml));
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
            m_builder.addProblem(Rule::TensorDimsTooMany, {start + nameEnd, 4}, m_subject,
                fmt::format("{} dimensions", dimCount), fmt::format("at most {}", kMaxDimsGgml));
        m_context.tidyTable.add(
            m_reader.data() + nameEnd + 4, dimCount, m_countBytes, m_context.header().byteOrder);
        m_reader.advance(dimsEnd + 12);
        return true;
    }

    void judgeName(std::string_view name, std::uint64_t recordStart)
    {
        const ByteRange nameRange{recordStart + m_countBytes, name.size()};
        if (name.size() >= kMaxNameGgml && m_builder.wants(Rule::TensorNameTooLong))
            m_builder.addProblem(Rule::TensorNameTooLong, {recordStart, m_countBytes}, m_subject,
                fmt::format("{} bytes", name.size()), fmt::format("fewer than {}", kMaxNameGgml));
        if (const std::size_t bad = firstInvalidUtf8(name); bad < name.size())
            m_builder.addProblem(Rule::TensorNameNotUtf8, {nameRange.offset + bad, 1}, m_subject,
                visibleText(name, 200), "valid UTF-8");

        // ggml compares names as C strings, so one table finds both kinds of twins.
        const auto untilNul = [](std::string_view text) { return text.substr(0, text.find('\0')); };
        const Document& document = m_builder.document();
        const std::string_view ggmlName = untilNul(name);
        const auto first = m_names.put(hashBytes(ggmlName), static_cast<std::uint32_t>(m_subject.index),
            [&](std::uint32_t other) { return untilNul(document.tensorName(other)) == ggmlName; });
        if (!first)
            return;
        const Rule rule
            = document.tensorName(*first) == name ? Rule::TensorNameDuplicate : Rule::TensorNameDuplicateForGgml;
        if (m_builder.wants(rule))
            m_builder.addProblem(rule, nameRange, m_subject,
                fmt::format("{} stands at byte {} too", visibleText(ggmlName, 200),
                    document.tensorRecord(*first).offset));
    }

    ParseContext& m_context;
    ImageReader& m_reader;
    DocumentBuilder& m_builder;
    const std::uint32_t m_countBytes;
    NameTable m_names;
    Subject m_subject{Subject::Kind::Tensor, 0};
};

} // namespace

bool parseTensors(ParseContext& context)
{
    return TensorTableParser(context).run();
}

} // namespace gguf
