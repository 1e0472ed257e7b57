// SPDX-License-Identifier: GPL-3.0-or-later
#include "audit/tensorname.h"

#include <algorithm>
#include <array>

namespace gguf {

namespace {

/// A list of blocks: what stands before the number. Names from gguf-py's TENSOR_NAMES and, for diffusion
/// models, from the checkpoints' own names. The first that fits counts.
struct ListPattern
{
    std::string_view prefix;
    TensorGroup group;
};

constexpr auto kLists = std::to_array<ListPattern>({
    {"blk", TensorGroup::Text},
    {"enc.blk", TensorGroup::Text},
    {"dec.blk", TensorGroup::Text},
    {"v.blk", TensorGroup::Vision},
    {"v.sam.blk", TensorGroup::Vision},
    {"v.proj_blk", TensorGroup::Vision},
    {"v.deepstack", TensorGroup::Vision},
    {"a.blk", TensorGroup::Audio},
    {"a.proj_blk", TensorGroup::Audio},
    {"mm.a.local_blk", TensorGroup::Projector},
    {"posnet", TensorGroup::Audio},
    {"convnext", TensorGroup::Audio},
    {"double_blocks", TensorGroup::Diffusion},
    {"single_blocks", TensorGroup::Diffusion},
    {"joint_blocks", TensorGroup::Diffusion},
    {"double_layers", TensorGroup::Diffusion},
    {"single_layers", TensorGroup::Diffusion},
    {"double_stream_blocks", TensorGroup::Diffusion},
    {"single_stream_blocks", TensorGroup::Diffusion},
    {"transformer_blocks", TensorGroup::Diffusion},
    {"single_transformer_blocks", TensorGroup::Diffusion},
    {"txt_in.individual_token_refiner.blocks", TensorGroup::Diffusion},
    {"context_refiner", TensorGroup::Diffusion},
    {"noise_refiner", TensorGroup::Diffusion},
    {"input_blocks", TensorGroup::Diffusion},
    {"middle_block", TensorGroup::Diffusion},
    {"output_blocks", TensorGroup::Diffusion},
    {"down_blocks", TensorGroup::Diffusion},
    {"mid_block.attentions", TensorGroup::Diffusion},
    {"mid_block.resnets", TensorGroup::Diffusion},
    {"up_blocks", TensorGroup::Diffusion},
    {"blocks", TensorGroup::Diffusion},
    {"layers", TensorGroup::Diffusion},
    {"model.layers", TensorGroup::Text},
});

/// Names outside blocks. '*' stands for anything.
struct GlobalPattern
{
    std::string_view pattern;
    TensorGroup group;
    bool atEnd;
};

constexpr auto kGlobals = std::to_array<GlobalPattern>({
    {"output*", TensorGroup::Text, true},
    {"dec.output_norm*", TensorGroup::Text, true},
    {"enc.output_norm*", TensorGroup::Text, true},
    {"cls*", TensorGroup::Text, true},
    {"dense_2*", TensorGroup::Text, true},
    {"dense_3*", TensorGroup::Text, true},
    {"altup_unembd_proj*", TensorGroup::Text, true},
    {"nextn.*", TensorGroup::Text, true},
    {"fc.*", TensorGroup::Text, true},
    {"d2t*", TensorGroup::Text, true},
    {"markov_w*", TensorGroup::Text, true},
    {"conf_proj*", TensorGroup::Text, true},
    {"token_embd*", TensorGroup::Text, false},
    {"token_types*", TensorGroup::Text, false},
    {"position_embd*", TensorGroup::Text, false},
    {"per_layer_*", TensorGroup::Text, false},
    {"rope_*", TensorGroup::Text, false},
    {"altup_proj*", TensorGroup::Text, false},
    {"masked_embd_*", TensorGroup::Text, false},
    {"conv1d.*", TensorGroup::Audio, false},
    {"mm.a.*", TensorGroup::Projector, false},
    {"mm.*", TensorGroup::Projector, false},
    {"resampler.*", TensorGroup::Projector, false},
    {"adapter.*", TensorGroup::Projector, false},
    {"v.post_ln*", TensorGroup::Vision, true},
    {"a.post_ln*", TensorGroup::Audio, true},
    {"v.*", TensorGroup::Vision, false},
    {"a.*", TensorGroup::Audio, false},
    {"final_layer.*", TensorGroup::Diffusion, true},
    {"final_linear.*", TensorGroup::Diffusion, true},
    {"proj_out.*", TensorGroup::Diffusion, true},
    {"head.*", TensorGroup::Diffusion, true},
    {"conv_out.*", TensorGroup::Diffusion, true},
    {"out.*", TensorGroup::Diffusion, true},
    {"norm_out.*", TensorGroup::Diffusion, true},
    {"img_in.*", TensorGroup::Diffusion, false},
    {"txt_in.*", TensorGroup::Diffusion, false},
    {"time_*", TensorGroup::Diffusion, false},
    {"vector_in.*", TensorGroup::Diffusion, false},
    {"guidance_in.*", TensorGroup::Diffusion, false},
    {"*_embedder.*", TensorGroup::Diffusion, false},
    {"context_embedder.*", TensorGroup::Diffusion, false},
    {"patch_embedding.*", TensorGroup::Diffusion, false},
    {"text_embedding.*", TensorGroup::Diffusion, false},
    {"img_emb.*", TensorGroup::Diffusion, false},
    {"label_emb.*", TensorGroup::Diffusion, false},
    {"add_embedding.*", TensorGroup::Diffusion, false},
    {"class_embedding.*", TensorGroup::Diffusion, false},
    {"adaln_single.*", TensorGroup::Diffusion, false},
    {"caption_projection.*", TensorGroup::Diffusion, false},
    {"patchify_proj.*", TensorGroup::Diffusion, false},
    {"scale_shift_table", TensorGroup::Diffusion, false},
    {"conv_in.*", TensorGroup::Diffusion, false},
    {"pos_embed*", TensorGroup::Diffusion, false},
    {"init_x_linear.*", TensorGroup::Diffusion, false},
    {"cond_seq_linear.*", TensorGroup::Diffusion, false},
    {"positional_encoding", TensorGroup::Diffusion, false},
    {"register_tokens", TensorGroup::Diffusion, false},
    {"model.embed_tokens.*", TensorGroup::Text, false},
    {"model.norm.*", TensorGroup::Text, true},
    {"lm_head.*", TensorGroup::Text, true},
});

/// Prefixes that checkpoints put before a diffusion model's own names.
constexpr auto kDiffusionPrefixes
    = std::to_array<std::string_view>({"model.diffusion_model.", "diffusion_model."});

/// What a role does. The first that fits counts.
struct RolePattern
{
    std::string_view pattern;
    RoleKind kind;
};

constexpr auto kRoles = std::to_array<RolePattern>({
    {"*norm*", RoleKind::Norm},
    {"ln1*", RoleKind::Norm},
    {"ln2*", RoleKind::Norm},
    {"*.ln1*", RoleKind::Norm},
    {"*.ln2*", RoleKind::Norm},
    {"*_ln", RoleKind::Norm},
    {"*_ln.bias", RoleKind::Norm},
    {"*.ln_*", RoleKind::Norm},
    {"ffn_gate_inp*", RoleKind::Router},
    {"ffn_gate_tid2eid*", RoleKind::Router},
    {"exp_probs_b*", RoleKind::Router},
    {"*.bias", RoleKind::Bias},
    {"ffn_*exps*", RoleKind::FfnRouted},
    {"ffn_*shexp*", RoleKind::FfnShared},
    {"ssm_*", RoleKind::Recurrent},
    {"time_mix_*", RoleKind::Recurrent},
    {"channel_mix_*", RoleKind::Recurrent},
    {"shortconv.*", RoleKind::Recurrent},
    {"rope_*", RoleKind::Rope},
    {"nextn.*", RoleKind::Draft},
    {"d2t*", RoleKind::Draft},
    {"fc", RoleKind::Draft},
    {"markov_w*", RoleKind::Draft},
    {"conf_proj", RoleKind::Draft},
    {"altup_unembd_proj", RoleKind::Output},
    {"a.embd_to_logits", RoleKind::Output},
    {"attn_*", RoleKind::Attention},
    {"*embd*", RoleKind::Embedding},
    {"*embed*", RoleKind::Embedding},
    {"token_types", RoleKind::Embedding},
    {"output", RoleKind::Output},
    {"cls*", RoleKind::Output},
    {"dense_*", RoleKind::Output},
    {"lm_head", RoleKind::Output},
    {"*attn*", RoleKind::Attention},
    {"indexer*", RoleKind::Attention},
    {"resampler.attn*", RoleKind::Attention},
    {"*qkv*", RoleKind::Attention},
    {"*.to_*", RoleKind::Attention},
    {"ffn*", RoleKind::FfnDense},
    {"*ffn_*", RoleKind::FfnDense},
    {"*.ffn.*", RoleKind::FfnDense},
    {"*mlp*", RoleKind::FfnDense},
    {"*ff.*", RoleKind::FfnDense},
    {"*feed_forward*", RoleKind::FfnDense},
});

/// Old names of one expert's matrices, and the role of the tensor that holds all of them now.
struct ExpertPattern
{
    std::string_view prefix;
    std::string_view role;
};

constexpr auto kExperts = std::to_array<ExpertPattern>({
    {"ffn_gate", "ffn_gate_exps"},
    {"ffn_up", "ffn_up_exps"},
    {"ffn_down", "ffn_down_exps"},
});

/// Reads the digits at the front of `text` and drops them; nothing where there are none or the number
/// does not fit.
std::optional<std::uint32_t> takeNumber(std::string_view& text)
{
    std::uint32_t number = 0;
    std::size_t length = 0;
    while (length < text.size() && text[length] >= '0' && text[length] <= '9') {
        if (length == 9)
            return std::nullopt;
        number = number * 10 + static_cast<std::uint32_t>(text[length] - '0');
        ++length;
    }
    if (length == 0)
        return std::nullopt;
    text.remove_prefix(length);
    return number;
}

/// Drops `prefix`, a number and the dot after each; the number, or nothing and `text` unchanged.
std::optional<std::uint32_t> takeNumbered(std::string_view& text, std::string_view prefix)
{
    std::string_view rest = text;
    if (!rest.starts_with(prefix))
        return std::nullopt;
    rest.remove_prefix(prefix.size());
    if (!rest.starts_with('.'))
        return std::nullopt;
    rest.remove_prefix(1);
    const auto number = takeNumber(rest);
    if (!number || rest.size() < 2 || rest.front() != '.')
        return std::nullopt;
    text = rest.substr(1);
    return number;
}

std::string_view withoutWeight(std::string_view role)
{
    constexpr std::string_view kWeight = ".weight";
    if (role.size() > kWeight.size() && role.ends_with(kWeight))
        role.remove_suffix(kWeight.size());
    return role;
}

RoleKind kindOf(std::string_view role)
{
    for (const RolePattern& row : kRoles) {
        if (matchesGlob(role, row.pattern))
            return row.kind;
    }
    return RoleKind::Other;
}

/// Inside a block: the role, and the expert of an old name.
void placeRole(TensorPlace& place, std::string_view rest)
{
    for (const ExpertPattern& row : kExperts) {
        std::string_view tail = rest;
        if (const auto expert = takeNumbered(tail, row.prefix); expert && tail == "weight") {
            place.role = row.role;
            place.expert = expert;
            break;
        }
    }
    if (!place.expert)
        place.role = withoutWeight(rest);
    place.kind = kindOf(place.role);
}

/// A name that no list and no global pattern knows: the first number among its components is the layer.
void placeUnknown(TensorPlace& place, std::string_view name)
{
    for (std::size_t dot = name.find('.'); dot != std::string_view::npos; dot = name.find('.', dot + 1)) {
        std::string_view rest = name;
        if (const auto number = takeNumbered(rest, name.substr(0, dot)); number && dot > 0) {
            place.list = name.substr(0, dot);
            place.layer = number;
            placeRole(place, rest);
            return;
        }
    }
    place.role = withoutWeight(name);
    place.kind = kindOf(place.role);
}

constexpr std::array<std::string_view, kTensorGroupCount> kGroupNames{
    "text", "vision", "audio", "projector", "diffusion", "adapter", "other"};

constexpr std::array<std::string_view, kRoleKindCount> kKindNames{"embeddings", "attention", "dense FFN",
    "routed experts", "shared experts", "router", "recurrent", "norms", "biases", "rope", "draft heads",
    "output", "other"};

} // namespace

std::string_view tensorGroupName(TensorGroup group)
{
    return kGroupNames[static_cast<std::size_t>(group)];
}

std::string_view roleKindName(RoleKind kind)
{
    return kKindNames[static_cast<std::size_t>(kind)];
}

bool matchesGlob(std::string_view text, std::string_view pattern)
{
    // The last star seen, and how much of the text it swallows so far.
    std::size_t t = 0, p = 0, star = std::string_view::npos, swallowed = 0;
    while (t < text.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            swallowed = t;
        } else if (p < pattern.size() && pattern[p] == text[t]) {
            ++p;
            ++t;
        } else if (star != std::string_view::npos) {
            p = star + 1;
            t = ++swallowed;
        } else {
            return false;
        }
    }
    while (p < pattern.size() && pattern[p] == '*')
        ++p;
    return p == pattern.size();
}

