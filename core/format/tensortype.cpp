// SPDX-License-Identifier: GPL-3.0-or-later
#include "format/tensortype.h"

#include "format/arithmetic.h"
#include "format/namecompare.h"

#include <algorithm>
#include <array>

namespace gguf {

namespace {

using enum TypeStatus;
using enum TypeFamily;

constexpr std::string_view kGgml = "ggml";
constexpr std::string_view kIk = "ik_llama.cpp";
constexpr std::string_view kBitNet = "BitNet";
constexpr std::string_view kPrism = "PrismML";
constexpr std::string_view kTurbo = "TurboQuant";
constexpr std::string_view kRocm = "ROCmFPX";

// id, name, block length, block bytes, status, family, owner, bytes per row and rows per group beyond
// the plain layout, bytes per tensor, note. Block sizes of ids 0 to 42 are type_traits of ggml v0.27
// (SPEC-gguf.ksy: num_elements_per_block, len_block); those of removed types are what the last version with
// them had. Fork types: the forks' own traits, August 2026.
constexpr TensorTypeInfo kTensorTypes[] = {
    {0, "F32", 1, 4, Current, Float, kGgml, 0, 1, 0, ""},
    {1, "F16", 1, 2, Current, Float, kGgml, 0, 1, 0, ""},
    {2, "Q4_0", 32, 18, Current, LegacyQuant, kGgml, 0, 1, 0, ""},
    {3, "Q4_1", 32, 20, Current, LegacyQuant, kGgml, 0, 1, 0, ""},
    {4, "Q4_2", 16, 10, Removed, LegacyQuant, kGgml, 0, 1, 0, "removed in May 2023, before GGUF"},
    {5, "Q4_3", 16, 12, Removed, LegacyQuant, kGgml, 0, 1, 0, "removed in April 2023, before GGUF"},
    {6, "Q5_0", 32, 22, Current, LegacyQuant, kGgml, 0, 1, 0, ""},
    {7, "Q5_1", 32, 24, Current, LegacyQuant, kGgml, 0, 1, 0, ""},
    {8, "Q8_0", 32, 34, Current, LegacyQuant, kGgml, 0, 1, 0, ""},
    {9, "Q8_1", 32, 36, Current, LegacyQuant, kGgml, 0, 1, 0,
        "for activations at run time; not expected in files"},
    {10, "Q2_K", 256, 84, Current, KQuant, kGgml, 0, 1, 0, ""},
    {11, "Q3_K", 256, 110, Current, KQuant, kGgml, 0, 1, 0, ""},
    {12, "Q4_K", 256, 144, Current, KQuant, kGgml, 0, 1, 0, ""},
    {13, "Q5_K", 256, 176, Current, KQuant, kGgml, 0, 1, 0, ""},
    {14, "Q6_K", 256, 210, Current, KQuant, kGgml, 0, 1, 0, ""},
    {15, "Q8_K", 256, 292, Current, KQuant, kGgml, 0, 1, 0,
        "for activations at run time; not expected in files"},
    {15, "Q8_K", 256, 296, Fork, KQuant, kIk, 0, 1, 0,
        "for activations at run time; one float more per block than ggml's"},
    {16, "IQ2_XXS", 256, 66, Current, IQuant, kGgml, 0, 1, 0, ""},
    {17, "IQ2_XS", 256, 74, Current, IQuant, kGgml, 0, 1, 0, ""},
    {18, "IQ3_XXS", 256, 98, Current, IQuant, kGgml, 0, 1, 0, ""},
    {19, "IQ1_S", 256, 50, Current, IQuant, kGgml, 0, 1, 0, ""},
    {20, "IQ4_NL", 32, 18, Current, IQuant, kGgml, 0, 1, 0, ""},
    {21, "IQ3_S", 256, 110, Current, IQuant, kGgml, 0, 1, 0, ""},
    {22, "IQ2_S", 256, 82, Current, IQuant, kGgml, 0, 1, 0, ""},
    {23, "IQ4_XS", 256, 136, Current, IQuant, kGgml, 0, 1, 0, ""},
    {24, "I8", 1, 1, Current, Integer, kGgml, 0, 1, 0, "not quantized"},
    {25, "I16", 1, 2, Current, Integer, kGgml, 0, 1, 0, "not quantized"},
    {26, "I32", 1, 4, Current, Integer, kGgml, 0, 1, 0, "not quantized"},
    {27, "I64", 1, 8, Current, Integer, kGgml, 0, 1, 0, "not quantized"},
    {28, "F64", 1, 8, Current, Float, kGgml, 0, 1, 0, ""},
    {29, "IQ1_M", 256, 56, Current, IQuant, kGgml, 0, 1, 0,
        "the scale is spread over the top nibbles of scales"},
    {30, "BF16", 1, 2, Current, Float, kGgml, 0, 1, 0, ""},
    {31, "Q4_0_4x4", 32, 18, Removed, LegacyQuant, kGgml, 0, 4, 0,
        "removed from GGUF in December 2024 in favour of repacking Q4_0 when loading; 4 rows interleaved; "
        "ik_llama.cpp and KoboldCpp still read it"},
    {32, "Q4_0_4x8", 32, 18, Removed, LegacyQuant, kGgml, 0, 4, 0,
        "removed from GGUF in December 2024 in favour of repacking Q4_0 when loading; 4 rows interleaved; "
        "ik_llama.cpp and KoboldCpp still read it"},
    {33, "Q4_0_8x8", 32, 18, Removed, LegacyQuant, kGgml, 0, 8, 0,
        "removed from GGUF in December 2024 in favour of repacking Q4_0 when loading; 8 rows interleaved; "
        "ik_llama.cpp and KoboldCpp still read it"},
    {34, "TQ1_0", 256, 54, Current, Ternary, kGgml, 0, 1, 0, ""},
    {35, "TQ2_0", 256, 66, Current, Ternary, kGgml, 0, 1, 0, ""},
    {36, "IQ4_NL_4_4", 32, 18, Removed, IQuant, kGgml, 0, 4, 0,
        "made in memory only, November to December 2024; KoboldCpp keeps it; BitNet and ik_llama.cpp use "
        "the id for I2_S"},
    {36, "I2_S", 4, 1, Fork, Ternary, kBitNet, 0, 1, 32,
        "elements / 4 + 32 bytes per tensor, whose last 32 hold one F32 scale; also in ik_llama.cpp; same "
        "id as IQ4_NL_4_4"},
    {37, "IQ4_NL_4_8", 32, 18, Reserved, IQuant, kGgml, 0, 4, 0,
        "a reserved number that never came into files; BitNet uses the id for I8_S"},
    {37, "I8_S", 1, 1, Fork, Integer, kBitNet, 0, 1, 0,
        "integers with one scale per tensor, for activations; same id as IQ4_NL_4_8"},
    {38, "IQ4_NL_8_8", 32, 18, Reserved, IQuant, kGgml, 0, 8, 0,
        "a reserved number that never came into files; BitNet uses the id for TL1"},
    {38, "TL1", 4, 1, Fork, Ternary, kBitNet, 0, 1, 32,
        "elements / 4 + 32 bytes per tensor; same id as IQ4_NL_8_8"},
    {39, "MXFP4", 32, 17, Current, Fp4, kGgml, 0, 1, 0,
        "one power-of-two scale per 32 elements; BitNet uses the id for TL2"},
    {39, "TL2", 0, 0, Fork, Ternary, kBitNet, 0, 1, 0,
        "three weights in five bits; size 32 + round32((ne0-256)*ne1/3*5/8 + 256*ne1/2*4/8), not "
        "computed; same id as MXFP4"},
    {40, "NVFP4", 64, 36, Current, Fp4, kGgml, 0, 1, 0,
        "a second-level scale may lie in tensors NAME.scale and NAME.input_scale"},
    {41, "Q1_0", 128, 18, Current, Ternary, kGgml, 0, 1, 0,
        "one bit per element; ik_llama.cpp calls the same layout Q1_0_G128"},
    {42, "Q2_0", 64, 18, Current, Ternary, kGgml, 0, 1, 0,
        "files published by PrismML use the id for blocks of 128 elements in 34 bytes; the room between "
        "offsets tells them apart"},
    {42, "Q2_0_G128", 128, 34, Fork, Ternary, kPrism, 0, 1, 0,
        "published Bonsai files; newer ones use id 142; same id as Q2_0"},
    {43, "TURBO2_0", 128, 34, Fork, Other, kTurbo, 0, 1, 0, "for the KV cache at run time"},
    {44, "TURBO3_0", 128, 50, Fork, Other, kTurbo, 0, 1, 0, "for the KV cache at run time"},
    {45, "TQ3_1S", 32, 16, Fork, Other, kTurbo, 0, 1, 0,
        "two scales per block, rotated by a Walsh-Hadamard transform"},
    {46, "TQ4_1S", 32, 20, Fork, Other, kTurbo, 0, 1, 0,
        "two scales per block, rotated by a Walsh-Hadamard transform"},
    {47, "TURBO4_0", 128, 66, Fork, Other, kTurbo, 0, 1, 0, "for the KV cache at run time"},
    {97, "Q8_0_X4", 32, 34, Fork, LegacyQuant, kIk, 0, 1, 0,
        "for activations at run time; not expected in files"},
    {98, "Q8_1_X4", 32, 36, Fork, LegacyQuant, kIk, 0, 1, 0,
        "for activations at run time; not expected in files"},
    {99, "Q8_2_X4", 32, 36, Fork, LegacyQuant, kIk, 0, 1, 0,
        "for activations at run time; not expected in files"},
    {100, "Q4_0_ROCMFP4", 32, 18, Fork, Fp4, kRocm, 0, 1, 0, ""},
    {101, "Q4_0_ROCMFP4_FAST", 32, 17, Fork, Fp4, kRocm, 0, 1, 0, ""},
    {102, "Q6_0_ROCMFPX", 32, 26, Fork, Other, kRocm, 0, 1, 0, ""},
    {103, "Q8_0_ROCMFPX", 32, 33, Fork, Other, kRocm, 0, 1, 0, ""},
    {104, "Q3_0_ROCMFPX", 32, 14, Fork, Other, kRocm, 0, 1, 0, ""},
    {105, "TURBO3_0", 0, 0, Fork, Other, kRocm, 0, 1, 0, "for the KV cache; size unknown"},
    {106, "TURBO4_0", 0, 0, Fork, Other, kRocm, 0, 1, 0, "for the KV cache; size unknown"},
    {107, "Q2_0_ROCMFPX", 32, 10, Fork, Other, kRocm, 0, 1, 0, ""},
    {108, "Q4_0_ROCMI4", 0, 0, Fork, Other, kRocm, 0, 1, 0, "size unknown"},
    {109, "Q5_0_ROCMFPX", 0, 0, Fork, Other, kRocm, 0, 1, 0, "size unknown"},
    {110, "Q7_0_ROCMFPX", 0, 0, Fork, Other, kRocm, 0, 1, 0, "size unknown"},
    {133, "Q6_0", 32, 26, Fork, LegacyQuant, kIk, 0, 1, 0, ""},
    {134, "IQ1_BN", 64, 13, Fork, Ternary, kIk, 2, 1, 0, ""},
    {135, "IQ2_BN", 64, 16, Fork, Ternary, kIk, 4, 1, 0, ""},
    {136, "Q8_K64", 64, 68, Fork, KQuant, kIk, 0, 1, 0, "for activations at run time; not expected in files"},
    {137, "IQ2_K", 256, 76, Fork, IQuant, kIk, 0, 1, 0, ""},
    {138, "IQ3_K", 256, 110, Fork, IQuant, kIk, 0, 1, 0, ""},
    {139, "IQ4_K", 256, 144, Fork, IQuant, kIk, 0, 1, 0, ""},
    {140, "IQ5_K", 256, 176, Fork, IQuant, kIk, 0, 1, 0, ""},
    {141, "IQ6_K", 256, 212, Fork, IQuant, kIk, 0, 1, 0, ""},
    {142, "PQ2_0", 128, 34, Fork, Ternary, kPrism, 0, 1, 0,
        "replaces PrismML's use of id 42; same id as ik_llama.cpp's IQ2_TN"},
    {142, "IQ2_TN", 256, 64, Fork, Ternary, kIk, 4, 1, 0,
        "deprecated, size inferred; same id as PrismML's PQ2_0"},
    {143, "PTQ1_0", 128, 28, Fork, Ternary, kPrism, 0, 1, 0, "ternary; same id as ik_llama.cpp's IQ1_TN"},
    {143, "IQ1_TN", 64, 13, Fork, Ternary, kIk, 2, 1, 0,
        "deprecated, size inferred; same id as PrismML's PTQ1_0"},
    {144, "IQ4_KS", 256, 136, Fork, IQuant, kIk, 4, 1, 0, ""},
    {145, "IQ2_KS", 256, 70, Fork, IQuant, kIk, 2, 1, 0, ""},
    {146, "IQ4_KSS", 256, 128, Fork, IQuant, kIk, 4, 1, 0, ""},
    {147, "Q8_K16", 64, 64, Fork, KQuant, kIk, 20, 1, 0,
        "for activations at run time; not expected in files"},
    {148, "Q8_K32", 256, 296, Fork, KQuant, kIk, 0, 1, 0,
        "for activations at run time; not expected in files"},
    {149, "Q8_KR8", 256, 296, Fork, KQuant, kIk, 0, 1, 0,
        "for activations at run time; not expected in files"},
    {150, "Q8_K128", 128, 140, Fork, KQuant, kIk, 0, 1, 0,
        "for activations at run time; not expected in files"},
    {151, "Q8_KV", 32, 32, Fork, KQuant, kIk, 8, 1, 0, ""},
    {152, "IQ5_KS", 256, 168, Fork, IQuant, kIk, 4, 1, 0, ""},
    {153, "IQ2_KT", 256, 68, Fork, IQuant, kIk, 4, 1, 0, ""},
    {154, "IQ3_KT", 256, 100, Fork, IQuant, kIk, 4, 1, 0, ""},
    {155, "IQ4_KT", 256, 128, Fork, IQuant, kIk, 4, 1, 0, ""},
    {156, "IQ3_KS", 256, 102, Fork, IQuant, kIk, 2, 1, 0, ""},
    {157, "IQ2_KL", 256, 86, Fork, IQuant, kIk, 2, 1, 0, ""},
    {158, "IQ1_KT", 256, 56, Fork, IQuant, kIk, 4, 1, 0, ""},
    {202, "Q4_0_R8", 32, 18, Fork, LegacyQuant, kIk, 0, 8, 0, ""},
    {206, "Q5_0_R4", 32, 22, Fork, LegacyQuant, kIk, 0, 4, 0, ""},
    {208, "Q8_0_R8", 32, 34, Fork, LegacyQuant, kIk, 0, 8, 0, ""},
    {210, "Q2_K_R4", 256, 84, Fork, KQuant, kIk, 0, 4, 0, ""},
    {211, "Q3_K_R4", 256, 110, Fork, KQuant, kIk, 0, 4, 0, ""},
    {212, "Q4_K_R4", 256, 144, Fork, KQuant, kIk, 0, 4, 0, ""},
    {213, "Q5_K_R4", 256, 176, Fork, KQuant, kIk, 0, 4, 0, ""},
    {214, "Q6_K_R4", 256, 210, Fork, KQuant, kIk, 0, 4, 0, ""},
    {216, "IQ2_XXS_R4", 256, 66, Fork, IQuant, kIk, 0, 4, 0, ""},
    {217, "IQ2_XS_R4", 256, 74, Fork, IQuant, kIk, 0, 4, 0, ""},
    {218, "IQ3_XXS_R4", 256, 98, Fork, IQuant, kIk, 0, 4, 0, ""},
    {219, "IQ1_S_R4", 32, 6, Fork, IQuant, kIk, 2, 4, 0, ""},
    {220, "IQ4_NL_R4", 32, 18, Fork, IQuant, kIk, 0, 4, 0, ""},
    {221, "IQ3_S_R4", 256, 110, Fork, IQuant, kIk, 0, 4, 0, ""},
    {222, "IQ2_S_R4", 256, 82, Fork, IQuant, kIk, 0, 4, 0, ""},
    {223, "IQ4_XS_R8", 256, 136, Fork, IQuant, kIk, 0, 8, 0, ""},
    {229, "IQ1_M_R4", 32, 7, Fork, IQuant, kIk, 2, 4, 0, ""},
    {230, "BF16_R16", 1, 2, Fork, Float, kIk, 0, 16, 0, ""},
    {233, "Q6_0_R4", 32, 26, Fork, LegacyQuant, kIk, 0, 4, 0, ""},
    {335, "IQ2_BN_R4", 64, 16, Fork, Ternary, kIk, 4, 4, 0, ""},
    {337, "IQ2_K_R4", 256, 76, Fork, IQuant, kIk, 0, 4, 0, ""},
    {338, "IQ3_K_R4", 256, 110, Fork, IQuant, kIk, 0, 4, 0, ""},
    {339, "IQ4_K_R4", 256, 144, Fork, IQuant, kIk, 0, 4, 0, ""},
    {340, "IQ5_K_R4", 256, 176, Fork, IQuant, kIk, 0, 4, 0, ""},
    {344, "IQ4_KS_R4", 256, 136, Fork, IQuant, kIk, 4, 4, 0, ""},
    {352, "IQ5_KS_R4", 256, 168, Fork, IQuant, kIk, 4, 4, 0, ""},
    {353, "MXFP4_R8", 32, 17, Fork, Fp4, kIk, 0, 8, 0, ""},
    {397, "Q8_K_R16", 256, 258, Fork, KQuant, kIk, 0, 16, 0, ""},
    {398, "Q8_KV_R8", 32, 32, Fork, KQuant, kIk, 4, 8, 0, ""},
    {399, "Q8_K_R8", 256, 258, Fork, KQuant, kIk, 0, 8, 0, ""},
};

static_assert(std::ranges::is_sorted(kTensorTypes, {}, &TensorTypeInfo::id));

/// ggml's own types 0 to 42 each have one row, and it is the first with its id.
constexpr bool ggmlRowsComeFirst()
{
    std::uint32_t next = 0;
    std::uint32_t previous = UINT32_MAX;
    for (const TensorTypeInfo& type : kTensorTypes) {
        const bool first = type.id != previous;
        previous = type.id;
        if ((type.status == Fork) != (type.owner != kGgml))
            return false;
        if (type.owner == kGgml && (!first || type.id != next++))
            return false;
    }
    return next == 43;
}
static_assert(ggmlRowsComeFirst());

static_assert(std::ranges::all_of(kTensorTypes, [](const TensorTypeInfo& type) {
    return (type.blockLength == 0) == (type.blockBytes == 0) && type.rowsInterleaved >= 1;
}));

/// Other names under which a layout of the table is known.
struct Alias
{
    std::string_view name;
    std::string_view tableName;
};
constexpr Alias kAliases[] = {
    {"Q4_0_4_4", "Q4_0_4x4"}, // the enum's names; the table has what the programs print
    {"Q4_0_4_8", "Q4_0_4x8"},
    {"Q4_0_8_8", "Q4_0_8x8"},
    {"IQ4_NL_4x4", "IQ4_NL_4_4"},
    {"Q1_0_G128", "Q1_0"}, // ik_llama.cpp
};

constexpr std::uint64_t kMaxSize = INT64_MAX;

/// a * b, or nothing beyond 63 bits.
std::optional<std::uint64_t> product(std::uint64_t a, std::uint64_t b)
{
    const std::optional<std::uint64_t> result = checkedMultiply(a, b);
    return result && *result <= kMaxSize ? result : std::nullopt;
}

} // namespace

// Where the rows of each id begin: a table of 100,000 tensors asks several times for each.
constexpr std::size_t kIdCount = std::end(kTensorTypes)[-1].id + 1;
constexpr auto kFirstRow = [] {
    std::array<std::uint8_t, kIdCount + 1> first{};
    std::size_t row = 0;
    for (std::size_t id = 0; id <= kIdCount; ++id) {
        while (row < std::size(kTensorTypes) && kTensorTypes[row].id < id)
            ++row;
        first[id] = static_cast<std::uint8_t>(row);
    }
    return first;
}();
static_assert(std::size(kTensorTypes) <= UINT8_MAX);

std::span<const TensorTypeInfo> tensorTypeLayouts(std::uint32_t id)
{
    if (id >= kIdCount)
        return {};
    return {kTensorTypes + kFirstRow[id], kTensorTypes + kFirstRow[id + 1]};
}

const TensorTypeInfo* findTensorType(std::uint32_t id)
{
    const auto layouts = tensorTypeLayouts(id);
    return layouts.empty() ? nullptr : &layouts.front();
}

const TensorTypeInfo* findTensorType(std::string_view name)
{
    for (const Alias& alias : kAliases) {
        if (sameName(alias.name, name))
            name = alias.tableName;
    }
    const auto found = std::ranges::find_if(
        kTensorTypes, [name](const TensorTypeInfo& type) { return sameName(type.name, name); });
    return found == std::end(kTensorTypes) ? nullptr : found;
}

std::span<const TensorTypeInfo> allTensorTypes()
{
    return kTensorTypes;
}

bool ggmlReadsTensorType(std::uint32_t id)
{
    const TensorTypeInfo* type = findTensorType(id);
    return type && type->status == Current;
}

std::optional<std::uint64_t> elementCount(std::span<const std::int64_t> dims)
{
    if (std::ranges::any_of(dims, [](std::int64_t dim) { return dim < 0; }))
        return std::nullopt;
    if (std::ranges::any_of(dims, [](std::int64_t dim) { return dim == 0; }))
        return 0;
    std::optional<std::uint64_t> count = 1;
    for (std::size_t i = 0; i < dims.size() && count; ++i)
        count = product(*count, static_cast<std::uint64_t>(dims[i]));
    return count;
}

std::optional<TensorSize> tensorSize(const TensorTypeInfo& type, std::span<const std::int64_t> dims)
{
    const auto elements = elementCount(dims);
    if (!elements || type.blockLength == 0)
        return std::nullopt;
    const std::uint64_t rowLength = dims.empty() ? 1 : static_cast<std::uint64_t>(dims[0]);
    if (rowLength % type.blockLength != 0)
        return std::nullopt;
    const auto blocksBytes = product(rowLength / type.blockLength, type.blockBytes);
    if (!blocksBytes || *blocksBytes > kMaxSize - type.rowMetaBytes)
        return std::nullopt;

    TensorSize size{};
    size.elements = *elements;
    size.blocks = *elements / type.blockLength;
    size.rowBytes = *blocksBytes + type.rowMetaBytes;
    if (*elements == 0)
        return size; // ggml_nbytes: nothing is stored, extras neither
    const auto dataBytes = product(*elements / rowLength, size.rowBytes);
    if (!dataBytes || *dataBytes > kMaxSize - type.tensorExtraBytes)
        return std::nullopt;
    size.dataBytes = *dataBytes + type.tensorExtraBytes;
    return size;
}

} // namespace gguf
