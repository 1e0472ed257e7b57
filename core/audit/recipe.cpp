// SPDX-License-Identifier: GPL-3.0-or-later
#include "audit/recipe.h"

#include "audit/tensorname.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <tuple>

namespace gguf {

namespace {

/// Tensor type ids that the rules name.
enum T : std::uint8_t
{
    F32 = 0,
    F16 = 1,
    Q4_0 = 2,
    Q4_1 = 3,
    Q5_0 = 6,
    Q5_1 = 7,
    Q8_0 = 8,
    Q2_K = 10,
    Q3_K = 11,
    Q4_K = 12,
    Q5_K = 13,
    Q6_K = 14,
    IQ2_XXS = 16,
    IQ2_XS = 17,
    IQ3_XXS = 18,
    IQ1_S = 19,
    IQ4_NL = 20,
    IQ3_S = 21,
    IQ2_S = 22,
    IQ4_XS = 23,
    IQ1_M = 29,
    BF16 = 30,
    TQ1_0 = 34,
    TQ2_0 = 35,
    MXFP4 = 39,
    Q1_0 = 41,
    Q2_0 = 42,
    Default = 255, ///< the file type's own
};

/// general.file_type numbers, as a set in the bits of one word: all are below 64.
using Ftypes = std::uint64_t;
constexpr Ftypes ftype(std::uint32_t id)
{
    return Ftypes{1} << id;
}

namespace ft {
constexpr Ftypes kQ4_0 = ftype(2), kQ5_0 = ftype(8), kQ2_K = ftype(10), kQ3_K_S = ftype(11),
                 kQ3_K_M = ftype(12), kQ3_K_L = ftype(13), kQ4_K_S = ftype(14), kQ4_K_M = ftype(15),
                 kQ5_K_M = ftype(17), kIQ2_XXS = ftype(19), kIQ2_XS = ftype(20), kQ2_K_S = ftype(21),
                 kIQ3_XS = ftype(22), kIQ3_XXS = ftype(23), kIQ1_S = ftype(24), kIQ4_NL = ftype(25),
                 kIQ3_S = ftype(26), kIQ3_M = ftype(27), kIQ2_S = ftype(28), kIQ2_M = ftype(29),
                 kIQ4_XS = ftype(30), kIQ1_M = ftype(31), kTQ1_0 = ftype(36), kTQ2_0 = ftype(37),
                 kMXFP4 = ftype(38), kQ2_0 = ftype(41);
constexpr Ftypes kAll = ~Ftypes{0};
/// File types of 1 and 2 bits, which have rules of their own.
constexpr Ftypes kLow = kIQ1_S | kIQ1_M | kIQ2_XXS | kIQ2_XS | kIQ2_S | kIQ2_M;
} // namespace ft

struct FileTypeDefault
{
    std::uint32_t fileType;
    T type;
};

constexpr auto kDefaults = std::to_array<FileTypeDefault>({{0, F32}, {1, F16}, {2, Q4_0}, {3, Q4_1},
    {7, Q8_0}, {8, Q5_0}, {9, Q5_1}, {10, Q2_K}, {11, Q3_K}, {12, Q3_K}, {13, Q3_K}, {14, Q4_K}, {15, Q4_K},
    {16, Q5_K}, {17, Q5_K}, {18, Q6_K}, {19, IQ2_XXS}, {20, IQ2_XS}, {21, Q2_K}, {22, IQ3_S}, {23, IQ3_XXS},
    {24, IQ1_S}, {25, IQ4_NL}, {26, IQ3_S}, {27, IQ3_S}, {28, IQ2_XS}, {29, IQ2_S}, {30, IQ4_XS}, {31, IQ1_M},
    {32, BF16}, {36, TQ1_0}, {37, TQ2_0}, {38, MXFP4}, {40, Q1_0}, {41, Q2_0}});

constexpr auto kFileTypes = [] {
    std::array<std::uint32_t, kDefaults.size()> ids{};
    std::ranges::transform(kDefaults, ids.begin(), &FileTypeDefault::fileType);
    return ids;
}();
static_assert(std::ranges::is_sorted(kFileTypes));

/// Everything that a rule may ask.
struct Asked
{
    std::uint64_t index; ///< i_v for AttnV; else i_layer, the layer or the running number of the category
    std::uint64_t plainIndex; ///< i_down: the running number of ffn_down tensors
    std::uint64_t attnVCount; ///< n_v
    std::uint64_t layers;
    std::uint64_t gqa; ///< heads / heads for keys and values
    std::uint64_t experts;
    std::uint64_t rowLength;
    std::int64_t thirdDim;
    std::uint32_t defaultType;
    std::uint32_t current; ///< what the rules before gave
    bool imatrix, falcon, is70b;
};

/// The layers that get more bits: the first and last eighth, and each third between.
constexpr bool moreBits(std::uint64_t i, std::uint64_t n)
{
    return i < n / 8 || i >= 7 * n / 8 || (i - n / 8) % 3 == 2;
}

std::uint64_t blockLength(std::uint32_t type)
{
    const TensorTypeInfo* info = findTensorType(type);
    return info ? info->blockLength : 0;
}

bool fits(std::uint64_t rowLength, std::uint32_t type)
{
    const std::uint64_t length = blockLength(type);
    return length > 0 && rowLength % length == 0;
}

using C = MixCategory;
using When = bool (*)(const Asked&);

enum class Phase
{
    Head, ///< output, or tied token embeddings
    Mxfp4, ///< all other tensors of MXFP4_MOE
    Embedding, ///< token embeddings that are not tied
    Low, ///< everything else in the low-bit file types
    Main, ///< everything else in the others
    PostLarge, ///< after Main: large models
    PostExperts, ///< after that: eight experts
};

struct MixRule
{
    Phase phase;
    std::optional<MixCategory> category; ///< nothing: any
    Ftypes ftypes;
    When when; ///< null: always
    T type;
    std::string_view reason; ///< a phrase that completes "... gives it Q6_K ..."
};

constexpr std::string_view kFirstEighth = "in the first eighth of the layers";
constexpr std::string_view kMoreBits = "in the first and last eighth of the layers and each third between";
constexpr std::string_view kGqa4 = "where four or more query heads share a key head";
constexpr std::string_view kEight = "in models of eight experts";
constexpr std::string_view kNoImatrix = "without an importance matrix";
constexpr std::string_view kNoImatrixEighth
    = "without an importance matrix, in the first eighth of the layers";
constexpr std::string_view kImatrixEighth = "with an importance matrix, in the first eighth of the layers";
constexpr std::string_view kRole = "for this role";
constexpr std::string_view kFalcon = "in Falcon models";

constexpr bool eighth(const Asked& a)
{
    return a.index < a.layers / 8;
}
constexpr bool middle(const Asked& a)
{
    return a.index >= a.layers / 8 && a.index < 7 * a.layers / 8;
}
constexpr bool gqa4(const Asked& a)
{
    return a.gqa >= 4;
}
constexpr bool eight(const Asked& a)
{
    return a.experts == 8;
}
constexpr bool falcon(const Asked& a)
{
    return a.falcon;
}
constexpr bool moreLayers(const Asked& a)
{
    return moreBits(a.index, a.layers);
}

/// The rules in order: in each phase the first that fits decides.
constexpr auto kRules = std::to_array<MixRule>({
    {Phase::Head, {}, ft::kMXFP4, nullptr, Q8_0, "for the output and tied embeddings"},
    {Phase::Head, {}, ft::kAll, falcon, Q8_0, kFalcon},
    {Phase::Head, {}, ft::kAll, [](const Asked& a) { return !fits(a.rowLength, a.defaultType); }, Q8_0,
        "because the row is no multiple of the default type's block"},
    {Phase::Head, {}, ft::kLow | ft::kIQ3_XXS, nullptr, Q5_K, "for the output and tied embeddings"},
    {Phase::Head, {}, ft::kAll, [](const Asked& a) { return a.defaultType != Q8_0; }, Q6_K,
        "for the output and tied embeddings"},
    {Phase::Head, {}, ft::kAll, nullptr, Default, {}},

    {Phase::Mxfp4, {}, ft::kMXFP4, [](const Asked& a) { return a.thirdDim > 1; }, MXFP4,
        "for tensors of three dimensions"},
    {Phase::Mxfp4, {}, ft::kMXFP4, nullptr, Q8_0, "for all but tensors of three dimensions"},

    {Phase::Embedding, {}, ft::kIQ1_S | ft::kIQ1_M | ft::kIQ2_XXS | ft::kIQ2_XS, nullptr, Q2_K, kRole},
    {Phase::Embedding, {}, ft::kIQ2_S | ft::kIQ2_M | ft::kIQ3_XXS, nullptr, IQ3_S, kRole},
    {Phase::Embedding, {}, ft::kTQ1_0 | ft::kTQ2_0 | ft::kQ2_0, nullptr, Q4_K, kRole},
    {Phase::Embedding, {}, ft::kAll, nullptr, Default, {}},

    {Phase::Low, C::AttnV, ft::kLow, [](const Asked& a) { return a.gqa >= 4 || a.experts >= 4; }, Q4_K,
        "where four or more query heads share a key head, or with four or more experts"},
    {Phase::Low, C::AttnV, ft::kIQ2_S | ft::kIQ2_M, nullptr, IQ3_S, kRole},
    {Phase::Low, C::AttnV, ft::kLow, nullptr, Q2_K, kRole},
    {Phase::Low, C::AttnK, ft::kLow, eight, Q4_K, kEight},
    {Phase::Low, C::FfnDown, ft::kIQ2_S | ft::kIQ2_M,
        [](const Asked& a) { return a.plainIndex < a.layers / 8; }, IQ3_S, kFirstEighth},
    {Phase::Low, C::FfnDown, ft::kLow, [](const Asked& a) { return a.plainIndex < a.layers / 8; }, Q2_K,
        kFirstEighth},
    {Phase::Low, C::AttnOutput, ft::kLow, eight, Q5_K, kEight},
    {Phase::Low, C::AttnOutput, ft::kIQ1_S | ft::kIQ1_M, nullptr, IQ2_XXS, kRole},
    {Phase::Low, C::AttnOutput, ft::kIQ2_S | ft::kIQ2_M, nullptr, IQ3_S, kRole},
    {Phase::Low, {}, ft::kLow, nullptr, Default, {}},

    {Phase::Main, C::AttnV, ft::kQ2_K, gqa4, Q4_K, kGqa4},
    {Phase::Main, C::AttnV, ft::kQ2_K, nullptr, Q3_K, kRole},
    {Phase::Main, C::AttnV, ft::kQ2_K_S, gqa4, Q4_K, kGqa4},
    {Phase::Main, C::AttnV, ft::kIQ3_XXS, gqa4, Q4_K, kGqa4},
    {Phase::Main, C::AttnV, ft::kIQ3_XXS, [](const Asked& a) { return !a.imatrix; }, IQ3_S, kNoImatrix},
    {Phase::Main, C::AttnV, ft::kIQ3_XXS, nullptr, IQ3_XXS, kRole},
    {Phase::Main, C::AttnV, ft::kIQ3_XS | ft::kIQ3_S, gqa4, Q4_K, kGqa4},
    {Phase::Main, C::AttnV, ft::kIQ3_M, nullptr, Q4_K, kRole},
    {Phase::Main, C::AttnV, ft::kQ3_K_M, [](const Asked& a) { return a.index < 2; }, Q5_K,
        "in the first two layers"},
    {Phase::Main, C::AttnV, ft::kQ3_K_M, nullptr, Q4_K, kRole},
    {Phase::Main, C::AttnV, ft::kQ3_K_L, nullptr, Q5_K, kRole},
    {Phase::Main, C::AttnV, ft::kIQ4_NL | ft::kIQ4_XS, gqa4, Q5_K, kGqa4},
    {Phase::Main, C::AttnV, ft::kQ4_K_M | ft::kQ5_K_M,
        [](const Asked& a) { return moreBits(a.index, a.attnVCount); }, Q6_K, kMoreBits},
    {Phase::Main, C::AttnV, ft::kQ4_K_S, [](const Asked& a) { return a.index < 4; }, Q5_K,
        "in the first four layers"},
    {Phase::Main, C::AttnK, ft::kAll, eight, Q8_0, kEight},
    {Phase::Main, C::AttnK, ft::kIQ3_XS, nullptr, IQ3_XXS, kRole},
    {Phase::Main, C::AttnK, ft::kIQ3_XXS, nullptr, IQ2_S, kRole},
    {Phase::Main, C::AttnQ, ft::kIQ3_XS, nullptr, IQ3_XXS, kRole},
    {Phase::Main, C::AttnQ, ft::kIQ3_XXS, nullptr, IQ2_S, kRole},
    {Phase::Main, C::FfnDown, ft::kQ2_K, nullptr, Q3_K, kRole},
    {Phase::Main, C::FfnDown, ft::kQ2_K_S, eighth, Q4_K, kFirstEighth},
    {Phase::Main, C::FfnDown, ft::kIQ3_XXS, [](const Asked& a) { return !a.imatrix && eighth(a); }, Q4_K,
        kNoImatrixEighth},
    {Phase::Main, C::FfnDown, ft::kIQ3_XXS, [](const Asked& a) { return !a.imatrix; }, Q3_K, kNoImatrix},
    {Phase::Main, C::FfnDown, ft::kQ3_K_M, [](const Asked& a) { return a.index < a.layers / 16; }, Q5_K,
        "in the first sixteenth of the layers"},
    {Phase::Main, C::FfnDown, ft::kQ3_K_M, [](const Asked& a) { return !a.falcon || moreLayers(a); }, Q4_K,
        kRole},
    {Phase::Main, C::FfnDown, ft::kQ3_K_M, nullptr, Q3_K, kFalcon},
    {Phase::Main, C::FfnDown, ft::kIQ3_M,
        [](const Asked& a) { return eighth(a) || (eight(a) && moreLayers(a)); }, Q4_K, kFirstEighth},
    {Phase::Main, C::FfnDown, ft::kQ3_K_L, falcon, Q4_K, kFalcon},
    {Phase::Main, C::FfnDown, ft::kQ3_K_L, nullptr, Q5_K, kRole},
    {Phase::Main, C::FfnDown, ft::kQ4_K_M, [](const Asked& a) { return a.falcon && a.index < a.layers / 16; },
        Q6_K, "in Falcon models, in the first sixteenth of the layers"},
    {Phase::Main, C::FfnDown, ft::kQ4_K_M, [](const Asked& a) { return a.falcon && moreLayers(a); }, Q5_K,
        kMoreBits},
    {Phase::Main, C::FfnDown, ft::kQ4_K_M, falcon, Q4_K, kFalcon},
    {Phase::Main, C::FfnDown, ft::kQ4_K_M, moreLayers, Q6_K, kMoreBits},
    {Phase::Main, C::FfnDown, ft::kIQ4_NL | ft::kIQ4_XS,
        [](const Asked& a) { return !a.imatrix && eighth(a); }, Q5_K, kNoImatrixEighth},
    {Phase::Main, C::FfnDown, ft::kQ5_K_M, moreLayers, Q6_K, kMoreBits},
    {Phase::Main, C::FfnDown, ft::kQ4_K_S, [](const Asked& a) { return !a.falcon && eighth(a); }, Q5_K,
        kFirstEighth},
    {Phase::Main, C::FfnDown, ft::kQ4_0, [](const Asked& a) { return a.imatrix && eighth(a); }, Q4_1,
        kImatrixEighth},
    {Phase::Main, C::FfnDown, ft::kQ5_0, [](const Asked& a) { return a.imatrix && eighth(a); }, Q5_1,
        kImatrixEighth},
    {Phase::Main, C::AttnOutput, ft::kQ3_K_L, falcon, Q4_K, kFalcon},
    {Phase::Main, C::AttnOutput, ft::kAll, falcon, Default, {}},
    {Phase::Main, C::AttnOutput,
        ft::kQ2_K | ft::kIQ3_XS | ft::kIQ3_XXS | ft::kQ3_K_S | ft::kQ3_K_M | ft::kIQ4_NL | ft::kQ4_K_S
            | ft::kQ4_K_M | ft::kIQ3_S | ft::kIQ3_M | ft::kIQ4_XS,
        eight, Q5_K, kEight},
    {Phase::Main, C::AttnOutput, ft::kAll, eight, Default, {}},
    {Phase::Main, C::AttnOutput, ft::kQ2_K, nullptr, Q3_K, kRole},
    {Phase::Main, C::AttnOutput, ft::kIQ3_XXS, nullptr, IQ3_S, kRole},
    {Phase::Main, C::AttnOutput, ft::kQ3_K_M, nullptr, Q4_K, kRole},
    {Phase::Main, C::AttnOutput, ft::kQ3_K_L, nullptr, Q5_K, kRole},
    {Phase::Main, C::AttnOutput, ft::kIQ3_M, nullptr, Q4_K, kRole},
    {Phase::Main, C::FfnGate, ft::kIQ3_XS, middle, IQ3_XXS, "in the middle three quarters of the layers"},
    {Phase::Main, C::FfnUp, ft::kIQ3_XS, middle, IQ3_XXS, "in the middle three quarters of the layers"},
    {Phase::Main, {}, ft::kAll, nullptr, Default, {}},

    {Phase::PostLarge, C::AttnV, ft::kAll,
        [](const Asked& a) { return a.is70b && (a.current == Q3_K || a.current == Q4_K); }, Q5_K,
        "in models of the 70B class"},
    {Phase::PostExperts, C::AttnV, ft::kAll, eight, Q8_0, kEight},
});

/// What stands in where a row is no multiple of the wanted type's block.
struct Fallback
{
    T wanted, now, before; ///< before 2026-03-10
};

constexpr auto kFallbacks = std::to_array<Fallback>(
    {{IQ1_S, IQ4_NL, IQ4_NL}, {IQ1_M, IQ4_NL, IQ4_NL}, {IQ2_XXS, IQ4_NL, IQ4_NL}, {IQ2_XS, IQ4_NL, IQ4_NL},
        {IQ2_S, IQ4_NL, IQ4_NL}, {IQ3_XXS, IQ4_NL, IQ4_NL}, {IQ3_S, IQ4_NL, IQ4_NL}, {IQ4_XS, IQ4_NL, IQ4_NL},
        {Q2_0, Q4_0, Q4_0}, {Q2_K, Q4_0, IQ4_NL}, {Q3_K, Q4_0, IQ4_NL}, {TQ1_0, Q4_0, Q4_0},
        {TQ2_0, Q4_0, Q4_0}, {Q4_K, Q5_0, Q5_0}, {Q5_K, Q5_1, Q5_1}, {Q6_K, Q8_0, Q8_0}});

/// Parts of names that tell how a tensor counts; the first that is met decides.
struct CategoryPattern
{
    std::string_view part;
    MixCategory category;
};

constexpr auto kCategories = std::to_array<CategoryPattern>(
    {{"attn_qkv.weight", C::AttnV}, {"attn_kv_b.weight", C::AttnV}, {"attn_v.weight", C::AttnV},
        {"attn_k.weight", C::AttnK}, {"attn_q.weight", C::AttnQ}, {"attn_output.weight", C::AttnOutput},
        {"ffn_up", C::FfnUp}, {"ffn_gate", C::FfnGate}, {"ffn_down", C::FfnDown}});

/// Tensors that are never quantized although they have two dimensions.
struct Exclusion
{
    std::string_view pattern;
    bool lately; ///< added in July 2026: older files have such tensors quantized
};

constexpr auto kExclusions = std::to_array<Exclusion>({{"*_norm.weight*", false},
    {"*ffn_gate_inp.weight*", false}, {"*ffn_gate_tid2eid.weight*", true}, {"*altup*", false},
    {"*laurel*", false}, {"*per_layer_model_proj*", false}, {"*ssm_conv1d*", false},
    {"*shortconv.conv.weight*", false}, {"*indexer.k_proj.weight*", true}, {"*indexer.q_proj.weight*", true},
    {"*time_mix_first.weight*", false}, {"*time_mix_w0.weight*", false}, {"*time_mix_w1.weight*", false},
    {"*time_mix_w2.weight*", false}, {"*time_mix_v0.weight*", false}, {"*time_mix_v1.weight*", false},
    {"*time_mix_v2.weight*", false}, {"*time_mix_a0.weight*", false}, {"*time_mix_a1.weight*", false},
    {"*time_mix_a2.weight*", false}, {"*time_mix_g1.weight*", false}, {"*time_mix_g2.weight*", false},
    {"*time_mix_decay_w1.weight*", false}, {"*time_mix_decay_w2.weight*", false},
    {"*time_mix_lerp_fused.weight*", false}, {"*attn_rel_b.weight*", false}, {"*.position_embd*", false},
    {"*sam.pos_embd*", false}, {"*sam.neck.*", false}, {"*sam.net_*", false}, {"*.rel_pos*", false},
    {"*.patch_embd*", false}, {"*.patch_merger*", false}, {"*a.rvq.codebook*", true},
    {"*mm.a.code_embd*", true}, {"position_embd.weight", false}, {"token_types.weight", false}});

/// Architectures whose models of this many layers llama.cpp counts as 70B.
struct LargeModel
{
    std::string_view architecture;
    std::uint64_t layers;
    bool groupedOnly; ///< only with fewer heads for keys and values
};

constexpr auto kLargeModels = std::to_array<LargeModel>({{"llama", 80, true}, {"deci", 80, false},
    {"olmo", 80, false}, {"qwen2", 80, false}, {"jais2", 68, false}});

/// N of names that begin with "blk.N.", else -1: what llama-quantize sorts by.
std::int64_t blockOf(std::string_view name)
{
    if (!name.starts_with("blk."))
        return -1;
    const TensorPlace place = placeTensor(name);
    return place.layer ? std::int64_t{*place.layer} : -1;
}

const MixRule* findRule(Phase phase, MixCategory category, Ftypes fileType, const Asked& asked)
{
    const auto rule = std::ranges::find_if(kRules, [&](const MixRule& row) {
        return row.phase == phase && (row.ftypes & fileType) && (!row.category || *row.category == category)
            && (!row.when || row.when(asked));
    });
    return rule == kRules.end() ? nullptr : &*rule;
}

/// The number under "{architecture}.suffix", of layer 0 where it is one per layer.
std::optional<std::uint64_t> architectureNumber(const Document& document, std::string_view suffix)
{
    const auto value = document.findValue(fmt::format("{}.{}", document.architecture(), suffix));
    if (!value)
        return std::nullopt;
    if (value->type() != ValueType::Array)
        return document.unsignedValue(fmt::format("{}.{}", document.architecture(), suffix));
    const auto elementType = valueTypeFromId(value->elementTypeId());
    if (value->available() == 0 || !elementType || !isInteger(*elementType))
        return std::nullopt;
    return value->element(0).asUnsigned();
}

} // namespace

ModelFacts modelFacts(const Document& document)
{
    ModelFacts facts;
    facts.architecture = document.architecture();
    facts.layers = architectureNumber(document, "block_count").value_or(0);
    facts.draftLayers = architectureNumber(document, "nextn_predict_layers").value_or(0);
    facts.heads = architectureNumber(document, "attention.head_count").value_or(0);
    facts.headsKv = architectureNumber(document, "attention.head_count_kv").value_or(facts.heads);
    facts.experts = architectureNumber(document, "expert_count").value_or(0);
    for (const std::string_view key : {"quantize.imatrix.file", "quantize.imatrix.dataset",
             "quantize.imatrix.entries_count", "quantize.imatrix.chunks_count"})
        facts.imatrix = facts.imatrix || document.findKey(key).has_value();
    facts.shard = document.unsignedValue("split.count").value_or(0) > 1;
    return facts;
}

MixCategory mixCategory(std::string_view name)
{
    if (name == "output.weight")
        return C::Output;
    if (name == "token_embd.weight" || name == "per_layer_token_embd.weight")
        return C::TokenEmbd;
    for (const CategoryPattern& row : kCategories) {
        if (name.find(row.part) != std::string_view::npos)
            return row.category;
    }
    return C::Other;
}

bool isUnquantizedType(std::uint32_t typeId)
{
    const TensorTypeInfo* info = findTensorType(typeId);
    return info && (info->family == TypeFamily::Float || info->family == TypeFamily::Integer)
        && info->blockLength == 1;
}

bool StockType::accepts(std::uint32_t typeId) const
{
    return kind == Kind::Kept ? isUnquantizedType(typeId) : kind == Kind::Type && type == typeId;
}

std::span<const std::uint32_t> recipeFileTypes()
{
    return kFileTypes;
}

RecipeModel::Quantizable RecipeModel::quantizableName(std::string_view name)
{
    if (!name.ends_with("weight"))
        return Quantizable::Never;
    for (const Exclusion& row : kExclusions) {
        if (matchesGlob(name, row.pattern))
            return row.lately ? Quantizable::SinceLately : Quantizable::Never;
    }
    return Quantizable::Always;
}

RecipeModel::RecipeModel(std::span<const AuditTensor> tensors, const ModelFacts& facts)
    : m_facts(facts)
{
    m_is70b = std::ranges::any_of(kLargeModels, [&facts](const LargeModel& row) {
        return facts.architecture == row.architecture && facts.layers == row.layers
            && (!row.groupedOnly || facts.heads != facts.headsKv);
    });
    const bool tied = std::ranges::none_of(
        tensors, [](const AuditTensor& tensor) { return tensor.name == "output.weight"; });

    std::vector<std::int64_t> blocks;
    bool lately = false, unfit = false;
    m_tensors.reserve(tensors.size());
    blocks.reserve(tensors.size());
    for (const AuditTensor& tensor : tensors) {
        Row row;
        row.category = mixCategory(tensor.name);
        row.head = row.category == C::Output || (tied && !facts.shard && row.category == C::TokenEmbd);
        row.quantizable = tensor.dimCount < 2 ? Quantizable::Never : quantizableName(tensor.name);
        row.rowLength = static_cast<std::uint64_t>(tensor.dims[0]);
        row.thirdDim = tensor.dims[2];
        m_attnVCount += row.category == C::AttnV;
        lately = lately || row.quantizable == Quantizable::SinceLately;
        unfit = unfit || (row.quantizable != Quantizable::Never && row.rowLength % 256 != 0);
        m_tensors.push_back(row);
        blocks.push_back(blockOf(tensor.name));
    }

    // Running numbers go by block, then by name.
    std::vector<std::uint32_t> order(tensors.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) {
        return std::tie(blocks[a], tensors[a].name) < std::tie(blocks[b], tensors[b].name);
    });
    std::array<std::uint64_t, 10> running{};
    for (const std::uint32_t i : order) {
        Row& row = m_tensors[i];
        if (row.quantizable == Quantizable::Never || row.head)
            continue;
        row.plainIndex = running[static_cast<std::size_t>(row.category)]++;
        // A shard lacks the tensors before it, so only the block's number can tell its place.
        const bool byBlock = facts.shard || (facts.experts > 1 && row.category != C::AttnV);
        row.index = byBlock && blocks[i] >= 0 ? static_cast<std::uint64_t>(blocks[i]) : row.plainIndex;
        if (facts.shard)
            row.plainIndex = row.index;
    }
    if (facts.shard)
        m_attnVCount = facts.layers;

