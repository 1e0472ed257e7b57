// SPDX-License-Identifier: GPL-3.0-or-later
#include "format/valuetype.h"

#include <array>

namespace gguf {

namespace {

struct ValueTypeRow
{
    ValueType type;
    std::string_view name;
    std::uint32_t size;
};

constexpr std::array<ValueTypeRow, kValueTypeCount> kValueTypes{{
    {ValueType::UInt8, "u8", 1},
    {ValueType::Int8, "i8", 1},
    {ValueType::UInt16, "u16", 2},
    {ValueType::Int16, "i16", 2},
    {ValueType::UInt32, "u32", 4},
    {ValueType::Int32, "i32", 4},
    {ValueType::Float32, "f32", 4},
    {ValueType::Bool, "bool", 1},
    {ValueType::String, "str", 0},
    {ValueType::Array, "arr", 0},
    {ValueType::UInt64, "u64", 8},
    {ValueType::Int64, "i64", 8},
    {ValueType::Float64, "f64", 8},
}};

constexpr bool rowsMatchNumbers()
{
    for (std::size_t i = 0; i < kValueTypes.size(); ++i) {
        if (static_cast<std::size_t>(kValueTypes[i].type) != i)
            return false;
    }
    return true;
}
static_assert(rowsMatchNumbers(), "row i describes the type with number i");

} // namespace

std::optional<ValueType> valueTypeFromId(std::uint32_t id)
{
    if (id >= kValueTypeCount)
        return std::nullopt;
    return static_cast<ValueType>(id);
}

std::string_view valueTypeName(ValueType type)
{
    return kValueTypes[static_cast<std::size_t>(type)].name;
}

std::uint32_t valueTypeSize(ValueType type)
{
    return kValueTypes[static_cast<std::size_t>(type)].size;
}

bool isInteger(ValueType type)
{
    switch (type) {
    case ValueType::UInt8:
    case ValueType::Int8:
    case ValueType::UInt16:
    case ValueType::Int16:
    case ValueType::UInt32:
    case ValueType::Int32:
    case ValueType::UInt64:
    case ValueType::Int64:
        return true;
    case ValueType::Float32:
    case ValueType::Float64:
    case ValueType::Bool:
    case ValueType::String:
    case ValueType::Array:
        break;
    }
    return false;
}

} // namespace gguf
