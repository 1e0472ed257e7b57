// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

/// Where a report goes: a stream of the C library or a string, behind a buffer of 64 KiB.
///
/// A reader that goes away (a closed pipe) is no error worth a word, but no reason to go on either: writers
/// of long reports ask failed() now and then.
class Output
{
public:
    explicit Output(std::FILE* stream)
        : m_stream(stream)
    {
    }
    explicit Output(std::string& text)
        : m_text(&text)
    {
    }
    ~Output() { flush(); }
    Output(const Output&) = delete;
    Output& operator=(const Output&) = delete;

    void write(std::string_view text)
    {
        m_buffer.append(text);
        if (m_buffer.size() >= kBufferBytes)
            flush();
    }
    void write(char character) { m_buffer.push_back(character); }
    void flush();

    /// Something could not be written; all later text is dropped.
    bool failed() const { return m_errno != 0; }
    int error() const { return m_errno; } ///< errno of the failure, or 0

private:
    static constexpr std::size_t kBufferBytes = 64 * 1024;

    std::FILE* m_stream = nullptr;
    std::string* m_text = nullptr;
    std::string m_buffer;
    int m_errno = 0;
};
