// SPDX-License-Identifier: GPL-3.0-or-later
#include "audit/finitecheck.h"

#include "quant/blockdecoders.h"
#include "quant/blocklayout.h"

#include <cmath>
#include <cstring>

namespace gguf {

namespace {

/// Longer rows are not taken as one unit: a unit must fit in memory.
constexpr std::uint64_t kMaxUnit = 16u << 20;
/// From here on a double rounds to infinity as a float: FLT_MAX and half a unit in its last place.
constexpr double kFloatOverflow = 0x1.ffffffp127;

/// Counts words in which all bits of the mask are set: the exponent of NaN and infinity. Compares in the
/// file's byte order, so nothing is swapped and the loop becomes vector code.
template <class Word>
std::uint64_t countMasked(
    std::span<const std::byte> bytes, std::uint64_t stride, std::uint32_t offset, Word mask, ByteOrder order)
{
    std::byte raw[sizeof(Word)];
    std::memcpy(raw, &mask, sizeof raw);
    const auto stored = loadAs<Word>(raw, order); // the mask as it lies in the file
    const std::uint64_t units = bytes.size() / stride;
    std::uint64_t found = 0;
    const auto run = [&](std::uint64_t step) {
        for (std::uint64_t i = 0; i < units; ++i) {
            Word word;
            std::memcpy(&word, bytes.data() + i * step + offset, sizeof word);
            found += (word & stored) == stored ? 1 : 0;
        }
    };
    if (stride == sizeof(Word))
        run(sizeof(Word)); // a constant step: the compiler can take many words at once
    else
        run(stride);
    return found;
}

} // namespace

FiniteCheck::FiniteCheck(const TensorTypeInfo& type, std::uint64_t rowBytes, std::uint64_t rows)
{
    if (type.rowMetaBytes != 0) {
        const std::uint64_t group = rowBytes * type.rowsInterleaved;
        const bool isKnown = type.rowMetaBytes == 2 || type.rowMetaBytes == 4 || type.rowMetaBytes == 8;
        if (!isKnown || rowBytes > kMaxUnit / type.rowsInterleaved || rows % type.rowsInterleaved != 0)
            return;
        const Kind kind = type.rowMetaBytes == 2 ? Kind::Half : Kind::Single;
        for (std::uint32_t i = 0; i < type.rowsInterleaved; ++i)
            m_numbers.push_back({kind, i * sizeOf(kind), {}});
        m_unitBytes = group;
        return;
    }
    if (type.rowsInterleaved != 1 || type.tensorExtraBytes != 0)
        return;
    for (const BlockField& field : blockFields(type)) {
        const auto add = [&](Kind kind) {
            const std::uint32_t step = field.size / field.count;
            for (std::uint32_t i = 0; i < field.count; ++i)
                m_numbers.push_back({kind, field.offset + i * step, field.name});
        };
        if (field.elementType == "f16")
            add(Kind::Half);
        else if (field.elementType == "bf16")
            add(Kind::Bfloat);
        else if (field.elementType == "f32")
            add(Kind::Single);
        else if (field.elementType == "f64")
            add(Kind::Double);
        else if (field.elementType == "e8m0")
            add(Kind::E8m0);
    }
    if (type.id == blocks::IQ1_M::kId)
        m_numbers.push_back({Kind::Iq1mScale, 48, "scales"});
    if (!m_numbers.empty())
        m_unitBytes = type.blockBytes;
}

std::uint32_t FiniteCheck::sizeOf(Kind kind)
{
    switch (kind) {
    case Kind::E8m0:
        return 1;
    case Kind::Half:
    case Kind::Bfloat:
        return 2;
    case Kind::Single:
        return 4;
    case Kind::Double:
    case Kind::Iq1mScale:
        return 8;
    }
    return 0;
}

bool FiniteCheck::isBad(const Number& number, ByteOrder order, const std::byte* unit, bool& isNan)
{
    const std::byte* at = unit + number.offset;
    double value = 0;
    switch (number.kind) {
    case Kind::Half:
        value = blocks::halfAt(at, order);
        break;
    case Kind::Bfloat:
        value = std::bit_cast<float>(std::uint32_t{loadAs<std::uint16_t>(at, order)} << 16);
        break;
    case Kind::Single:
        value = loadAs<float>(at, order);
        break;
    case Kind::Double:
        value = loadAs<double>(at, order);
        isNan = std::isnan(value);
        return !(std::fabs(value) < kFloatOverflow); // as a float, as ggml converts it
    case Kind::E8m0:
        isNan = true;
        return *at == std::byte{0xFF};
    case Kind::Iq1mScale:
        value = blocks::fromHalf(blocks::IQ1_M::scaleBits(unit, order));
        break;
    }
    isNan = std::isnan(value);
    return !std::isfinite(value);
}

std::uint64_t FiniteCheck::count(
    const Number& number, ByteOrder order, std::span<const std::byte> bytes) const
{
    switch (number.kind) {
    case Kind::Half:
        return countMasked<std::uint16_t>(bytes, m_unitBytes, number.offset, 0x7C00, order);
    case Kind::Bfloat:
        return countMasked<std::uint16_t>(bytes, m_unitBytes, number.offset, 0x7F80, order);
    case Kind::Single:
        return countMasked<std::uint32_t>(bytes, m_unitBytes, number.offset, 0x7F800000, order);
    case Kind::E8m0:
        return countMasked<std::uint8_t>(bytes, m_unitBytes, number.offset, 0xFF, order);
    case Kind::Double:
    case Kind::Iq1mScale:
        break;
    }
    std::uint64_t found = 0;
    bool isNan = false;
    for (std::uint64_t at = 0; at < bytes.size(); at += m_unitBytes)
        found += isBad(number, order, bytes.data() + at, isNan) ? 1u : 0u;
    return found;
}

std::uint64_t FiniteCheck::countBad(ByteOrder order, std::span<const std::byte> bytes) const
{
    std::uint64_t found = 0;
    for (const Number& number : m_numbers)
        found += count(number, order, bytes);
    if (found == 0 || m_numbers.size() == 1)
        return found;
    // Several numbers of one unit can be bad: count the units themselves.
    found = 0;
    bool isNan = false;
    for (std::uint64_t at = 0; at < bytes.size(); at += m_unitBytes) {
        bool bad = false;
        for (const Number& number : m_numbers)
            bad = bad || isBad(number, order, bytes.data() + at, isNan);
        found += bad ? 1u : 0u;
    }
    return found;
}

std::optional<FiniteCheck::Bad> FiniteCheck::firstBad(ByteOrder order, std::span<const std::byte> bytes) const
{
    for (std::uint64_t unit = 0; unit < bytes.size() / m_unitBytes; ++unit) {
        for (const Number& number : m_numbers) {
            Bad bad{unit, number.offset, sizeOf(number.kind), number.field, false};
            if (isBad(number, order, bytes.data() + unit * m_unitBytes, bad.isNan))
                return bad;
        }
    }
    return std::nullopt;
}

} // namespace gguf
