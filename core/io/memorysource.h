// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "io/bytesource.h"

#include <vector>

namespace gguf {

/// Bytes that are in memory already.
class MemorySource final : public ByteSource
{
public:
    explicit MemorySource(std::vector<std::byte> bytes);
    explicit MemorySource(std::span<const std::uint8_t> bytes);

    std::uint64_t size() const override { return m_bytes.size(); }
    ReadResult read(std::uint64_t offset, std::span<std::byte> into) const override;

private:
    std::vector<std::byte> m_bytes;
};

} // namespace gguf
