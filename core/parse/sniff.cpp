// SPDX-License-Identifier: GPL-3.0-or-later
#include "parse/sniff.h"

#include "document/text.h"
#include "parse/foreignkinds.h"

#include <fmt/format.h>

#include <algorithm>

namespace gguf {

namespace {

using foreign::Head;

constexpr std::size_t kHeadBytes = std::size_t{1} << 20;
constexpr std::uint64_t kZerosSearched = std::uint64_t{64} << 20;
constexpr std::size_t kTailBytes = 512;
// A GGUF header has 24 bytes; fewer zeros than that are the start of some other format.
constexpr std::size_t kZeroHeader = 24;

std::string_view asText(std::span<const std::byte> bytes)
{
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::vector<std::byte> readAt(const ByteSource& source, std::uint64_t offset, std::size_t length)
{
    const std::uint64_t rest = source.size() > offset ? source.size() - offset : 0;
    std::vector<std::byte> bytes(static_cast<std::size_t>(std::min<std::uint64_t>(length, rest)));
    bytes.resize(source.read(offset, bytes).bytes);
    return bytes;
}

std::optional<std::uint64_t> firstNonZero(const ByteSource& source, std::uint64_t end)
{
    for (std::uint64_t offset = 0; offset < end;) {
        const auto bytes = readAt(source, offset, kHeadBytes);
        if (bytes.empty())
            return std::nullopt;
        const auto found = std::ranges::find_if(bytes, [](std::byte b) { return b != std::byte{0}; });
        if (found != bytes.end())
            return offset + static_cast<std::uint64_t>(found - bytes.begin());
        offset += bytes.size();
    }
    return std::nullopt;
}

Foreign zeros(const ByteSource& source)
{
    const std::uint64_t size = source.size();
    const std::uint64_t searched = std::min(size, kZerosSearched);
    const auto first = firstNonZero(source, searched);
    bool tailIsZero = true;
    if (!first && size > searched) {
        const auto tail = readAt(source, size - kTailBytes, kTailBytes);
        tailIsZero = std::ranges::all_of(tail, [](std::byte b) { return b == std::byte{0}; });
    }
    Foreign foreign;
    foreign.evidence = {0, first.value_or(searched)};
    if (!first && tailIsZero) {
        foreign.kind = ForeignKind::Zeros;
        foreign.title = size == searched ? "The file holds nothing but zeros."
                                         : "The file seems to hold nothing but zeros.";
        foreign.details.emplace_back("Zero bytes", fmt::format("{}", size));
        if (size > searched)
            foreign.details.emplace_back(
                "Looked at", fmt::format("the first {} bytes and the last {}", searched, kTailBytes));
        foreign.remedy
            = "A downloader or file system reserved the room, but no byte arrived. Fetch the file again.";
        return foreign;
    }
    foreign.kind = ForeignKind::ZerosThenData;
    foreign.title = "The file begins with zeros where the header should be, then there is data.";
    if (first) {
        foreign.details.emplace_back("Zero bytes at the start", fmt::format("{}", *first));
        foreign.details.emplace_back("First other byte", fmt::format("at {} (0x{:X})", *first, *first));
    } else {
        foreign.details.emplace_back("Zero bytes at the start", fmt::format("at least {}", searched));
    }
    foreign.remedy
        = "The program that wrote it reserves room for the header and fills it in last, and it did not "
          "finish. The metadata cannot be had from this file: write or fetch it again.";
    return foreign;
}

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}
bool isLower(char c)
{
    return c >= 'a' && c <= 'z';
}

/// The number of a later piece in names such as model.gguf.part2of3, model.gguf.002, model.gguf-split-b,
/// model.gguf.part-ab; 0 where the name tells none.
unsigned pieceNumber(std::string_view name)
{
    std::string lower(name);
    std::ranges::transform(
        lower, lower.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    std::string_view rest = lower;

    const auto takeNumber = [&rest]() -> std::optional<unsigned> {
        std::size_t begin = rest.size();
        while (begin > 0 && isDigit(rest[begin - 1]) && rest.size() - begin < 6)
            --begin;
        if (begin == rest.size())
            return std::nullopt;
        unsigned number = 0;
        for (const char digit : rest.substr(begin))
            number = number * 10 + static_cast<unsigned>(digit - '0');
        rest = rest.substr(0, begin);
        return number;
    };
    const auto endsWithPart = [&rest] {
        while (!rest.empty() && std::string_view("-_. ").find(rest.back()) != std::string_view::npos)
            rest.remove_suffix(1);
        return rest.ends_with("part") || rest.ends_with("split") || rest.ends_with("piece");
    };

    if (const auto last = takeNumber()) {
        if (rest.ends_with("of")) {
            rest.remove_suffix(2);
            while (!rest.empty() && std::string_view("-_. ").find(rest.back()) != std::string_view::npos)
                rest.remove_suffix(1);
            const auto number = takeNumber();
            return number && endsWithPart() ? *number : 0;
        }
        // model.gguf.2, model.gguf.002, but not model-7.gguf, which has another ending.
        const bool bare = rest.ends_with(".gguf.") || rest.ends_with(".gguf-") || rest.ends_with(".bin.");
        return bare || endsWithPart() ? *last : 0;
    }
    // Letters as split(1) counts: a, b, ... or aa, ab, ...
    for (const std::size_t letters : {std::size_t{1}, std::size_t{2}}) {
        if (rest.size() <= letters)
            break;
        std::string_view stem = rest.substr(0, rest.size() - letters);
        const std::string_view tail = rest.substr(stem.size());
        const bool separated = stem.ends_with(".gguf.") || stem.ends_with(".gguf-")
            || stem.ends_with("-split-") || stem.ends_with(".part-") || stem.ends_with(".part")
            || stem.ends_with(".part.") || stem.ends_with(".split-") || stem.ends_with(".gguf.part")
            || stem.ends_with(".gguf_");
        if (!separated || !std::ranges::all_of(tail, isLower))
            continue;
        unsigned number = 0;
        for (const char letter : tail)
            number = number * 26 + static_cast<unsigned>(letter - 'a');
        return number + 1;
    }
    return 0;
}

Foreign splitPart(const std::string& fileName, unsigned number)
{
    Foreign foreign;
    foreign.kind = ForeignKind::SplitPart;
    foreign.title
        = "This seems to be a later piece of a file that was cut into pieces, without a header of its own.";
    foreign.details.emplace_back("Piece", fmt::format("{}", number));
    foreign.details.emplace_back("File name", visibleText(fileName, 200));
    foreign.remedy
        = "Join all pieces in order, byte by byte (cat piece1 piece2 > model.gguf, or copy /b on Windows). "
          "Shards named 00001-of-00003.gguf are different: those must not be joined this way.";
    return foreign;
}

Foreign unknown(const Head& head)
{
    Foreign foreign;
    foreign.title = "This is not a GGUF file, and its kind is unknown.";
    const std::string_view first = head.bytes.substr(0, 16);
    foreign.evidence = {0, std::min<std::uint64_t>(first.size(), 4)};
    foreign.details.emplace_back(
        "First bytes", hexBytes(std::as_bytes(std::span(first.data(), first.size()))));
    foreign.details.emplace_back("As text", visibleText(first));
    foreign.remedy = "Check that the right file was chosen and that the download finished.";
    if (std::string_view("GGUF").starts_with(head.bytes)) {
        foreign.title = "The file ends inside the magic with which GGUF begins.";
        foreign.remedy = "Fetch the file again.";
    } else if (head.bytes.size() >= kZeroHeader
        && std::ranges::all_of(head.bytes, [&head](char c) { return c == head.bytes[0]; })) {
        foreign.title = fmt::format("This is not a GGUF file: {} bytes from its start on are {:02X}.",
            head.bytes.size(), static_cast<unsigned char>(head.bytes[0]));
        foreign.remedy
            = "Such bytes come from an erased flash memory or a failed copy. Fetch the file again.";
    }
    return foreign;
}

} // namespace

Foreign identifyForeign(const ByteSource& source, const std::string& fileName)
{
    if (source.size() == 0) {
        Foreign foreign;
        foreign.kind = ForeignKind::Empty;
        foreign.title = "The file is empty.";
        foreign.details.emplace_back("Size", "0 bytes");
        foreign.remedy = "The download or copy brought nothing, or a merge was given this file as its "
                         "output: fetch or write "
                         "it again.";
        return foreign;
    }
    const auto bytes = readAt(source, 0, kHeadBytes);
    const Head head{asText(bytes), source.size(), fileName};

    if (head.bytes.size() >= kZeroHeader || head.bytes.size() == source.size()) {
        const std::string_view start = head.bytes.substr(0, kZeroHeader);
        if (!start.empty() && start.find_first_not_of('\0') == std::string_view::npos)
            return zeros(source);
    }
    for (const auto identify :
        {foreign::identifyDamagedGguf, foreign::identifyModel, foreign::identifyContainer}) {
        if (auto foreign = identify(head))
            return *foreign;
    }
    if (auto text = foreign::identifyText(head); text && text->kind != ForeignKind::Text)
        return *text;
    else if (const unsigned piece = pieceNumber(fileName); piece > 1)
        return splitPart(fileName, piece);
    else if (text)
        return *text;
    return unknown(head);
}

} // namespace gguf
