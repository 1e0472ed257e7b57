// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "document/documentbuilder.h"
#include "io/bytesource.h"

#include <cstddef>
#include <cstdint>

namespace gguf {

/// A forward cursor over a source that keeps what it reads as the document's image.
///
/// Reads in windows of 256 KiB, 1 MiB, then 4 MiB: few enough for a slow mount, and little too much where the
/// tensor data begins. The one place that compares with the file's end.
class ImageReader
{
public:
    ImageReader(const ByteSource& source, DocumentBuilder& builder);

    std::uint64_t position() const { return m_endOffset - held(); }
    /// Bytes from the cursor to the end of the file.
    std::uint64_t remaining() const { return m_fileEnd - position(); }
    /// Makes `count` bytes at the cursor available in one piece. False where the file has fewer, cannot be
    /// read (see error()), or the memory limit is reached (see limitReached()).
    bool ensure(std::uint64_t count) { return count <= held() || refill(count); }
    const std::byte* data() const { return m_at; }
    /// Bytes at the cursor that are in memory.
    std::uint64_t held() const { return static_cast<std::uint64_t>(m_end - m_at); }
    /// Moves over bytes that ensure() made available.
    void advance(std::uint64_t count) { m_at += count; }
    /// Moves over bytes of the file that are not to be kept; at most remaining().
    void skip(std::uint64_t count);
    /// Counts memory that grows with the file's records towards the limit.
    void charge(std::uint64_t bytes) { m_memory += bytes; }

    const IoError& error() const { return m_error; }
    /// True where the source ended before the size it had when opened.
    bool sourceShrank() const { return m_shrank; }
    bool limitReached() const { return m_limitReached; }

private:
    bool refill(std::uint64_t count);

    const ByteSource& m_source;
    DocumentBuilder& m_builder;
    const std::byte* m_at = nullptr;
    const std::byte* m_end = nullptr;
    std::uint64_t m_endOffset = 0; ///< file offset of m_end
    std::uint64_t m_fileEnd;
    std::uint64_t m_window;
    std::uint64_t m_memory = 0;
    IoError m_error;
    bool m_shrank = false;
    bool m_limitReached = false;
};

} // namespace gguf
