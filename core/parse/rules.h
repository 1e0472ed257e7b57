// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace gguf {

enum class Severity : std::uint8_t { Error, Warning, Note };
inline constexpr std::size_t kSeverityCount = 3;

/// When ggml's own reader (v0.27) refuses a file.
enum class GgmlVerdict : std::uint8_t {
    Accepts,
    RefusesToOpen, ///< header, metadata or tensor table
    RefusesToRead, ///< opens, but cannot read the tensor data
};

/// Who minds.
struct Judges
{
    bool spec = false; ///< SPEC-gguf.ksy, prose and file length included
    bool doc = false; ///< ggml's gguf.md asks for more or for something else
    GgmlVerdict ggml = GgmlVerdict::Accepts;

    friend bool operator==(const Judges&, const Judges&) = default;
};

/// Everything that can be said against a file or is worth a note. The texts are in rules.cpp.
enum class Rule : std::uint8_t {
    // What kind of file
    FileEmpty,
    NotGguf,
    ReadFailed,
    MagicReversed,
    TextConversion,
    // Header
    HeaderTruncated,
    VersionUnsupported,
    VersionObsolete,
    ByteOrderForeign,
    MetadataCountImpossible,
    TensorCountImpossible,
    CountSuggestion,
    LengthSuggestion,
    // Metadata
    MetadataTruncated,
    MetadataTooLarge,
    KeyLengthImpossible,
    KeyEmpty,
    KeyTooLong,
    KeyDuplicate,
    KeyNotUtf8,
    KeyStyle,
    ValueTypeUnknown,
    ElementTypeUnknown,
    StringLengthImpossible,
    StringTooLong,
    StringNotUtf8,
    ArrayLengthImpossible,
    ArrayTooLong,
    ArrayNested,
    NestingTooDeep,
    BoolInvalid,
    AlignmentType,
    AlignmentInvalid,
    AlignmentStyle,
    AlignmentUnusual,
    MetadataRecovered,
    // Tensor table
    TensorTableTruncated,
    TensorNameLengthImpossible,
    TensorNameTooLong,
    TensorNameDuplicate,
    TensorNameDuplicateForGgml,
    TensorNameNotUtf8,
    TensorDimsTooMany,
    TensorDimsUnreadable,
    TensorDimNegative,
    TensorTypeUnknown,
    TensorTypeRemoved,
    TensorTypeFork,
    TensorTypeLayout,
    TensorRowPartial,
    TensorSizeOverflow,
    DataSizeOverflow,
    TensorOffsetUnaligned,
    TensorOffsetUnexpected,
    OffsetsShifted,
    TensorOverlap,
    TensorGap,
    TensorsRecovered,
    // Tensor data and length
    DataStartMissing,
    DataTruncated,
    LastPaddingMissing,
    TrailingBytes,
    TrailingContent,
    EmbeddedGguf,
    SizeLimit,
    PaddingNotZero,
    // Meaning
    ArchitectureMissing,
    QuantizationVersionMissing,
    KeyWrongType,
    BlockCountMismatch,
    VocabularySizeMismatch,
    TokenArrayLength,
    TokenIdOutOfRange,
    TokenDuplicate,
    MergesMissing,
    PreTokenizerMissing,
    FloatNotFinite,
    FileTypeMismatch,
    ImatrixMissing,
    CompanionFile,
    SplitShard,
    SplitMismatch,
    // Tensor contents
    DataNotFinite,
    DataZeroRun,
};

inline constexpr std::size_t kRuleCount = static_cast<std::size_t>(Rule::DataZeroRun) + 1;

/// One row of the catalogue of rules: the only place where a rule's texts live.
struct RuleInfo
{
    Rule rule;
    std::string_view code; ///< stable: "tensor-offset-unaligned"
    Severity severity; ///< where the Problem says nothing else
    Judges judges; ///< where the Problem says nothing else
    std::string_view title; ///< what is wrong, without a full stop
    std::string_view meaning; ///< the rule, and where it stands
    std::string_view consequence; ///< what happens to whom
    std::string_view remedy; ///< what to do
    std::string_view example; ///< a value that breaks the rule
};

const RuleInfo& ruleInfo(Rule rule);
const RuleInfo* findRule(std::string_view code);
std::span<const RuleInfo> allRules();

std::string_view severityName(Severity severity); ///< "error", "warning", "note"

} // namespace gguf
