// SPDX-License-Identifier: GPL-3.0-or-later
#include "document/text.h"

#include <cstdint>
#include <cstring>

namespace gguf {

namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
constexpr std::string_view kEllipsis = "\xE2\x80\xA6";
constexpr char kHexDigits[] = "0123456789ABCDEF";

unsigned char byteAt(std::string_view text, std::size_t index)
{
    return static_cast<unsigned char>(text[index]);
}

constexpr std::uint64_t kHighBits = 0x8080808080808080u;

template <class Word>
Word loadWord(const char* text)
{
    Word word;
    std::memcpy(&word, text, sizeof word);
    return word;
}

// Most strings of a vocabulary are a few ASCII bytes: two words that may overlap decide without a loop.
bool isAscii(std::string_view text)
{
    const char* data = text.data();
    const std::size_t size = text.size();
    if (size >= 8) {
        std::uint64_t bits = loadWord<std::uint64_t>(data + size - 8);
        for (std::size_t at = 0; at + 8 < size; at += 8) {
            bits |= loadWord<std::uint64_t>(data + at);
            if ((bits & kHighBits) != 0)
                return false;
        }
        return (bits & kHighBits) == 0;
    }
    if (size >= 4)
        return ((loadWord<std::uint32_t>(data) | loadWord<std::uint32_t>(data + size - 4)) & 0x80808080u) == 0;
    unsigned bits = 0;
    for (const char c : text)
        bits |= static_cast<unsigned char>(c);
    return bits < 0x80;
}

bool isContinuation(unsigned char byte)
{
    return (byte & 0xC0) == 0x80;
}

// Length of the valid UTF-8 sequence at `at`, or 0. Table 3-7 of the Unicode standard.
std::size_t sequenceLength(std::string_view text, std::size_t at)
{
    const unsigned char lead = byteAt(text, at);
    const std::size_t left = text.size() - at;
    if (lead < 0x80)
        return 1;
    if (lead < 0xC2)
        return 0;
    if (lead < 0xE0)
        return left >= 2 && isContinuation(byteAt(text, at + 1)) ? 2 : 0;
    if (lead < 0xF0) {
        if (left < 3 || !isContinuation(byteAt(text, at + 1)) || !isContinuation(byteAt(text, at + 2)))
            return 0;
        const unsigned char second = byteAt(text, at + 1);
        const bool overlong = lead == 0xE0 && second < 0xA0;
        const bool surrogate = lead == 0xED && second >= 0xA0;
        return overlong || surrogate ? 0 : 3;
    }
    if (lead < 0xF5) {
        if (left < 4 || !isContinuation(byteAt(text, at + 1)) || !isContinuation(byteAt(text, at + 2))
            || !isContinuation(byteAt(text, at + 3)))
            return 0;
        const unsigned char second = byteAt(text, at + 1);
        const bool overlong = lead == 0xF0 && second < 0x90;
        const bool beyond = lead == 0xF4 && second >= 0x90;
        return overlong || beyond ? 0 : 4;
    }
    return 0;
}

std::uint32_t decode(std::string_view text, std::size_t at, std::size_t length)
{
    if (length == 1)
        return byteAt(text, at);
    std::uint32_t point = byteAt(text, at) & (0x7Fu >> length);
    for (std::size_t i = 1; i < length; ++i)
        point = (point << 6) | (byteAt(text, at + i) & 0x3Fu);
    return point;
}

// Characters that are invisible or change how what follows is shown.
bool isHidden(std::uint32_t point)
{
    return (point >= 0x80 && point < 0xA0) || point == 0xAD || point == 0x61C || point == 0x180E
        || (point >= 0x200B && point <= 0x200F) || (point >= 0x2028 && point <= 0x202E)
        || (point >= 0x2060 && point <= 0x206F) || (point >= 0xFE00 && point <= 0xFE0F) || point == 0xFEFF
        || (point >= 0xFFF0 && point <= 0xFFFB) || (point >= 0xE0000 && point <= 0xE0FFF)
        || (point & 0xFFFE) == 0xFFFE;
}

void appendHexByte(std::string& out, unsigned char byte)
{
    out += kHexDigits[byte >> 4];
    out += kHexDigits[byte & 15];
}

void appendHiddenPoint(std::string& out, std::uint32_t point)
{
    out += point > 0xFFFF ? "\\U" : "\\u";
    for (int shift = point > 0xFFFF ? 28 : 12; shift >= 0; shift -= 4)
        out += kHexDigits[(point >> shift) & 15];
}

std::string makeVisible(std::string_view bytes, std::size_t maxBytes, bool multiline)
{
    const bool cut = maxBytes != 0 && bytes.size() > maxBytes;
    if (cut) {
        // Not in the middle of a character.
        std::size_t end = maxBytes;
        while (end > 0 && maxBytes - end < 4 && isContinuation(byteAt(bytes, end)))
            --end;
        bytes = bytes.substr(0, end);
    }
    std::string out;
    out.reserve(bytes.size() + (cut ? kEllipsis.size() : 0));
    for (std::size_t at = 0; at < bytes.size();) {
        const unsigned char byte = byteAt(bytes, at);
        const std::size_t length = sequenceLength(bytes, at);
        if (length == 0) {
            out += "\\x";
            appendHexByte(out, byte);
            ++at;
            continue;
        }
        if (byte < 0x20 || byte == 0x7F) {
            const bool lineEnd = byte == '\n' || (byte == '\r' && at + 1 < bytes.size() && bytes[at + 1] == '\n');
            if (multiline && lineEnd) {
                if (byte == '\n')
                    out += '\n';
            } else if (multiline && byte == '\t') {
                out += '\t';
            } else if (byte == '\n') {
                out += "\\n";
            } else if (byte == '\r') {
                out += "\\r";
            } else if (byte == '\t') {
                out += "\\t";
            } else {
                out += "\\x";
                appendHexByte(out, byte);
            }
        } else {
            const std::uint32_t point = length == 1 ? byte : decode(bytes, at, length);
            if (length > 1 && isHidden(point))
                appendHiddenPoint(out, point);
            else
                out.append(bytes.substr(at, length));
        }
        at += length;
    }
    if (cut)
        out += kEllipsis;
    return out;
}

} // namespace

