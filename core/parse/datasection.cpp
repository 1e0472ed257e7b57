// SPDX-License-Identifier: GPL-3.0-or-later
#include "document/text.h"
#include "format/arithmetic.h"
#include "parse/parsecontext.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace gguf {

namespace {

constexpr std::uint64_t kMaxDataBytes = INT64_MAX; // ggml and the specification count in signed 64 bits

// How ggml v0.27 answers to a size that overflows: its product wraps, and a negative one passes its check where
// the element size is 1 (found by running it; SPEC-gguf.ksy uses exact integers and refuses all).
GgmlVerdict ggmlOnOverflow(const Tensor& tensor)
{
    std::uint64_t wrapped = 1;
    for (const std::int64_t dim : tensor.dims())
        wrapped *= static_cast<std::uint64_t>(dim);
    const bool negative = wrapped > static_cast<std::uint64_t>(INT64_MAX);
    const bool refuses = wrapped / tensor.type->blockLength > UINT64_MAX / tensor.type->blockBytes;
    return negative && !refuses ? GgmlVerdict::Accepts : GgmlVerdict::RefusesToOpen;
}

std::string dimsText(const Tensor& tensor)
{
    return fmt::format("[{}]", fmt::join(tensor.dims(), ", "));
}

class DataSectionJudge
{
public:
    explicit DataSectionJudge(ParseContext& context)
        : m_builder(context.builder)
        , m_document(context.builder.document())
        , m_countBytes(context.countBytes())
    {
    }

    void run(const TidyTable& tidyTable)
    {
        const std::uint64_t tablesEnd = m_document.parsedEnd();
        const std::uint64_t alignment = m_document.alignment();
        const std::size_t count = m_document.tensorCount();
        // No padding where no tensor follows (SPEC-gguf.ksy, gguf_body.padding).
        const std::uint64_t dataOffset
            = count == 0 ? tablesEnd : tablesEnd + (alignment - tablesEnd % alignment) % alignment;
        m_builder.setDataOffset(dataOffset);
        if (dataOffset > m_document.fileSize())
            m_builder.addProblem(Rule::DataStartMissing, {tablesEnd, m_document.fileSize() - tablesEnd}, {},
                fmt::format("the file ends at byte {}, {} into the padding behind the tables", m_document.fileSize(),
                    countText(m_document.fileSize() - tablesEnd, "byte")),
                fmt::format("tensor data from byte {} on", dataOffset));
        judgeHeaderPadding({tablesEnd, dataOffset - tablesEnd});

        if (tidyTable.isTidy()) {
            m_builder.setPacked();
            m_nextOffset = m_contentEnd = tidyTable.dataBytes();
            m_sum = {count, tidyTable.elements(), tidyTable.tensorBytes(), 0, 0};
        } else {
            for (std::size_t i = 0; i < count; ++i)
                judgeTensor(m_document.tensor(i));
            reportTypes();
            m_builder.sortByOffset();
        }
        m_builder.setSum(m_sum);
        m_builder.setContentEnd(saturatingAdd(dataOffset, m_contentEnd));
        if (m_nextOffset)
            m_builder.setExpectedSize(saturatingAdd(dataOffset, *m_nextOffset));
        if (!tidyTable.isTidy())
            judgeNeighbours();
        // A tidy table whose end is in the file has no tensor that is cut.
        if (!tidyTable.isTidy() || *m_document.expectedSize() > m_document.fileSize())
            judgeCompleteness();
        judgeTail();
        m_builder.layOut();
    }

private:
    void judgeHeaderPadding(ByteRange padding)
    {
        const std::span<const std::byte> bytes = m_document.bytes(padding);
        const auto nonZero = std::ranges::find_if(bytes, [](std::byte byte) { return byte != std::byte{0}; });
        if (nonZero == bytes.end())
            return;
        const auto at = static_cast<std::uint64_t>(nonZero - bytes.begin());
        m_builder.addProblem(Rule::PaddingNotZero, padding, {},
            fmt::format("{} at byte {}, before the tensor data", hexBytes({&*nonZero, 1}), padding.offset + at), "00");
    }