TensorPlace placeTensor(std::string_view name)
{
    TensorPlace place;
    std::string_view rest = name;
    bool diffusion = false;
    for (const std::string_view prefix : kDiffusionPrefixes) {
        if (rest.starts_with(prefix)) {
            rest.remove_prefix(prefix.size());
            diffusion = true;
            break;
        }
    }
    const std::string_view inner = rest;

    bool placed = false;
    for (const ListPattern& row : kLists) {
        if (const auto layer = takeNumbered(rest, row.prefix)) {
            place.group = row.group;
            place.list = inner.substr(0, row.prefix.size());
            place.layer = layer;
            placeRole(place, rest);
            placed = true;
            break;
        }
    }
    if (!placed) {
        const auto row = std::ranges::find_if(
            kGlobals, [inner](const GlobalPattern& global) { return matchesGlob(inner, global.pattern); });
        if (row != kGlobals.end()) {
            place.group = row->group;
            place.atEnd = row->atEnd;
            place.role = withoutWeight(inner);
            place.kind = kindOf(place.role);
        } else {
            placeUnknown(place, inner);
        }
    }

    if (diffusion)
        place.group = TensorGroup::Diffusion;
    if (name.ends_with(".lora_a") || name.ends_with(".lora_b"))
        place.group = TensorGroup::Adapter;
    return place;
}

} // namespace gguf
