// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "format/tensortype.h"

#include <cstdint>
#include <span>
#include <string_view>

namespace gguf {

/// One field of a quantization block, as it lies in the file.
struct BlockField
{
    std::string_view name; ///< "d", "dmin", "scales", "qs"
    std::uint32_t offset; ///< bytes from the block's start
    std::uint32_t size; ///< bytes
    std::string_view elementType; ///< "f16", "u8", "i8", "u16", "u32", "f32", "e8m0", "ue4m3", ...
    std::uint32_t count; ///< elements in the field
    std::string_view meaning;
};

/// The fields of one block of this tensor type, in file order and without holes; empty where unknown.
/// Types without blocks (F32, I8, ...) have one field "v".
std::span<const BlockField> blockFields(std::uint32_t typeId);

/// The same for one of several layouts of an id; empty too where the layout has no known fields.
std::span<const BlockField> blockFields(const TensorTypeInfo& type);

} // namespace gguf
