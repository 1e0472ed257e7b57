// SPDX-License-Identifier: GPL-3.0-or-later
#include "parse/recovery.h"

#include "document/text.h"
#include "parse/recordprobe.h"
#include "parse/textconversion.h"

#include <algorithm>
#include <fmt/format.h>

namespace gguf {

namespace {

constexpr std::uint64_t kSearched = std::uint64_t{16} << 20;
constexpr std::uint64_t kFirstLook = 4096;
constexpr std::uint64_t kBehindTable = std::uint64_t{1} << 20;
constexpr std::uint64_t kMostRecovered = 200'000;
// A wrong count misreads one or two records, rarely more, before it becomes noticed.
constexpr std::size_t kStepsBack = 16;

/// Rules after which the place of the next record is unknown though the file goes on.
constexpr Rule kLostPlace[] = {Rule::VersionUnsupported, Rule::KeyLengthImpossible, Rule::ValueTypeUnknown,
    Rule::ElementTypeUnknown, Rule::StringLengthImpossible, Rule::ArrayLengthImpossible, Rule::NestingTooDeep,
    Rule::TensorNameLengthImpossible, Rule::TensorDimsUnreadable, Rule::MetadataTruncated,
    Rule::TensorTableTruncated};

class Recovery
{
public:
    Recovery(DocumentBuilder& builder, const ByteSource& source, std::stop_token stop)
        : m_builder(builder)
        , m_document(builder.document())
        , m_source(source)
        , m_stop(std::move(stop))
        , m_statedPairs(m_document.header()->metadataCount)
        , m_statedTensors(m_document.header()->tensorCount)
    {
    }

    void explainStop()
    {
        const Problem* reason = reasonOfStop();
        if (!reason || m_stop.stop_requested())
            return;
        m_truncated = reason->rule == Rule::MetadataTruncated || reason->rule == Rule::TensorTableTruncated;
        // What does not fit into the file may be cut off, or its length may be damaged: then search behind
        // its start.
        const std::uint64_t fault = m_truncated ? m_document.parsedEnd() : reason->range.offset;
        recogniseConversion();
        if (m_stop.stop_requested())
            return;
        const bool inTensors = pairsDone();
        const bool suggested = inTensors ? suggestFewerTensors() || suggestMorePairs() || suggestFewerPairs()
                                         : suggestFewerPairs();
        if (suggested || m_stop.stop_requested())
            return;
        suggestLength(*reason);
        releaseSwallowed();
        recover(fault);
    }

    /// The table was read to its end; does it go on, or did it begin too early?
    void suggestMore()
    {
        if (m_document.metadataCount() > 0 && m_document.key(m_document.metadataCount() - 1).empty()
            && suggestFewerPairs())
            return;
        // Zeros behind the table read as a tensor without a name.
        if (m_statedTensors > 0) {
            const bool nameless = m_document.tensorName(m_document.tensorCount() - 1).empty();
            if ((nameless && suggestFewerTensors()) || suggestMorePairs())
                return;
        }
        const std::uint64_t tablesEnd = m_document.tablesEnd();
        const std::vector<std::byte> bytes = readAt(tablesEnd, kBehindTable);
        RecordProbe probe(bytes, tablesEnd, m_document);
        if (m_statedTensors == 0) {
            const auto pairs = probe.pairsAt(tablesEnd, kMostRecovered);
            const auto records
                = probe.recordsAt(pairs.empty() ? tablesEnd : pairs.back().entry.end, kMostRecovered);
            if (!pairs.empty())
                suggest(m_statedPairs + pairs.size(), m_statedPairs, "metadata",
                    fmt::format("pairs that stand behind the last one counted: {}", pairs.size()));
            if (!records.empty() && records.front().dataOffset == 0)
                suggest(records.size(), 0, "tensor",
                    fmt::format("{} tensor records follow the metadata", records.size()));
            return;
        }
        const auto records = probe.recordsAt(tablesEnd, kMostRecovered);
        if (records.empty())
            return;
        const auto expected = m_document.expectedSize();
        const bool continues = expected && m_document.dataOffset()
            && records.front().dataOffset == *expected - *m_document.dataOffset();
        if (!continues && records.size() < 3)
            return;
        const bool fits = records.back().dataBytes
            && padded(records.back().end) + padded(records.back().dataOffset + *records.back().dataBytes)
                == m_document.fileSize();
        suggest(m_statedTensors + records.size(), m_statedTensors, "tensor",
            fmt::format("records that stand behind the last one counted: {}{}", records.size(),
                fits ? ", and the file then has exactly the right length" : ""));
    }

private:
    const Problem* reasonOfStop() const
    {
        for (std::size_t i = m_document.problemCount(); i-- > 0;) {
            const Problem& problem = m_document.problem(i);
            if (std::ranges::find(kLostPlace, problem.rule) != std::end(kLostPlace))
                return &problem;
        }
        return nullptr;
    }

