// SPDX-License-Identifier: GPL-3.0-or-later
#include "parse/layoutinference.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace gguf {

namespace {

// A hostile table may hold a million unknown ids; real files hold one or two.
constexpr std::size_t kIdsExamined = 64;
constexpr std::size_t kTensorsExamined = 20000;
constexpr std::size_t kNamesListed = 8;

bool sameSize(const TensorTypeInfo& a, const TensorTypeInfo& b)
{
    // 18 bytes per 32 elements and 36 per 64 need the same room, but allow different rows.
    return a.blockLength == b.blockLength && a.blockBytes == b.blockBytes && a.rowMetaBytes == b.rowMetaBytes
        && a.tensorExtraBytes == b.tensorExtraBytes;
}

std::string layoutText(const TensorTypeInfo& type)
{
    std::string text = fmt::format("{} of {} ({} bytes per {} element{}", type.name, type.owner,
        type.blockBytes, type.blockLength, type.blockLength == 1 ? "" : "s");
    if (type.rowMetaBytes != 0)
        text += fmt::format(", {} more per row", type.rowMetaBytes);
    if (type.tensorExtraBytes != 0)
        text += fmt::format(", {} more per tensor", type.tensorExtraBytes);
    return text + ")";
}

std::string listText(const std::vector<const TensorTypeInfo*>& types)
{
    std::string text;
    for (std::size_t i = 0; i < std::min(types.size(), kNamesListed); ++i)
        text += (i == 0 ? "" : ", ") + layoutText(*types[i]);
    if (types.size() > kNamesListed)
        text += fmt::format(" and {} more", types.size() - kNamesListed);
    return text;
}

/// One type id: the tensors seen and the layouts that fit them all so far.
struct Candidate
{
    std::size_t firstTensor = 0;
    std::size_t tensors = 0;
    std::size_t tested = 0; ///< tensors whose room is known
    std::vector<const TensorTypeInfo*> fitting;
};

class LayoutInference
{
public:
    explicit LayoutInference(DocumentBuilder& builder)
        : m_builder(builder)
        , m_document(builder.document())
    {
    }

    void run()
    {
        if (!collectIds())
            return;
        m_builder.sortByOffset();
        testTensors();
        testLast();
        for (auto& [id, candidate] : m_candidates)
            report(id, candidate);
    }

private:
    bool collectIds()
    {
        for (std::size_t i = 0; i < m_document.tensorCount(); ++i) {
            const std::uint32_t id = m_document.tensorTypeId(i);
            if (const auto known = m_candidates.find(id); known != m_candidates.end()) {
                ++known->second.tensors;
                continue;
            }
            const std::span<const TensorTypeInfo> layouts = tensorTypeLayouts(id);
            if ((layouts.size() == 1 && ggmlReadsTensorType(id)) || m_candidates.size() >= kIdsExamined)
                continue;
            Candidate candidate;
            candidate.firstTensor = i;
            candidate.tensors = 1;
            for (const TensorTypeInfo& type : layouts.empty() ? allTensorTypes() : layouts) {
                if (type.blockLength != 0)
                    candidate.fitting.push_back(&type);
            }
            m_candidates.emplace(id, std::move(candidate));
        }
        return !m_candidates.empty();
    }

    void testTensors()
    {
        const std::size_t count = m_document.tensorCount();
        // The last tensor's room is not known for sure: the file may be cut, or something may follow.
        for (std::size_t rank = 0; rank + 1 < count; ++rank) {
            const Tensor tensor = m_document.tensor(m_document.tensorInOffsetOrder(rank));
            const auto found = m_candidates.find(tensor.typeId);
            if (found == m_candidates.end() || found->second.tested >= kTensorsExamined)
                continue;
            ++found->second.tested;
            const std::uint64_t next = m_document.tensor(m_document.tensorInOffsetOrder(rank + 1)).offset;
            const std::uint64_t room = next - tensor.offset;
            std::erase_if(found->second.fitting,
                [&](const TensorTypeInfo* type) { return !fits(*type, tensor, room); });
        }
    }