    void judgeTensor(const Tensor& tensor)
    {
        const Subject subject{Subject::Kind::Tensor, tensor.index};
        const std::uint64_t firstDim = tensor.dimsOffset + 4;
        const std::uint64_t dimsLength = std::uint64_t{tensor.dimCount} * m_countBytes;
        const ByteRange typeField{firstDim + dimsLength, 4};

        if (!ggmlReadsTensorType(tensor.typeId))
            m_refused.try_emplace(tensor.typeId, Refused{tensor.index, typeField, 0}).first->second.tensors++;

        bool negative = false;
        for (std::uint32_t i = 0; i < tensor.dimCount; ++i) {
            if (tensor.dimValues[i] >= 0)
                continue;
            negative = true;
            m_builder.addProblem(Rule::TensorDimNegative, {firstDim + std::uint64_t{i} * m_countBytes, m_countBytes},
                subject, fmt::format("dims[{}] = {}", i, tensor.dimValues[i]), "0 or more");
        }
        bool partialRow = false;
        const std::uint64_t rowLength
            = tensor.dimCount == 0 ? 1 : static_cast<std::uint64_t>(std::max<std::int64_t>(tensor.dimValues[0], 0));
        if (tensor.type && tensor.type->blockLength > 1 && rowLength % tensor.type->blockLength != 0) {
            partialRow = true;
            if (m_builder.wants(Rule::TensorRowPartial))
                m_builder.addProblem(Rule::TensorRowPartial,
                    tensor.dimCount == 0 ? ByteRange{tensor.dimsOffset, 4} : ByteRange{firstDim, m_countBytes}, subject,
                    fmt::format("rows of {}", countText(rowLength, "element")),
                    fmt::format("a multiple of {} for {}", tensor.type->blockLength, tensor.type->name));
        }
        const bool sizeKnown = tensor.type && tensor.type->blockLength != 0;
        if (sizeKnown && !negative && !partialRow && !tensor.dataBytes) {
            Problem problem{Rule::TensorSizeOverflow, ruleInfo(Rule::TensorSizeOverflow).judges,
                ruleInfo(Rule::TensorSizeOverflow).severity, {firstDim, dimsLength}, subject,
                fmt::format("{} elements of {}", dimsText(tensor), tensor.type->name), "fewer than 2^63 bytes"};
            problem.judges.ggml = ggmlOnOverflow(tensor);
            if (problem.judges.ggml == GgmlVerdict::Accepts)
                problem.found += "; ggml's own product wraps to a negative number, which it does not notice";
            m_builder.addProblem(std::move(problem));
        }
        judgeOffset(tensor, subject, {typeField.end(), 8});

        m_sum.add(tensor.elements, tensor.dataBytes);
    }

    void judgeOffset(const Tensor& tensor, Subject subject, ByteRange field)
    {
        const std::uint32_t alignment = m_document.alignment();
        const bool unexpected = m_nextOffset && tensor.offset != *m_nextOffset;
        const Rule rule
            = tensor.offset % alignment != 0 ? Rule::TensorOffsetUnaligned : Rule::TensorOffsetUnexpected;
        if ((unexpected || rule == Rule::TensorOffsetUnaligned) && m_builder.wants(rule))
            m_builder.addProblem(rule, field, subject, fmt::format("{}", tensor.offset),
                m_nextOffset ? fmt::format("{}", *m_nextOffset) : fmt::format("a multiple of {}", alignment));
        else if (unexpected)
            m_builder.addProblem(rule, field, subject); // counted only

        // The next one must begin where this one's padded data ends (SPEC-gguf.ksy, expected_next_offset).
        m_nextOffset.reset();
        if (!tensor.dataBytes)
            return;
        const std::uint64_t end = saturatingAdd(tensor.offset, *tensor.dataBytes + *tensor.padding);
        m_contentEnd = std::max(m_contentEnd, end);
        if (end > kMaxDataBytes) {
            m_builder.addProblem(Rule::DataSizeOverflow, field, subject,
                fmt::format("offset {} and {}", tensor.offset, countText(*tensor.dataBytes, "byte")),
                "an end below 2^63");
            return;
        }
        m_nextOffset = end;
    }

    // One Problem for each type that ggml does not read, however many tensors have it.
    void reportTypes()
    {
        for (const auto& [typeId, refused] : m_refused) {
            const TensorTypeInfo* type = m_document.tensor(refused.firstTensor).type;
            Rule rule = Rule::TensorTypeUnknown;
            if (type)
                rule = type->status == TypeStatus::Fork || type->status == TypeStatus::Current
                    ? Rule::TensorTypeFork
                    : Rule::TensorTypeRemoved;
            std::string found = type ? fmt::format("type {} ({}", typeId, type->name) : fmt::format("type {}", typeId);
            if (type)
                found += type->status == TypeStatus::Fork ? fmt::format(" of {})", type->owner) : ")";
            m_builder.addProblem(rule, refused.field, {Subject::Kind::Tensor, refused.firstTensor},
                fmt::format("{} in {} tensor{}", found, refused.tensors, refused.tensors == 1 ? "" : "s"),
                "a type that ggml reads");
        }
    }

