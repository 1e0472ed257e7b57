// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>
#include <vector>

class Output;

/// Writes JSON as it goes, on one line. Qt's own JSON keeps all numbers as doubles, which loses integers
/// above 2^53, and builds the whole document in memory.
///
/// Integers are printed exactly, floats as the shortest text that reads back as the same double, and those
/// that are not finite as the strings "nan", "inf" and "-inf". Strings are bytes: what is not valid UTF-8
/// becomes U+FFFD; control characters, bidirectional overrides and invisible separators are escaped, so that
/// the line may be printed on a terminal.
class JsonWriter
{
public:
    explicit JsonWriter(Output& output)
        : m_output(output)
    {
    }

    void beginObject() { open('{'); }
    void endObject() { close('}'); }
    void beginArray() { open('['); }
    void endArray() { close(']'); }
    void endLine(); ///< after the outermost value

    void key(std::string_view name);

    void value(std::string_view bytes);
    void value(const char* text) { value(std::string_view(text)); }
    void value(bool truth)
    {
        separate();
        raw(truth ? "true" : "false");
    }
    void value(std::nullptr_t)
    {
        separate();
        raw("null");
    }
    void value(double number);
    void value(float number) { value(double{number}); }
    template <class T>
    requires std::is_integral_v<T>
    void value(T number)
    {
        if constexpr (std::is_signed_v<T>)
            writeSigned(number);
        else
            writeUnsigned(number);
    }
    template <class T> void value(const std::optional<T>& perhaps)
    {
        if (perhaps)
            value(*perhaps);
        else
            value(nullptr);
    }

    /// A key with its value.
    template <class T> void member(std::string_view name, const T& content)
    {
        key(name);
        value(content);
    }

private:
    void open(char bracket);
    void close(char bracket);
    void separate();
    void raw(std::string_view text);
    void quote(std::string_view bytes);
    void writeUnsigned(std::uint64_t number);
    void writeSigned(std::int64_t number);

    Output& m_output;
    std::vector<bool> m_hasContent; ///< one for each open bracket
    bool m_afterKey = false;
};
