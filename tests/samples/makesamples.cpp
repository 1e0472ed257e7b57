// SPDX-License-Identifier: GPL-3.0-or-later
// Writes the sample models: makesamples FOLDER. With --check FOLDER compares instead.
//
// Everything is integer arithmetic from fixed seeds, so that the same bytes come out everywhere.

#include "support/ggufwriter.h"

#include <array>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace {

/// SplitMix64 (public domain generator by S. Vigna): small, and the same on every system.
class Random
{
public:
    explicit Random(std::uint64_t seed)
        : m_state(seed)
    {
    }
    std::uint64_t next()
    {
        std::uint64_t z = (m_state += 0x9E3779B97F4A7C15);
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
        return z ^ (z >> 31);
    }
    std::uint32_t below(std::uint32_t limit) { return static_cast<std::uint32_t>(next() >> 33) % limit; }
    /// Bell-shaped around the middle of [0, limit).
    std::uint32_t bell(std::uint32_t limit)
    {
        return (below(limit) + below(limit) + below(limit) + below(limit)) / 4;
    }

private:
    std::uint64_t m_state;
};

void put(std::vector<std::byte>& out, std::uint32_t byte) { out.push_back(static_cast<std::byte>(byte & 0xFF)); }

void put16(std::vector<std::byte>& out, std::uint32_t bits)
{
    put(out, bits);
    put(out, bits >> 8);
}

/// 256 weights: w = d * scale * q - dmin * min, spread evenly around 0 with a few hundredths.
void putQ4K(std::vector<std::byte>& out, Random& random)
{
    const std::uint32_t d = 0x0900 + random.below(0x300); // half floats of 1.5e-4 to 2.4e-4
    std::array<std::uint32_t, 8> scale{}, min{};
    for (std::size_t j = 0; j < 8; ++j) {
        scale[j] = 34 + random.bell(30);
        min[j] = scale[j] * 15 / 16; // with dmin = 8 d the middle of the 16 levels is 0
    }
    put16(out, d);
    put16(out, d + 0xC00);
    for (std::size_t j = 0; j < 4; ++j)
        put(out, scale[j] | (scale[j + 4] >> 4) << 6);
    for (std::size_t j = 0; j < 4; ++j)
        put(out, min[j] | (min[j + 4] >> 4) << 6);
    for (std::size_t j = 4; j < 8; ++j)
        put(out, (scale[j] & 15) | (min[j] & 15) << 4);
    for (int i = 0; i < 128; ++i)
        put(out, random.bell(16) | random.bell(16) << 4);
}

/// 256 weights: w = d * scale * (q - 32).
void putQ6K(std::vector<std::byte>& out, Random& random)
{
    std::array<std::uint32_t, 256> q{};
    for (std::uint32_t& level : q)
        level = random.bell(64);
    for (std::size_t half = 0; half < 256; half += 128) {
        for (std::size_t i = half; i < half + 32; ++i)
            put(out, (q[i] & 15) | (q[i + 64] & 15) << 4);
        for (std::size_t i = half + 32; i < half + 64; ++i)
            put(out, (q[i] & 15) | (q[i + 64] & 15) << 4);
    }
    for (std::size_t half = 0; half < 256; half += 128) {
        for (std::size_t i = half; i < half + 32; ++i)
            put(out, q[i] >> 4 | (q[i + 32] >> 4) << 2 | (q[i + 64] >> 4) << 4 | (q[i + 96] >> 4) << 6);
    }
    for (int i = 0; i < 16; ++i) {
        const std::uint32_t scale = 70 + random.below(57);
        put(out, random.below(2) == 0 ? scale : 256 - scale);
    }
    put16(out, 400 + random.below(300)); // half floats of 2.4e-5 to 4.2e-5
}

std::vector<std::byte> weights(std::uint32_t type, const std::vector<std::uint64_t>& dims, Random& random)
{
    std::vector<std::byte> out;
    std::uint64_t count = 1;
    for (const std::uint64_t dim : dims)
        count *= dim;
    if (type == kF32) {
        for (std::uint64_t i = 0; i < count; ++i) { // norms: 0.25 to 0.75, as binary fractions
            const float value = 0.25F + static_cast<float>(random.bell(4096)) / 8192.0F;
            const auto bits = std::bit_cast<std::uint32_t>(value);
            put16(out, bits);
            put16(out, bits >> 16);
        }
    }
    for (std::uint64_t block = 0; type != kF32 && block < count / 256; ++block)
        type == kQ4K ? putQ4K(out, random) : putQ6K(out, random);
    return out;
}

std::string utf8(std::uint32_t codePoint)
{
    std::string text;
    if (codePoint < 0x80) {
        text += static_cast<char>(codePoint);
    } else {
        text += static_cast<char>(0xC0 | codePoint >> 6);
        text += static_cast<char>(0x80 | (codePoint & 0x3F));
    }
    return text;
}

