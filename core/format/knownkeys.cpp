// SPDX-License-Identifier: GPL-3.0-or-later
#include "format/knownkeys.h"

#include <algorithm>
#include <string>

namespace gguf {

namespace {

constexpr ValueTypeSet kU8 = valueTypeSet(ValueType::UInt8);
constexpr ValueTypeSet kI8 = valueTypeSet(ValueType::Int8);
constexpr ValueTypeSet kU16 = valueTypeSet(ValueType::UInt16);
constexpr ValueTypeSet kU32 = valueTypeSet(ValueType::UInt32);
constexpr ValueTypeSet kI32 = valueTypeSet(ValueType::Int32);
constexpr ValueTypeSet kF32 = valueTypeSet(ValueType::Float32);
constexpr ValueTypeSet kBool = valueTypeSet(ValueType::Bool);
constexpr ValueTypeSet kStr = valueTypeSet(ValueType::String);
/// gguf.md says u64, converters write u32 and llama.cpp reads u32.
constexpr ValueTypeSet kCount = valueTypeSet(ValueType::UInt32, ValueType::UInt64);

// Pattern, types of a single value, types of array elements, unit, meaning; sorted by pattern.
constexpr KnownKey kFixedKeys[] = {
    {"adapter.alora.invocation_tokens", 0, kU32 | kI32, "tokens", "tokens that switch an activated LoRA on"},
    {"adapter.lora.alpha", kF32, 0, "", "strength of the LoRA; scale is alpha / rank"},
    {"adapter.lora.prompt_prefix", kStr, 0, "", "text to put before prompts for this LoRA"},
    {"adapter.lora.task_name", kStr, 0, "", "task the LoRA is for"},
    {"adapter.type", kStr, 0, "", "kind of adapter: lora"},
    {"clip.audio.num_mel_bins", kU32, 0, "bins", "mel frequency bins of the input"},
    {"clip.audio.projection_dim", kU32, 0, "", "width of the projector's output"},
    {"clip.audio.projector.stack_factor", kU32, 0, "frames", "frames stacked into one"},
    {"clip.audio.projector_type", kStr, 0, "", "kind of projector of the audio encoder"},
    {"clip.has_audio_encoder", kBool, 0, "", "the file has an audio encoder"},
    {"clip.has_llava_projector", kBool, 0, "", "the file has a LLaVA projector"},
    {"clip.has_text_encoder", kBool, 0, "", "the file has a text encoder"},
    {"clip.has_vision_encoder", kBool, 0, "", "the file has a vision encoder"},
    {"clip.projector_type", kStr, 0, "", "kind of projector from the encoder to the language model"},
    {"clip.use_gelu", kBool, 0, "", "activation is GELU"},
    {"clip.use_silu", kBool, 0, "", "activation is SiLU"},
    {"clip.vision.feature_layer", 0, kU32 | kI32, "layers", "layers whose output the projector takes"},
    {"clip.vision.image_grid_pinpoints", 0, kU32 | kI32, "pixels",
        "image sizes that high-resolution input may be cut to"},
    {"clip.vision.image_mean", 0, kF32, "", "mean of each colour channel, subtracted from the input"},
    {"clip.vision.image_size", kU32, 0, "pixels", "side of the square input image"},
    {"clip.vision.image_std", 0, kF32, "", "standard deviation of each colour channel, divides the input"},
    {"clip.vision.n_wa_pattern", kU32, 0, "layers", "every n-th layer looks at the whole image"},
    {"clip.vision.patch_size", kU32, 0, "pixels", "side of one patch"},
    {"clip.vision.projection_dim", kU32, 0, "", "width of the projector's output"},
    {"clip.vision.projector.scale_factor", kU32, 0, "", "how much the projector shrinks the grid of patches"},
    {"clip.vision.projector_type", kStr, 0, "", "kind of projector of the vision encoder"},
    {"clip.vision.spatial_merge_size", kU32, 0, "patches", "side of the square of patches merged into one"},
    {"clip.vision.window_size", kU32, 0, "pixels", "side of an attention window"},
    {"controlvector.layer_count", kU32 | kI32, 0, "layers", "layers that the control vector acts on"},
    {"controlvector.model_hint", kStr, 0, "", "architecture that the control vector is for"},
    {"general.alignment", kU32, 0, "bytes",
        "every tensor's data begins at a multiple of this in the data section"},
    {"general.architecture", kStr, 0, "", "name of the model's architecture; the prefix of its other keys"},
    {"general.author", kStr, 0, "", "who made the model"},
    {"general.base_model.*.author", kStr, 0, "", "base model: author"},
    {"general.base_model.*.description", kStr, 0, "", "base model: description"},
    {"general.base_model.*.doi", kStr, 0, "", "base model: digital object identifier"},
    {"general.base_model.*.name", kStr, 0, "", "base model: name"},
    {"general.base_model.*.organization", kStr, 0, "", "base model: organization"},
    {"general.base_model.*.repo_url", kStr, 0, "URL", "base model: repository"},
    {"general.base_model.*.url", kStr, 0, "URL", "base model: home page"},
    {"general.base_model.*.uuid", kStr, 0, "", "base model: unique identifier"},
    {"general.base_model.*.version", kStr, 0, "", "base model: version"},
    {"general.base_model.count", kU32, 0, "", "how many base models are named"},
    {"general.basename", kStr, 0, "", "name of the model's family"},
    {"general.dataset.*.author", kStr, 0, "", "data set: author"},
    {"general.dataset.*.description", kStr, 0, "", "data set: description"},
    {"general.dataset.*.doi", kStr, 0, "", "data set: digital object identifier"},
    {"general.dataset.*.name", kStr, 0, "", "data set: name"},
    {"general.dataset.*.organization", kStr, 0, "", "data set: organization"},
    {"general.dataset.*.repo_url", kStr, 0, "URL", "data set: repository"},
    {"general.dataset.*.url", kStr, 0, "URL", "data set: home page"},
    {"general.dataset.*.uuid", kStr, 0, "", "data set: unique identifier"},
    {"general.dataset.*.version", kStr, 0, "", "data set: version"},
    {"general.dataset.count", kU32, 0, "", "how many training data sets are named"},
    {"general.datasets", 0, kStr, "", "training data sets"},
    {"general.description", kStr, 0, "", "free text about the model"},
    {"general.doi", kStr, 0, "", "digital object identifier"},
    {"general.file_type", kU32, 0, "", "what the quantizer was asked for: a number of llama_ftype"},
    {"general.finetune", kStr, 0, "", "what the base was tuned for: chat, instruct"},
    {"general.languages", 0, kStr, "", "languages the model knows, as ISO 639 codes"},
    {"general.license", kStr, 0, "", "SPDX expression of the model's licence"},
    {"general.license.link", kStr, 0, "URL", "where the licence can be read"},
    {"general.license.name", kStr, 0, "", "the licence's name for people"},
    {"general.name", kStr, 0, "", "name of the model for people"},
    {"general.organization", kStr, 0, "", "organization behind the model"},
    {"general.quantization_version", kU32, 0, "",
        "generation of the quantized block layouts, today 2; no measure of quality"},
    {"general.quantized_by", kStr, 0, "", "who quantized the file"},
    {"general.repo_url", kStr, 0, "URL", "repository of the model"},
    {"general.sampling.min_p", kF32, 0, "", "recommended min-p"},
    {"general.sampling.mirostat", kI32, 0, "", "recommended Mirostat version"},
    {"general.sampling.mirostat_eta", kF32, 0, "", "recommended Mirostat learning rate"},
    {"general.sampling.mirostat_tau", kF32, 0, "", "recommended Mirostat target entropy"},
    {"general.sampling.penalty_last_n", kI32, 0, "tokens", "recommended window of the repetition penalty"},
    {"general.sampling.penalty_repeat", kF32, 0, "", "recommended repetition penalty"},
    {"general.sampling.sequence", kStr, 0, "", "recommended order of samplers"},
    {"general.sampling.temp", kF32, 0, "", "recommended temperature"},
    {"general.sampling.top_k", kI32, 0, "tokens", "recommended top-k"},
    {"general.sampling.top_p", kF32, 0, "", "recommended top-p"},
    {"general.sampling.xtc_probability", kF32, 0, "", "recommended XTC probability"},
    {"general.sampling.xtc_threshold", kF32, 0, "", "recommended XTC threshold"},
    {"general.size_label", kStr, 0, "", "size class: 7B, 8x7B"},
    {"general.source.doi", kStr, 0, "", "identifier of what this was made from"},
    {"general.source.huggingface.repository", kStr, 0, "",
        "repository on Hugging Face that this was made from"},
    {"general.source.repo_url", kStr, 0, "URL", "repository of what this was made from"},
    {"general.source.url", kStr, 0, "URL", "home page of what this was made from"},
    {"general.source.uuid", kStr, 0, "", "unique identifier of what this was made from"},
    {"general.tags", 0, kStr, "", "words to find the model by"},
    {"general.type", kStr, 0, "", "kind of file: model, adapter, mmproj, imatrix, vocab"},
    {"general.url", kStr, 0, "URL", "the model's home page"},
    {"general.uuid", kStr, 0, "", "unique identifier of the model"},
    {"general.version", kStr, 0, "", "version of the model"},
    {"imatrix.chunk_count", kU32, 0, "chunks", "chunks of calibration data seen"},
    {"imatrix.chunk_size", kU32, 0, "tokens", "length of one chunk"},
    {"imatrix.datasets", 0, kStr, "", "calibration data of this importance matrix"},
    {"quantize.imatrix.chunks_count", kU32 | kI32, 0, "chunks",
        "chunks of calibration data in the importance matrix"},
    {"quantize.imatrix.dataset", kStr, 0, "",
        "calibration data of the importance matrix; the first one only"},
    {"quantize.imatrix.entries_count", kU32 | kI32, 0, "tensors", "entries in the importance matrix"},
    {"quantize.imatrix.file", kStr, 0, "", "importance matrix that the quantizer used; cut at 127 bytes"},
    {"split.count", kU16, 0, "shards", "how many shards the model has"},
    {"split.no", kU16, 0, "", "number of this shard, counted from 0"},
    {"split.tensors.count", kI32, 0, "tensors", "tensors in all shards together"},
    {"tokenizer.chat_template", kStr, 0, "", "Jinja template that turns messages into a prompt"},
    {"tokenizer.chat_templates", 0, kStr, "", "names of further chat templates"},
    {"tokenizer.ggml.add_bos_token", kBool, 0, "", "put the beginning token before a text"},
    {"tokenizer.ggml.add_eos_token", kBool, 0, "", "put the end token after a text"},
    {"tokenizer.ggml.add_sep_token", kBool, 0, "", "put the separator token between texts"},
    {"tokenizer.ggml.add_space_prefix", kBool, 0, "", "put a space before a text"},
    {"tokenizer.ggml.added_tokens", 0, kStr, "tokens", "tokens added after training"},
    {"tokenizer.ggml.bos_token_id", kU32, 0, "token", "begins a text"},
    {"tokenizer.ggml.cls_token_id", kU32, 0, "token", "classification token"},
    {"tokenizer.ggml.eom_token_id", kU32, 0, "token", "ends a message"},
    {"tokenizer.ggml.eos_token_id", kU32, 0, "token", "ends a text"},
    {"tokenizer.ggml.eot_token_id", kU32, 0, "token", "ends a turn"},
    {"tokenizer.ggml.fim_mid_token_id", kU32, 0, "token", "fill in the middle: the hole"},
    {"tokenizer.ggml.fim_pad_token_id", kU32, 0, "token", "fill in the middle: padding"},
    {"tokenizer.ggml.fim_pre_token_id", kU32, 0, "token", "fill in the middle: text before the hole follows"},
    {"tokenizer.ggml.fim_rep_token_id", kU32, 0, "token", "fill in the middle: repository name"},
    {"tokenizer.ggml.fim_sep_token_id", kU32, 0, "token", "fill in the middle: file separator"},
    {"tokenizer.ggml.fim_suf_token_id", kU32, 0, "token", "fill in the middle: text after the hole follows"},
    {"tokenizer.ggml.mask_token_id", kU32, 0, "token", "stands for a masked word"},
    {"tokenizer.ggml.merges", 0, kStr, "merges", "byte-pair merges, the most important first"},
    {"tokenizer.ggml.middle_token_id", kU32, 0, "token", "old key: the hole to fill"},
    {"tokenizer.ggml.model", kStr, 0, "",
        "kind of tokenizer: llama (SentencePiece), gpt2 (byte pairs), bert, t5, rwkv, none"},
    {"tokenizer.ggml.padding_token_id", kU32, 0, "token", "fills up"},
    {"tokenizer.ggml.pre", kStr, 0, "",
        "how text is cut up before the merges; a wrong one changes tokens silently"},
    {"tokenizer.ggml.precompiled_charsmap", 0, kU8 | kI8, "bytes",
        "SentencePiece's table of character normalization"},
    {"tokenizer.ggml.prefix_token_id", kU32, 0, "token", "old key: text before the hole to fill"},
    {"tokenizer.ggml.remove_extra_whitespaces", kBool, 0, "", "join runs of blanks before tokenizing"},
    {"tokenizer.ggml.scores", 0, kF32, "per token", "score of each token"},
    {"tokenizer.ggml.separator_token_id", kU32, 0, "token",
        "separates parts; llama.cpp reads the spelling seperator"},
    {"tokenizer.ggml.seperator_token_id", kU32, 0, "token", "separates parts; the key is spelled so"},
    {"tokenizer.ggml.suffix_token_id", kU32, 0, "token", "old key: text after the hole to fill"},
    {"tokenizer.ggml.token_type", 0, kU32 | kI32, "per token",
        "kind of each token: 1 normal, 2 unknown, 3 control, 4 user, 5 unused, 6 byte"},
    {"tokenizer.ggml.token_type_count", kU32, 0, "", "how many token types (segments) the model has"},
    {"tokenizer.ggml.tokens", 0, kStr, "tokens", "the vocabulary: the text of each token"},
    {"tokenizer.ggml.unknown_token_id", kU32, 0, "token", "stands for what the vocabulary lacks"},
    {"tokenizer.huggingface.json", kStr, 0, "", "the whole tokenizer.json of Hugging Face"},
    {"tokenizer.rwkv.world", kStr, 0, "", "the RWKV World vocabulary"},
};

constexpr KnownKey kArchitectureKeys[] = {
    {"*.activation_sparsity_scale", 0, kF32, "", "sparsity of the activations per layer"},
    {"*.altup.active_idx", kU32, 0, "", "AltUp: the active input"},
    {"*.altup.num_inputs", kU32, 0, "", "AltUp: number of inputs"},
    {"*.attention.causal", kBool, 0, "", "a token sees only those before it"},
    {"*.attention.clamp_kqv", kF32, 0, "", "queries, keys and values are clamped to this"},
    {"*.attention.decay_lora_rank", kU32, 0, "", "RWKV: rank of the decay"},
    {"*.attention.gate_lora_rank", kU32, 0, "", "RWKV: rank of the gate"},
    {"*.attention.group_norm_epsilon", kF32, 0, "", "small number in the group normalization"},
    {"*.attention.group_norm_groups", kU32, 0, "groups", "groups of the group normalization"},
    {"*.attention.head_count", kCount, kU32 | kI32, "heads", "attention heads; an array gives one per layer"},
    {"*.attention.head_count_kv", kCount, kU32 | kI32, "heads",
        "key-value heads; fewer than heads means grouped attention; an array gives one per layer"},
    {"*.attention.iclr_lora_rank", kU32, 0, "", "RWKV: rank of the learning rate"},
    {"*.attention.indexer.head_count", kU32, 0, "heads", "heads of the sparse-attention indexer"},
    {"*.attention.indexer.key_length", kU32, 0, "", "width of one indexer key"},
    {"*.attention.indexer.top_k", kU32, 0, "tokens", "tokens that the indexer keeps"},
    {"*.attention.key_length", kU32, 0, "", "width of one key head"},
    {"*.attention.key_length_mla", kU32, 0, "", "width of one key head in latent attention"},
    {"*.attention.key_length_swa", kU32, 0, "", "width of one key head in sliding-window layers"},
    {"*.attention.kv_lora_rank", kU32, 0, "", "rank of the compressed key and value"},
    {"*.attention.layer_norm_epsilon", kF32, 0, "", "small number in the layer normalization"},
    {"*.attention.layer_norm_rms_epsilon", kF32, 0, "", "small number in the RMS normalization"},
    {"*.attention.max_alibi_bias", kF32, 0, "", "largest ALiBi bias"},
    {"*.attention.output_scale", kF32, 0, "", "factor of the attention's output"},
    {"*.attention.q_lora_rank", kU32, 0, "", "rank of the compressed query"},
    {"*.attention.recurrent_layers", 0, kBool | kU32 | kI32, "layers", "layers that are recurrent"},
    {"*.attention.relative_buckets_count", kU32, 0, "buckets", "buckets of relative positions"},
    {"*.attention.scale", kF32, 0, "", "factor of the attention scores"},
    {"*.attention.shared_kv_layers", kU32, 0, "layers", "last layers that use earlier keys and values"},
    {"*.attention.sliding_window", kU32, 0, "tokens", "how far back a sliding-window layer sees"},
    {"*.attention.sliding_window_pattern", kU32, kBool | kU32 | kI32, "layers",
        "which layers have a sliding window"},
    {"*.attention.temperature_length", kU32, 0, "tokens", "length from which attention is sharpened"},
    {"*.attention.temperature_scale", kF32, 0, "", "how much attention is sharpened"},
    {"*.attention.value_length", kU32, 0, "", "width of one value head"},
    {"*.attention.value_length_mla", kU32, 0, "", "width of one value head in latent attention"},
    {"*.attention.value_length_swa", kU32, 0, "", "width of one value head in sliding-window layers"},
    {"*.attention.value_residual_mix_lora_rank", kU32, 0, "", "RWKV: rank of the value mix"},
    {"*.attn_logit_softcapping", kF32, 0, "", "soft limit of the attention logits"},
    {"*.block_count", kCount, 0, "layers", "number of blocks"},
    {"*.classifier.output_labels", 0, kStr, "", "names of the classes"},
    {"*.context_length", kCount, 0, "tokens", "longest text the model was trained on"},
    {"*.convnext.block_count", kU32, 0, "layers", "convolution network: layers"},
    {"*.convnext.embedding_length", kU32, 0, "", "convolution network: width"},
    {"*.decoder_block_count", kU32, 0, "layers", "layers of the decoder"},
    {"*.decoder_start_token_id", kU32, 0, "token", "first token of the decoder"},
    {"*.dense_2_feat_in", kU32, 0, "", "input width of the second dense layer"},
    {"*.dense_2_feat_out", kU32, 0, "", "output width of the second dense layer"},
    {"*.dense_3_feat_in", kU32, 0, "", "input width of the third dense layer"},
    {"*.dense_3_feat_out", kU32, 0, "", "output width of the third dense layer"},
    {"*.diffusion.shift_logits", kBool, 0, "", "diffusion model: logits belong to the next token"},
    {"*.embedding_length", kCount, 0, "", "width of the hidden state"},
    {"*.embedding_length_out", kU32, 0, "", "width of the output where it differs"},
    {"*.embedding_length_per_layer_input", kU32, 0, "", "width of the per-layer embedding"},
    {"*.embedding_scale", kF32, 0, "", "factor of the embedding"},
    {"*.expert_chunk_feed_forward_length", kU32, 0, "", "width of one chunk expert's feed-forward layer"},
    {"*.expert_count", kU32, 0, "experts", "experts per layer"},
    {"*.expert_feed_forward_length", kU32, 0, "", "width of one expert's feed-forward layer"},
    {"*.expert_gating_func", kU32, 0, "", "how experts are weighted: 1 softmax, 2 sigmoid"},
    {"*.expert_group_count", kU32, 0, "groups", "groups the experts are in"},
    {"*.expert_group_scale", kF32, 0, "", "factor of the groups' weights"},
    {"*.expert_group_used_count", kU32, 0, "groups", "groups used for each token"},
    {"*.expert_shared_count", kU32, 0, "experts", "experts that are always used"},
    {"*.expert_shared_feed_forward_length", kU32, 0, "", "width of the shared expert's feed-forward layer"},
    {"*.expert_used_count", kU32, 0, "experts", "experts used for each token"},
    {"*.expert_weights_norm", kBool, 0, "", "make the experts' weights add up to one"},
    {"*.expert_weights_scale", kF32, 0, "", "factor of the experts' weights"},
    {"*.experts_per_group", kU32, 0, "experts", "experts in one group"},
    {"*.features_length", kU32, 0, "", "width of the input features"},
    {"*.feed_forward_length", kCount, kU32 | kI32, "",
        "width of the feed-forward layers; an array gives one per layer"},
    {"*.final_logit_softcapping", kF32, 0, "", "soft limit of the final logits"},
    {"*.interleave_moe_layer_step", kU32, 0, "layers", "every n-th layer has experts"},
    {"*.kda.head_dim", kU32, 0, "", "width of one head of the linear attention"},
    {"*.leading_dense_block_count", kU32, 0, "layers", "first layers without experts"},
    {"*.logit_scale", kF32, 0, "", "factor of the logits"},
    {"*.moe_every_n_layers", kU32, 0, "layers", "every n-th layer has experts"},
    {"*.n_deepstack_layers", kU32, 0, "layers", "layers that take deep-stack features"},
    {"*.nextn_predict_layers", kU32, 0, "layers", "last layers that predict further tokens"},
    {"*.pooling_type", kU32, 0, "", "how an embedding is made: 0 none, 1 mean, 2 first, 3 last, 4 rank"},
    {"*.posnet.block_count", kU32, 0, "layers", "position network: layers"},
    {"*.posnet.embedding_length", kU32, 0, "", "position network: width"},
    {"*.projection_dim", kU32, 0, "", "width of the projection"},
    {"*.rescale_every_n_layers", kU32, 0, "layers", "halve the hidden state every n layers"},
    {"*.residual_scale", kF32, 0, "", "factor of the residual"},
    {"*.rope.dimension_count", kCount, kU32 | kI32, "", "dimensions that are rotated"},
    {"*.rope.dimension_count_swa", kU32, 0, "", "dimensions that are rotated in sliding-window layers"},
    {"*.rope.dimension_sections", 0, kU32 | kI32, "",
        "dimensions for time, height, width and extra positions"},
    {"*.rope.freq_base", kF32, 0, "", "base of the rotation frequencies"},
    {"*.rope.freq_base_swa", kF32, 0, "", "base of the rotation frequencies in sliding-window layers"},
    {"*.rope.scale_linear", kF32, 0, "", "old key: linear factor of positions"},
    {"*.rope.scaling.attn_factor", kF32, 0, "", "factor of attention under stretching"},
    {"*.rope.scaling.factor", kF32, 0, "", "how much positions are stretched"},
    {"*.rope.scaling.finetuned", kBool, 0, "", "the model was tuned after stretching"},
    {"*.rope.scaling.original_context_length", kU32, 0, "tokens", "context length before stretching"},
    {"*.rope.scaling.type", kStr, 0, "", "how positions are stretched: none, linear, yarn, longrope"},
    {"*.rope.scaling.yarn_attn_factor", kF32, 0, "", "YaRN: attention factor"},
    {"*.rope.scaling.yarn_beta_fast", kF32, 0, "", "YaRN: fast correction dimension"},
    {"*.rope.scaling.yarn_beta_slow", kF32, 0, "", "YaRN: slow correction dimension"},
    {"*.rope.scaling.yarn_ext_factor", kF32, 0, "", "YaRN: extrapolation mix"},
    {"*.rope.scaling.yarn_log_multiplier", kF32, 0, "", "YaRN: multiplier of the logarithm"},
    {"*.router_logit_softcapping", kF32, 0, "", "soft limit of the router's logits"},
    {"*.shortconv.l_cache", kU32, 0, "tokens", "length of the short convolution"},
    {"*.ssm.conv_kernel", kU32, 0, "", "width of the convolution"},
    {"*.ssm.dt_b_c_rms", kBool, 0, "", "normalize time steps, B and C"},
    {"*.ssm.group_count", kU32, 0, "groups", "groups of the state-space layer"},
    {"*.ssm.inner_size", kU32, 0, "", "width of the state-space layer"},
    {"*.ssm.state_size", kU32, 0, "", "size of the recurrent state"},
    {"*.ssm.time_step_rank", kU32, 0, "", "rank of the time steps"},
    {"*.swin_norm", kBool, 0, "", "normalization after each layer, as in Swin"},
    {"*.tensor_data_layout", kStr, 0, "", "how the weights were rearranged"},
    {"*.time_decay_extra_dim", kU32, 0, "", "RWKV: width of the time decay"},
    {"*.time_mix_extra_dim", kU32, 0, "", "RWKV: width of the time mix"},
    {"*.token_shift_count", kU32, 0, "", "RWKV: tokens shifted"},
    {"*.use_parallel_residual", kBool, 0, "", "attention and feed-forward work side by side"},
    {"*.vocab_size", kU32, 0, "tokens", "size of the vocabulary"},
    {"*.wkv.head_size", kU32, 0, "", "RWKV: width of one head"},
};

constexpr bool isStrictlySorted(std::span<const KnownKey> keys)
{
    for (std::size_t i = 1; i < keys.size(); ++i) {
        if (!(keys[i - 1].pattern < keys[i].pattern))
            return false;
    }
    return true;
}
static_assert(isStrictlySorted(kFixedKeys) && isStrictlySorted(kArchitectureKeys));
static_assert(std::ranges::all_of(
    kArchitectureKeys, [](const KnownKey& key) { return key.pattern.starts_with("*."); }));

const KnownKey* find(std::span<const KnownKey> keys, std::string_view pattern)
{
    const auto found = std::ranges::lower_bound(keys, pattern, {}, &KnownKey::pattern);
    return found != keys.end() && found->pattern == pattern ? &*found : nullptr;
}

/// The key with each segment that is a number replaced by "*".
std::string withoutNumbers(std::string_view key)
{
    std::string result;
    for (std::size_t begin = 0; begin <= key.size();) {
        const std::size_t end = std::min(key.find('.', begin), key.size());
        const std::string_view segment = key.substr(begin, end - begin);
        const bool isNumber = !segment.empty()
            && std::ranges::all_of(segment, [](char c) { return c >= '0' && c <= '9'; });
        result += isNumber ? std::string_view("*") : segment;
        if (end < key.size())
            result += '.';
        begin = end + 1;
    }
    return result;
}

constexpr std::size_t kLongestKey = 128; ///< no pattern matches longer keys; bounds the work for hostile ones

} // namespace

const KnownKey* findKnownKey(std::string_view key)
{
    if (key.size() > kLongestKey)
        return nullptr;
    if (const KnownKey* known = find(kFixedKeys, key))
        return known;
    if (key.starts_with("general."))
        return find(kFixedKeys, withoutNumbers(key));
    std::string pattern;
    for (std::size_t dot = key.find('.'); dot != std::string_view::npos; dot = key.find('.', dot + 1)) {
        if (dot == 0)
            continue;
        pattern.assign(1, '*').append(key.substr(dot));
        if (const KnownKey* known = find(kArchitectureKeys, pattern))
            return known;
    }
    return nullptr;
}

std::span<const KnownKey> knownFixedKeys()
{
    return kFixedKeys;
}

std::span<const KnownKey> knownArchitectureKeys()
{
    return kArchitectureKeys;
}

} // namespace gguf
