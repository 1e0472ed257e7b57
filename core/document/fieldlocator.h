// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "document/bytemap.h"

namespace gguf {

/// Text from the file in a path is cut after so many bytes.
inline constexpr std::size_t kMostPathText = 200;

/// Finds the field at an offset inside a leaf region, for ByteMap.
class FieldLocator
{
public:
    FieldLocator(const Document& document, std::span<const std::byte> bytes, std::uint64_t bytesOffset)
        : m_document(document)
        , m_bytes(bytes)
        , m_bytesOffset(bytesOffset)
    {
    }

    /// `location` has offset, region and the region's path and range; adds what lies deeper.
    void locate(Location& location) const;

private:
    void locateInHeader(Location& location) const;
    void locateInPair(Location& location) const;
    void locateInValue(Location& location, ValueView value) const;
    void locateInRecord(Location& location) const;
    void locateInData(Location& location) const;
    void locateInBlock(Location& location, const Tensor& tensor, ByteRange block) const;

    /// The file's bytes in a range, from the document or from those that the caller gave; empty if neither
    /// has them.
    std::span<const std::byte> bytesOf(ByteRange range) const;
    void describe(Location& location, ByteRange range, std::string name, std::string type) const;
    std::string decoded(ByteRange range, std::string_view type) const;

    const Document& m_document;
    std::span<const std::byte> m_bytes;
    std::uint64_t m_bytesOffset;
};

} // namespace gguf