/// Byte-level BPE as GPT-2 defines it: a printable letter for each byte, then merges.
struct Vocabulary
{
    std::vector<std::string> tokens, merges;
    std::vector<std::int32_t> types;
};

Vocabulary makeVocabulary()
{
    Vocabulary vocabulary;
    std::uint32_t stand = 0x100; // bytes that do not print stand for themselves from here on
    for (std::uint32_t byte = 0; byte < 256; ++byte) {
        const bool prints = (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
        vocabulary.tokens.push_back(utf8(prints ? byte : stand++));
    }
    // U+0120 stands for the blank.
    for (const char* merge : {"Ġ t", "Ġ a", "h e", "i n", "r e", "o n", "Ġt he", "e r", "Ġ s", "a t", "Ġ w", "Ġ o",
             "e n", "Ġ c", "i t", "i s", "a n", "o r", "e s", "Ġ b", "e d", "Ġ f", "in g", "Ġ p", "o u", "Ġa n",
             "a l", "a r", "Ġt o", "Ġ m", "Ġo f", "Ġ in", "Ġ d", "Ġ h", "Ġan d", "i c", "a s", "l e", "Ġt h",
             "i on", "o m", "l l", "en t", "Ġ n", "Ġ l", "s t", "Ġ re", "v e", "Ġ e", "r o", "l y", "Ġb e", "Ġ g",
             "Ġ T", "c t", "Ġ S", "i d", "o t", "Ġ I", "u t"}) {
        const std::string pair = merge;
        const std::size_t blank = pair.find(' ');
        vocabulary.merges.push_back(pair);
        vocabulary.tokens.push_back(pair.substr(0, blank) + pair.substr(blank + 1));
    }
    vocabulary.types.assign(vocabulary.tokens.size(), 1); // normal
    for (const char* control : {"<|begin_of_text|>", "<|end_of_text|>", "<|start_header_id|>", "<|end_header_id|>",
             "<|eot_id|>"}) {
        vocabulary.tokens.push_back(control);
        vocabulary.types.push_back(3);
    }
    return vocabulary;
}

constexpr const char* kChatTemplate = R"({{- bos_token }}
{%- for message in messages %}
    {{- '<|start_header_id|>' + message['role'] + '<|end_header_id|>\n\n' }}
    {{- message['content'] | trim + '<|eot_id|>' }}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<|start_header_id|>assistant<|end_header_id|>\n\n' }}
{%- endif %})";

constexpr std::uint64_t kWidth = 256; // a K-quant block, so that each row is one

void addHead(GgufWriter& writer, std::uint32_t layers, const Vocabulary& vocabulary)
{
    writer.kv("general.architecture", "llama")
        .kv("general.type", "model")
        .kv("general.name", "Sample Llama")
        .kv("general.description", "A made-up model with random weights. It says nothing sensible.")
        .kv("general.license", "cc0-1.0")
        .kv("general.tags", std::vector<std::string>{"text-generation", "sample"})
        .kv("general.languages", std::vector<std::string>{"en"})
        .kv("llama.block_count", layers)
        .kv("llama.context_length", std::uint32_t{8192})
        .kv("llama.embedding_length", std::uint32_t{kWidth})
        .kv("llama.feed_forward_length", std::uint32_t{2 * kWidth})
        .kv("llama.attention.head_count", std::uint32_t{8})
        .kv("llama.attention.head_count_kv", std::uint32_t{2})
        .kv("llama.attention.layer_norm_rms_epsilon", 1e-5F)
        .kv("llama.rope.dimension_count", std::uint32_t{32})
        .kv("llama.rope.freq_base", 500000.0F)
        .kv("llama.vocab_size", static_cast<std::uint32_t>(vocabulary.tokens.size()))
        .kv("general.file_type", std::uint32_t{15}) // Q4_K_M
        .kv("general.quantization_version", std::uint32_t{2});
}

/// more_bits of llama-quantize: the first and last eighth of the layers, and every third between.
bool moreBits(std::uint32_t layer, std::uint32_t layers)
{
    return layer < layers / 8 || layer >= 7 * layers / 8 || (layer - layers / 8) % 3 == 2;
}

