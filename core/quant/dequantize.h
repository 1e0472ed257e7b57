// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "format/tensortype.h"
#include "io/byteorder.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace gguf {

float halfToFloat(std::uint16_t bits); ///< IEEE binary16
float bfloat16ToFloat(std::uint16_t bits);

/// True where dequantize() knows the type.
bool canDequantize(const TensorTypeInfo& type);

/// Decodes whole blocks: bytes.size() must be a multiple of type.blockBytes, and into.size() the same number of
/// blocks times type.blockLength. Scalar types count as blocks of one. Values are ggml's own (dequantize_row_*),
/// as float; F64 and I64 are rounded to float. Returns false, and leaves `into` alone, for unknown types.
bool dequantize(const TensorTypeInfo& type, ByteOrder order, std::span<const std::byte> bytes, std::span<float> into);

} // namespace gguf