    for (int bits = 0; bits < 16; ++bits) {
        const RecipeVariant variant{(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0, (bits & 8) != 0};
        if ((variant.oldFallback && !unfit) || (variant.oldExclusions && !lately)
            || (variant.withoutDraftLayers && facts.draftLayers == 0))
            continue;
        m_variants.push_back(variant);
    }
}

StockType RecipeModel::stock(std::size_t tensor, std::uint32_t fileType, const RecipeVariant& variant) const
{
    const Row& row = m_tensors[tensor];
    if (row.quantizable == Quantizable::Never
        || (row.quantizable == Quantizable::SinceLately && !variant.oldExclusions))
        return {};

    const auto entry = std::ranges::lower_bound(kDefaults, fileType, {}, &FileTypeDefault::fileType);
    StockType stock;
    stock.kind = StockType::Kind::Type;
    stock.type = entry->type;
    if (isUnquantizedType(entry->type))
        return stock;

    Asked asked{};
    asked.index = row.index;
    asked.plainIndex = row.plainIndex;
    asked.attnVCount = m_attnVCount;
    asked.layers = m_facts.layers;
    if (variant.withoutDraftLayers)
        asked.layers -= std::min(m_facts.layers, m_facts.draftLayers);
    asked.gqa = m_facts.headsKv == 0 ? 0 : m_facts.heads / m_facts.headsKv;
    asked.experts = m_facts.experts;
    asked.rowLength = row.rowLength;
    asked.thirdDim = row.thirdDim;
    asked.defaultType = entry->type;
    asked.imatrix = m_facts.imatrix != variant.otherImatrix;
    asked.falcon = m_facts.architecture == "falcon";
    asked.is70b = m_is70b;

    const auto apply = [&](Phase phase) {
        asked.current = stock.type;
        if (const MixRule* rule = findRule(phase, row.category, ftype(fileType), asked)) {
            stock.type = rule->type == Default ? std::uint32_t{entry->type} : std::uint32_t{rule->type};
            stock.rule = rule->reason;
        }
    };
    if (row.head) {
        apply(Phase::Head);
    } else if (ftype(fileType) & ft::kMXFP4) {
        apply(Phase::Mxfp4);
    } else if (row.category == C::TokenEmbd) {
        apply(Phase::Embedding);
    } else if (ftype(fileType) & ft::kLow) {
        apply(Phase::Low);
    } else {
        for (const Phase phase : {Phase::Main, Phase::PostLarge, Phase::PostExperts})
            apply(phase);
    }

    if (fits(row.rowLength, stock.type))
        return stock;
    const auto fallback = std::ranges::find(
        kFallbacks, stock.type, [](const Fallback& f) { return std::uint32_t{f.wanted}; });
    stock.fallbackFrom = stock.type;
    stock.fallbackRest
        = static_cast<std::uint32_t>(row.rowLength % std::max<std::uint64_t>(blockLength(stock.type), 1));
    if (fallback != kFallbacks.end())
        stock.type = variant.oldFallback ? fallback->before : fallback->now;
    if (!fits(row.rowLength, stock.type))
        stock.type = F16; // fits every row
    return stock;
}

} // namespace gguf
