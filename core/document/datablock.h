// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "document/document.h"
#include "io/byterange.h"

#include <cstdint>
#include <optional>

namespace gguf {

/// The piece of a tensor's rows that holds one byte: a block, or what a row has before its first block.
///
/// Rows of some types lie woven together in groups: first the scales of all rows of the group, then their first
/// blocks, then their second ones. No byte there belongs to one row that could be named: the piece is that of all.
struct DataBlock
{
    std::uint64_t row = 0; ///< the first of the group
    std::uint64_t rows = 1; ///< more than one where they are woven together
    ByteRange meta; ///< what the row or group has before its blocks; length 0: nothing
    std::optional<std::uint64_t> block; ///< counted in the row; nothing inside `meta`
    ByteRange range; ///< of the block (of all rows), or of `meta`

    bool isMeta() const { return !block; }
};

/// Nothing outside the tensor's rows, and where the layout of its type is not known.
std::optional<DataBlock> dataBlockAt(const Tensor& tensor, std::uint64_t offset);

} // namespace gguf