/// Names, order and types as llama-quantize writes a dense llama as Q4_K_M. The matrices have fewer rows than
/// a real model of this width, to keep the file small.
void addTensors(GgufWriter& writer, std::uint32_t layers, std::uint64_t vocabularySize)
{
    Random random(20240501);
    const auto add = [&](const std::string& name, std::uint32_t type, const std::vector<std::uint64_t>& dims) {
        writer.tensor(name, type, dims, weights(type, dims, random));
    };
    add("output.weight", kQ6K, {kWidth, vocabularySize});
    add("output_norm.weight", kF32, {kWidth});
    add("token_embd.weight", kQ4K, {kWidth, vocabularySize});
    for (std::uint32_t layer = 0; layer < layers; ++layer) {
        const std::string block = "blk." + std::to_string(layer) + ".";
        const std::uint32_t bumped = moreBits(layer, layers) ? kQ6K : kQ4K;
        add(block + "attn_k.weight", kQ4K, {kWidth, 2});
        add(block + "attn_norm.weight", kF32, {kWidth});
        add(block + "attn_output.weight", kQ4K, {kWidth, 8});
        add(block + "attn_q.weight", kQ4K, {kWidth, 8});
        add(block + "attn_v.weight", bumped, {kWidth, 2});
        add(block + "ffn_down.weight", bumped, {2 * kWidth, 8});
        add(block + "ffn_gate.weight", kQ4K, {kWidth, 16});
        add(block + "ffn_norm.weight", kF32, {kWidth});
        add(block + "ffn_up.weight", kQ4K, {kWidth, 16});
    }
}

void addTokenizer(GgufWriter& writer, const Vocabulary& vocabulary)
{
    const auto controls = static_cast<std::uint32_t>(vocabulary.tokens.size() - 5);
    writer.kv("tokenizer.ggml.model", "gpt2")
        .kv("tokenizer.ggml.pre", "llama-bpe")
        .kv("tokenizer.ggml.tokens", vocabulary.tokens)
        .kv("tokenizer.ggml.token_type", vocabulary.types)
        .kv("tokenizer.ggml.merges", vocabulary.merges)
        .kv("tokenizer.ggml.bos_token_id", controls)
        .kv("tokenizer.ggml.eos_token_id", controls + 4)
        .kv("tokenizer.ggml.add_bos_token", true)
        .kv("tokenizer.chat_template", kChatTemplate);
}

GgufWriter sampleModel()
{
    const Vocabulary vocabulary = makeVocabulary();
    GgufWriter writer;
    addHead(writer, 32, vocabulary);
    addTokenizer(writer, vocabulary);
    addTensors(writer, 32, vocabulary.tokens.size());
    return writer;
}

/// The same with four layers, and with faults of most kinds that do not end reading.
GgufWriter damagedModel()
{
    Vocabulary vocabulary = makeVocabulary();
    vocabulary.tokens[300] = "\xC3(";
    GgufWriter writer;
    addHead(writer, 5, vocabulary); // one more than there are
    addTokenizer(writer, vocabulary);
    writer.kv("general.name", "Sample Llama, again") // twice
        .kv("general.description_of_sorts", "\x1B[31mred\x1B[0m, \xE2\x80\xAE" "backwards\xE2\x80\xAC, <b>bold</b>")
        .kv("Sample.Upper Case", std::vector<std::vector<std::int32_t>>{{1, 2, 3}, {4}, {}}) // nested, odd name
        .raw("sample.two_is_no_bool", 7, [](GgufBytes& bytes) { bytes.put(std::uint8_t{2}); })
        .paddingByte(0x2E);
    addTensors(writer, 4, vocabulary.tokens.size());
    const std::vector<std::uint64_t> row{kWidth, 1};
    writer.tensor("extra.removed_type", 4, {kWidth}).dataBytes(160) // Q4_2
        .tensor("extra.unknown_type", 250, {kWidth}).dataBytes(96)
        .tensor("extra.unaligned", kF32, {9}).statedOffset(1003)
        .tensor("extra.partial_row", kQ4K, {100, 2}).dataBytes(144)
        .tensor("extra.five_dimensions", kI8, {2, 2, 2, 2, 2})
        .tensor("extra.after_a_gap", kF32, {8}).gapBefore(4096)
        .tensor("blk.3.ffn_up.weight", kQ4K, row) // twice
        .tensor("extra.cut", kQ4K, {kWidth, 16})
        .truncateBy(1500);
    return writer;
}

bool sameAsFile(const std::vector<std::byte>& bytes, const std::filesystem::path& path)
{
    std::ifstream file(path, std::ios::binary);
    const std::vector<char> there{std::istreambuf_iterator<char>(file), {}};
    return there.size() == bytes.size() && std::memcmp(there.data(), bytes.data(), bytes.size()) == 0;
}

} // namespace

int main(int argc, char** argv)
{
    const bool check = argc == 3 && std::string_view(argv[1]) == "--check";
    if (argc != 2 && !check) {
        std::fprintf(stderr, "usage: makesamples [--check] FOLDER\n");
        return 2;
    }
    const std::filesystem::path folder = argv[argc - 1];
    int result = 0;
    for (const auto& [name, writer] : {std::pair{"sample-llama-q4_k_m.gguf", sampleModel()},
             std::pair{"sample-damaged.gguf", damagedModel()}}) {
        if (!check) {
            writer.write(folder / name);
        } else if (!sameAsFile(writer.bytes(), folder / name)) {
            std::fprintf(stderr, "%s is not what makesamples writes: run it again.\n", name);
            result = 1;
        }
    }
    return result;
}
