// SPDX-License-Identifier: GPL-3.0-or-later
#include "document/datalayout.h"

#include "format/arithmetic.h"

#include <algorithm>

namespace gguf {

namespace {

/// Empty tensors in a row that are stepped over one by one; more of them need the sorted claims.
constexpr std::size_t kMostEmpty = 16;

struct Claim
{
    std::uint64_t start = UINT64_MAX;
    std::uint64_t end = UINT64_MAX; ///< of the data; equal to start where nothing is claimed
    std::uint64_t padding = 0;

    bool isEmpty() const { return start == end; }
};

/// File offset of the data of the tensor with this rank; the largest one where it leaves 64 bits.
std::uint64_t startOf(const Document& document, std::size_t rank)
{
    return document.tensor(document.tensorInOffsetOrder(rank)).fileOffset.value_or(UINT64_MAX);
}

/// The first rank whose data start beyond an offset: from `nearRank` on in growing steps, then halving.
std::size_t firstAfter(const Document& document, std::uint64_t offset, std::size_t nearRank)
{
    std::size_t low = 0;
    std::size_t high = document.tensorCount();
    std::size_t step = 1;
    for (std::size_t rank = nearRank; rank < high; rank += step, step *= 2) {
        if (startOf(document, rank) > offset)
            high = rank;
        else
            low = rank + 1;
    }
    while (low < high) {
        const std::size_t middle = low + (high - low) / 2;
        if (startOf(document, middle) <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/// A tensor of unknown size claims what the file leaves it.
Claim claimOf(const Document& document, std::size_t rank)
{
    const Tensor tensor = document.tensor(document.tensorInOffsetOrder(rank));
    if (!tensor.fileOffset)
        return {};
    Claim claim{*tensor.fileOffset, 0, tensor.padding.value_or(0)};
    if (tensor.dataBytes) {
        claim.end = ByteRange{claim.start, *tensor.dataBytes}.end();
    } else {
        const std::size_t next = firstAfter(document, claim.start, rank);
        claim.end = next < document.tensorCount() ? startOf(document, next)
                                                  : std::max(claim.start, document.fileSize());
    }
    return claim;
}

/// Bytes that no data cover: from `end`, where the data of `tensor` end, to `next`, where the next begin.
DataLayout::Stretch afterData(std::uint64_t offset, std::uint64_t end, std::uint64_t padding,
    std::optional<std::size_t> tensor, std::optional<std::uint64_t> next)
{
    const std::uint64_t limit = next.value_or(UINT64_MAX);
    const std::uint64_t padded = std::min(saturatingAdd(end, padding), limit);
    if (offset < padded)
        return {DataLayout::Kind::Padding, {end, padded - end}, tensor, {}};
    return {next ? DataLayout::Kind::Gap : DataLayout::Kind::AfterLast, {padded, limit - padded}, {}, {}};
}

} // namespace

struct DataLayout::Claims
{
    struct End
    {
        std::uint64_t end = 0;
        std::uint64_t padding = 0;
        std::size_t tensor = 0;
    };

    // Non-empty claims in offset order.
    std::vector<std::uint64_t> starts;
    std::vector<std::uint64_t> ends;
    std::vector<std::uint32_t> tensors;
    std::vector<End> sortedEnds;
    std::vector<std::uint64_t> tree; ///< node i has children 2i and 2i+1: the furthest end below it
    std::size_t leaves = 1;

    explicit Claims(const Document& document)
    {
        for (std::size_t rank = 0; rank < document.tensorCount(); ++rank) {
            const Claim claim = claimOf(document, rank);
            if (claim.isEmpty())
                continue;
            const std::size_t tensor = document.tensorInOffsetOrder(rank);
            starts.push_back(claim.start);
            ends.push_back(claim.end);
            tensors.push_back(static_cast<std::uint32_t>(tensor));
            sortedEnds.push_back({claim.end, claim.padding, tensor});
        }
        std::ranges::stable_sort(sortedEnds, {}, &End::end);
        while (leaves < ends.size())
            leaves *= 2;
        tree.assign(2 * leaves, 0);
        std::ranges::copy(ends, tree.begin() + static_cast<std::ptrdiff_t>(leaves));
        for (std::size_t node = leaves - 1; node > 0; --node)
            tree[node] = std::max(tree[2 * node], tree[2 * node + 1]);
    }

    /// Adds to `stretch` the claims among the first `count` that reach beyond an offset.
    void findOwners(std::size_t count, std::uint64_t offset, Stretch& stretch) const
    {
        std::vector<std::size_t> nodes{1};
        while (!nodes.empty()) {
            const std::size_t node = nodes.back();
            nodes.pop_back();
            std::size_t firstLeaf = node;
            while (firstLeaf < leaves)
                firstLeaf *= 2;
            if (tree[node] <= offset || firstLeaf - leaves >= count)
                continue;
            if (node < leaves) {
                nodes.push_back(2 * node + 1);
                nodes.push_back(2 * node);
            } else if (stretch.owners.size() == kMostOwners) {
                stretch.moreOwners = true;
                return;
            } else {
                stretch.owners.push_back(tensors[node - leaves]);
            }
        }
    }

    Stretch at(std::uint64_t dataOffset, std::uint64_t offset) const
    {
        const auto nextStart = std::ranges::upper_bound(starts, offset);
        const auto nextEnd = std::ranges::upper_bound(sortedEnds, offset, {}, &End::end);
        const End previousEnd = nextEnd == sortedEnds.begin() ? End{dataOffset} : *(nextEnd - 1);

        Stretch data{Kind::Data, {}, {}, {}};
        findOwners(static_cast<std::size_t>(nextStart - starts.begin()), offset, data);
        if (data.owners.empty()) {
            const bool isFirst = nextEnd == sortedEnds.begin();
            return afterData(offset, previousEnd.end, previousEnd.padding,
                isFirst ? std::nullopt : std::optional(previousEnd.tensor),
                nextStart == starts.end() ? std::nullopt : std::optional(*nextStart));
        }
        std::uint64_t low = std::max(dataOffset, previousEnd.end);
        if (nextStart != starts.begin())
            low = std::max(low, *(nextStart - 1));
        std::uint64_t high = nextEnd->end;
        if (nextStart != starts.end())
            high = std::min(high, *nextStart);
        data.tensor = data.owners.front();
        data.range = {low, high - low};
        return data;
    }
};

DataLayout::DataLayout(const Document& document)
{
    if (!document.dataOffset() || document.isPacked())
        return;
    std::uint64_t end = 0;
    std::size_t emptyRun = 0;
    for (std::size_t rank = 0; rank < document.tensorCount(); ++rank) {
        const Claim claim = claimOf(document, rank);
        emptyRun = claim.isEmpty() ? emptyRun + 1 : 0;
        if (claim.start < end || emptyRun > kMostEmpty) {
            m_claims = std::make_shared<const Claims>(document);
            return;
        }
        end = claim.end;
    }
}

DataLayout::Stretch DataLayout::at(const Document& document, std::uint64_t offset, std::size_t nearRank) const
{
    return m_claims ? m_claims->at(*document.dataOffset(), offset) : atPlain(document, offset, nearRank);
}

DataLayout::Stretch DataLayout::atPlain(
    const Document& document, std::uint64_t offset, std::size_t nearRank) const
{
    const std::size_t after = firstAfter(document, offset, nearRank);
    Claim before;
    std::size_t rank = after;
    while (rank > 0) {
        before = claimOf(document, --rank);
        if (!before.isEmpty())
            break;
    }
    // Empty tensors mark no border.
    std::optional<std::uint64_t> next;
    for (std::size_t later = after; later < document.tensorCount() && !next; ++later) {
        const Claim claim = claimOf(document, later);
        if (!claim.isEmpty())
            next = claim.start;
    }
    if (before.isEmpty())
        return afterData(offset, *document.dataOffset(), 0, {}, next);
    const std::size_t tensor = document.tensorInOffsetOrder(rank);
    if (offset < before.end)
        return {Kind::Data, {before.start, before.end - before.start}, tensor, {tensor}};
    return afterData(offset, before.end, before.padding, tensor, next);
}

} // namespace gguf
