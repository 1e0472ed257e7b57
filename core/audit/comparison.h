// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "audit/audittensor.h"
#include "audit/mix.h"
#include "document/document.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// How two files differ: metadata and tensors, matched by name. Neither order nor offsets count.
namespace gguf {

enum class ChangeKind
{
    Removed,
    Added,
    Changed
}; ///< removed: only in A; added: only in B

std::string_view changeKindName(ChangeKind kind); ///< "removed", "added", "changed"

struct HeaderDifference
{
    std::string name; ///< "version", "byte order"
    std::string a, b;
};

struct MetadataDifference
{
    ChangeKind kind = ChangeKind::Changed;
    std::string_view key;
    std::optional<std::size_t> a, b; ///< index of the pair
    std::optional<std::uint64_t>
        firstDifference; ///< of two arrays: the first element that differs or one lacks
    bool isText = false; ///< two strings that are worth a line diff: long, or of several lines
};

struct TensorDifference
{
    ChangeKind kind = ChangeKind::Changed;
    std::string_view name;
    std::optional<std::size_t> a, b; ///< index of the tensor
    bool type = false, dims = false, size = false; ///< what differs, for Changed
    std::optional<std::int64_t> byteChange; ///< B's bytes less A's; an absent tensor has none
};

/// Sums of both files over one layer or role.
struct ComparisonPart
{
    std::string label; ///< text from the files
    MixSum a, b;
    std::uint64_t removed = 0, added = 0, changed = 0; ///< tensors
    bool differs() const { return removed + added + changed > 0; }
};

/// The result; owns copies of both documents, which share their parts with the originals.
struct Comparison
{
    Document a, b;
    std::vector<AuditTensor> tensors; ///< A's, then B's
    std::size_t countA = 0; ///< how many of them are A's
    Mix mix; ///< of both together: joint columns and roles; its numbers refer to `tensors`
    MixSum totalA, totalB;
    std::uint64_t errorsA = 0, errorsB = 0; ///< where there are some, what could be read is compared

    std::vector<HeaderDifference> header;
    std::vector<MetadataDifference> metadata; ///< in A's order, then what only B has
    std::vector<TensorDifference> differences; ///< the same
    std::uint64_t sameMetadata = 0, sameTensors = 0;
    std::vector<std::pair<std::size_t, std::size_t>> matched; ///< tensors in both, A's index and B's
    std::vector<ComparisonPart> layers, roles; ///< as in mix.columns and mix.roles

    const Mix::Placement& placement(const TensorDifference& difference) const
    {
        return mix.placements[difference.b ? countA + *difference.b : *difference.a];
    }
    bool same() const { return header.empty() && metadata.empty() && differences.empty(); }
};

/// Time grows with the sizes of both, and with their logarithm where names are sorted. Needs finished
/// documents.
Comparison compareDocuments(const Document& a, const Document& b);

} // namespace gguf
