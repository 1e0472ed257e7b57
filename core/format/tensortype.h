// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace gguf {

/// Whether ggml v0.27 can read a type.
enum class TypeStatus {
    Current, ///< ggml reads it
    Removed, ///< ggml once read it; files with it exist or may exist
    Reserved, ///< a number that was set aside and never came into files
    Fork, ///< another program's type
};

/// Groups of types that belong together in colour and legend.
enum class TypeFamily { Float, Integer, LegacyQuant, KQuant, IQuant, Ternary, Fp4, Other };

/// One tensor type: what a type id stands for in one program.
/// An id can have several (ids 31 to 39, 42, 142 and 143 are used by two programs).
struct TensorTypeInfo
{
    std::uint32_t id;
    std::string_view name; ///< upper case as ggml prints it: "Q4_K", "IQ2_XXS"
    std::uint32_t blockLength; ///< elements per block; 0: unknown
    std::uint32_t blockBytes; ///< bytes per block; 0: unknown
    TypeStatus status;
    TypeFamily family;
    std::string_view owner; ///< "ggml", or the fork that defines it
    std::uint32_t rowMetaBytes; ///< bytes that each row has beyond its blocks (ik_llama.cpp)
    std::uint32_t rowsInterleaved; ///< rows stored as one group; 1: none
    std::uint32_t tensorExtraBytes; ///< bytes that each tensor has beyond its rows (BitNet's I2_S: 32)
    std::string_view note; ///< history and how to tell it apart; empty: nothing to say

    /// 8 * blockBytes / blockLength, 0 where unknown; row and tensor extras not counted.
    constexpr double bitsPerWeight() const
    {
        return blockLength == 0 ? 0.0 : 8.0 * static_cast<double>(blockBytes) / blockLength;
    }
};

/// Every layout known for this id, ggml's own first; empty for an id nobody is known to use.
std::span<const TensorTypeInfo> tensorTypeLayouts(std::uint32_t id);

/// The first of tensorTypeLayouts(id), or null.
const TensorTypeInfo* findTensorType(std::uint32_t id);

/// The first entry with this name, compared without case, or null.
const TensorTypeInfo* findTensorType(std::string_view name);

/// All entries, sorted by id.
std::span<const TensorTypeInfo> allTensorTypes();

/// True where ggml v0.27 reads the type: id below 43 and current (SPEC-gguf.ksy: gguf_tensor_info.type).
bool ggmlReadsTensorType(std::uint32_t id);

/// Sizes that follow from a type and the dimensions; nothing where a product leaves 63 bits
/// (ggml counts bytes in int64/size_t) or the type's block is unknown.
struct TensorSize
{
    std::uint64_t elements;
    std::uint64_t blocks;
    std::uint64_t rowBytes; ///< bytes of one row (dims[0] elements), row meta included
    std::uint64_t dataBytes;
};

/// The product of the dimensions, 1 for none; nothing beyond 2^63 - 1 or for a negative dimension.
std::optional<std::uint64_t> elementCount(std::span<const std::int64_t> dims);

/// Sizes of a tensor of this layout; rows must consist of whole blocks (else nothing).
std::optional<TensorSize> tensorSize(const TensorTypeInfo& type, std::span<const std::int64_t> dims);

} // namespace gguf
