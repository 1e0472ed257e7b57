// SPDX-License-Identifier: GPL-3.0-or-later
#include "document/nametable.h"
#include "document/stringcursor.h"
#include "document/text.h"
#include "parse/meaningchecks.h"

#include <fmt/format.h>

namespace gguf::meaning {

namespace {

// Ten times the largest real vocabulary; a hostile array of empty tokens may be longer.
constexpr std::uint64_t kTokensCompared = 4'000'000;
constexpr std::size_t kDuplicatesListed = 3;

struct TokenList
{
    std::size_t index; ///< of the metadata pair
    ValueView value;
};

std::optional<TokenList> findArray(const Document& document, std::string_view key)
{
    const auto index = document.findKey(key);
    if (!index)
        return {};
    const ValueView value = document.value(*index);
    if (value.type() != ValueType::Array || !value.complete())
        return {};
    return TokenList{*index, value};
}

/// Where an array's number of elements is stored.
ByteRange countField(const Document& document, const TokenList& list)
{
    return {document.metadata(list.index).valueOffset + 4, document.header()->countBytes};
}

void checkLengths(DocumentBuilder& builder, const TokenList& tokens)
{
    const Document& document = builder.document();
    for (const char* key : {"tokenizer.ggml.scores", "tokenizer.ggml.token_type"}) {
        const auto other = findArray(document, key);
        if (!other || other->value.count() == tokens.value.count())
            continue;
        builder.addProblem(Rule::TokenArrayLength, countField(document, *other),
            metadataSubject(other->index), fmt::format("{} in {}", countText(other->value.count(), "element"), key),
            fmt::format("{}, as many as there are tokens", tokens.value.count()));
    }
}

void checkIds(DocumentBuilder& builder, const TokenList& tokens)
{
    const Document& document = builder.document();
    for (std::size_t i = 0; i < document.metadataCount(); ++i) {
        const std::string_view key = document.key(i);
        if (!key.starts_with("tokenizer.ggml.") || !key.ends_with("_token_id")
            || !document.metadata(i).complete)
            continue;
        const ValueView value = document.value(i);
        if (value.type() == ValueType::String || value.type() == ValueType::Array
            || value.type() == ValueType::Float32 || value.type() == ValueType::Float64)
            continue;
        const bool unset = value.asUnsigned() == kUnsetTokenId || value.asSigned() == -1;
        if (unset || value.asUnsigned() < tokens.value.count())
            continue;
        if (builder.wants(Rule::TokenIdOutOfRange))
            builder.addProblem(Rule::TokenIdOutOfRange, document.metadata(i).valueRange(), metadataSubject(i),
                fmt::format("{} = {}", visibleText(key, 100), value.text()),
                fmt::format("less than {}, the number of tokens, or {} for none", tokens.value.count(),
                    kUnsetTokenId));
    }
}

void checkDuplicates(DocumentBuilder& builder, const TokenList& tokens)
{
    const ValueView& value = tokens.value;
    if (value.elementTypeId() != static_cast<std::uint32_t>(ValueType::String) || value.available() < 2
        || value.available() > kTokensCompared)
        return;
    const auto count = static_cast<std::uint32_t>(value.available());
    NameTable table;
    table.reserve(count);
    std::uint64_t duplicates = 0;
    std::string listed;
    std::optional<std::uint32_t> firstDuplicate;
    const auto put = [&](const NameQueue::Name& token) {
        const auto other = table.put(token.hash, token.number,
            [&](std::uint32_t earlier) { return value.element(earlier).asString() == token.text; });
        if (!other)
            return;
        if (!firstDuplicate)
            firstDuplicate = token.number;
        if (++duplicates <= kDuplicatesListed)
            listed += fmt::format("{}\"{}\" at ids {} and {}", listed.empty() ? "" : ", ",
                visibleText(token.text, 40), *other, token.number);
    };
    NameQueue queue;
    StringCursor tokensInOrder(builder.document(), value);
    for (std::uint32_t i = 0; i < count; ++i)
        queue.add(table, tokensInOrder.next(), i, put);
    queue.finish(put);
    if (!firstDuplicate)
        return;
    if (duplicates > kDuplicatesListed)
        listed += fmt::format(" and {} more", duplicates - kDuplicatesListed);
    builder.addProblem(
        Rule::TokenDuplicate, value.element(*firstDuplicate).range(), metadataSubject(tokens.index), listed);
}

void checkBytePairs(DocumentBuilder& builder)
{
    const Document& document = builder.document();
    const auto model = document.findKey("tokenizer.ggml.model");
    if (!model || document.stringValue("tokenizer.ggml.model") != "gpt2")
        return;
    const ByteRange range = document.metadata(*model).valueRange();
    const auto merges = findArray(document, "tokenizer.ggml.merges");
    // Some programs keep the whole tokenizer.json instead.
    if ((!merges || merges->value.count() == 0) && !document.findKey("tokenizer.huggingface.json"))
        builder.addProblem(Rule::MergesMissing, range, metadataSubject(*model),
            merges ? "an empty tokenizer.ggml.merges" : "no tokenizer.ggml.merges", "the merges, as text");
    const std::string_view pre = document.stringValue("tokenizer.ggml.pre");
    if (pre.empty() || pre == "default")
        builder.addProblem(Rule::PreTokenizerMissing, range, metadataSubject(*model),
            pre.empty() ? "no tokenizer.ggml.pre" : "tokenizer.ggml.pre = default");
}

/// The rows of the matrix that has one row for each token.
std::optional<std::uint64_t> rowsOf(const Document& document, std::string_view name)
{
    const auto index = document.findTensor(name);
    if (!index)
        return {};
    const Tensor tensor = document.tensor(*index);
    if (tensor.dimCount != 2 || tensor.dimValues[1] < 0)
        return {};
    return static_cast<std::uint64_t>(tensor.dimValues[1]);
}

void checkVocabularySize(DocumentBuilder& builder, const std::optional<TokenList>& tokens)
{
    const Document& document = builder.document();
    struct Count
    {
        std::string name;
        std::uint64_t value;
    };
    std::vector<Count> counts;
    if (tokens)
        counts.push_back({"tokens in tokenizer.ggml.tokens", tokens->value.count()});
    const std::string sizeKey = fmt::format("{}.vocab_size", document.architecture());
    const auto sizeIndex = document.findKey(sizeKey);
    if (const auto size = document.unsignedValue(sizeKey))
        counts.push_back({fmt::format("as {}", visibleText(sizeKey, 100)), *size});
    if (const auto rows = rowsOf(document, "token_embd.weight"))
        counts.push_back({"rows in token_embd.weight", *rows});
    // A codec's output has no row for each token; tied embeddings have no output at all.
    if (const auto rows = rowsOf(document, "output.weight");
        rows && !document.architecture().starts_with("wavtokenizer"))
        counts.push_back({"rows in output.weight", *rows});
    bool differ = false;
    std::string found;
    for (const Count& count : counts) {
        differ = differ || count.value != counts.front().value;
        found += fmt::format("{}{} {}", found.empty() ? "" : ", ", count.value, count.name);
    }
    if (!differ)
        return;
    const std::optional<std::size_t> place = tokens ? std::optional(tokens->index) : sizeIndex;
    builder.addProblem(Rule::VocabularySizeMismatch,
        tokens      ? countField(document, *tokens)
            : place ? document.metadata(*place).valueRange()
                    : ByteRange{},
        place ? metadataSubject(*place) : Subject{}, found, "one number");
}

} // namespace

void checkTokenizer(DocumentBuilder& builder, FileKind kind)
{
    const auto tokens = findArray(builder.document(), "tokenizer.ggml.tokens");
    if (tokens) {
        checkLengths(builder, *tokens);
        checkIds(builder, *tokens);
        checkDuplicates(builder, *tokens);
    }
    checkBytePairs(builder);
    if (kind == FileKind::Model || kind == FileKind::VocabularyOnly)
        checkVocabularySize(builder, tokens);
}

} // namespace gguf::meaning
