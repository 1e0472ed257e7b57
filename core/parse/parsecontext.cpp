// SPDX-License-Identifier: GPL-3.0-or-later
#include "parse/parsecontext.h"

#include "document/text.h"

#include <fmt/format.h>

namespace gguf {

namespace {

constexpr std::size_t kRecordsPerSnapshot = 4096;
constexpr std::uint64_t kBytesPerSnapshot = std::uint64_t{1} << 20;

} // namespace

ParseContext::ParseContext(const ByteSource& source, const ParseOptions& parseOptions)
    : builder(source.size())
    , reader(source, builder)
    , options(parseOptions)
{
}

void ParseContext::useHeader(const Header& header)
{
    builder.setHeader(header);
    m_countBytes = header.countBytes;
    m_byteOrder = header.byteOrder;
}

bool ParseContext::recordDone()
{
    builder.setParsedEnd(reader.position());
    if (++m_recordsSincePublish == kRecordsPerSnapshot
        || reader.position() - m_publishedAt >= kBytesPerSnapshot)
        publish();
    return !stopped();
}

bool ParseContext::goesOn()
{
    if (options.sink && reader.position() - m_progressAt >= kBytesPerSnapshot) {
        m_progressAt = reader.position();
        options.sink->progress(m_progressAt);
    }
    return !stopped();
}

void ParseContext::publish()
{
    m_recordsSincePublish = 0;
    m_publishedAt = reader.position();
    m_progressAt = m_publishedAt;
    if (!options.sink)
        return;
    options.sink->snapshot(builder.document());
    options.sink->progress(reader.position());
}

void ParseContext::reportEnd(Rule rule, Subject subject, std::uint64_t needed, const std::string& doing)
{
    const std::uint64_t at = reader.position();
    const std::uint64_t end = at + reader.remaining();
    if (reader.error()) {
        builder.addProblem(Rule::ReadFailed, {at + reader.held(), end - at - reader.held()}, subject,
            fmt::format("reading {} failed at byte {}: {}", doing, at + reader.held(), reader.error().message));
    } else if (reader.sourceShrank()) {
        builder.addProblem(Rule::ReadFailed, {at, end - at}, subject,
            fmt::format("the file ended at byte {} while {} was read", end, doing),
            countText(builder.document().fileSize(), "byte") + ", as when it was opened");
    } else if (reader.limitReached()) {
        builder.addProblem(Rule::MetadataTooLarge, {at, end - at}, subject,
            fmt::format("more than {} GiB of metadata and tensor records", kMaxMetadataMemory >> 30));
    } else {
        builder.addProblem(rule, {end, 0}, subject,
            fmt::format("the file ends at byte {}, {} into {}", end, countText(end - at, "byte"), doing),
            fmt::format("{} from byte {} on", countText(needed, "byte"), at));
    }
}

} // namespace gguf
