// SPDX-License-Identifier: GPL-3.0-or-later
#include "load/bytepattern.h"

#include <algorithm>
#include <cstring>

namespace {

constexpr std::uint64_t kPiece = 1024 * 1024;

int hexDigit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

const std::byte* findBytes(const std::byte* begin, const std::byte* end, std::span<const std::byte> needle)
{
#ifdef _WIN32
    const std::byte* found = std::search(begin, end, needle.begin(), needle.end());
    return found == end ? nullptr : found;
#else
    // The C library's search runs at about the speed of memory, also for bytes that are frequent.
    return static_cast<const std::byte*>(
        memmem(begin, static_cast<std::size_t>(end - begin), needle.data(), needle.size()));
#endif
}

} // namespace

std::optional<BytePattern> BytePattern::fromHex(std::string_view text)
{
    BytePattern pattern;
    std::size_t i = 0;
    while (i < text.size()) {
        if (text[i] == ' ' || text[i] == '\t' || text[i] == '\n') {
            ++i;
            continue;
        }
        if (i + 1 >= text.size())
            return {};
        const int high = hexDigit(text[i]);
        const int low = hexDigit(text[i + 1]);
        const bool any = text[i] == '?' && text[i + 1] == '?';
        if (!any && (high < 0 || low < 0))
            return {};
        pattern.m_bytes.push_back(any ? std::byte{} : static_cast<std::byte>(high * 16 + low));
        pattern.m_fixed.push_back(!any);
        i += 2;
    }
    pattern.chooseAnchor();
    if (pattern.m_anchorLength == 0 || pattern.length() > kMaxLength)
        return {};
    return pattern;
}

std::optional<BytePattern> BytePattern::fromBytes(std::string_view bytes)
{
    if (bytes.empty() || bytes.size() > kMaxLength)
        return {};
    BytePattern pattern;
    const auto raw = std::as_bytes(std::span(bytes));
    pattern.m_bytes.assign(raw.begin(), raw.end());
    pattern.m_fixed.assign(bytes.size(), true);
    pattern.chooseAnchor();
    return pattern;
}

void BytePattern::chooseAnchor()
{
    std::size_t start = 0;
    for (std::size_t i = 0; i <= m_fixed.size(); ++i) {
        if (i < m_fixed.size() && m_fixed[i])
            continue;
        if (i - start > m_anchorLength) {
            m_anchor = start;
            m_anchorLength = i - start;
        }
        start = i + 1;
    }
}

bool BytePattern::matchesAt(const std::byte* bytes) const
{
    for (std::size_t i = 0; i < m_bytes.size(); ++i) {
        if (m_fixed[i] && bytes[i] != m_bytes[i])
            return false;
    }
    return true;
}

std::optional<std::size_t> BytePattern::find(std::span<const std::byte> bytes, bool last) const
{
    if (bytes.size() < length())
        return {};
    const auto needle = std::span(m_bytes).subspan(m_anchor, m_anchorLength);
    const std::byte* at = bytes.data() + m_anchor;
    const std::byte* end = bytes.data() + bytes.size() - (length() - m_anchor - m_anchorLength);
    std::optional<std::size_t> result;
    while ((at = findBytes(at, end, needle)) != nullptr) {
        const std::byte* start = at - m_anchor;
        if (m_anchorLength == length() || matchesAt(start)) {
            result = static_cast<std::size_t>(start - bytes.data());
            if (!last)
                return result;
        }
        ++at;
    }
    return result;
}

namespace {

/// A piece of the file as it could be read: runs of bytes between which some could not.
class Piece
{
public:
    Piece(const gguf::ByteSource& source, std::uint64_t offset, std::span<std::byte> buffer)
        : m_offset(offset)
        , m_buffer(buffer)
    {
        std::size_t at = 0;
        while (at < buffer.size()) {
            const std::size_t start = at;
            gguf::IoError error;
            bool ended = false;
            while (at < buffer.size() && !error && !ended) {
                const gguf::ReadResult read = source.read(offset + at, buffer.subspan(at));
                at += read.bytes;
                error = read.error;
                ended = read.bytes == 0;
            }
            if (at > start)
                m_runs.push_back({start, at - start});
            if (!error)
                return; // all is here, or the file has become shorter: what is there is searched
            if (!m_error) {
                m_error = error;
                m_firstFailed = offset + at;
            }
            const std::uint64_t next = (offset + at) / kSkip * kSkip + kSkip;
            const auto behind = static_cast<std::size_t>(std::min<std::uint64_t>(next - offset, buffer.size()));
            m_failed.push_back({at, behind - at});
            at = behind;
        }
    }

    std::optional<std::uint64_t> find(const BytePattern& pattern, bool last) const
    {
        for (std::size_t i = 0; i < m_runs.size(); ++i) {
            const Run& run = m_runs[last ? m_runs.size() - 1 - i : i];
            if (const auto found = pattern.find(m_buffer.subspan(run.start, run.length), last))
                return m_offset + run.start + *found;
        }
        return {};
    }

    /// Of the first `length` bytes, those that could not be read.
    std::uint64_t failedIn(std::size_t length) const
    {
        std::uint64_t failed = 0;
        for (const Run& run : m_failed)
            failed += run.start < length ? std::min(run.length, length - run.start) : 0;
        return failed;
    }
    std::uint64_t firstFailed() const { return m_firstFailed; }
    const gguf::IoError& error() const { return m_error; }

private:
    struct Run
    {
        std::size_t start, length;
    };

    std::uint64_t m_offset;
    std::span<std::byte> m_buffer;
    std::vector<Run> m_runs, m_failed;
    std::uint64_t m_firstFailed = 0;
    gguf::IoError m_error;
};

} // namespace

FindResult findPattern(const gguf::ByteSource& source, const BytePattern& pattern, std::uint64_t begin,
    std::uint64_t end, bool forwards, const std::function<bool(std::uint64_t)>& progress)
{
    FindResult result;
    if (source.size() < pattern.length())
        return result;
    end = std::min(end, source.size() - pattern.length() + 1);
    std::vector<std::byte> buffer(kPiece + pattern.length() - 1);
    std::uint64_t searched = 0;
    while (begin < end) {
        const std::uint64_t starts = std::min(kPiece, end - begin);
        // A match that begins in this piece may end behind it.
        const Piece piece(source, forwards ? begin : end - starts,
            std::span(buffer).first(static_cast<std::size_t>(starts) + pattern.length() - 1));
        if (piece.error()) {
            if (!result.error) {
                result.error = piece.error();
                result.firstSkipped = piece.firstFailed();
            }
            result.skipped += piece.failedIn(static_cast<std::size_t>(starts));
        }
        result.offset = piece.find(pattern, !forwards);
        if (result.offset)
            return result;
        searched += starts;
        if (forwards)
            begin += starts;
        else
            end -= starts;
        if (!progress(searched)) {
            result.stopped = true;
            return result;
        }
    }
    return result;
}
