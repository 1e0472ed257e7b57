// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/jsonwriter.h"

#include "document/text.h"
#include "report/output.h"

#include <charconv>
#include <cmath>

namespace {

/// Characters that could steer a terminal or hide themselves: C1 controls, bidirectional controls,
/// separators of lines and paragraphs, the byte order mark.
bool mustEscape(char32_t character)
{
    return (character >= 0x7F && character <= 0x9F) || character == 0x061C
        || (character >= 0x200B && character <= 0x200F) || (character >= 0x2028 && character <= 0x202E)
        || (character >= 0x2060 && character <= 0x206F) || character == 0xFEFF
        || (character >= 0xE0000 && character <= 0xE007F);
}

void appendEscape(std::string& text, char32_t unit)
{
    static constexpr char kDigits[] = "0123456789abcdef";
    text += "\\u";
    for (int shift = 12; shift >= 0; shift -= 4)
        text += kDigits[(unit >> shift) & 0xF];
}

/// The code point that begins at `position` of valid UTF-8, and its length in bytes.
std::pair<char32_t, std::size_t> codePointAt(std::string_view text, std::size_t position)
{
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[position + i]); };
    const auto tail = [&](std::size_t i) { return static_cast<char32_t>(byte(i) & 0x3F); };
    const char32_t lead = byte(0);
    if (lead < 0x80)
        return {lead, 1};
    if (lead < 0xE0)
        return {(lead & 0x1F) << 6 | tail(1), 2};
    if (lead < 0xF0)
        return {(lead & 0xF) << 12 | tail(1) << 6 | tail(2), 3};
    return {(lead & 0x7) << 18 | tail(1) << 12 | tail(2) << 6 | tail(3), 4};
}

std::string escaped(std::string_view text)
{
    std::string result;
    result.reserve(text.size() + text.size() / 8);
    for (std::size_t position = 0; position < text.size();) {
        const auto [character, length] = codePointAt(text, position);
        switch (character) {
        case '"':
            result += "\\\"";
            break;
        case '\\':
            result += "\\\\";
            break;
        case '\n':
            result += "\\n";
            break;
        case '\r':
            result += "\\r";
            break;
        case '\t':
            result += "\\t";
            break;
        default:
            if (character > 0xFFFF && mustEscape(character)) {
                appendEscape(result, 0xD7C0 + (character >> 10));
                appendEscape(result, 0xDC00 + (character & 0x3FF));
            } else if (character < 0x20 || mustEscape(character)) {
                appendEscape(result, character);
            } else {
                result.append(text, position, length);
            }
        }
        position += length;
    }
    return result;
}

/// Printable ASCII without quote and backslash: nearly all strings, and they need no copy.
bool isPlain(std::string_view bytes)
{
    for (const char character : bytes) {
        const auto byte = static_cast<unsigned char>(character);
        if (byte < 0x20 || byte >= 0x7F || byte == '"' || byte == '\\')
            return false;
    }
    return true;
}

} // namespace

void JsonWriter::value(std::string_view bytes)
{
    separate();
    quote(bytes);
}

void JsonWriter::value(double number)
{
    if (std::isnan(number))
        return value("nan");
    if (std::isinf(number))
        return value(number > 0 ? "inf" : "-inf");
    separate();
    char text[32];
    const std::to_chars_result end = std::to_chars(text, text + sizeof text, number);
    raw({text, static_cast<std::size_t>(end.ptr - text)});
}

void JsonWriter::writeUnsigned(std::uint64_t number)
{
    separate();
    char text[24];
    const std::to_chars_result end = std::to_chars(text, text + sizeof text, number);
    raw({text, static_cast<std::size_t>(end.ptr - text)});
}

void JsonWriter::writeSigned(std::int64_t number)
{
    separate();
    char text[24];
    const std::to_chars_result end = std::to_chars(text, text + sizeof text, number);
    raw({text, static_cast<std::size_t>(end.ptr - text)});
}

void JsonWriter::key(std::string_view name)
{
    separate();
    quote(name);
    m_output.write(": ");
    m_afterKey = true;
}

void JsonWriter::endLine()
{
    m_output.write("\n");
}

void JsonWriter::open(char bracket)
{
    separate();
    m_output.write(bracket);
    m_hasContent.push_back(false);
}

void JsonWriter::close(char bracket)
{
    m_hasContent.pop_back();
    m_output.write(bracket);
}

void JsonWriter::separate()
{
    if (m_afterKey) {
        m_afterKey = false;
    } else if (!m_hasContent.empty()) {
        if (m_hasContent.back())
            m_output.write(", ");
        m_hasContent.back() = true;
    }
}

void JsonWriter::raw(std::string_view text)
{
    m_output.write(text);
}

void JsonWriter::quote(std::string_view bytes)
{
    m_output.write('"');
    if (isPlain(bytes))
        m_output.write(bytes);
    else if (gguf::firstInvalidUtf8(bytes) == bytes.size())
        m_output.write(escaped(bytes));
    else
        m_output.write(escaped(gguf::replaceInvalidUtf8(bytes)));
    m_output.write('"');
}
