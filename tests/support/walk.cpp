// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/walk.h"

#include "document/bytemap.h"
#include "document/text.h"

#include <algorithm>

namespace {

template <class Visit>
void firstAndLast(std::uint64_t count, std::uint64_t most, Visit visit)
{
    for (std::uint64_t i = 0; i < std::min(count, most); ++i)
        visit(i);
    for (std::uint64_t i = std::max(most, count - std::min(count, most)); i < count; ++i)
        visit(i);
}

std::uint64_t walkValue(const gguf::ValueView& value, std::uint64_t most, int depth)
{
    std::uint64_t sum = value.text().size() + value.asUnsigned() % 2 + (value.asSigned() < 0 ? 1U : 0U);
    sum += value.asDouble() > 0 ? 1U : 0U;
    sum += gguf::visibleMultiline(value.asString(), 4096).size() + value.stringLength() % 2;
    if (value.type() == gguf::ValueType::Array && depth < 300) {
        const std::uint64_t inner = depth == 0 ? most : 3;
        firstAndLast(value.available(), inner,
            [&](std::uint64_t i) { sum += walkValue(value.element(i), most, depth + 1); });
    }
    return sum;
}

} // namespace

std::uint64_t walkEverything(const gguf::Document& document, std::uint64_t most)
{
    std::uint64_t sum = 0;
    firstAndLast(document.metadataCount(), most, [&](std::uint64_t i) {
        sum += gguf::visibleText(document.key(i), 200).size();
        sum += document.findKey(document.key(i)).has_value() ? 1U : 0U;
        sum += walkValue(document.value(i), most, 0);
    });
    firstAndLast(document.tensorCount(), most, [&](std::uint64_t i) {
        const gguf::Tensor tensor = document.tensor(i);
        sum += gguf::visibleText(tensor.name, 200).size() + tensor.typeName().size();
        sum += tensor.bitsPerWeight().has_value() ? 1U : 0U;
        sum += document.fittingLayouts(tensor.typeId).size();
        sum += document.tensorSpace(i).gap % 2;
    });
    firstAndLast(document.problemCount(), most, [&](std::uint64_t i) {
        sum += gguf::problemMessage(document.problem(i)).size();
        sum += document.subjectName(document.problem(i).subject).size();
    });

    const gguf::ByteMap map(document);
    auto region = map.regionAt(0);
    for (std::uint64_t i = 0; region && i < most; ++i) {
        const gguf::ByteRange range = region->range;
        for (const std::uint64_t offset : {range.offset, range.offset + range.length / 2, range.end() - 1})
            sum += map.locate(offset).pathText().size();
        region = map.next(*region);
    }
    return sum;
}
