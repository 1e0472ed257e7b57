// SPDX-License-Identifier: GPL-3.0-or-later
#include "parse/textconversion.h"

#include "document/text.h"
#include "parse/foreignkinds.h"

#include <fmt/format.h>

namespace gguf {

namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
// So many traces are chance in binary data once in 2^32 times or less.
constexpr std::uint64_t kFewestTraces = 4;
constexpr std::string_view kFetchAgain
    = "Fetch the file again, as binary (FTP: binary mode; Git: mark *.gguf as binary or use LFS).";

struct Traces
{
    std::uint64_t replaced = 0, firstReplaced = 0; ///< EF BF BD
    std::uint64_t latin = 0, firstLatin = 0; ///< C2 or C3 and one more byte
    std::uint64_t otherMultibyte = 0;
    std::uint64_t lineFeeds = 0, bareLineFeeds = 0, firstLineFeed = 0;
    std::uint64_t nuls = 0;
};

Traces count(std::string_view bytes)
{
    Traces traces;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        const auto byte = static_cast<unsigned char>(bytes[i]);
        if (byte == 0) {
            ++traces.nuls;
        } else if (byte == '\n') {
            if (traces.lineFeeds++ == 0)
                traces.firstLineFeed = i;
            if (i == 0 || bytes[i - 1] != '\r')
                ++traces.bareLineFeeds;
        } else if (byte == 0xC2 || byte == 0xC3) {
            if (traces.latin++ == 0)
                traces.firstLatin = i;
        } else if (byte == 0xEF && bytes.substr(i, 3) == kReplacement) {
            if (traces.replaced++ == 0)
                traces.firstReplaced = i;
        } else if (byte > 0xC3) {
            ++traces.otherMultibyte;
        }
    }
    return traces;
}

} // namespace

std::optional<TextConversion> recogniseTextConversion(std::string_view bytes, std::uint64_t offset)
{
    const Traces traces = count(bytes);
    TextConversion conversion;
    // The last character may be cut by the end of the bytes looked at.
    const bool validUtf8 = firstInvalidUtf8(bytes) + 4 > bytes.size();
    if (validUtf8 && traces.replaced >= kFewestTraces && traces.replaced > traces.otherMultibyte) {
        conversion.what = fmt::format("bytes above 7F became EF BF BD, {} times in the {} bytes looked at",
            traces.replaced, bytes.size());
        conversion.destroyed = "Every byte above 7F is lost: half of all weights and many lengths.";
        conversion.evidence = {offset + traces.firstReplaced, 3};
        return conversion;
    }
    if (validUtf8 && traces.latin >= 4 * kFewestTraces && traces.otherMultibyte + traces.replaced == 0) {
        conversion.kind = TextConversion::Kind::Latin1;
        conversion.what = fmt::format(
            "bytes above 7F became two bytes, as if Latin-1 were turned into UTF-8, {} times in "
            "the {} bytes looked at",
            traces.latin, bytes.size());
        conversion.destroyed = "Nothing is lost: turning UTF-8 back into Latin-1 may restore the file.";
        conversion.evidence = {offset + traces.firstLatin, 2};
        return conversion;
    }
    if (traces.lineFeeds >= kFewestTraces && traces.bareLineFeeds == 0) {
        conversion.what = fmt::format("every line feed (0A) became 0D 0A, {} times in the {} bytes looked at",
            traces.lineFeeds, bytes.size());
        conversion.destroyed
            = "All that follows is shifted, and added 0D bytes cannot be told from true ones.";
        conversion.evidence = {offset + traces.firstLineFeed - 1, 2};
        return conversion;
    }
    // A header alone has at least 12 NULs.
    if (offset == 0 && bytes.size() >= 24 && traces.nuls == 0) {
        conversion.kind = TextConversion::Kind::NulsRemoved;
        conversion.what = "there is no NUL byte (00): they were removed or replaced by another byte";
        conversion.destroyed = "Numbers cannot be read without their NULs.";
        conversion.evidence = {4, 4};
        return conversion;
    }
    return std::nullopt;
}