std::size_t firstInvalidUtf8(std::string_view text)
{
    if (isAscii(text))
        return text.size();
    std::size_t at = 0;
    while (at < text.size()) {
        while (text.size() - at >= 8 && (loadWord<std::uint64_t>(text.data() + at) & kHighBits) == 0)
            at += 8;
        while (at < text.size() && byteAt(text, at) < 0x80)
            ++at;
        if (at == text.size())
            break;
        const std::size_t length = sequenceLength(text, at);
        if (length == 0)
            return at;
        at += length;
    }
    return text.size();
}

std::string replaceInvalidUtf8(std::string_view bytes)
{
    std::string out;
    out.reserve(bytes.size());
    while (!bytes.empty()) {
        const std::size_t valid = firstInvalidUtf8(bytes);
        out.append(bytes.substr(0, valid));
        if (valid == bytes.size())
            break;
        out += kReplacement;
        bytes.remove_prefix(valid + 1);
    }
    return out;
}

std::string visibleText(std::string_view bytes, std::size_t maxBytes)
{
    return makeVisible(bytes, maxBytes, false);
}

std::string visibleMultiline(std::string_view bytes, std::size_t maxBytes)
{
    return makeVisible(bytes, maxBytes, true);
}

std::string countText(std::uint64_t count, std::string_view noun)
{
    return std::to_string(count).append(" ").append(noun).append(count == 1 ? "" : "s");
}

std::string hexBytes(std::span<const std::byte> bytes)
{
    std::string out;
    out.reserve(bytes.size() * 3);
    for (const std::byte byte : bytes) {
        if (!out.empty())
            out += ' ';
        appendHexByte(out, static_cast<unsigned char>(byte));
    }
    return out;
}

} // namespace gguf