    /// Where the only tensor of an id is the last one, a file that ends with it is evidence too.
    void testLast()
    {
        const Tensor tensor = m_document.tensor(m_document.tensorInOffsetOrder(m_document.tensorCount() - 1));
        const auto found = m_candidates.find(tensor.typeId);
        if (found == m_candidates.end() || found->second.tested != 0)
            return;
        const std::uint64_t alignment = m_document.alignment();
        const std::uint64_t tablesEnd = m_document.tablesEnd();
        const std::uint64_t dataOffset = tablesEnd + (alignment - tablesEnd % alignment) % alignment;
        const std::uint64_t size = m_document.fileSize();
        if (dataOffset > size || tensor.offset > size - dataOffset)
            return;
        const std::uint64_t room = size - dataOffset - tensor.offset;
        std::vector<const TensorTypeInfo*> fitting = found->second.fitting;
        std::erase_if(fitting, [&](const TensorTypeInfo* type) { return !fits(*type, tensor, room); });
        if (fitting.empty())
            return;
        found->second.tested = 1;
        found->second.fitting = std::move(fitting);
    }

    bool fits(const TensorTypeInfo& type, const Tensor& tensor, std::uint64_t room) const
    {
        const auto size = tensorSize(type, tensor.dims());
        if (!size)
            return false;
        const std::uint64_t alignment = m_document.alignment();
        const std::uint64_t padding = (alignment - size->dataBytes % alignment) % alignment;
        return size->dataBytes + padding == room; // both below 2^63 + 2^32
    }

    void report(std::uint32_t id, const Candidate& candidate)
    {
        const std::span<const TensorTypeInfo> layouts = tensorTypeLayouts(id);
        if (candidate.tested == 0 || candidate.fitting.empty()) {
            // No evidence: the first layout is used. That matters only where the others need other room.
            const bool differ = std::ranges::any_of(
                layouts, [&](const TensorTypeInfo& type) { return !sameSize(type, layouts.front()); });
            if (differ || (!layouts.empty() && candidate.tested > 0))
                note(id, candidate, ruleInfo(Rule::TensorTypeLayout),
                    candidate.tested == 0
                        ? "the room of no tensor is known, so the layouts cannot be told apart"
                        : "no known layout needs exactly the room that the offsets leave",
                    fmt::format(
                        "{}, which is used here, or another program's layout", layoutText(layouts.front())));
            return;
        }
        const RuleInfo& info = ruleInfo(Rule::TensorTypeLayout);
        if (layouts.empty()) {
            note(id, candidate, info,
                fmt::format(
                    "every tensor has the size that it would have as {}", listText(candidate.fitting)),
                "a known type; sizes are not computed from a guess");
            return;
        }
        m_builder.chooseLayouts(id, candidate.fitting);
        const TensorTypeInfo& chosen = *candidate.fitting.front();
        if (&chosen == &layouts.front()) {
            if (!std::ranges::all_of(candidate.fitting, [&](auto* type) { return sameSize(*type, chosen); }))
                note(id, candidate, info, fmt::format("several layouts fit: {}", listText(candidate.fitting)),
                    fmt::format("one; {} is used here", layoutText(chosen)));
            return;
        }
        // ggml takes the id for its own layout, computes other offsets, and refuses the file for them.
        RuleInfo refused = info;
        if (ggmlReadsTensorType(id)) {
            refused.judges = {.spec = true, .doc = false, .ggml = GgmlVerdict::RefusesToOpen};
            refused.severity = Severity::Error;
        }
        note(id, candidate, refused, fmt::format("only this fits: {}", listText(candidate.fitting)),
            fmt::format("{}, as the number says for ggml", layoutText(layouts.front())));
    }

    void note(std::uint32_t id, const Candidate& candidate, const RuleInfo& info, std::string found,
        std::string expected)
    {
        const Tensor tensor = m_document.tensor(candidate.firstTensor);
        const std::uint64_t typeOffset = tensor.record.end() - 12;
        m_builder.addProblem(Problem{Rule::TensorTypeLayout, info.judges, info.severity, {typeOffset, 4},
            {Subject::Kind::Tensor, candidate.firstTensor},
            fmt::format("type {} in {} tensor{}: {}", id, candidate.tensors,
                candidate.tensors == 1 ? "" : "s", found),
            std::move(expected)});
    }

    DocumentBuilder& m_builder;
    const Document& m_document;
    std::map<std::uint32_t, Candidate> m_candidates;
};

} // namespace

void inferLayouts(DocumentBuilder& builder)
{
    LayoutInference(builder).run();
}

} // namespace gguf
