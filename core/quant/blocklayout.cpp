// SPDX-License-Identifier: GPL-3.0-or-later
#include "quant/blocklayout.h"

#include <algorithm>

namespace gguf {

namespace {

// Field offsets and sizes: the block structs of ggml v0.27 (ggml-common.h); "u32le" fields are bytes that
// ggml joins to a number with the low byte first in either byte order.
constexpr BlockField kQ4_0[] = {
    {"d", 0, 2, "f16", 1, "scale"},
    {"qs", 2, 16, "u8", 16, "nibbles: low = element j, high = element j+16; value q-8"},
};
constexpr BlockField kQ4_1[] = {
    {"d", 0, 2, "f16", 1, "scale"},
    {"m", 2, 2, "f16", 1, "min (added)"},
    {"qs", 4, 16, "u8", 16, "nibbles as Q4_0, value d*q+m"},
};
constexpr BlockField kQ5_0[] = {
    {"d", 0, 2, "f16", 1, "scale"},
    {"qh", 2, 4, "u32le", 1, "5th bits, bit i = element i"},
    {"qs", 6, 16, "u8", 16, "low nibbles as Q4_0; value q-16"},
};
constexpr BlockField kQ5_1[] = {
    {"d", 0, 2, "f16", 1, "scale"},
    {"m", 2, 2, "f16", 1, "min (added)"},
    {"qh", 4, 4, "u32le", 1, "5th bits"},
    {"qs", 8, 16, "u8", 16, "low nibbles"},
};
constexpr BlockField kQ8_0[] = {
    {"d", 0, 2, "f16", 1, "scale"},
    {"qs", 2, 32, "i8", 32, "signed quants"},
};
constexpr BlockField kQ8_1[] = {
    {"d", 0, 2, "f16", 1, "scale"},
    {"s", 2, 2, "f16", 1, "d*sum(qs)"},
    {"qs", 4, 32, "i8", 32, "signed quants"},
};
constexpr BlockField kQ2_K[] = {
    {"scales", 0, 16, "u8", 16, "per 16 elements: low nibble scale, high nibble min"},
    {"qs", 16, 64, "u8", 64, "2-bit quants, 4 planes of 32 per 128 elements"},
    {"d", 80, 2, "f16", 1, "super scale"},
    {"dmin", 82, 2, "f16", 1, "super min"},
};
constexpr BlockField kQ3_K[] = {
    {"hmask", 0, 32, "u8", 32, "high bit; 1 = no -4"},
    {"qs", 32, 64, "u8", 64, "low 2 bits, planes as Q2_K"},
    {"scales", 96, 12, "u8", 12, "16 x 6-bit scales, bias 32"},
    {"d", 108, 2, "f16", 1, "super scale"},
};
constexpr BlockField kQ4_K[] = {
    {"d", 0, 2, "f16", 1, "super scale"},
    {"dmin", 2, 2, "f16", 1, "super min"},
    {"scales", 4, 12, "u8", 12, "8 x (6-bit scale, 6-bit min)"},
    {"qs", 16, 128, "u8", 128, "nibbles: 32 bytes per 64 elements, low half then high half"},
};
constexpr BlockField kQ5_K[] = {
    {"d", 0, 2, "f16", 1, "super scale"},
    {"dmin", 2, 2, "f16", 1, "super min"},
    {"scales", 4, 12, "u8", 12, "as Q4_K"},
    {"qh", 16, 32, "u8", 32, "5th bits: byte l bit k = element 32k+l"},
    {"qs", 48, 128, "u8", 128, "low nibbles as Q4_K"},
};
constexpr BlockField kQ6_K[] = {
    {"ql", 0, 128, "u8", 128, "low nibbles"},
    {"qh", 128, 64, "u8", 64, "high 2 bits"},
    {"scales", 192, 16, "i8", 16, "per 16 elements"},
    {"d", 208, 2, "f16", 1, "super scale"},
};
constexpr BlockField kQ8_K[] = {
    {"d", 0, 4, "f32", 1, "scale"},
    {"qs", 4, 256, "i8", 256, "quants"},
    {"bsums", 260, 32, "i16", 16, "sums of 16 quants"},
};
constexpr BlockField kIQ2_XXS[] = {
    {"d", 0, 2, "f16", 1, "super scale"},
    {"qs", 2, 64, "u16", 32,
        "8 groups of 8 bytes: 4 grid indices then u32 = 4x7 sign-index bits + 4-bit scale"},
};
constexpr BlockField kIQ2_XS[] = {
    {"d", 0, 2, "f16", 1, "super scale"},
    {"qs", 2, 64, "u16", 32, "9-bit grid index + 7-bit sign index per 8 elements"},
    {"scales", 66, 8, "u8", 8, "two 4-bit scales per 32 elements"},
};
constexpr BlockField kIQ3_XXS[] = {
    {"d", 0, 2, "f16", 1, "super scale"},
    {"qs", 2, 64, "u8", 64, "grid index per 4 elements"},
    {"scales_signs", 66, 32, "u32le", 8, "4x7 sign-index bits + 4-bit scale per 32 elements"},
};
constexpr BlockField kIQ1_S[] = {
    {"d", 0, 2, "f16", 1, "super scale"},
    {"qs", 2, 32, "u8", 32, "low 8 bits of grid index per 8 elements"},
    {"qh", 34, 16, "u16", 8,
        "per 32 elements: 4x3 high index bits, 3-bit scale (bits 12-14), delta sign (bit 15)"},
};
constexpr BlockField kIQ4_NL[] = {
    {"d", 0, 2, "f16", 1, "scale"},
    {"qs", 2, 16, "u8", 16, "codebook nibbles, order as Q4_0"},
};
constexpr BlockField kIQ3_S[] = {
    {"d", 0, 2, "f16", 1, "super scale"},
    {"qs", 2, 64, "u8", 64, "low 8 bits of grid index per 4 elements"},
    {"qh", 66, 8, "u8", 8, "9th index bits"},
    {"signs", 74, 32, "u8", 32, "sign bits"},
    {"scales", 106, 4, "u8", 4, "4-bit scale per 32 elements"},
};
constexpr BlockField kIQ2_S[] = {
    {"d", 0, 2, "f16", 1, "super scale"},
    {"qs_grid", 2, 32, "u8", 32, "low 8 bits of grid index per 8 elements"},
    {"qs_signs", 34, 32, "u8", 32, "sign bits per 8 elements"},
    {"qh", 66, 8, "u8", 8, "2 high index bits x4 per 32 elements"},
    {"scales", 74, 8, "u8", 8, "two 4-bit scales per 32 elements"},
};
constexpr BlockField kIQ4_XS[] = {
    {"d", 0, 2, "f16", 1, "super scale"},
    {"scales_h", 2, 2, "u16", 1, "2 high scale bits x8"},
    {"scales_l", 4, 4, "u8", 4, "4 low scale bits x8"},
    {"qs", 8, 128, "u8", 128, "16 bytes per 32 elements, order as IQ4_NL"},
};
constexpr BlockField kIQ1_M[] = {
    {"qs", 0, 32, "u8", 32, "low 8 bits of grid index per 8 elements"},
    {"qh", 32, 16, "u8", 16, "per 16 elements: two nibbles of 3 high index bits + delta sign"},
    {"scales", 48, 8, "u16", 4,
        "12 bits of 3-bit scales per u16; top nibbles of the 4 words form the fp16 super scale"},
};
constexpr BlockField kTQ1_0[] = {
    {"qs", 0, 48, "u8", 48, "5 trits per byte (base 3)"},
    {"qh", 48, 4, "u8", 4, "4 trits per byte"},
    {"d", 52, 2, "f16", 1, "scale"},
};
constexpr BlockField kTQ2_0[] = {
    {"qs", 0, 64, "u8", 64, "2-bit trits, 4 planes of 32 per 128 elements; value q-1"},
    {"d", 64, 2, "f16", 1, "scale"},
};
constexpr BlockField kMXFP4[] = {
    {"e", 0, 1, "e8m0", 1, "shared exponent, factor 2^(e-128) with doubled codebook; 0xFF invalid"},
    {"qs", 1, 16, "u8", 16, "E2M1 codes; low nibble = element j, high = element j+16"},
};
constexpr BlockField kNVFP4[] = {
    {"d", 0, 4, "ue4m3", 4, "one scale per 16 elements, 0.5*UE4M3 with doubled codebook"},
    {"qs", 4, 32, "u8", 32, "8 bytes per 16-element group; low = element j, high = element j+8"},
};
constexpr BlockField kQ1_0[] = {
    {"d", 0, 2, "f16", 1, "scale"},
    {"qs", 2, 16, "u8", 16, "1 bit/elem, LSB first: bit=1 -> +d, 0 -> -d"},
};
constexpr BlockField kQ2_0[] = {
    {"d", 0, 2, "f16", 1, "scale"},
    {"qs", 2, 16, "u8", 16, "2 bits/elem, element i in byte i/4 at bit 2*(i%4); value q-1"},
};
constexpr BlockField kQ6_0[] = {
    {"d", 0, 2, "f16", 1, "scale"},
    {"qh", 2, 8, "u8", 8, "2 high bits of 4 elements per byte"},
    {"qs", 10, 16, "u8", 16, "low nibbles as Q4_0; value q-32"},
};
constexpr BlockField kQ2_0G128[] = {
    {"d", 0, 2, "f16", 1, "scale"},
    {"qs", 2, 32, "u8", 32, "2 bits/element, element i in byte i/4 at bit 2*(i%4); value q-1"},
};
constexpr BlockField kPTQ1_0[] = {
    {"qs", 0, 24, "u8", 24, "5 trits per byte (base 3)"},
    {"qh", 24, 2, "u8", 2, "4 trits per byte"},
    {"d", 26, 2, "f16", 1, "scale"},
};
constexpr BlockField kTQ3_1S[] = {
    {"d0", 0, 2, "f16", 1, "scale of the first half"},
    {"d1", 2, 2, "f16", 1, "scale of the second half"},
    {"qs", 4, 12, "u8", 12, "3-bit quants of the rotated weights"},
};
constexpr BlockField kTQ4_1S[] = {
    {"d0", 0, 2, "f16", 1, "scale of the first half"},
    {"d1", 2, 2, "f16", 1, "scale of the second half"},
    {"qs", 4, 16, "u8", 16, "4-bit quants of the rotated weights"},
};

constexpr BlockField kQ8_KV[] = {
    {"qs", 0, 32, "i8", 32, "signed quants; their scale lies at the row's start"},
};

constexpr BlockField kF32Value[] = {{"v", 0, 4, "f32", 1, ""}};
constexpr BlockField kF16Value[] = {{"v", 0, 2, "f16", 1, ""}};
constexpr BlockField kBF16Value[] = {{"v", 0, 2, "bf16", 1, ""}};
constexpr BlockField kF64Value[] = {{"v", 0, 8, "f64", 1, ""}};
constexpr BlockField kI8Value[] = {{"v", 0, 1, "i8", 1, ""}};
constexpr BlockField kI16Value[] = {{"v", 0, 2, "i16", 1, ""}};
constexpr BlockField kI32Value[] = {{"v", 0, 4, "i32", 1, ""}};
constexpr BlockField kI64Value[] = {{"v", 0, 8, "i64", 1, ""}};

struct Layout
{
    std::uint32_t typeId;
    std::uint32_t blockBytes; ///< tells apart the layouts of one id
    std::span<const BlockField> fields;
};

constexpr Layout kLayouts[] = {
    {0, 4, kF32Value},
    {1, 2, kF16Value},
    {2, 18, kQ4_0},
    {3, 20, kQ4_1},
    {6, 22, kQ5_0},
    {7, 24, kQ5_1},
    {8, 34, kQ8_0},
    {9, 36, kQ8_1},
    {10, 84, kQ2_K},
    {11, 110, kQ3_K},
    {12, 144, kQ4_K},
    {13, 176, kQ5_K},
    {14, 210, kQ6_K},
    {15, 292, kQ8_K},
    {16, 66, kIQ2_XXS},
    {17, 74, kIQ2_XS},
    {18, 98, kIQ3_XXS},
    {19, 50, kIQ1_S},
    {20, 18, kIQ4_NL},
    {21, 110, kIQ3_S},
    {22, 82, kIQ2_S},
    {23, 136, kIQ4_XS},
    {24, 1, kI8Value},
    {25, 2, kI16Value},
    {26, 4, kI32Value},
    {27, 8, kI64Value},
    {28, 8, kF64Value},
    {29, 56, kIQ1_M},
    {30, 2, kBF16Value},
    {34, 54, kTQ1_0},
    {35, 66, kTQ2_0},
    {39, 17, kMXFP4},
    {40, 36, kNVFP4},
    {41, 18, kQ1_0},
    {42, 18, kQ2_0},
    {42, 34, kQ2_0G128},
    {45, 16, kTQ3_1S},
    {46, 20, kTQ4_1S},
    {133, 26, kQ6_0},
    {142, 34, kQ2_0G128},
    {143, 28, kPTQ1_0},
    {151, 32, kQ8_KV},
};

constexpr std::uint32_t elementBytes(std::string_view type)
{
    if (type == "u8" || type == "i8" || type == "e8m0" || type == "ue4m3")
        return 1;
    if (type == "f16" || type == "bf16" || type == "u16" || type == "i16")
        return 2;
    if (type == "f32" || type == "i32" || type == "u32le")
        return 4;
    return type == "f64" || type == "i64" ? 8 : 0;
}

/// The fields lie side by side from byte 0 to the block's end.
constexpr bool isWhole(const Layout& layout)
{
    std::uint32_t end = 0;
    for (const BlockField& field : layout.fields) {
        if (field.offset != end || field.size != field.count * elementBytes(field.elementType))
            return false;
        end += field.size;
    }
    return end == layout.blockBytes;
}
static_assert(std::ranges::all_of(kLayouts, isWhole));

} // namespace

std::span<const BlockField> blockFields(std::uint32_t typeId)
{
    const auto found = std::ranges::find(kLayouts, typeId, &Layout::typeId);
    return found == std::end(kLayouts) ? std::span<const BlockField>() : found->fields;
}

std::span<const BlockField> blockFields(const TensorTypeInfo& type)
{
    const auto found = std::ranges::find_if(kLayouts, [&type](const Layout& layout) {
        return layout.typeId == type.id && layout.blockBytes == type.blockBytes;
    });
    return found == std::end(kLayouts) ? std::span<const BlockField>() : found->fields;
}

} // namespace gguf
