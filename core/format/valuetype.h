// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace gguf {

/// The 13 metadata value types (SPEC-gguf.ksy: enum gguf_type).
enum class ValueType : std::uint32_t {
    UInt8 = 0,
    Int8 = 1,
    UInt16 = 2,
    Int16 = 3,
    UInt32 = 4,
    Int32 = 5,
    Float32 = 6,
    Bool = 7,
    String = 8,
    Array = 9,
    UInt64 = 10,
    Int64 = 11,
    Float64 = 12,
};

inline constexpr std::uint32_t kValueTypeCount = 13;

/// The type with this number, or nothing where the number names none.
std::optional<ValueType> valueTypeFromId(std::uint32_t id);

/// "u8", "i8", ..., "f32", "bool", "str", "arr", "u64", "i64", "f64": ggml's names (gguf.cpp v0.27).
std::string_view valueTypeName(ValueType type);

/// Bytes of one value: 1, 2, 4 or 8; 0 for strings and arrays, whose length varies.
std::uint32_t valueTypeSize(ValueType type);

/// True for the eight types of whole numbers; booleans are none.
bool isInteger(ValueType type);

} // namespace gguf
