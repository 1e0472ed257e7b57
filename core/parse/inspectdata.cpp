// SPDX-License-Identifier: GPL-3.0-or-later
#include "document/documentbuilder.h"
#include "document/text.h"
#include "parse/parser.h"
#include "parse/recovery.h"
#include "parse/sniff.h"
#include "parse/textconversion.h"

#include <algorithm>
#include <fmt/format.h>

namespace gguf {

namespace {

// Padding is shorter than the alignment, 32 bytes as a rule; a hostile alignment makes it 2 GiB.
constexpr std::uint64_t kPaddingRead = 64 * 1024;
constexpr std::uint64_t kPaddingReadInAll = std::uint64_t{256} << 20;
// Paddings that lie so near are read together: one read costs as much as so many bytes.
constexpr std::uint64_t kNear = 16 * 1024;
constexpr std::uint64_t kCoalesced = 256 * 1024;
constexpr std::uint64_t kTrailingSearched = std::uint64_t{1} << 30;
constexpr std::size_t kEmbeddedListed = 16;
constexpr std::size_t kLooksAt = 4096;

std::string_view asText(std::span<const std::byte> bytes)
{
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

class DataInspector
{
public:
    DataInspector(DocumentBuilder& builder, const ByteSource& source, const ParseOptions& options)
        : m_builder(builder)
        , m_document(builder.document())
        , m_source(source)
        , m_options(options)
    {
    }

    void run()
    {
        inspectPadding();
        if (!stopped() && m_document.problemTotal(Rule::TrailingBytes) > 0)
            inspectTrailing();
    }

private:
    struct Padding
    {
        ByteRange range;
        std::size_t tensor;
    };

    bool stopped() const { return m_options.stop.stop_requested(); }

    /// False where the source failed; the bytes that could be read stay in m_buffer.
    bool read(ByteRange range)
    {
        m_buffer.resize(static_cast<std::size_t>(range.length));
        const ReadResult result = m_source.read(range.offset, m_buffer);
        m_buffer.resize(result.bytes);
        if (!result.error)
            return true;
        m_builder.addProblem(Rule::ReadFailed, {range.offset + result.bytes, range.length - result.bytes}, {},
            fmt::format("reading failed at byte {}: {}", range.offset + result.bytes, result.error.message));
        return false;
    }

    void inspectPadding()
    {
        std::vector<Padding> group;
        std::uint64_t read = 0;
        for (std::size_t rank = 0; rank < m_document.tensorCount() && read < kPaddingReadInAll; ++rank) {
            if (stopped())
                return;
            const Tensor tensor = m_document.tensor(m_document.tensorInOffsetOrder(rank));
            const auto data = tensor.dataRange();
            if (!data || !tensor.padding || *tensor.padding == 0 || data->end() >= m_document.fileSize())
                continue;
            Padding padding{
                {data->end(), std::min(*tensor.padding, m_document.fileSize() - data->end())}, tensor.index};
            // Where tensors overlap, this one's padding is another's data.
            const TensorSpace space = m_document.tensorSpace(tensor.index);
            const bool isLast = rank + 1 == m_document.tensorCount();
            if (!isLast && space.reserved && *space.reserved < data->length + padding.range.length)
                continue;
            padding.range.length = std::min(padding.range.length, kPaddingRead);
            if (!group.empty()
                && (padding.range.offset < group.back().range.end()
                    || padding.range.offset - group.back().range.end() > kNear
                    || padding.range.end() - group.front().range.offset > kCoalesced)) {
                read += inspectGroup(group);
                if (m_failed)
                    return;
                group.clear();
            }
            group.push_back(padding);
        }
        if (!group.empty())
            inspectGroup(group);
    }

    std::uint64_t inspectGroup(const std::vector<Padding>& group)
    {
        const std::uint64_t start = group.front().range.offset;
        const std::uint64_t length = group.back().range.end() - start;
        m_failed = !read({start, length});
        for (const Padding& padding : group) {
            const std::uint64_t within = padding.range.offset - start;
            if (within >= m_buffer.size())
                break;
            const auto bytes = std::span<const std::byte>(m_buffer).subspan(static_cast<std::size_t>(within),
                static_cast<std::size_t>(
                    std::min<std::uint64_t>(padding.range.length, m_buffer.size() - within)));
            const auto nonZero
                = std::ranges::find_if(bytes, [](std::byte byte) { return byte != std::byte{0}; });
            if (nonZero != bytes.end() && m_builder.wants(Rule::PaddingNotZero))
                m_builder.addProblem(Rule::PaddingNotZero, padding.range,
                    {Subject::Kind::Tensor, padding.tensor},
                    fmt::format("{} at byte {}, after the data of {}", hexBytes({&*nonZero, 1}),
                        padding.range.offset + static_cast<std::uint64_t>(nonZero - bytes.begin()),
                        visibleText(m_document.tensorName(padding.tensor), 100)),
                    "00");
        }
        return length;
    }

    void inspectTrailing()
    {
        const std::uint64_t end = m_document.contentEnd().value_or(m_document.fileSize());
        if (end >= m_document.fileSize())
            return;
        const ByteRange trailing{end, m_document.fileSize() - end};
        describe(trailing);
        if (!m_failed)
            inspectConversion();
        if (!m_failed)
            findResumedDownload(trailing);
        if (!m_failed)
            findFollowing(trailing);
    }

    void describe(ByteRange trailing)
    {
        const ByteRange start{trailing.offset, std::min<std::uint64_t>(trailing.length, kLooksAt)};
        m_failed = !read(start);
        if (m_failed || m_buffer.empty())
            return;
        const std::string_view text = asText(m_buffer);
        const std::string part
            = start.length < trailing.length ? fmt::format(" (the first {} bytes)", start.length) : "";
        std::string looks;
        if (std::ranges::all_of(m_buffer, [](std::byte byte) { return byte == std::byte{0}; })) {
            looks = fmt::format("zeros{}{}", part,
                trailing.length < m_document.alignment() ? ", as of a writer that pads further" : "");
        } else if (text.starts_with("GGUF")) {
            looks = "the beginning of another GGUF file";
        } else if (firstInvalidUtf8(text) + 4 > text.size() && text.find('\0') == std::string_view::npos) {
            looks = fmt::format("text{}: {}", part, visibleText(text, 80));
        } else {
            looks = fmt::format("binary data{}: {}", part,
                hexBytes(
                    std::span<const std::byte>(m_buffer).first(std::min<std::size_t>(m_buffer.size(), 16))));
        }
        m_builder.addProblem(Rule::TrailingContent, start, {}, std::move(looks));
    }

    /// A conversion of line ends or letters makes a file longer, and quantized data is never text.
    void inspectConversion()
    {
        const std::uint64_t start = m_document.dataOffset().value_or(m_document.fileSize());
        if (start >= m_document.fileSize() || m_document.tensorCount() == 0)
            return;
        m_failed
            = !read({start, std::min<std::uint64_t>(m_document.fileSize() - start, std::uint64_t{1} << 20)});
        if (const auto conversion = recogniseTextConversion(asText(m_buffer), start))
            m_builder.addProblem(Rule::TextConversion, conversion->evidence, {},
                fmt::format("{} of tensor data. {}", conversion->what, conversion->destroyed), "binary data");
    }

    /// A download that was resumed by writing the whole file behind the part that was there: the file is too
    /// long by exactly that part, and the good copy begins where it ends.
    void findResumedDownload(ByteRange trailing)
    {
        if (trailing.length >= trailing.offset)
            return; // then the header lies in the trailing bytes
        const auto found = findEmbeddedGguf(m_source, {trailing.length, 24}, 1, m_options.stop);
        if (found.empty() || found.front().offset != trailing.length)
            return;
        m_builder.addProblem(Rule::EmbeddedGguf, {trailing.length, 24}, {},
            fmt::format("a GGUF {} header at byte {}, exactly as many bytes in as the file is too long: a "
                        "download was "
                        "begun again behind its first part, and the good copy starts there",
                found.front().version, trailing.length));
    }

    void findFollowing(ByteRange trailing)
    {
        const ByteRange searched{trailing.offset, std::min(trailing.length, kTrailingSearched)};
        const auto found = findEmbeddedGguf(m_source, searched, kEmbeddedListed, m_options.stop);
        const bool sharded = m_document.unsignedValue("split.count").value_or(0) > 1;
        for (const EmbeddedGguf& header : found) {
            std::string text = fmt::format("a GGUF {}{} header with {} and {} at byte {}",
                header.version, header.bigEndian ? " big-endian" : "", countText(header.tensorCount, "tensor"),
                countText(header.metadataCount, "pair"), header.offset);
            if (header.offset == trailing.offset)
                text += sharded
                    ? ", where this shard ends: shards were joined end to end and must be cut apart again"
                    : ", where this model ends: two files were joined end to end";
            m_builder.addProblem(
                Rule::EmbeddedGguf, {header.offset, header.version == 1 ? 16u : 24u}, {}, std::move(text));
        }
    }

    DocumentBuilder& m_builder;
    const Document& m_document;
    const ByteSource& m_source;
    const ParseOptions& m_options;
    std::vector<std::byte> m_buffer;
    bool m_failed = false;
};

} // namespace

Document inspectData(Document document, const ByteSource& source, const ParseOptions& options)
{
    DocumentBuilder builder(std::move(document));
    if (builder.document().status() == Status::Partial)
        explainStop(builder, source, options.stop);
    else if (builder.document().status() == Status::Ok) {
        DataInspector(builder, source, options).run();
        suggestCounts(builder, source, options.stop);
    }
    return builder.document();
}

} // namespace gguf
