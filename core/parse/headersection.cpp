// SPDX-License-Identifier: GPL-3.0-or-later
#include "document/text.h"
#include "parse/parsecontext.h"
#include "parse/sniff.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace gguf {

namespace {

constexpr Subject kHeaderSubject{Subject::Kind::Header, 0};

void parseForeign(ParseContext& context, const ByteSource& source)
{
    DocumentBuilder& builder = context.builder;
    Foreign foreign = identifyForeign(source, context.options.fileName);
    Rule rule = Rule::NotGguf;
    if (foreign.kind == ForeignKind::Empty)
        rule = Rule::FileEmpty;
    else if (foreign.kind == ForeignKind::ReversedMagic)
        rule = Rule::MagicReversed;
    else if (foreign.kind == ForeignKind::TextConverted)
        rule = Rule::TextConversion;
    const std::span<const std::byte> start
        = builder.document().bytes({0, std::min<std::uint64_t>(4, builder.document().imageEnd())});
    const std::string_view title = std::string_view(foreign.title).substr(0, foreign.title.rfind('.'));
    builder.addProblem(Problem{rule, ruleInfo(Rule::NotGguf).judges, Severity::Error, {0, start.size()}, {},
        start.empty() ? std::string(title) : fmt::format("{}: {}", hexBytes(start), title),
        "47 47 55 46 (\"GGUF\")"});
    builder.setForeign(std::move(foreign));
    builder.setStatus(Status::Foreign);
}

void judgeVersion(ParseContext& context, std::uint32_t version, ByteOrder order)
{
    DocumentBuilder& builder = context.builder;
    constexpr ByteRange kVersionField{4, 4};
    if (version == 1)
        builder.addProblem(Rule::VersionObsolete, kVersionField, kHeaderSubject, "1", "2 or 3");
    else if (version != 2 && version != 3)
        builder.addProblem(
            Rule::VersionUnsupported, kVersionField, kHeaderSubject, fmt::format("{}", version), "2 or 3");
    else if (order == ByteOrder::Big)
        builder.addProblem(Rule::ByteOrderForeign, kVersionField, kHeaderSubject,
            fmt::format("version {} stored with its highest byte first", version));
}

// Compares a count with the records that the rest of the file could hold at all. One that a model may have says
// no more than that the file is cut, which the sections say where it is met.
void judgeCount(
    ParseContext& context, Rule rule, std::uint64_t count, std::uint64_t recordBytes, ByteRange field)
{
    const std::uint64_t most = context.reader.remaining() / recordBytes;
    if (count > most && count > kPlausibleCount)
        context.builder.addProblem(rule, field, kHeaderSubject, fmt::format("{}", count),
            fmt::format("at most {} in the {} that follow", most, countText(context.reader.remaining(), "byte")));
}

} // namespace

bool parseHeader(ParseContext& context, const ByteSource& source)
{
    ImageReader& reader = context.reader;
    DocumentBuilder& builder = context.builder;
    const std::uint64_t fileSize = builder.document().fileSize();
    const std::uint64_t magicBytes = std::min<std::uint64_t>(fileSize, sizeof kMagic);
    if (magicBytes > 0 && !reader.ensure(magicBytes)) {
        builder.setReadError(
            reader.error() ? reader.error() : IoError{-1, "The file has fewer bytes than its size says."});
        context.reportEnd(Rule::HeaderTruncated, kHeaderSubject, magicBytes, "the magic");
        builder.setStatus(Status::Unreadable);
        return false;
    }
    if (magicBytes == 0 || std::memcmp(reader.data(), kMagic, magicBytes) != 0) {
        parseForeign(context, source);
        return false;
    }

    const auto truncated = [&](std::uint64_t needed, const char* doing) {
        context.reportEnd(Rule::HeaderTruncated, kHeaderSubject, needed, doing);
        builder.setStatus(Status::Partial);
        return false;
    };
    if (!reader.ensure(sizeof kMagic))
        return truncated(sizeof kMagic, "the magic");
    reader.advance(sizeof kMagic);
    builder.setParsedEnd(reader.position());

    if (!reader.ensure(4))
        return truncated(4, "the version");
    // SPEC-gguf.ksy, is_big_endian: the low half of the version is only zero in the other byte order.
    const std::uint32_t stored = loadAs<std::uint32_t>(reader.data(), ByteOrder::Little);
    Header header;
    header.byteOrder = (stored & 0xFFFF) == 0 ? ByteOrder::Big : ByteOrder::Little;
    header.version = loadAs<std::uint32_t>(reader.data(), header.byteOrder);
    header.countBytes = header.version == 1 ? 4 : 8;
    judgeVersion(context, header.version, header.byteOrder);
    reader.advance(4);
    builder.setParsedEnd(reader.position());

    const std::uint32_t width = header.countBytes;
    if (!reader.ensure(2 * width)) {
        context.reportEnd(
            Rule::HeaderTruncated, kHeaderSubject, 2 * width, "the counts of tensors and pairs");
        context.useHeader(header);
        builder.setStatus(Status::Partial);
        return false;
    }
    context.useHeader(header);
    header.tensorCount = context.loadCount(reader.data());
    header.metadataCount = context.loadCount(reader.data() + width);
    context.useHeader(header);
    reader.advance(2 * width);
    builder.setParsedEnd(reader.position());

    // The shortest pair: a length, no key, a type, one byte. The shortest record: a length, no name,
    // no dimensions, type, offset.
    judgeCount(context, Rule::TensorCountImpossible, header.tensorCount, width + 16, {8, width});
    judgeCount(context, Rule::MetadataCountImpossible, header.metadataCount, width + 5, {8 + width, width});
    return true;
}

} // namespace gguf