    bool pairsDone() const
    {
        return m_document.metadataCount() == m_statedPairs
            && (m_statedPairs == 0 || m_document.metadata(m_document.metadataCount() - 1).complete);
    }

    std::uint64_t metadataEnd() const
    {
        return m_document.metadataCount() == 0 ? m_document.header()->size()
                                               : m_document.metadata(m_document.metadataCount() - 1).end;
    }

    std::uint64_t padded(std::uint64_t size) const
    {
        const std::uint64_t alignment = m_document.alignment();
        return size + (alignment - size % alignment) % alignment;
    }

    std::vector<std::byte> readAt(std::uint64_t offset, std::uint64_t most) const
    {
        const std::uint64_t rest = m_document.fileSize() - std::min(m_document.fileSize(), offset);
        std::vector<std::byte> bytes(static_cast<std::size_t>(std::min(most, rest)));
        bytes.resize(m_source.read(offset, bytes).bytes);
        return bytes;
    }

    void suggest(std::uint64_t count, std::uint64_t stated, const char* what, std::string why)
    {
        const std::uint32_t width = m_document.header()->countBytes;
        const bool tensors = *what == 't';
        m_builder.addProblem(Rule::CountSuggestion, {tensors ? 8u : 8u + width, width},
            {Subject::Kind::Header, 0}, fmt::format("{} count {}; {}", what, stated, why),
            fmt::format("{}", count));
    }

    void recogniseConversion()
    {
        const std::vector<std::byte> bytes = readAt(0, std::uint64_t{1} << 20);
        const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        const auto conversion = recogniseTextConversion(text, 0);
        // A chat template may end all its lines with 0D 0A; in a file that is merely cut that proves nothing.
        const bool proven
            = conversion && !(m_truncated && conversion->kind == TextConversion::Kind::LineEnds);
        if (proven)
            m_builder.addProblem(Rule::TextConversion, conversion->evidence, {},
                fmt::format("{}. {}", conversion->what, conversion->destroyed), "binary data");
    }

    /// Do the first `count` tensors fill the file exactly, each beginning where the one before ends?
    bool fillsFile(std::size_t count) const
    {
        std::uint64_t next = 0;
        for (std::size_t i = 0; i < count; ++i) {
            const Tensor tensor = m_document.tensor(i);
            if (!tensor.dataBytes || tensor.offset != next || next > m_document.fileSize())
                return false;
            next += padded(*tensor.dataBytes);
        }
        const std::uint64_t tablesEnd
            = count == 0 ? metadataEnd() : m_document.tensor(count - 1).record.end();
        return (count == 0 ? tablesEnd : padded(tablesEnd)) + next == m_document.fileSize();
    }

    bool suggestFewerTensors()
    {
        const std::size_t read = m_document.tensorCount();
        for (std::size_t back = 0; back <= std::min(read, kStepsBack); ++back) {
            // A file that is cut right behind its metadata is no file without tensors.
            if (read - back == m_statedTensors || (read == back && m_statedTensors > 1)
                || !fillsFile(read - back))
                continue;
            suggest(read - back, m_statedTensors, "tensor",
                fmt::format("the first {} records and their data fill the file exactly", read - back));
            return true;
        }
        return false;
    }

    /// Are pairs left over where the tensor table should begin?
    bool suggestMorePairs()
    {
        const std::uint64_t start = metadataEnd();
        std::vector<std::byte> bytes = readAt(start, kFirstLook);
        const auto asStated = RecordProbe(bytes, start, m_document).recordAt(start);
        if (asStated && asStated->dataOffset == 0)
            return false; // as it should be; no need to read more
        bytes = readAt(start, kSearched);
        RecordProbe probe(bytes, start, m_document);
        const auto pairs = probe.pairsAt(start, kMostRecovered);
        if (pairs.empty())
            return false;
        const std::uint64_t end = pairs.back().entry.end;
        const auto record = probe.recordAt(end);
        if (m_statedTensors == 0 ? end != m_document.fileSize() : !record || record->dataOffset != 0)
            return false;
        suggest(m_statedPairs + pairs.size(), m_statedPairs, "metadata",
            fmt::format("{} more pair{} stand where the tensor table should begin", pairs.size(),
                pairs.size() == 1 ? "" : "s"));
        return true;
    }

