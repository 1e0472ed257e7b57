// SPDX-License-Identifier: GPL-3.0-or-later
#include "audit/zeroruns.h"

#include <algorithm>
#include <cstring>

namespace gguf {

namespace {

bool isZeroWord(const std::byte* at)
{
    std::uint64_t word;
    std::memcpy(&word, at, sizeof word);
    return word == 0;
}

/// The first byte from `from` on that is not zero, or the end.
std::size_t skipZeros(std::span<const std::byte> bytes, std::size_t from)
{
    while (from + 8 <= bytes.size() && isZeroWord(bytes.data() + from))
        from += 8;
    while (from < bytes.size() && bytes[from] == std::byte{0})
        ++from;
    return from;
}

/// Where the zeros that end before `to` begin.
std::size_t skipZerosBack(std::span<const std::byte> bytes, std::size_t to)
{
    while (to >= 8 && isZeroWord(bytes.data() + to - 8))
        to -= 8;
    while (to > 0 && bytes[to - 1] == std::byte{0})
        --to;
    return to;
}

bool isLong(ByteRange run)
{
    const std::uint64_t firstPage = (run.offset + ZeroRuns::kPage - 1) / ZeroRuns::kPage;
    const std::uint64_t endPage = run.end() / ZeroRuns::kPage;
    return endPage > firstPage && (endPage - firstPage) * ZeroRuns::kPage >= ZeroRuns::kShortest;
}

} // namespace

PieceZeros findZeros(std::span<const std::byte> bytes, std::uint64_t fileOffset)
{
    PieceZeros zeros;
    zeros.piece = {fileOffset, bytes.size()};
    zeros.leading = skipZeros(bytes, 0);
    if (zeros.isAllZero()) {
        zeros.trailing = zeros.leading;
        return zeros;
    }
    const std::size_t lastEnd = skipZerosBack(bytes, bytes.size());
    zeros.trailing = bytes.size() - lastEnd;
    // A run of kShortest covers one of these probes, whatever its place.
    for (std::size_t at = zeros.leading + ZeroRuns::kPage; at + 8 <= lastEnd;) {
        if (!isZeroWord(bytes.data() + at)) {
            at += ZeroRuns::kPage;
            continue;
        }
        const std::size_t begin = skipZerosBack(bytes, at), end = skipZeros(bytes, at);
        if (end - begin >= ZeroRuns::kShortest)
            zeros.inside.push_back({fileOffset + begin, end - begin});
        at = end + ZeroRuns::kPage;
    }
    return zeros;
}

void ZeroJoiner::end(ByteRange run)
{
    if (!isLong(run))
        return;
    ++m_runs.count;
    m_runs.bytes += run.length;
    if (m_runs.ranges.size() < ZeroRuns::kKept)
        m_runs.ranges.push_back(run);
}

void ZeroJoiner::add(const PieceZeros& piece)
{
    if (m_open.length == 0)
        m_open.offset = piece.piece.offset;
    m_open.length += piece.leading;
    if (piece.isAllZero())
        return;
    end(m_open);
    for (const ByteRange& run : piece.inside)
        end(run);
    m_open = {piece.piece.end() - piece.trailing, piece.trailing};
}

ZeroRuns ZeroJoiner::finish()
{
    end(m_open);
    m_open = {};
    return std::move(m_runs);
}

} // namespace gguf
