// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "io/byterange.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace gguf {

/// Long runs of zero bytes: those that hold at least 64 KiB of whole 4 KiB pages of the file, as a hole left
/// by a downloader does.
struct ZeroRuns
{
    static constexpr std::uint64_t kPage = 4096;
    static constexpr std::uint64_t kShortest = 64 * 1024;
    static constexpr std::size_t kKept = 64; ///< runs that are listed; more are only counted

    std::uint64_t count = 0;
    std::uint64_t bytes = 0; ///< of all runs, down to the byte
    std::vector<ByteRange> ranges; ///< the first kKept, in file order
};

/// The zeros of one piece of a file: at its start, at its end, and long runs inside.
struct PieceZeros
{
    ByteRange piece;
    std::uint64_t leading = 0; ///< zero bytes at the start; the whole piece where all is zero
    std::uint64_t trailing = 0;
    std::vector<ByteRange> inside; ///< runs of kShortest or more that touch neither end

    bool isAllZero() const { return leading == piece.length; }
};

/// fileOffset: where the bytes lie. Costs little where there are no zeros: a word of each page is looked at.
PieceZeros findZeros(std::span<const std::byte> bytes, std::uint64_t fileOffset);

/// Joins the zeros of pieces that follow each other, given in order.
class ZeroJoiner
{
public:
    void add(const PieceZeros& piece);
    ZeroRuns finish(); ///< after the last piece

private:
    void end(ByteRange run);

    ZeroRuns m_runs;
    ByteRange m_open; ///< a run that goes on to the end of the last piece
};

} // namespace gguf
