// SPDX-License-Identifier: GPL-3.0-or-later
#include "parse/imagereader.h"

#include "format/constants.h"
#include "io/largememory.h"

#include <algorithm>
#include <cstring>

namespace gguf {

namespace {

constexpr std::uint64_t kFirstWindow = std::uint64_t{256} << 10;
constexpr std::uint64_t kLargestWindow = std::uint64_t{4} << 20;

} // namespace

ImageReader::ImageReader(const ByteSource& source, DocumentBuilder& builder)
    : m_source(source)
    , m_builder(builder)
    , m_fileEnd(source.size())
    , m_window(kFirstWindow)
{
}

bool ImageReader::refill(std::uint64_t count)
{
    if (count > remaining() || m_error)
        return false;
    const std::uint64_t start = position();
    const std::uint64_t carried = held();
    // What was begun in the last piece is copied, so that nothing is torn.
    const std::uint64_t wanted = std::min(std::max({count, carried + m_window / 2, m_window}), m_fileEnd - start);
    if (wanted > kMaxMetadataMemory || m_memory > kMaxMetadataMemory - wanted) {
        m_limitReached = true;
        return false;
    }
    m_memory += wanted;
    m_window = std::min(m_window * 4, kLargestWindow);

    const std::shared_ptr<std::byte[]> bytes = allocateLargeBytes(static_cast<std::size_t>(wanted));
    if (carried > 0)
        std::memcpy(bytes.get(), m_at, carried);
    std::uint64_t filled = carried;
    while (filled < wanted && !m_error) {
        const ReadResult got = m_source.read(
            start + filled, {bytes.get() + filled, static_cast<std::size_t>(wanted - filled)});
        filled += got.bytes;
        m_error = got.error;
        if (got.bytes == 0)
            break;
    }
    if (filled < wanted && !m_error) {
        m_shrank = true;
        m_fileEnd = start + filled;
    }
    m_at = bytes.get();
    m_end = m_at + filled;
    m_endOffset = start + filled;
    m_builder.addSegment(start, filled, bytes);
    return count <= filled;
}

void ImageReader::skip(std::uint64_t count)
{
    if (count <= held()) {
        advance(count);
        return;
    }
    m_endOffset = position() + count;
    m_at = m_end = nullptr;
}

} // namespace gguf
