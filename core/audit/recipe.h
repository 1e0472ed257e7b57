// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "audit/audittensor.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// The types that llama-quantize gives to the tensors of a model for a file type: the mixing rules of
/// llama.cpp's src/llama-quant.cpp as a table, and what evaluates it.
namespace gguf {

/// What the mixing rules ask of a model beyond its tensors.
struct ModelFacts
{
    std::string architecture;
    std::uint64_t layers = 0; ///< {arch}.block_count, layers of draft heads included
    std::uint64_t draftLayers = 0; ///< {arch}.nextn_predict_layers
    std::uint64_t heads = 0; ///< {arch}.attention.head_count of layer 0
    std::uint64_t headsKv = 0; ///< {arch}.attention.head_count_kv of layer 0; heads where it is not given
    std::uint64_t experts = 0; ///< {arch}.expert_count
    bool imatrix = false; ///< a quantize.imatrix.* key tells that an importance matrix was used
    bool shard = false; ///< one file of several: other tensors of the model are elsewhere
};

ModelFacts modelFacts(const Document& document);

/// How a tensor counts for the rules, by parts of its name.
enum class MixCategory
{
    Output,
    TokenEmbd,
    AttnV,
    AttnK,
    AttnQ,
    AttnOutput,
    FfnUp,
    FfnGate,
    FfnDown,
    Other
};

MixCategory mixCategory(std::string_view name);

/// Differences between versions of llama.cpp that files in use still show.
struct RecipeVariant
{
    bool oldFallback = false; ///< before 2026-03-10: Q2_K and Q3_K rows that do not fit become IQ4_NL
    bool oldExclusions = false; ///< before 2026-07: some tensors that are kept today were quantized
    bool withoutDraftLayers = false; ///< June 2026: layers counted without draft heads
    bool otherImatrix = false; ///< as if the keys told the opposite about an importance matrix

    friend bool operator==(const RecipeVariant&, const RecipeVariant&) = default;
};

/// The type that a recipe gives to one tensor, and why.
struct StockType
{
    enum class Kind
    {
        Type, ///< `type`
        Kept, ///< not quantized: any unquantized type, as in the source
    };
    Kind kind = Kind::Kept;
    std::uint32_t type = 0;
    std::string_view rule; ///< why the mix gives this type, as a phrase; empty: the file type's default
    std::optional<std::uint32_t> fallbackFrom; ///< the type that the row's length does not allow
    std::uint32_t fallbackRest = 0; ///< row length modulo that type's block length

    bool accepts(std::uint32_t typeId) const;
};

/// True for F32, F16, BF16, F64 and the integers.
bool isUnquantizedType(std::uint32_t typeId);

/// The numbers of general.file_type whose recipe is known, in ascending order.
std::span<const std::uint32_t> recipeFileTypes();

/// A model prepared for asking what a recipe gives to its tensors. Refers to nothing of its input.
class RecipeModel
{
public:
    RecipeModel(std::span<const AuditTensor> tensors, const ModelFacts& facts);

    std::size_t size() const { return m_tensors.size(); }
    /// For a file type of recipeFileTypes().
    StockType stock(std::size_t tensor, std::uint32_t fileType, const RecipeVariant& variant = {}) const;
    /// The variants worth trying for this model, today's first; those that cannot matter are left out.
    const std::vector<RecipeVariant>& variants() const { return m_variants; }

private:
    enum class Quantizable
    {
        Never,
        SinceLately,
        Always
    };

    struct Row
    {
        MixCategory category = MixCategory::Other;
        Quantizable quantizable = Quantizable::Never;
        bool head = false; ///< the output rule holds: output, or token_embd of a model without output
        std::uint64_t rowLength = 0;
        std::int64_t thirdDim = 1;
        std::uint64_t index = 0; ///< i_v or i_layer: see rules
        std::uint64_t plainIndex = 0; ///< i_down of the low-bit file types
    };

    static Quantizable quantizableName(std::string_view name);

    ModelFacts m_facts;
    std::vector<Row> m_tensors;
    std::uint64_t m_attnVCount = 0;
    bool m_is70b = false;
    std::vector<RecipeVariant> m_variants;
};

} // namespace gguf