    void judgeNeighbours()
    {
        for (std::size_t rank = 0; rank + 1 < m_document.tensorCount(); ++rank) {
            const std::size_t index = m_document.tensorInOffsetOrder(rank);
            const TensorSpace space = m_document.tensorSpace(index);
            if (space.overlap == 0 && space.gap == 0)
                continue;
            const Rule rule = space.overlap > 0 ? Rule::TensorOverlap : Rule::TensorGap;
            if (!m_builder.wants(rule)) {
                m_builder.addProblem(rule, {}, {Subject::Kind::Tensor, index}); // counted only
                continue;
            }
            const Tensor tensor = m_document.tensor(index);
            const std::size_t nextIndex = m_document.tensorInOffsetOrder(rank + 1);
            const std::string next = visibleText(m_document.tensorName(nextIndex), 100);
            const std::uint64_t start = tensor.fileOffset.value_or(UINT64_MAX);
            if (rule == Rule::TensorOverlap)
                m_builder.addProblem(rule, {saturatingAdd(start, *space.reserved), space.overlap},
                    {Subject::Kind::Tensor, index},
                    fmt::format("{} up to {}", countText(*space.reserved, "byte"), next), countText(*space.required, "byte"));
            else
                m_builder.addProblem(rule,
                    {saturatingAdd(start, *space.required + *tensor.padding), space.gap}, {Subject::Kind::Tensor, index},
                    fmt::format("{} of no tensor, before {}", countText(space.gap, "byte"), next));
        }
    }

    void judgeCompleteness()
    {
        const std::uint64_t size = m_document.fileSize();
        std::uint64_t dataEnd = 0;
        std::uint64_t present = 0;
        std::uint64_t required = 0;
        std::size_t missing = 0;
        std::optional<std::size_t> firstCut;
        for (std::size_t rank = 0; rank < m_document.tensorCount(); ++rank) {
            const std::size_t index = m_document.tensorInOffsetOrder(rank);
            const TensorSpace space = m_document.tensorSpace(index);
            if (!space.required || *space.required == 0)
                continue;
            required = saturatingAdd(required, *space.required);
            present = saturatingAdd(present, space.present);
            dataEnd = std::max(dataEnd,
                saturatingAdd(m_document.tensor(index).fileOffset.value_or(UINT64_MAX), *space.required));
            if (space.cut() && !firstCut)
                firstCut = index;
            missing += space.missing() ? 1u : 0u;
        }
        const std::uint64_t contentEnd = m_document.contentEnd().value_or(0);
        if (firstCut) {
            const double share = 100.0 * static_cast<double>(present) / static_cast<double>(required);
            m_builder.addProblem(Rule::DataTruncated, {size, 0}, {Subject::Kind::Tensor, *firstCut},
                fmt::format("{}, {:.1f} % of the tensor data; {} is the first tensor cut, {} of {} are "
                            "missing altogether",
                    countText(size, "byte"), share, visibleText(m_document.tensorName(*firstCut), 100), missing,
                    m_document.tensorCount()),
                countText(m_document.expectedSize().value_or(contentEnd), "byte"));
        } else if (m_document.expectedSize() && *m_document.expectedSize() > size && dataEnd <= size
            && *m_document.dataOffset() <= size) {
            m_builder.addProblem(Rule::LastPaddingMissing, {size, 0}, {},
                countText(size, "byte"), countText(*m_document.expectedSize(), "byte"));
        }
    }

    void judgeTail()
    {
        const std::uint64_t size = m_document.fileSize();
        const std::uint64_t contentEnd = m_document.contentEnd().value_or(0);
        // With a tensor of unknown size nobody can say where the model ends.
        if (m_sum.unsized == 0 && size > contentEnd)
            m_builder.addProblem(Rule::TrailingBytes, {contentEnd, size - contentEnd}, {},
                fmt::format("{} after byte {}", countText(size - contentEnd, "byte"), contentEnd));
    }

    struct Refused
    {
        std::size_t firstTensor;
        ByteRange field;
        std::size_t tensors;
    };

    DocumentBuilder& m_builder;
    const Document& m_document;
    const std::uint32_t m_countBytes;
    std::map<std::uint32_t, Refused> m_refused;
    std::optional<std::uint64_t> m_nextOffset = 0; ///< nothing after a tensor of unknown size
    std::uint64_t m_contentEnd = 0; ///< relative to the data section
    TensorSum m_sum;
};

} // namespace

void judgeTensors(ParseContext& context)
{
    DataSectionJudge(context).run(context.tidyTable);
}

} // namespace gguf
