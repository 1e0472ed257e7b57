// SPDX-License-Identifier: GPL-3.0-or-later
#include "inputs.h"

#include <cstdlib>
#include <fmt/format.h>

namespace benchinputs {

namespace {

std::vector<std::string> tokens(std::size_t count)
{
    std::vector<std::string> list;
    list.reserve(count);
    for (std::size_t i = 0; i < count; ++i)
        list.push_back(fmt::format("{}\xC4\xA0tok{}", i % 3 == 0 ? "\xE2\x96\x81" : "", i * 7919 % count));
    return list;
}

std::vector<std::string> merges(std::size_t count)
{
    std::vector<std::string> list;
    list.reserve(count);
    for (std::size_t i = 0; i < count; ++i)
        list.push_back(fmt::format("\xC4\xA0m{} n{}", i * 31 % 9973, i));
    return list;
}

void addModel(GgufWriter& writer, std::size_t vocabulary, std::size_t mergeCount, std::size_t layers, std::size_t perLayer,
    std::uint64_t rows)
{
    writer.kv("general.architecture", "llama").kv("general.file_type", std::uint32_t{15});
    writer.kv("general.quantization_version", std::uint32_t{2});
    writer.kv("llama.block_count", static_cast<std::uint32_t>(layers));
    writer.kv("tokenizer.ggml.model", "gpt2").kv("tokenizer.ggml.pre", "llama-bpe");
    writer.kv("tokenizer.ggml.tokens", tokens(vocabulary)).kv("tokenizer.ggml.scores", std::vector<float>(vocabulary, -1.0F));
    writer.kv("tokenizer.ggml.token_type", std::vector<std::int32_t>(vocabulary, 1));
    writer.kv("tokenizer.ggml.merges", merges(mergeCount));
    writer.tensor("token_embd.weight", kQ4K, {256, vocabulary});
    for (std::size_t layer = 0; layer < layers; ++layer) {
        for (std::size_t i = 0; i < perLayer; ++i)
            writer.tensor(fmt::format("blk.{}.part_{}.weight", layer, i), i % 2 ? kQ4K : kQ6K, {4096, rows});
    }
    writer.tensor("output_norm.weight", kF32, {4096}).tensor("output.weight", kQ6K, {256, vocabulary});
}

GgufWriter largeVocabulary()
{
    GgufWriter writer;
    addModel(writer, 262'144, 514'000, 133, 9, 16);
    return writer;
}

GgufWriter eightBillion()
{
    GgufWriter writer;
    addModel(writer, 128'256, 280'147, 32, 9, 14336);
    return writer;
}

GgufWriter hugeFile()
{
    GgufWriter writer;
    addModel(writer, 128'256, 280'147, 222, 9, 85'000); // about 400 GB of data
    return writer;
}

GgufWriter nestedArrays()
{
    GgufWriter writer;
    writer.kv("general.architecture", "llama");
    writer.kv("nested.numbers", std::vector<std::vector<std::uint32_t>>(200'000, {1, 2, 3, 4}));
    writer.kv("nested.texts", std::vector<std::vector<std::vector<std::string>>>(50'000, {{"a", "bc"}, {"def"}, {}}));
    return writer;
}

GgufWriter longString()
{
    GgufWriter writer;
    std::string text;
    while (text.size() < 300'000'000)
        text += "A long line of plain text and some that is not: \xC3\xA4\xE2\x82\xAC.\n";
    writer.kv("general.architecture", "llama").kv("general.long", text);
    return writer;
}

} // namespace

GgufWriter manyTensors(std::size_t count)
{
    GgufWriter writer;
    writer.kv("general.architecture", "llama");
    for (std::size_t i = 0; i < count; ++i)
        writer.tensor(fmt::format("blk.{}.ffn_part_{}.weight", i / 9, i % 9), kQ4K, {4096, 2});
    return writer;
}

GgufWriter manyKeys(std::size_t count)
{
    GgufWriter writer;
    writer.kv("general.architecture", "llama");
    for (std::size_t i = 0; i < count; ++i)
        writer.kv(fmt::format("llama.some.key_{}", i), static_cast<std::uint32_t>(i));
    return writer;
}

GgufWriter manyTokens(std::size_t count)
{
    GgufWriter writer;
    writer.kv("general.architecture", "llama").kv("tokenizer.ggml.tokens", tokens(count));
    return writer;
}

const std::vector<Input>& all()
{
    static const std::vector<Input> kInputs{
        {"vocabulary", "262,144 tokens, 514,000 merges, scores, types, 1,200 tensors", largeVocabulary},
        {"tensors-100k", "100,000 tensors", [] { return manyTensors(100'000); }},
        {"tensors-1m", "1,000,000 tensors", [] { return manyTensors(1'000'000); }},
        {"keys-100k", "100,000 keys", [] { return manyKeys(100'000); }},
        {"huge", "400 GB sparse, 2,000 tensors", hugeFile},
        {"8b", "8B-like: 291 tensors, 128,256 tokens, 280,147 merges", eightBillion},
        {"nested", "nested arrays: 200,000 of numbers, 50,000 of texts", nestedArrays},
        {"string", "one string of 300 MB", longString},
    };
    return kInputs;
}

std::filesystem::path written(const std::filesystem::path& folder, const std::string& name, const GgufWriter& writer)
{
    std::filesystem::create_directories(folder);
    const std::filesystem::path path = folder / (name + ".gguf");
    if (!std::filesystem::exists(path)) {
        const std::filesystem::path partial = folder / (name + ".partial");
        writer.writeSparse(partial);
        std::filesystem::rename(partial, path);
    }
    return path;
}

std::filesystem::path folder()
{
    if (const char* chosen = std::getenv("GGUF_BENCH_DIR"))
        return chosen;
    return std::filesystem::temp_directory_path() / "gguf-inspector-bench";
}

} // namespace benchinputs
