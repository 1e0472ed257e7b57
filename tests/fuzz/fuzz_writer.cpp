// SPDX-License-Identifier: GPL-3.0-or-later
// Bytes as decisions of the test writer: files that are valid but for what is said to be wrong. A file without
// any fault must be judged valid.
#include "fuzz.h"

#include "parse/parser.h"
#include "support/ggufwriter.h"
#include "support/invariants.h"
#include "support/walk.h"

namespace {

/// Takes decisions from the front of the input; zeros when it is used up.
class Decisions
{
public:
    Decisions(const std::uint8_t* data, std::size_t size)
        : m_data(data)
        , m_size(size)
    {
    }
    bool more() const { return m_position < m_size; }
    std::uint8_t byte() { return more() ? m_data[m_position++] : 0; }
    std::uint32_t below(std::uint32_t limit) { return byte() % limit; }
    /// Small numbers mostly; sometimes the ones where arithmetic ends.
    std::uint64_t number()
    {
        constexpr std::uint64_t kEdges[] = {UINT64_MAX, UINT64_MAX - 7, UINT64_MAX - 31, std::uint64_t{1} << 63,
            (std::uint64_t{1} << 63) - 1, std::uint64_t{1} << 32, UINT32_MAX, std::uint64_t{1} << 31, 65536, 0};
        const std::uint8_t kind = byte();
        if (kind < 40)
            return kEdges[kind % std::size(kEdges)];
        return kind < 150 ? byte() : std::uint64_t{byte()} << 8 | byte();
    }
    std::string text()
    {
        std::string text;
        for (std::uint32_t i = below(24); i > 0; --i)
            text += static_cast<char>(byte());
        return text;
    }

private:
    const std::uint8_t* m_data;
    std::size_t m_size;
    std::size_t m_position = 0;
};

void addPair(GgufWriter& writer, Decisions& decide, std::size_t index)
{
    const std::string key = "key." + std::to_string(index);
    switch (decide.below(12)) {
    case 0: writer.kv(key, decide.byte()); break;
    case 1: writer.kv(key, static_cast<std::int16_t>(decide.number())); break;
    case 2: writer.kv(key, static_cast<std::uint32_t>(decide.number())); break;
    case 3: writer.kv(key, decide.number()); break;
    case 4: writer.kv(key, decide.below(2) == 1); break;
    case 5: writer.kv(key, std::bit_cast<double>(decide.number())); break;
    case 6: writer.kv(key, std::string(decide.below(200), 'x')); break;
    case 7: writer.kv(key, std::vector<std::string>(decide.below(150), "token")); break;
    case 8: writer.kv(key, std::vector<std::uint16_t>(decide.below(200), 7)); break;
    case 9: writer.kv(key, std::vector<std::vector<std::string>>(decide.below(9), {"a", "", "bc"})); break;
    case 10: writer.kv(key, std::vector<bool>(decide.below(9), true)); break;
    default: writer.kv(key, std::vector<std::vector<std::vector<std::int8_t>>>(decide.below(5), {{1}, {}})); break;
    }
}

void addTensor(GgufWriter& writer, Decisions& decide, std::size_t index)
{
    constexpr std::uint32_t kTypes[] = {kF32, kF16, kQ4_0, kQ8_0, kQ4K, kQ6K, kI8, kBF16};
    constexpr std::uint64_t kBlocks[] = {1, 1, 32, 32, 256, 256, 1, 1};
    const std::uint32_t which = decide.below(8);
    std::vector<std::uint64_t> dims{kBlocks[which] * decide.below(4)};
    for (std::uint32_t i = decide.below(4); i > 0; --i)
        dims.push_back(decide.below(4));
    writer.tensor("tensor." + std::to_string(index), kTypes[which], dims);
}

/// Something wrong with the pair or tensor added last, or with the file.
void addFault(GgufWriter& writer, Decisions& decide, std::size_t pairs, std::size_t tensors)
{
    const std::uint32_t fault = decide.below(20);
    if (fault < 6 && pairs > 0) {
        switch (fault) {
        case 0: writer.statedKeyLength(decide.number()); break;
        case 1: writer.statedType(static_cast<std::uint32_t>(decide.number())); break;
        case 2: writer.statedElementType(decide.below(16)); break;
        case 3: writer.statedLength(decide.number()); break;
        case 4: writer.kv("key.0", decide.text()); break;
        default: writer.kv(decide.text(), decide.text()); break;
        }
    } else if (fault < 13 && tensors > 0) {
        switch (fault) {
        case 6: writer.statedNameLength(decide.number()); break;
        case 7: writer.statedDimCount(decide.below(20)); break;
        case 8: writer.statedTensorType(decide.below(160)); break;
        case 9: writer.statedOffset(decide.number()); break;
        case 10: writer.gapBefore(32 * decide.number() % 100'000); break;
        case 11: writer.tensor(decide.text(), decide.below(160), {decide.number(), decide.number()}).dataBytes(99); break;
        default: writer.shiftOffsets(decide.number()); break;
        }
    } else {
        switch (fault) {
        case 13: writer.statedMetadataCount(decide.number()); break;
        case 14: writer.statedTensorCount(decide.number()); break;
        case 15: writer.truncateBy(decide.number()); break;
        case 16: writer.kv("general.alignment", static_cast<std::uint32_t>(decide.number())); break;
        case 17: writer.version(decide.byte()); break;
        case 18: writer.patch(decide.number() % 2000, {decide.byte(), decide.byte()}); break;
        default: writer.trailing(decide.text()); break;
        }
    }
}

} // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    Decisions decide(data, std::min<std::size_t>(size, 400));
    GgufWriter writer(2 + decide.below(2), decide.below(4) == 0 ? gguf::ByteOrder::Big : gguf::ByteOrder::Little);
    const bool faulty = decide.below(4) != 0;
    std::size_t pairs = 0, tensors = 0;
    while (decide.more()) {
        if (decide.below(2) == 0)
            addPair(writer, decide, pairs++);
        else
            addTensor(writer, decide, tensors++);
        if (faulty && decide.below(4) == 0)
            addFault(writer, decide, pairs, tensors);
    }
    const gguf::MemorySource source(writer.bytes());
    const gguf::Document document = gguf::inspectData(gguf::parse(source), source);
    const std::string broken = brokenInvariant(document);
    require(broken.empty(), broken);
    walkEverything(document, 20);
    if (!faulty) {
        require(document.status() == gguf::Status::Ok, "a valid file is read to its end");
        require(document.verdicts().specValid, "a valid file is judged valid");
        require(document.metadataCount() == pairs && document.tensorCount() == tensors, "all records are there");
    }
    return 0;
}
