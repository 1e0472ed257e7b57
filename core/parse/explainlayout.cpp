// SPDX-License-Identifier: GPL-3.0-or-later
#include "document/text.h"
#include "parse/recovery.h"

#include <algorithm>
#include <fmt/format.h>

namespace gguf {

namespace {

/// The constant by which all offsets differ from where the tensors would lie one behind the other.
void findShift(DocumentBuilder& builder)
{
    const Document& document = builder.document();
    if (document.tensorCount() < 2 || document.tensor(0).offset == 0)
        return;
    std::uint64_t next = 0;
    std::uint64_t shift = 0;
    for (std::size_t i = 0; i < document.tensorCount(); ++i) {
        const Tensor tensor = document.tensor(i);
        if (!tensor.dataBytes || *tensor.dataBytes > INT64_MAX - next)
            return;
        const std::uint64_t difference = tensor.offset - next; // modulo 2^64: may be negative
        if (i == 0)
            shift = difference;
        if (difference != shift || shift == 0)
            return;
        next += *tensor.dataBytes;
        next += (document.alignment() - next % document.alignment()) % document.alignment();
    }
    const bool fits = document.dataOffset() && next <= document.fileSize()
        && *document.dataOffset() == document.fileSize() - next;
    std::string found = shift > INT64_MAX ? fmt::format("each offset is {} too small", countText(-shift, "byte"))
                                          : fmt::format("each offset is {} too large", countText(shift, "byte"));
    if (document.dataOffset() == shift)
        found += ", the length of header and tables: they count from the start of the file";
    if (fits)
        found += "; without it the file has exactly the right length";
    const Tensor first = document.tensor(0);
    builder.addProblem(Rule::OffsetsShifted, {first.record.end() - 8, 8}, {Subject::Kind::Tensor, 0},
        std::move(found), "offsets that begin at 0");
}

void checkSizeLimit(DocumentBuilder& builder)
{
    const Document& document = builder.document();
    constexpr std::uint64_t kLimits[] = {(1ull << 31) - 1, 1ull << 31, (1ull << 32) - 1, 1ull << 32};
    bool cut = false;
    for (const Rule rule : {Rule::DataTruncated, Rule::DataStartMissing, Rule::LastPaddingMissing,
             Rule::MetadataTruncated, Rule::TensorTableTruncated})
        cut = cut || document.problemTotal(rule) > 0;
    if (cut && std::ranges::find(kLimits, document.fileSize()) != std::end(kLimits))
        builder.addProblem(
            Rule::SizeLimit, {document.fileSize(), 0}, {}, countText(document.fileSize(), "byte"));
}

} // namespace

void explainLayout(DocumentBuilder& builder)
{
    if (builder.document().status() != Status::Partial)
        findShift(builder);
    checkSizeLimit(builder);
}

} // namespace gguf
