// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "io/bytesource.h"
#include "io/byterange.h"

#include <memory>

namespace gguf {

/// A part of another source as a source of its own: a GGUF file embedded at an offset.
class PartSource final : public ByteSource
{
public:
    /// The range is cut to what the whole has.
    PartSource(std::shared_ptr<const ByteSource> whole, ByteRange range);

    std::uint64_t size() const override { return m_range.length; }
    ReadResult read(std::uint64_t offset, std::span<std::byte> into) const override;

private:
    std::shared_ptr<const ByteSource> m_whole;
    ByteRange m_range;
};

} // namespace gguf
