// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "format/tensortype.h"
#include "io/byteorder.h"
#include "quant/blocklayout.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace gguf {

/// What one element of a block is made of: value = scale * level [+ offset].
struct BlockElement
{
    std::optional<int> quant; ///< the number stored (for code books: the code); none for plain numbers
    float level = 0; ///< what the quant stands for, before scaling
    float scale = 1;
    std::optional<float> offset; ///< added after scaling (a minimum; K types store its negative)
    float value = 0;
};

/// One field of a block with its entries as numbers, in file order.
struct BlockFieldValues
{
    BlockField field;
    std::vector<double> entries; ///< as the field's element type says: packed bits are not taken apart
};

/// A run of elements that share scale and offset.
struct BlockGroup
{
    std::uint32_t first = 0, count = 0;
    float scale = 1;
    std::optional<float> offset;
};

/// One block taken apart.
struct BlockDetail
{
    std::vector<BlockFieldValues> fields;
    std::vector<BlockGroup> groups;
    std::vector<BlockElement> elements; ///< type.blockLength of them
};

/// Takes one block apart; nothing where the type cannot be dequantized or bytes.size() is not type.blockBytes.
/// `meta` is what its row has before its first block: some types need it.
std::optional<BlockDetail> blockDetail(const TensorTypeInfo& type, ByteOrder order, std::span<const std::byte> bytes,
    std::span<const std::byte> meta = {});

/// A field of what a row, or a group of rows woven together, has before its first block.
struct MetaField
{
    std::string_view name; ///< "scale", "sum"
    std::uint32_t offset = 0, size = 0;
    std::string_view type; ///< of each value
    std::vector<double> values; ///< one for each row of the group; empty where they are not known
};
std::vector<MetaField> rowMetaFields(const TensorTypeInfo& type, ByteOrder order, std::span<const std::byte> meta);

/// The elements of a block whose value depends on the byte at this offset in the block, rising; empty where the
/// type cannot be dequantized or the offset lies beyond the block.
std::vector<std::uint32_t> blockElementsAt(const TensorTypeInfo& type, std::uint32_t offset);

} // namespace gguf
