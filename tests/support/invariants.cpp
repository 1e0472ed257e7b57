// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/invariants.h"

#include "document/bytemap.h"

#include <fmt/format.h>

namespace {

bool liesInside(gguf::ByteRange range, std::uint64_t size)
{
    return range.offset <= size && range.length <= size - range.offset;
}

std::string brokenMap(const gguf::Document& document)
{
    const gguf::ByteMap map(document);
    const std::uint64_t size = document.fileSize();
    std::uint64_t position = 0;
    auto region = map.regionAt(0);
    while (position < size) {
        if (!region)
            return fmt::format("no region at {}", position);
        if (region->range.offset != position || region->range.length == 0)
            return fmt::format("region at {} begins at {} with length {}", position, region->range.offset,
                region->range.length);
        if (region->kind == gguf::RegionKind::Missing)
            return fmt::format("missing bytes at {} inside a file of {}", position, size);
        const auto again = map.regionAt(region->range.end() - 1);
        if (!again || again->range != region->range || again->kind != region->kind)
            return fmt::format("the last byte of the region at {} belongs to another one", position);
        if (region->range.end() > size)
            return fmt::format("the region at {} ends at {} beyond the file's {}", position, region->range.end(), size);
        position = region->range.end();
        region = map.next(*region);
    }
    return {};
}

/// Data that lie beyond the end of the file must be a Problem.
std::string missingButNotSaid(const gguf::Document& document)
{
    using gguf::Rule;
    bool said = document.status() != gguf::Status::Ok;
    for (const Rule rule : {Rule::DataTruncated, Rule::DataStartMissing})
        said = said || document.problemTotal(rule) > 0;
    for (std::size_t i = 0; i < document.tensorCount() && !said; ++i) {
        const auto data = document.tensor(i).dataRange();
        if (data && data->length > 0 && !liesInside(*data, document.fileSize()))
            return fmt::format("nobody says that data of tensor {} are missing", i);
    }
    return {};
}

} // namespace

std::string brokenInvariant(const gguf::Document& document)
{
    if (!document.isFinished())
        return "not finished";
    const std::uint64_t size = document.fileSize();
    if (document.parsedEnd() > size)
        return fmt::format("parsed to {} of {}", document.parsedEnd(), size);
    for (std::size_t i = 0; i < document.problemCount(); ++i) {
        const gguf::Problem& problem = document.problem(i);
        if (!liesInside(problem.range, size))
            return fmt::format("{} lies at {} + {} outside the file of {} bytes", gguf::ruleInfo(problem.rule).code,
                problem.range.offset, problem.range.length, size);
        using Kind = gguf::Subject::Kind;
        // The record in which reading stopped may not be there: it would have been the next one.
        if ((problem.subject.kind == Kind::Metadata && problem.subject.index > document.metadataCount())
            || (problem.subject.kind == Kind::Tensor && problem.subject.index > document.tensorCount()))
            return fmt::format("{} belongs to nobody", gguf::ruleInfo(problem.rule).code);
    }
    for (std::size_t i = 0; i < document.metadataCount(); ++i) {
        const gguf::MetadataEntry& entry = document.metadata(i);
        if (entry.offset > entry.valueOffset || entry.valueOffset > entry.end || entry.end > size)
            return fmt::format("metadata pair {} lies at {}, {}, {}", i, entry.offset, entry.valueOffset, entry.end);
        const gguf::ValueView value = document.value(i);
        if (value.available() > value.count())
            return fmt::format("metadata pair {} has more elements than it states", i);
    }
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < document.tensorCount(); ++i) {
        const gguf::Tensor tensor = document.tensor(i);
        if (!liesInside(tensor.record, size))
            return fmt::format("the record of tensor {} lies outside the file", i);
        if (!tensor.recovered && __builtin_add_overflow(sum, tensor.dataBytes.value_or(0), &sum))
            sum = UINT64_MAX;
        const gguf::TensorSpace space = document.tensorSpace(i);
        if (space.present > tensor.dataBytes.value_or(UINT64_MAX) || space.present > size)
            return fmt::format("tensor {} has more bytes present than it needs or the file has", i);
        if (document.tensorInOffsetOrder(document.offsetRank(i)) != i)
            return fmt::format("the offset order of tensor {} is no permutation", i);
    }
    if (const std::string unflagged = missingButNotSaid(document); !unflagged.empty())
        return unflagged;
    const gguf::Verdicts verdicts = document.verdicts();
    if (verdicts.ggmlReads && !verdicts.ggmlOpens)
        return "ggml reads what it does not open";
    // Where the disk failed or somebody stopped, nobody is to blame and nothing is proved.
    const bool undecided = document.problemTotal(gguf::Rule::ReadFailed) > 0
        || document.status() == gguf::Status::Cancelled;
    if (verdicts.specValid == verdicts.specReason.has_value() && !(undecided && !verdicts.specValid))
        return "the specification's verdict and its reason disagree";
    return brokenMap(document);
}