    /// Was a tensor record read as a pair?
    bool suggestFewerPairs()
    {
        const std::size_t read = m_document.metadataCount();
        for (std::size_t back = 0; back <= std::min(read, kStepsBack) && !m_stop.stop_requested(); ++back) {
            const std::size_t index = read - back;
            const std::uint64_t start = index < read ? m_document.metadata(index).offset
                : read == 0                          ? m_document.header()->size()
                                                     : metadataEnd();
            if (index == m_statedPairs)
                continue;
            bool fits = false;
            if (m_statedTensors == 0) {
                fits = start == m_document.fileSize() || padded(start) == m_document.fileSize();
            } else {
                const std::vector<std::byte> bytes = readAt(start, kBehindTable);
                RecordProbe probe(bytes, start, m_document);
                const auto records = probe.recordsAt(start, std::min(m_statedTensors, kMostRecovered));
                fits = !records.empty() && records.front().dataOffset == 0
                    && (records.size() == m_statedTensors || records.size() > 2);
            }
            if (!fits)
                continue;
            suggest(index, m_statedPairs, "metadata",
                m_statedTensors == 0 ? fmt::format("the file ends after pair {}", index)
                                     : fmt::format("what follows pair {} reads as the tensor table", index));
            return true;
        }
        return false;
    }

    /// Does the record in which reading stopped make sense with another length of its key or name?
    void suggestLength(const Problem& reason)
    {
        const bool pair = reason.subject == Subject{Subject::Kind::Metadata, m_document.metadataCount()};
        const bool tensor = reason.subject == Subject{Subject::Kind::Tensor, m_document.tensorCount()};
        const std::uint64_t start = m_document.parsedEnd();
        const std::uint32_t width = m_document.header()->countBytes;
        if ((!pair && !tensor) || m_document.fileSize() - start <= width)
            return;
        const std::vector<std::byte> bytes = readAt(start, kBehindTable);
        RecordProbe probe(bytes, start, m_document);
        const std::uint64_t longest = pair ? RecordProbe::kLongestKey : RecordProbe::kLongestName;
        for (std::uint64_t length = 1; length <= longest; ++length) {
            if (pair ? !fitsPair(probe, start, length) : !fitsTensor(probe, start, length))
                continue;
            m_builder.addProblem(Rule::LengthSuggestion, {start, width}, reason.subject,
                fmt::format("a {} of {} bytes", pair ? "key" : "name", loadStated(bytes)),
                fmt::format("{}", length));
            return;
        }
    }

    std::uint64_t loadStated(const std::vector<std::byte>& bytes) const
    {
        const Header& header = *m_document.header();
        return header.countBytes == 4 ? loadAs<std::uint32_t>(bytes.data(), header.byteOrder)
                                      : loadAs<std::uint64_t>(bytes.data(), header.byteOrder);
    }

    bool fitsPair(RecordProbe& probe, std::uint64_t start, std::uint64_t length) const
    {
        const auto pair = probe.pairAt(start, length);
        if (!pair)
            return false;
        const std::uint64_t end = pair->entry.end;
        if (m_document.metadataCount() + 1 < m_statedPairs)
            return probe.pairAt(end).has_value();
        const auto record = m_statedTensors > 0 ? probe.recordAt(end) : std::nullopt;
        return m_statedTensors > 0 ? record && record->dataOffset == 0
                                   : end == m_document.fileSize() || padded(end) == m_document.fileSize();
    }

    bool fitsTensor(RecordProbe& probe, std::uint64_t start, std::uint64_t length) const
    {
        const auto record = probe.recordAt(start, length);
        if (!record)
            return false;
        if (m_document.tensorCount() + 1 < m_statedTensors)
            return probe.recordAt(record->end).has_value();
        // The last one: its data end where the file does.
        return record->dataBytes && *record->dataBytes <= m_document.fileSize()
            && record->dataOffset <= m_document.fileSize()
            && padded(record->end) + padded(record->dataOffset + *record->dataBytes) == m_document.fileSize();
    }

