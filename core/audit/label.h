// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "audit/audittensor.h"
#include "audit/mix.h"
#include "audit/recipe.h"
#include "format/filetype.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// What a file says of its quantization, and whether its tensors agree.
namespace gguf {

/// A tensor whose type is not the recipe's.
struct Deviation
{
    std::size_t tensor = 0; ///< index in the file
    std::string found; ///< the tensor's type
    std::string stock; ///< the recipe's type; "unquantized" where the recipe keeps the source's
    std::string reason; ///< a sentence: what the recipe gives, and why
    std::optional<std::int64_t> byteChange; ///< bytes of the tensor less those of the stock type
};

/// How the tensors compare with what llama-quantize would have made.
struct RecipeVerdict
{
    enum class Kind
    {
        Equal, ///< every tensor has the recipe's type
        Deviates, ///< the recipe is known, and `deviations` are not empty
        ForkMix, ///< made with types or rules of a fork, whose recipes are not known here
        Unknown, ///< no recipe is known: `explanation` says why
    };
    Kind kind = Kind::Unknown;
    std::optional<std::uint32_t> fileType; ///< of the recipe
    std::string name; ///< of the recipe: "Q4_K_M"; empty for ForkMix and Unknown
    std::vector<Deviation> deviations; ///< in file order
    std::uint64_t deviatingBytes = 0; ///< of the tensors that deviate
    std::uint64_t fallbacks = 0; ///< tensors whose stock type stands in because a row does not fit
    std::vector<std::size_t> fallbackTensors;
    RecipeVariant variant; ///< of the recipe that fits best
    std::string explanation; ///< one or more sentences
};

/// Keys that an importance matrix left behind.
struct ImatrixKeys
{
    bool present = false;
    std::string_view file, dataset; ///< bytes as stored
    std::optional<std::uint64_t> entries, chunks;
};

struct Label
{
    std::optional<std::uint64_t> fileType; ///< general.file_type as stored
    bool guessed = false; ///< it carries the bit that llama.cpp sets for a guess
    std::span<const FileTypeInfo> meanings; ///< every meaning of the number; empty: none known
    std::string nameLabel; ///< the file type that the file's name tells, "UD-Q4_K_XL"; empty: none
    std::optional<std::uint64_t> quantizationVersion;
    ImatrixKeys imatrix;
    RecipeVerdict recipe;
    /// The file type whose recipe leaves the fewest bytes differing; nothing where no recipe can be judged.
    std::optional<std::uint32_t> bestFit;
    std::uint64_t bestFitTensors = 0, bestFitBytes = 0; ///< what still differs there
    std::vector<std::string> remarks; ///< further sentences on the label's truth

    const FileTypeInfo* info() const { return meanings.empty() ? nullptr : &meanings.front(); }
    /// "Q4_K_M (15)", "unknown (77)", or empty where the key is absent.
    std::string fileTypeText() const;
};

/// The quantization that a file name tells, as the hub reads it: the last match of a known file type, with
/// "UD-" before and a size after it. Empty where there is none.
std::string fileNameLabel(std::string_view fileName);

/// `fileName` without folders may be empty. Views point into the document.
Label auditLabel(const Document& document, std::span<const AuditTensor> tensors, const Mix& mix,
    std::string_view fileName = {});

/// The same from what is needed of a document, for tests of recipes: the verdict and best fit only.
Label judgeRecipe(
    std::span<const AuditTensor> tensors, const ModelFacts& facts, std::optional<std::uint32_t> fileType);

} // namespace gguf
