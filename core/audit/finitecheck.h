// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "format/tensortype.h"
#include "io/byteorder.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace gguf {

/// Looks for numbers that are NaN or infinite in the scales of quantized blocks and in plain floats: what
/// ggml's ggml_validate_row_data (v0.27, --check-tensors) looks at, and for ik_llama.cpp's types the scales
/// at the start of a row. What cannot be NaN is not judged: integers, NVFP4, types whose fields are not
/// known.
class FiniteCheck
{
public:
    /// rowBytes: of the tensor (see TensorSize); rows: all of them.
    FiniteCheck(const TensorTypeInfo& type, std::uint64_t rowBytes, std::uint64_t rows);

    bool judges() const { return !m_numbers.empty(); }
    /// Bytes of what is looked at as one: a block, or a row or group of rows that begins with its scales.
    std::uint64_t unitBytes() const { return m_unitBytes; }

    /// How many units hold such a number. bytes: whole units.
    std::uint64_t countBad(ByteOrder order, std::span<const std::byte> bytes) const;

    struct Bad
    {
        std::uint64_t unit = 0; ///< counted from the start of the bytes
        std::uint32_t offset = 0, size = 0; ///< of the number in the unit
        std::string_view field; ///< "d", "dmin", "v"; empty for the scale of a row
        bool isNan = false; ///< else infinite
    };
    std::optional<Bad> firstBad(ByteOrder order, std::span<const std::byte> bytes) const;

private:
    enum class Kind
    {
        Half,
        Bfloat,
        Single,
        Double,
        E8m0,
        Iq1mScale
    };
    struct Number
    {
        Kind kind;
        std::uint32_t offset;
        std::string_view field;
    };
    static std::uint32_t sizeOf(Kind kind);
    /// Adds up how many of these numbers, one per unit, are not finite.
    std::uint64_t count(const Number& number, ByteOrder order, std::span<const std::byte> bytes) const;
    static bool isBad(const Number& number, ByteOrder order, const std::byte* unit, bool& isNan);

    std::vector<Number> m_numbers;
    std::uint64_t m_unitBytes = 1;
};

} // namespace gguf
