// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "format/tensortype.h"
#include "io/byteorder.h"
#include "quant/iqgrids.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

/// How the blocks of each quantized type are decoded: one small struct per type, written once and used for
/// whole tensors (dequantize) as well as for looking into one block (blockDetail).
///
/// decode(block, order, emit) calls emit(element, quant, level, scale[, offset]) once per element, in any
/// order; the element's value is scale * level [+ offset], rounded after each step as ggml does. `quant` is
/// the number stored for the element, `level` what it stands for.
///
/// Source of the formulas: ggml v0.27, dequantize_row_* (facts, not code). Where a byte order matters, the
/// u16 and floating-point fields are swapped; nibbles, bytes and "u32le" fields are not.
namespace gguf::blocks {

inline unsigned byteAt(const std::byte* bytes, std::size_t index)
{
    return std::to_integer<unsigned>(bytes[index]);
}

inline int signedAt(const std::byte* bytes, std::size_t index)
{
    return static_cast<std::int8_t>(byteAt(bytes, index));
}

inline unsigned wordAt(const std::byte* bytes, ByteOrder order)
{
    return loadAs<std::uint16_t>(bytes, order);
}

/// IEEE binary16, without a branch so that loops over it become vector code.
inline float fromHalf(std::uint16_t bits)
{
    const std::uint32_t magnitude = std::uint32_t{bits & 0x7FFFu} << 13;
    // As a float's bits the exponent is too small by 112; a multiplication puts that right for subnormals
    // too.
    const auto scaled = std::bit_cast<std::uint32_t>(
        std::bit_cast<float>(magnitude) * std::bit_cast<float>(std::uint32_t{0x77800000}));
    const std::uint32_t special = magnitude >= 0x0F800000u ? 0x7F800000u : 0u; // infinity and NaN
    return std::bit_cast<float>(scaled | special | (std::uint32_t{bits & 0x8000u} << 16));
}

inline float halfAt(const std::byte* bytes, ByteOrder order)
{
    return fromHalf(loadAs<std::uint16_t>(bytes, order));
}

inline float asFloat(int number)
{
    return static_cast<float>(number);
}

/// The signs of 8 elements from 7 stored bits: the eighth makes their number even (ggml's ksigns_iq2xs).
inline unsigned evenSigns(unsigned sevenBits)
{
    return sevenBits | ((static_cast<unsigned>(std::popcount(sevenBits)) & 1u) << 7);
}

inline constexpr std::int8_t kIq4Levels[16]
    = {-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113};
/// E2M1 numbers, doubled.
inline constexpr std::int8_t kFp4Levels[16] = {0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12};

/// Half of 2^(exponent - 127), since the levels are doubled.
inline float halvedE8m0(unsigned exponent)
{
    return std::bit_cast<float>(exponent < 2 ? 0x00200000u << exponent : (exponent - 1) << 23);
}

/// Half of an unsigned E4M3 number; ggml takes 0x7F, which is no number, for 0.
inline float halvedUe4m3(unsigned bits)
{
    if (bits == 0x7F)
        return 0.0f;
    const unsigned exponent = (bits >> 3) & 15;
    const float mantissa = asFloat(static_cast<int>(bits & 7)) / 8.0f;
    const auto power = [](unsigned e) { return std::bit_cast<float>((e + 127 - 8) << 23); }; // 2^(e - 8)
    return exponent == 0 ? mantissa * power(1) : (1.0f + mantissa) * power(exponent);
}

/// The 6-bit scale and minimum number k of Q4_K and Q5_K.
struct ScaleMin
{
    int scale, min;
};
inline ScaleMin scaleMinK4(const std::byte* scales, std::size_t k)
{
    if (k < 4)
        return {static_cast<int>(byteAt(scales, k) & 63), static_cast<int>(byteAt(scales, k + 4) & 63)};
    return {static_cast<int>((byteAt(scales, k + 4) & 15) | ((byteAt(scales, k - 4) >> 6) << 4)),
        static_cast<int>((byteAt(scales, k + 4) >> 4) | ((byteAt(scales, k) >> 6) << 4))};
}

/// Calls use(element, nibble) for blocks of 32 whose low nibbles are the first half.
template <class Use> void splitNibbles(const std::byte* qs, Use use)
{
    for (unsigned j = 0; j < 16; ++j)
        use(j, byteAt(qs, j) & 15);
    for (unsigned j = 0; j < 16; ++j)
        use(j + 16, byteAt(qs, j) >> 4);
}

struct Q4_0
{
    static constexpr std::uint32_t kId = 2, kBytes = 18;
    template <class Emit> static void decode(const std::byte* b, ByteOrder order, Emit emit)
    {
        const float d = halfAt(b, order);
        splitNibbles(b + 2, [&](unsigned i, unsigned q) {
            emit(i, static_cast<int>(q), asFloat(static_cast<int>(q) - 8), d);
        });
    }
};

struct Q4_1
{
    static constexpr std::uint32_t kId = 3, kBytes = 20;
    template <class Emit> static void decode(const std::byte* b, ByteOrder order, Emit emit)
    {
        const float d = halfAt(b, order), m = halfAt(b + 2, order);
        splitNibbles(b + 4, [&](unsigned i, unsigned q) {
            emit(i, static_cast<int>(q), asFloat(static_cast<int>(q)), d, m);
        });
    }
};

struct Q5_0
{
    static constexpr std::uint32_t kId = 6, kBytes = 22;
    template <class Emit> static void decode(const std::byte* b, ByteOrder order, Emit emit)
    {
        const float d = halfAt(b, order);
        const auto high = loadAs<std::uint32_t>(b + 2, ByteOrder::Little);
        splitNibbles(b + 6, [&](unsigned i, unsigned nibble) {
            const int q = static_cast<int>(nibble | (((high >> i) & 1) << 4));
            emit(i, q, asFloat(q - 16), d);
        });
    }
};

struct Q5_1
{
    static constexpr std::uint32_t kId = 7, kBytes = 24;
    template <class Emit> static void decode(const std::byte* b, ByteOrder order, Emit emit)
    {
        const float d = halfAt(b, order), m = halfAt(b + 2, order);
        const auto high = loadAs<std::uint32_t>(b + 4, ByteOrder::Little);
        splitNibbles(b + 8, [&](unsigned i, unsigned nibble) {
            const int q = static_cast<int>(nibble | (((high >> i) & 1) << 4));
            emit(i, q, asFloat(q), d, m);
        });
    }
};

/// ik_llama.cpp
struct Q6_0
{
    static constexpr std::uint32_t kId = 133, kBytes = 26;
    template <class Emit> static void decode(const std::byte* b, ByteOrder order, Emit emit)
    {
        const float d = halfAt(b, order);
        splitNibbles(b + 10, [&](unsigned i, unsigned nibble) {
            const unsigned high = byteAt(b + 2, i % 8) >> (4 * (i % 16 / 8) + 2 * (i / 16));
            const int q = static_cast<int>(nibble | ((high & 3) << 4));
            emit(i, q, asFloat(q - 32), d);
        });
    }
};

struct Q8_0
{
    static constexpr std::uint32_t kId = 8, kBytes = 34;
    template <class Emit> static void decode(const std::byte* b, ByteOrder order, Emit emit)
    {
        const float d = halfAt(b, order);
        for (unsigned i = 0; i < 32; ++i)
            emit(i, signedAt(b + 2, i), asFloat(signedAt(b + 2, i)), d);
    }
};

struct Q8_1
{
    static constexpr std::uint32_t kId = 9, kBytes = 36;
    template <class Emit> static void decode(const std::byte* b, ByteOrder order, Emit emit)
    {
        const float d = halfAt(b, order);
        for (unsigned i = 0; i < 32; ++i)
            emit(i, signedAt(b + 4, i), asFloat(signedAt(b + 4, i)), d);
    }
};

struct Q2_K
{
    static constexpr std::uint32_t kId = 10, kBytes = 84;
    template <class Emit> static void decode(const std::byte* b, ByteOrder order, Emit emit)
    {
        const float d = halfAt(b + 80, order), dmin = halfAt(b + 82, order);
        for (unsigned k = 0; k < 16; ++k) {
            const float scale = d * asFloat(static_cast<int>(byteAt(b, k) & 15));
            const float offset = -(dmin * asFloat(static_cast<int>(byteAt(b, k) >> 4)));
            const std::byte* qs = b + 16 + 32 * (k / 8) + 16 * (k % 2);
            const unsigned shift = 2 * (k % 8 / 2);
            for (unsigned l = 0; l < 16; ++l) {
                const int q = static_cast<int>((byteAt(qs, l) >> shift) & 3);
                emit(16 * k + l, q, asFloat(q), scale, offset);
            }
        }
    }
};

struct Q3_K
{
    static constexpr std::uint32_t kId = 11, kBytes = 110;
    static int scale(const std::byte* scales, unsigned k)
    {
        const unsigned low = (byteAt(scales, k % 8) >> (k < 8 ? 0 : 4)) & 15;
        const unsigned high = (byteAt(scales, 8 + k % 4) >> (2 * (k / 4))) & 3;
        return static_cast<int>(low | (high << 4)) - 32;
    }
    template <class Emit> static void decode(const std::byte* b, ByteOrder order, Emit emit)
    {
        const float d = halfAt(b + 108, order);
        for (unsigned k = 0; k < 16; ++k) {
            const float factor = d * asFloat(scale(b + 96, k));
            const std::byte* mask = b + 16 * (k % 2);
            const std::byte* qs = b + 32 + 32 * (k / 8) + 16 * (k % 2);
            const unsigned shift = 2 * (k % 8 / 2), bit = k / 2;
            for (unsigned l = 0; l < 16; ++l) {
                const unsigned high = (byteAt(mask, l) >> bit) & 1;
                const int q = static_cast<int>(((byteAt(qs, l) >> shift) & 3) | (high << 2));
                emit(16 * k + l, q, asFloat(q - 4), factor);
            }
        }
    }
};

struct Q4_K
{
    static constexpr std::uint32_t kId = 12, kBytes = 144;
    template <class Emit> static void decode(const std::byte* b, ByteOrder order, Emit emit)
    {
        const float d = halfAt(b, order), dmin = halfAt(b + 2, order);
        for (unsigned k = 0; k < 8; ++k) {
            const ScaleMin sm = scaleMinK4(b + 4, k);
            const float scale = d * asFloat(sm.scale), offset = -(dmin * asFloat(sm.min));
            const std::byte* qs = b + 16 + 32 * (k / 2);
            for (unsigned l = 0; l < 32; ++l) {
                const int q = static_cast<int>((byteAt(qs, l) >> (4 * (k % 2))) & 15);
                emit(32 * k + l, q, asFloat(q), scale, offset);
            }
        }
    }
};

struct Q5_K
{
    static constexpr std::uint32_t kId = 13, kBytes = 176;
    template <class Emit> static void decode(const std::byte* b, ByteOrder order, Emit emit)
    {
        const float d = halfAt(b, order), dmin = halfAt(b + 2, order);
        for (unsigned k = 0; k < 8; ++k) {
            const ScaleMin sm = scaleMinK4(b + 4, k);
            const float scale = d * asFloat(sm.scale), offset = -(dmin * asFloat(sm.min));
            const std::byte* qh = b + 16;
            const std::byte* qs = b + 48 + 32 * (k / 2);
            for (unsigned l = 0; l < 32; ++l) {
                const unsigned high = (byteAt(qh, l) >> k) & 1;
                const int q = static_cast<int>(((byteAt(qs, l) >> (4 * (k % 2))) & 15) | (high << 4));
                emit(32 * k + l, q, asFloat(q), scale, offset);
            }
        }
    }
};

struct Q6_K
{
    static constexpr std::uint32_t kId = 14, kBytes = 210;
    template <class Emit> static void decode(const std::byte* b, ByteOrder order, Emit emit)
    {
        const float d = halfAt(b + 208, order);
        for (unsigned k = 0; k < 16; ++k) { // 16 elements each
            const float scale = d * asFloat(signedAt(b + 192, k));
            const unsigned half = k / 8, plane = k % 8 / 2;
            const std::byte* ql = b + 64 * half + 32 * (plane & 1) + 16 * (k % 2);
            const std::byte* qh = b + 128 + 32 * half + 16 * (k % 2);
            const unsigned lowShift = plane < 2 ? 0 : 4, highShift = 2 * plane;
            for (unsigned l = 0; l < 16; ++l) {
                const unsigned low = (byteAt(ql, l) >> lowShift) & 15;
                const int q = static_cast<int>(low | (((byteAt(qh, l) >> highShift) & 3) << 4));
                emit(16 * k + l, q, asFloat(q - 32), scale);
            }
        }
    }
};

struct Q8_K
{
    static constexpr std::uint32_t kId = 15, kBytes = 292;
    template <class Emit> static void decode(const std::byte* b, ByteOrder order, Emit emit)
    {
        const auto d = loadAs<float>(b, order);
        for (unsigned i = 0; i < 256; ++i)
            emit(i, signedAt(b + 4, i), asFloat(signedAt(b + 4, i)), d);
    }
};

/// Emits a row of a code book from element `first` on; bit j of `signs` turns the sign of weight j.
template <std::size_t Length, class Emit>
void emitSigned(const std::array<std::int8_t, Length>& row, unsigned signs, unsigned first, unsigned code,
    float scale, Emit& emit)
{
    for (unsigned j = 0; j < Length; ++j) {
        const int level = (signs >> j) & 1 ? -row[j] : row[j];
        emit(first + j, static_cast<int>(code), asFloat(level), scale);
    }
}

struct IQ2_XXS
{
    static constexpr std::uint32_t kId = 16, kBytes = 66;
    template <class Emit> static void decode(const std::byte* b, ByteOrder order, Emit emit)
    {
        const float d = halfAt(b, order);
        for (unsigned k = 0; k < 8; ++k) {
            const std::byte* group = b + 2 + 8 * k;
            const unsigned codes = wordAt(group, order) | (wordAt(group + 2, order) << 16);
            const unsigned signs = wordAt(group + 4, order) | (wordAt(group + 6, order) << 16);
            const float scale = d * (0.5f + static_cast<float>(signs >> 28)) * 0.25f;
            for (unsigned l = 0; l < 4; ++l) {
                const unsigned code = (codes >> (8 * l)) & 255;
                emitSigned(kIq2xxsGrid[code], evenSigns((signs >> (7 * l)) & 127), 32 * k + 8 * l, code,
                    scale, emit);
            }
        }
    }
};

struct IQ2_XS
{
    static constexpr std::uint32_t kId = 17, kBytes = 74;
    template <class Emit> static void decode(const std::byte* b, ByteOrder order, Emit emit)
    {
        const float d = halfAt(b, order);
        for (unsigned k = 0; k < 32; ++k) { // 8 elements each
            const unsigned q = wordAt(b + 2 + 2 * k, order);
            const unsigned s = (byteAt(b + 66, k / 4) >> (k % 4 < 2 ? 0 : 4)) & 15;
            const float scale = d * (0.5f + static_cast<float>(s)) * 0.25f;
            emitSigned(kIq2xsGrid[q & 511], evenSigns(q >> 9), 8 * k, q & 511, scale, emit);
        }
    }
};

struct IQ2_S
{
    static constexpr std::uint32_t kId = 22, kBytes = 82;
    template <class Emit> static void decode(const std::byte* b, ByteOrder order, Emit emit)
    {
        const float d = halfAt(b, order);
        for (unsigned k = 0; k < 32; ++k) { // 8 elements each
            const unsigned high = (byteAt(b + 66, k / 4) >> (2 * (k % 4))) & 3;
            const unsigned code = byteAt(b + 2, k) | (high << 8);
            const unsigned s = (byteAt(b + 74, k / 4) >> (k % 4 < 2 ? 0 : 4)) & 15;
            const float scale = d * (0.5f + static_cast<float>(s)) * 0.25f;
            emitSigned(kIq2sGrid[code], byteAt(b + 34, k), 8 * k, code, scale, emit);
        }
    }
};

struct IQ3_XXS
{
    static constexpr std::uint32_t kId = 18, kBytes = 98;
    template <class Emit> static void decode(const std::byte* b, ByteOrder order, Emit emit)
    {
        const float d = halfAt(b, order);
        for (unsigned k = 0; k < 8; ++k) {
            const auto word = loadAs<std::uint32_t>(b + 66 + 4 * k, ByteOrder::Little);
            const float scale = d * (0.5f + static_cast<float>(word >> 28)) * 0.5f;
            for (unsigned l = 0; l < 8; ++l) { // 4 elements each
                const unsigned code = byteAt(b + 2, 8 * k + l);
                const unsigned signs = evenSigns((word >> (7 * (l / 2))) & 127) >> (4 * (l % 2));
                emitSigned(kIq3xxsGrid[code], signs, 32 * k + 4 * l, code, scale, emit);
            }
        }
    }
};

struct IQ3_S
{
    static constexpr std::uint32_t kId = 21, kBytes = 110;
    template <class Emit> static void decode(const std::byte* b, ByteOrder order, Emit emit)
    {
        const float d = halfAt(b, order);
        for (unsigned k = 0; k < 64; ++k) { // 4 elements each
            const unsigned high = (byteAt(b + 66, k / 8) >> (k % 8)) & 1;
            const unsigned code = byteAt(b + 2, k) | (high << 8);
            const unsigned s = (byteAt(b + 106, k / 16) >> (k / 8 % 2 == 0 ? 0 : 4)) & 15;
            const float scale = d * asFloat(static_cast<int>(1 + 2 * s));
            emitSigned(kIq3sGrid[code], byteAt(b + 74, k / 2) >> (4 * (k % 2)), 4 * k, code, scale, emit);
        }
    }
};

/// Emits 8 weights of an IQ1 code book, shifted by an eighth.
template <class Emit> void emitShifted(unsigned code, bool down, unsigned first, float scale, Emit& emit)
{
    const float shift = down ? -0.125f : 0.125f;
    for (unsigned j = 0; j < 8; ++j)
        emit(first + j, static_cast<int>(code), asFloat(kIq1sGrid[code][j]) + shift, scale);
}

struct IQ1_S
{
    static constexpr std::uint32_t kId = 19, kBytes = 50;
    template <class Emit> static void decode(const std::byte* b, ByteOrder order, Emit emit)
    {
        const float d = halfAt(b, order);
        for (unsigned k = 0; k < 8; ++k) {
            const unsigned h = wordAt(b + 34 + 2 * k, order);
            const float scale = d * asFloat(static_cast<int>(2 * ((h >> 12) & 7) + 1));
            for (unsigned l = 0; l < 4; ++l) {
                const unsigned code = byteAt(b + 2, 4 * k + l) | (((h >> (3 * l)) & 7) << 8);
                emitShifted(code, (h & 0x8000) != 0, 32 * k + 8 * l, scale, emit);
            }
        }
    }
};

struct IQ1_M
{
    static constexpr std::uint32_t kId = 29, kBytes = 56;
    /// The bits of the fp16 scale: the top nibbles of the four words, lowest first.
    static std::uint16_t scaleBits(const std::byte* b, ByteOrder order)
    {
        unsigned bits = 0;
        for (unsigned w = 0; w < 4; ++w)
            bits |= (wordAt(b + 48 + 2 * w, order) >> 12) << (4 * w);
        return static_cast<std::uint16_t>(bits);
    }
    template <class Emit> static void decode(const std::byte* b, ByteOrder order, Emit emit)
    {
        const float d = fromHalf(scaleBits(b, order));
        for (unsigned k = 0; k < 32; ++k) { // 8 elements each
            const unsigned word = wordAt(b + 48 + 2 * (k / 8), order);
            const float scale = d * asFloat(static_cast<int>(2 * ((word >> (3 * (k % 8 / 2))) & 7) + 1));
            const unsigned h = byteAt(b + 32, k / 2) >> (4 * (k % 2));
            emitShifted(byteAt(b, k) | ((h & 7) << 8), (h & 8) != 0, 8 * k, scale, emit);
        }
    }
};

struct IQ4_NL
{
    static constexpr std::uint32_t kId = 20, kBytes = 18;
    template <class Emit> static void decode(const std::byte* b, ByteOrder order, Emit emit)
    {
        const float d = halfAt(b, order);
        splitNibbles(
            b + 2, [&](unsigned i, unsigned q) { emit(i, static_cast<int>(q), asFloat(kIq4Levels[q]), d); });
    }
};

struct IQ4_XS
{
    static constexpr std::uint32_t kId = 23, kBytes = 136;
    template <class Emit> static void decode(const std::byte* b, ByteOrder order, Emit emit)
    {
        const float d = halfAt(b, order);
        const unsigned high = wordAt(b + 2, order);
        for (unsigned k = 0; k < 8; ++k) {
            const unsigned low = (byteAt(b + 4, k / 2) >> (4 * (k % 2))) & 15;
            const float scale = d * asFloat(static_cast<int>(low | (((high >> (2 * k)) & 3) << 4)) - 32);
            splitNibbles(b + 8 + 16 * k, [&](unsigned i, unsigned q) {
                emit(32 * k + i, static_cast<int>(q), asFloat(kIq4Levels[q]), scale);
            });
        }
    }
};

struct TQ1_0
{
    static constexpr std::uint32_t kId = 34, kBytes = 54;
    template <class Emit> static void decode(const std::byte* b, ByteOrder order, Emit emit)
    {
        const float d = halfAt(b + 52, order);
        constexpr unsigned kPowers[] = {1, 3, 9, 27, 81};
        // Trit n of a byte is what the byte times 3^n leaves in its top two bits' worth of thirds.
        const auto run = [&](unsigned at, unsigned length, unsigned trits, unsigned first) {
            for (unsigned n = 0; n < trits; ++n) {
                for (unsigned j = 0; j < length; ++j) {
                    const int q = static_cast<int>((((byteAt(b, at + j) * kPowers[n]) & 255) * 3) >> 8);
                    emit(first + n * length + j, q, asFloat(q - 1), d);
                }
            }
        };
        run(0, 32, 5, 0);
        run(32, 16, 5, 160);
        run(48, 4, 4, 240);
    }
};

struct TQ2_0
{
    static constexpr std::uint32_t kId = 35, kBytes = 66;
    template <class Emit> static void decode(const std::byte* b, ByteOrder order, Emit emit)
    {
        const float d = halfAt(b + 64, order);
        for (unsigned k = 0; k < 8; ++k) { // 32 elements each
            for (unsigned l = 0; l < 32; ++l) {
                const int q = static_cast<int>((byteAt(b, 32 * (k / 4) + l) >> (2 * (k % 4))) & 3);
                emit(32 * k + l, q, asFloat(q - 1), d);
            }
        }
    }
};

struct MXFP4
{
    static constexpr std::uint32_t kId = 39, kBytes = 17;
    template <class Emit> static void decode(const std::byte* b, ByteOrder, Emit emit)
    {
        const float d = halvedE8m0(byteAt(b, 0));
        splitNibbles(
            b + 1, [&](unsigned i, unsigned q) { emit(i, static_cast<int>(q), asFloat(kFp4Levels[q]), d); });
    }
};

struct NVFP4
{
    static constexpr std::uint32_t kId = 40, kBytes = 36;
    template <class Emit> static void decode(const std::byte* b, ByteOrder, Emit emit)
    {
        for (unsigned k = 0; k < 4; ++k) {
            const float d = halvedUe4m3(byteAt(b, k));
            for (unsigned l = 0; l < 16; ++l) {
                const unsigned q = (byteAt(b + 4 + 8 * k, l % 8) >> (4 * (l / 8))) & 15;
                emit(16 * k + l, static_cast<int>(q), asFloat(kFp4Levels[q]), d);
            }
        }
    }
};

struct Q1_0
{
    static constexpr std::uint32_t kId = 41, kBytes = 18;
    template <class Emit> static void decode(const std::byte* b, ByteOrder order, Emit emit)
    {
        const float d = halfAt(b, order);
        for (unsigned i = 0; i < 128; ++i) {
            const int q = static_cast<int>((byteAt(b + 2, i / 8) >> (i % 8)) & 1);
            emit(i, q, asFloat(2 * q - 1), d);
        }
    }
};

/// 2-bit weights -1 to 2 in blocks of one length or another.
template <std::uint32_t Id, std::uint32_t Length> struct TwoBit
{
    static constexpr std::uint32_t kId = Id, kBytes = 2 + Length / 4;
    template <class Emit> static void decode(const std::byte* b, ByteOrder order, Emit emit)
    {
        const float d = halfAt(b, order);
        for (unsigned i = 0; i < Length; ++i) {
            const int q = static_cast<int>((byteAt(b + 2, i / 4) >> (2 * (i % 4))) & 3);
            emit(i, q, asFloat(q - 1), d);
        }
    }
};
using Q2_0 = TwoBit<42, 64>;
using Q2_0_G128 = TwoBit<42, 128>; ///< PrismML
using PQ2_0 = TwoBit<142, 128>; ///< PrismML

/// Calls use(Decoder{}) with the type's block decoder; false where there is none.
template <class Use> bool withDecoder(const TensorTypeInfo& type, Use use)
{
    const auto tryAll = [&]<class... Decoders>(Decoders... decoders) {
        const auto tryOne = [&](auto decoder) {
            const bool found = decoder.kId == type.id && decoder.kBytes == type.blockBytes;
            if (found)
                use(decoder);
            return found;
        };
        return (tryOne(decoders) || ...);
    };
    return tryAll(Q4_0{}, Q4_1{}, Q5_0{}, Q5_1{}, Q6_0{}, Q8_0{}, Q8_1{}, Q2_K{}, Q3_K{}, Q4_K{}, Q5_K{},
        Q6_K{}, Q8_K{}, IQ2_XXS{}, IQ2_XS{}, IQ2_S{}, IQ3_XXS{}, IQ3_S{}, IQ1_S{}, IQ1_M{}, IQ4_NL{},
        IQ4_XS{}, TQ1_0{}, TQ2_0{}, MXFP4{}, NVFP4{}, Q1_0{}, Q2_0{}, Q2_0_G128{}, PQ2_0{});
}

} // namespace gguf::blocks