namespace foreign {

std::optional<Foreign> identifyDamagedGguf(const Head& head)
{
    using namespace std::string_view_literals;
    Foreign foreign;
    foreign.kind = ForeignKind::TextConverted;
    foreign.remedy = std::string(kFetchAgain);

    if (head.startsWith("FUGG")) {
        foreign.kind = ForeignKind::ReversedMagic;
        foreign.title = "This is a GGUF file whose magic was written backwards.";
        foreign.details.emplace_back("Found", "FUGG");
        foreign.details.emplace_back("Expected", "GGUF, in both byte orders");
        foreign.remedy
            = "The writer stored the magic as a number of the other byte order. Correct the writer; the "
              "first four bytes must be 47 47 55 46.";
        foreign.evidence = {0, 4};
        return foreign;
    }
    struct Prefix
    {
        std::string_view bytes, title, what;
    };
    static constexpr std::array<Prefix, 8> kPrefixes{{
        {"\xEF\xBB\xBFGGUF", "This is a GGUF file behind a byte order mark.",
            "EF BB BF was put before the magic: the file was saved as UTF-8 text. If nothing else was "
            "changed, the "
            "model begins at byte 3."},
        {"\xFF\xFEG\0G\0U\0F\0"sv, "This is a GGUF file that was saved as UTF-16 text.",
            "every byte became two; bytes above 7F may be lost"},
        {"\xFE\xFF\0G\0G\0U\0F"sv, "This is a GGUF file that was saved as UTF-16 text.",
            "every byte became two; bytes above 7F may be lost"},
        {"G\0G\0U\0F\0"sv, "This is a GGUF file that was saved as UTF-16 text.",
            "every byte became two; bytes above 7F may be lost"},
        {"\r\nGGUF", "This is a GGUF file behind an empty line.", "0D 0A was put before the magic"},
        {"\nGGUF", "This is a GGUF file behind an empty line.", "0A was put before the magic"},
        {"R0dVR", "This looks like a GGUF file in Base64.", "three bytes became four letters each"},
        {"47475546", "This looks like a GGUF file as hexadecimal text.", "every byte became two digits"},
    }};
    for (const Prefix& prefix : kPrefixes) {
        if (!head.startsWith(prefix.bytes))
            continue;
        foreign.title = std::string(prefix.title);
        foreign.details.emplace_back("Conversion", std::string(prefix.what));
        if (head.startsWith("R0dVR") || head.startsWith("47475546"))
            foreign.remedy = "Decode it (base64 -d, or xxd -r -p), or fetch the file again as binary.";
        foreign.evidence = {0, prefix.bytes.size()};
        return foreign;
    }

    // One letter is off, but what follows reads as a header.
    if (head.bytes.size() >= 24 && head.bytes.substr(0, 4) != "GGUF") {
        int equal = 0, equalWithoutCase = 0;
        for (std::size_t i = 0; i < 4; ++i) {
            equal += head.bytes[i] == "GGUF"[i];
            equalWithoutCase += head.bytes[i] == "GGUF"[i] || head.bytes[i] == "gguf"[i];
        }
        const std::uint32_t version = head.u32(4);
        const bool versionFits
            = (version >= 1 && version <= 3) || version == 0x02000000 || version == 0x03000000;
        if (versionFits && (equal == 3 || equalWithoutCase == 4)) {
            foreign.kind = ForeignKind::Unknown;
            foreign.title = "This would be a GGUF file, but its magic is damaged.";
            foreign.details.emplace_back("Found", visibleText(head.bytes.substr(0, 4)));
            foreign.details.emplace_back("Expected", "GGUF");
            foreign.details.emplace_back(
                "Version behind it", fmt::format("{}", version > 3 ? version >> 24 : version));
            foreign.remedy
                = "Readers refuse it. If you write such files, store the bytes 47 47 55 46; else fetch the "
                  "file again.";
            foreign.evidence = {0, 4};
            return foreign;
        }
    }
    return std::nullopt;
}

} // namespace foreign

} // namespace gguf
