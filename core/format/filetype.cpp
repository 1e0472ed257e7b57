// SPDX-License-Identifier: GPL-3.0-or-later
#include "format/filetype.h"

#include "format/namecompare.h"

#include <algorithm>

namespace gguf {

namespace {

constexpr std::string_view kLlama = "llama.cpp";
constexpr std::string_view kIk = "ik_llama.cpp";
constexpr std::string_view kBitNet = "BitNet";
constexpr std::string_view kPrism = "PrismML";
constexpr std::string_view kTurbo = "TurboQuant";

// number, name, label as printed, default tensor type, owner, removed: llama_ftype of llama.cpp and its
// forks, August 2026. Not ggml.h's enum ggml_ftype, which numbers otherwise.
constexpr FileTypeInfo kFileTypes[] = {
    {0, "ALL_F32", "all F32", "F32", kLlama, false},
    {1, "F16", "F16", "F16", kLlama, false},
    {2, "Q4_0", "Q4_0", "Q4_0", kLlama, false},
    {3, "Q4_1", "Q4_1", "Q4_1", kLlama, false},
    {4, "Q4_1_SOME_F16", "", "Q4_1", kLlama, true},
    {5, "Q4_2", "", "", kLlama, true},
    {6, "Q4_3", "", "", kLlama, true},
    {7, "Q8_0", "Q8_0", "Q8_0", kLlama, false},
    {8, "Q5_0", "Q5_0", "Q5_0", kLlama, false},
    {9, "Q5_1", "Q5_1", "Q5_1", kLlama, false},
    {10, "Q2_K", "Q2_K - Medium", "Q2_K", kLlama, false},
    {11, "Q3_K_S", "Q3_K - Small", "Q3_K", kLlama, false},
    {12, "Q3_K_M", "Q3_K - Medium", "Q3_K", kLlama, false},
    {13, "Q3_K_L", "Q3_K - Large", "Q3_K", kLlama, false},
    {14, "Q4_K_S", "Q4_K - Small", "Q4_K", kLlama, false},
    {15, "Q4_K_M", "Q4_K - Medium", "Q4_K", kLlama, false},
    {16, "Q5_K_S", "Q5_K - Small", "Q5_K", kLlama, false},
    {17, "Q5_K_M", "Q5_K - Medium", "Q5_K", kLlama, false},
    {18, "Q6_K", "Q6_K", "Q6_K", kLlama, false},
    {19, "IQ2_XXS", "IQ2_XXS - 2.0625 bpw", "IQ2_XXS", kLlama, false},
    {20, "IQ2_XS", "IQ2_XS - 2.3125 bpw", "IQ2_XS", kLlama, false},
    {21, "Q2_K_S", "Q2_K - Small", "Q2_K", kLlama, false},
    {22, "IQ3_XS", "IQ3_XS - 3.3 bpw", "IQ3_S", kLlama, false},
    {23, "IQ3_XXS", "IQ3_XXS - 3.0625 bpw", "IQ3_XXS", kLlama, false},
    {24, "IQ1_S", "IQ1_S - 1.5625 bpw", "IQ1_S", kLlama, false},
    {25, "IQ4_NL", "IQ4_NL - 4.5 bpw", "IQ4_NL", kLlama, false},
    {26, "IQ3_S", "IQ3_S - 3.4375 bpw", "IQ3_S", kLlama, false},
    {27, "IQ3_M", "IQ3_S mix - 3.66 bpw", "IQ3_S", kLlama, false},
    {28, "IQ2_S", "IQ2_S - 2.5 bpw", "IQ2_XS", kLlama, false},
    {29, "IQ2_M", "IQ2_M - 2.7 bpw", "IQ2_S", kLlama, false},
    {30, "IQ4_XS", "IQ4_XS - 4.25 bpw", "IQ4_XS", kLlama, false},
    {31, "IQ1_M", "IQ1_M - 1.75 bpw", "IQ1_M", kLlama, false},
    {32, "BF16", "BF16", "BF16", kLlama, false},
    {33, "Q4_0_4_4", "", "Q4_0_4x4", kLlama, true},
    {33, "Q4_0_4_4", "Q4_0_4_4", "Q4_0_4x4", kIk, false},
    {34, "Q4_0_4_8", "", "Q4_0_4x8", kLlama, true},
    {34, "Q4_0_4_8", "Q4_0_4_8", "Q4_0_4x8", kIk, false},
    {35, "Q4_0_8_8", "", "Q4_0_8x8", kLlama, true},
    {35, "Q4_0_8_8", "Q4_0_8_8", "Q4_0_8x8", kIk, false},
    {36, "TQ1_0", "TQ1_0 - 1.69 bpw ternary", "TQ1_0", kLlama, false},
    {37, "TQ2_0", "TQ2_0 - 2.06 bpw ternary", "TQ2_0", kLlama, false},
    {38, "MXFP4_MOE", "MXFP4 MoE", "MXFP4", kLlama, false},
    {38, "MXFP4", "MXFP4 - 4.25 bpw", "MXFP4", kIk, false},
    {38, "TL1", "", "TL1", kBitNet, false},
    {39, "NVFP4", "NVFP4", "NVFP4", kLlama, false},
    {39, "TL2", "", "TL2", kBitNet, false},
    {40, "Q1_0", "Q1_0", "Q1_0", kLlama, false},
    {40, "I2_S", "", "I2_S", kBitNet, false},
    {41, "Q2_0", "Q2_0", "Q2_0", kLlama, false},
    {41, "Q1_0_G128", "Q1_0_G128 - 1.125 bpw", "Q1_0", kIk, false},
    {43, "TQ3_1S", "", "TQ3_1S", kTurbo, false},
    {44, "TQ4_1S", "", "TQ4_1S", kTurbo, false},
    {128, "Q2_0_G128", "", "Q2_0_G128", kPrism, false},
    {135, "Q6_0", "Q6_0", "Q6_0", kIk, false},
    {136, "IQ1_BN", "IQ1_BN - 1.625 bpw Bitnet", "IQ1_BN", kIk, false},
    {137, "IQ2_BN", "IQ2_BN - 2.00 bpw Bitnet", "IQ2_BN", kIk, false},
    {138, "IQ2_K", "IQ2_K - 2.375 bpw", "IQ2_K", kIk, false},
    {139, "IQ3_K", "IQ3_K - 3.4325 bpw", "IQ3_K", kIk, false},
    {140, "IQ4_K", "IQ4_K - 4.5 bpw", "IQ4_K", kIk, false},
    {141, "IQ5_K", "IQ5_K - 5.5 bpw", "IQ5_K", kIk, false},
    {142, "IQ6_K", "IQ6_K - 6.6 bpw", "IQ6_K", kIk, false},
    {145, "IQ4_KS", "IQ4_KS - 4.25 bpw", "IQ4_KS", kIk, false},
    {146, "IQ3_KL", "IQ3_KL - 4 bpw", "IQ3_K", kIk, false},
    {147, "IQ2_KS", "IQ2_KS - 2.1875 bpw", "IQ2_KS", kIk, false},
    {148, "IQ4_KSS", "IQ4_KSS - 4.0 bpw", "IQ4_KSS", kIk, false},
    {149, "Q8_KV", "Q8_KV", "Q8_KV", kIk, false},
    {150, "IQ5_KS", "IQ5_KS - 5.25 bpw", "IQ5_KS", kIk, false},
    {151, "IQ2_KT", "IQ2_KT - 2.125 bpw", "IQ2_KT", kIk, false},
    {152, "IQ3_KT", "IQ3_KT - 3.125 bpw", "IQ3_KT", kIk, false},
    {153, "IQ4_KT", "IQ4_KT - 4.0 bpw", "IQ4_KT", kIk, false},
    {154, "IQ3_KS", "IQ3_KS - 3.1875 bpw", "IQ3_KS", kIk, false},
    {155, "IQ2_KL", "IQ2_KL - 2.6875 bpw", "IQ2_KL", kIk, false},
    {156, "IQ1_KT", "IQ1_KT - 1.75 bpw", "IQ1_KT", kIk, false},
    {202, "Q4_0_R8", "Q4_0_R8", "Q4_0_R8", kIk, false},
    {207, "Q8_0_R8", "Q8_0_R8 - 8.5 bpw", "Q8_0_R8", kIk, false},
    {208, "Q5_0_R4", "Q5_0_R4 - 5.5 bpw", "Q5_0_R4", kIk, false},
    {210, "Q2_K_R4", "Q2_K_R4", "Q2_K_R4", kIk, false},
    {211, "Q3_K_R4", "Q3_K_R4", "Q3_K_R4", kIk, false},
    {214, "Q4_K_R4", "Q4_K_R4", "Q4_K_R4", kIk, false},
    {216, "Q5_K_R4", "Q5_K_R4", "Q5_K_R4", kIk, false},
    {218, "Q6_K_R4", "Q6_K_R4", "Q6_K_R4", kIk, false},
    {219, "IQ2_XXS_R4", "IQ2_XXS_R4 - 2.0625 bpw", "IQ2_XXS_R4", kIk, false},
    {220, "IQ2_XS_R4", "IQ2_XS_R4 - 2.3125 bpw", "IQ2_XS_R4", kIk, false},
    {223, "IQ3_XXS_R4", "IQ3_XXS_R4 - 3.0625 bpw", "IQ3_XXS_R4", kIk, false},
    {224, "IQ1_S_R4", "IQ1_S_R4 - 1.5 bpw", "IQ1_S_R4", kIk, false},
    {225, "IQ4_NL_R4", "IQ4_NL_R4 - 4.5 bpw", "IQ4_NL_R4", kIk, false},
    {226, "IQ3_S_R4", "IQ3_S_R4 - 3.4375 bpw", "IQ3_S_R4", kIk, false},
    {229, "IQ2_M_R4", "IQ2_M_R4 - 2.7 bpw", "IQ2_S_R4", kIk, false},
    {230, "IQ4_XS_R8", "IQ4_XS_R8 - 4.25 bpw", "IQ4_XS_R8", kIk, false},
    {231, "IQ1_M_R4", "IQ1_M_R4 - 1.75 bpw", "IQ1_M_R4", kIk, false},
    {232, "BF16_R16", "BF16_R16", "BF16_R16", kIk, false},
    {335, "Q6_0_R4", "Q6_0_R4 - 6.5 bpw", "Q6_0_R4", kIk, false},
    {337, "IQ2_BN_R4", "IQ2_BN_R4 - 2.00 bpw Bitnet", "IQ2_BN_R4", kIk, false},
    {338, "IQ2_K_R4", "IQ2_K_R4 - 2.375 bpw", "IQ2_K_R4", kIk, false},
    {339, "IQ3_K_R4", "IQ3_K_R4 - 3.4325 bpw", "IQ3_K_R4", kIk, false},
    {340, "IQ4_K_R4", "IQ4_K_R4 - 4.5 bpw", "IQ4_K_R4", kIk, false},
    {341, "IQ5_K_R4", "IQ5_K_R4 - 5.5 bpw", "IQ5_K_R4", kIk, false},
    {345, "IQ4_KS_R4", "IQ4_KS_R4 - 4.25 bpw", "IQ4_KS_R4", kIk, false},
    {350, "IQ5_KS_R4", "IQ5_KS_R4 - 5.25 bpw", "IQ5_KS_R4", kIk, false},
    {351, "MXFP4_R8", "", "MXFP4_R8", kIk, false},
    {398, "Q8_KV_R8", "Q8_KV_R8", "Q8_KV_R8", kIk, false},
    {399, "Q8_K_R8", "Q8_K_R8", "Q8_K_R8", kIk, false},
};

static_assert(std::ranges::is_sorted(kFileTypes, {}, &FileTypeInfo::id));

constexpr bool llamaComesFirst()
{
    for (std::size_t i = 1; i < std::size(kFileTypes); ++i) {
        if (kFileTypes[i].id == kFileTypes[i - 1].id && kFileTypes[i].owner == kLlama)
            return false;
    }
    return true;
}
static_assert(llamaComesFirst());

} // namespace

std::span<const FileTypeInfo> fileTypes(std::uint32_t id)
{
    const std::uint32_t number = id & ~kFileTypeGuessed;
    return {std::ranges::lower_bound(kFileTypes, number, {}, &FileTypeInfo::id),
        std::ranges::upper_bound(kFileTypes, number, {}, &FileTypeInfo::id)};
}

const FileTypeInfo* findFileType(std::uint32_t id)
{
    const auto meanings = fileTypes(id);
    return meanings.empty() ? nullptr : &meanings.front();
}

const FileTypeInfo* findFileType(std::string_view name)
{
    const auto found = std::ranges::find_if(
        kFileTypes, [name](const FileTypeInfo& type) { return sameName(type.name, name); });
    return found == std::end(kFileTypes) ? nullptr : found;
}

std::span<const FileTypeInfo> allFileTypes()
{
    return kFileTypes;
}

} // namespace gguf
