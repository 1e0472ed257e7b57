// SPDX-License-Identifier: GPL-3.0-or-later
#include "parse/jsonscan.h"

#include <charconv>
#include <cstdint>

namespace gguf {

namespace {

void appendUtf8(std::string& out, std::uint32_t code)
{
    const auto put
        = [&out](std::uint32_t byte) { out += static_cast<char>(static_cast<unsigned char>(byte)); };
    if (code < 0x80) {
        put(code);
    } else if (code < 0x800) {
        put(0xC0 | (code >> 6));
        put(0x80 | (code & 0x3F));
    } else if (code < 0x10000) {
        put(0xE0 | (code >> 12));
        put(0x80 | ((code >> 6) & 0x3F));
        put(0x80 | (code & 0x3F));
    } else {
        put(0xF0 | (code >> 18));
        put(0x80 | ((code >> 12) & 0x3F));
        put(0x80 | ((code >> 6) & 0x3F));
        put(0x80 | (code & 0x3F));
    }
}

std::optional<std::uint32_t> hexUnit(std::string_view text, std::size_t position)
{
    if (text.size() - position < 4)
        return std::nullopt;
    std::uint32_t unit = 0;
    const char* first = text.data() + position;
    const auto result = std::from_chars(first, first + 4, unit, 16);
    return result.ptr == first + 4 ? std::optional(unit) : std::nullopt;
}

} // namespace

void JsonScan::skipSpace()
{
    while (m_position < m_text.size()
        && (m_text[m_position] == ' ' || m_text[m_position] == '\n' || m_text[m_position] == '\r'
            || m_text[m_position] == '\t'))
        ++m_position;
}

char JsonScan::peek()
{
    skipSpace();
    return m_position < m_text.size() ? m_text[m_position] : '\0';
}

bool JsonScan::take(char character)
{
    if (m_position >= m_text.size() || peek() != character)
        return false;
    ++m_position;
    return true;
}

bool JsonScan::skipString()
{
    for (; m_position < m_text.size(); ++m_position) {
        if (m_text[m_position] == '\\') {
            ++m_position;
        } else if (m_text[m_position] == '"') {
            ++m_position;
            return true;
        }
    }
    m_position = m_text.size();
    return false;
}

std::optional<std::string> JsonScan::string()
{
    if (!take('"'))
        return std::nullopt;
    const std::size_t begin = m_position;
    if (!skipString())
        return std::nullopt;
    const std::string_view raw = m_text.substr(begin, m_position - 1 - begin);

    std::string out;
    out.reserve(raw.size());
    for (std::size_t i = 0; i < raw.size(); ++i) {
        if (raw[i] != '\\' || i + 1 >= raw.size()) {
            out += raw[i];
            continue;
        }
        switch (const char escape = raw[++i]) {
        case 'b':
            out += '\b';
            break;
        case 'f':
            out += '\f';
            break;
        case 'n':
            out += '\n';
            break;
        case 'r':
            out += '\r';
            break;
        case 't':
            out += '\t';
            break;
        case 'u': {
            auto code = hexUnit(raw, i + 1);
            if (!code)
                break;
            i += 4;
            if (*code >= 0xD800 && *code < 0xDC00 && raw.substr(i + 1, 2) == "\\u") {
                const auto low = hexUnit(raw, i + 3);
                if (low && *low >= 0xDC00 && *low < 0xE000) {
                    code = 0x10000 + ((*code - 0xD800) << 10) + (*low - 0xDC00);
                    i += 6;
                }
            }
            appendUtf8(out, *code >= 0xD800 && *code < 0xE000 ? 0xFFFD : *code);
            break;
        }
        default:
            out += escape;
        }
    }
    return out;
}

bool JsonScan::skipValue()
{
    std::size_t depth = 0;
    do {
        const char next = peek();
        if (next == '"') {
            ++m_position;
            if (!skipString())
                return false;
        } else if (next == '{' || next == '[') {
            ++m_position;
            ++depth;
            continue;
        } else if (next == '}' || next == ']') {
            if (depth == 0)
                return false;
            ++m_position;
            --depth;
        } else if ((next == ',' || next == ':') && depth > 0) {
            ++m_position;
            continue;
        } else {
            const std::size_t begin = m_position;
            while (m_position < m_text.size()
                && std::string_view(",:]}[{\" \n\r\t").find(m_text[m_position]) == std::string_view::npos)
                ++m_position;
            if (m_position == begin)
                return false;
        }
    } while (depth > 0);
    return true;
}

std::optional<std::string_view> JsonScan::rawValue()
{
    skipSpace();
    const std::size_t begin = m_position;
    if (!skipValue())
        return std::nullopt;
    return m_text.substr(begin, m_position - begin);
}

} // namespace gguf
