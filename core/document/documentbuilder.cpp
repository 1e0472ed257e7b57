// SPDX-License-Identifier: GPL-3.0-or-later
#include "document/documentbuilder.h"

#include "document/datalayout.h"

#include <algorithm>
#include <numeric>

namespace gguf {

DocumentBuilder::DocumentBuilder(std::uint64_t fileSize)
{
    m_document.m_fileSize = fileSize;
}

DocumentBuilder::DocumentBuilder(Document document)
    : m_document(std::move(document))
{
}

void DocumentBuilder::setForeign(Foreign foreign)
{
    m_document.m_foreign = std::make_shared<const Foreign>(std::move(foreign));
}

void DocumentBuilder::addSegment(
    std::uint64_t offset, std::uint64_t length, std::shared_ptr<const std::byte[]> bytes)
{
    // Only what recovery adds may lie before the last piece.
    const auto place = std::ranges::upper_bound(m_document.m_segments, offset, {}, &Document::Segment::offset);
    m_document.m_segments.insert(place, Document::Segment{offset, length, std::move(bytes)});
}

void DocumentBuilder::endLastMetadata(std::uint64_t end)
{
    MetadataEntry entry = m_document.m_metadata.back();
    entry.end = end;
    m_document.m_metadata.replaceLast(entry);
}

std::vector<std::uint64_t>& DocumentBuilder::addArrayIndex(std::uint64_t valueOffset)
{
    auto positions = std::make_shared<std::vector<std::uint64_t>>();
    m_document.m_arrayIndex.push_back({valueOffset, positions});
    return *positions;
}

void DocumentBuilder::addProblem(
    Rule rule, ByteRange range, Subject subject, std::string found, std::string expected)
{
    const RuleInfo& info = ruleInfo(rule);
    addProblem({rule, info.judges, info.severity, range, subject, std::move(found), std::move(expected)});
}

void DocumentBuilder::addProblem(Problem problem)
{
    // No Problem points outside the file: what is missing there lies at its end.
    problem.range.offset = std::min(problem.range.offset, m_document.m_fileSize);
    problem.range.length = std::min(problem.range.length, m_document.m_fileSize - problem.range.offset);
    ++m_document.m_severityTotals[static_cast<std::size_t>(problem.severity)];
    std::uint64_t& total = m_document.m_ruleTotals[static_cast<std::size_t>(problem.rule)];
    if (total++ < kMaxProblemsPerRule)
        m_document.m_problems.push_back(std::move(problem));
}

void DocumentBuilder::chooseLayouts(std::uint32_t typeId, std::vector<const TensorTypeInfo*> fitting)
{
    // Copied on write: earlier snapshots keep theirs.
    auto choices = m_document.m_typeChoices
        ? std::make_shared<std::vector<Document::TypeChoice>>(*m_document.m_typeChoices)
        : std::make_shared<std::vector<Document::TypeChoice>>();
    const auto place = std::ranges::lower_bound(*choices, typeId, {}, &Document::TypeChoice::typeId);
    if (place != choices->end() && place->typeId == typeId)
        place->fitting = std::move(fitting);
    else
        choices->insert(place, Document::TypeChoice{typeId, std::move(fitting)});
    m_document.m_typeChoices = std::move(choices);
}

void DocumentBuilder::layOut()
{
    m_document.m_dataLayout = std::make_shared<const DataLayout>(m_document);
}

void DocumentBuilder::sortByOffset()
{
    m_document.m_offsetOrder = nullptr;
    const std::size_t count = m_document.tensorCount();
    std::vector<std::uint64_t> offsets(count);
    for (std::size_t i = 0; i < count; ++i)
        offsets[i] = m_document.tensor(i).offset;
    if (std::ranges::is_sorted(offsets))
        return; // file order is offset order, as in nearly every file
    auto order = std::make_shared<Document::OffsetOrder>();
    order->byOffset.resize(count);
    order->rank.resize(count);
    std::iota(order->byOffset.begin(), order->byOffset.end(), 0u);
    std::ranges::stable_sort(order->byOffset, {}, [&](std::uint32_t i) { return offsets[i]; });
    for (std::size_t rank = 0; rank < count; ++rank)
        order->rank[order->byOffset[rank]] = static_cast<std::uint32_t>(rank);
    m_document.m_offsetOrder = std::move(order);
}

} // namespace gguf