    /// A value that seems to be cut may have a wrong length instead, and have swallowed the records behind it.
    void releaseSwallowed()
    {
        if (!m_truncated || m_document.metadataCount() == 0)
            return;
        const std::size_t last = m_document.metadataCount() - 1;
        const MetadataEntry& entry = m_document.metadata(last);
        const ValueView value = m_document.value(last);
        if (entry.complete || entry.end != m_document.fileSize())
            return;
        const std::uint32_t width = m_document.header()->countBytes;
        const bool array = value.type() == ValueType::Array;
        const std::uint32_t size
            = array ? valueTypeSize(valueTypeFromId(value.elementTypeId()).value_or(ValueType::String)) : 1;
        const std::uint64_t first = entry.valueOffset + width + (array ? 4 : 0);
        if (size == 0 || first >= entry.end || (!array && value.type() != ValueType::String))
            return;
        const std::vector<std::byte> bytes = readAt(first, kSearched);
        const auto start = RecordProbe(bytes, first, m_document).findRun(first);
        if (!start)
            return;
        m_builder.endLastMetadata(*start);
        if (array)
            m_builder.setPartialElements((*start - first) / size);
    }

    void recover(std::uint64_t fault)
    {
        // What is shown of the pair that could not be read to its end stays its own.
        const std::uint64_t from = std::max({fault + 1, m_document.parsedEnd(), metadataEnd()});
        const std::vector<std::byte> bytes = readAt(from, kSearched);
        RecordProbe probe(bytes, from, m_document);
        const auto start = probe.findRun(from);
        if (!start)
            return;
        // A record is the stricter reading: its first bytes can pass for a pair, but not the other way round.
        auto records = probe.recordsAt(*start, kMostRecovered);
        std::vector<RecordProbe::Pair> pairs;
        if (records.size() < 2 && m_document.tensorCount() == 0) {
            pairs = probe.pairsAt(*start, kMostRecovered);
            records = probe.recordsAt(pairs.empty() ? *start : pairs.back().entry.end, kMostRecovered);
        }
        const std::uint64_t pairsEnd = pairs.empty() ? *start : pairs.back().entry.end;
        const std::uint64_t end = records.empty() ? pairsEnd : records.back().end;
        if (end == *start)
            return;
        keepBytes(bytes, from, {*start, end - *start});

        for (const RecordProbe::Pair& pair : pairs) {
            if (!pair.positions.empty())
                m_builder.addArrayIndex(pair.entry.valueOffset) = pair.positions;
            m_builder.addMetadata(pair.entry);
        }
        for (const RecordProbe::Record& record : records)
            m_builder.addTensor(record.record);
        if (!pairs.empty())
            m_builder.addProblem(Rule::MetadataRecovered, {*start, pairsEnd - *start}, {},
                fmt::format("{} pair{} from byte {} on, {} bytes behind the fault; the first is {}",
                    pairs.size(), pairs.size() == 1 ? "" : "s", *start, *start - fault,
                    visibleText(m_document.key(m_document.metadataCount() - pairs.size()), 100)));
        if (!records.empty())
            m_builder.addProblem(Rule::TensorsRecovered, {pairsEnd, end - pairsEnd}, {},
                fmt::format("{} record{} from byte {} on; the first is {}", records.size(),
                    records.size() == 1 ? "" : "s", pairsEnd,
                    visibleText(m_document.tensorName(m_document.tensorCount() - records.size()), 100)));
    }

    /// Makes a range part of the document's image, which must not become shorter by it.
    void keepBytes(const std::vector<std::byte>& bytes, std::uint64_t bytesOffset, ByteRange range)
    {
        if (!m_document.bytes(range).empty())
            return;
        const std::uint64_t end
            = std::min(std::max(range.end(), m_document.imageEnd()), bytesOffset + bytes.size());
        const auto length = static_cast<std::size_t>(end - range.offset);
        const std::shared_ptr<std::byte[]> kept(new std::byte[length]);
        std::copy_n(bytes.data() + (range.offset - bytesOffset), length, kept.get());
        m_builder.addSegment(range.offset, length, kept);
    }

    DocumentBuilder& m_builder;
    const Document& m_document;
    const ByteSource& m_source;
    const std::stop_token m_stop;
    const std::uint64_t m_statedPairs;
    const std::uint64_t m_statedTensors;
    bool m_truncated = false; ///< reading stopped at the file's end
};

} // namespace

void explainStop(DocumentBuilder& builder, const ByteSource& source, std::stop_token stop)
{
    if (builder.document().header())
        Recovery(builder, source, std::move(stop)).explainStop();
}

void suggestCounts(DocumentBuilder& builder, const ByteSource& source, std::stop_token stop)
{
    if (builder.document().header() && !stop.stop_requested())
        Recovery(builder, source, std::move(stop)).suggestMore();
}

} // namespace gguf
