// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace gguf {

/// The part of a model that a tensor belongs to.
enum class TensorGroup
{
    Text,
    Vision,
    Audio,
    Projector,
    Diffusion,
    Adapter,
    Other
};
inline constexpr std::size_t kTensorGroupCount = 7;

std::string_view tensorGroupName(TensorGroup group); ///< "text", "vision", ...

/// What a tensor does, coarse enough to speak of "experts at 2.0, attention at 8.5 bits".
enum class RoleKind
{
    Embedding,
    Attention,
    FfnDense,
    FfnRouted, ///< experts that a router chooses
    FfnShared, ///< experts that every token passes
    Router,
    Recurrent, ///< state space, linear attention, RWKV, short convolutions
    Norm,
    Bias,
    Rope,
    Draft, ///< heads that predict further tokens (MTP, nextn)
    Output,
    Other,
};
inline constexpr std::size_t kRoleKindCount = 13;

std::string_view roleKindName(
    RoleKind kind); ///< "embeddings", "attention", "dense FFN", "routed experts", ...

/// Where a tensor belongs, by its name alone. Views point into the name or are literals.
struct TensorPlace
{
    TensorGroup group = TensorGroup::Other;
    RoleKind kind = RoleKind::Other;
    std::string_view list; ///< the list of blocks: "blk", "v.blk", "double_blocks"; empty outside blocks
    std::optional<std::uint32_t> layer; ///< the block's number in its list
    /// The name without list, number and ".weight": "attn_q", "ffn_gate_exps", "attn_q.bias", "token_embd".
    /// Old names of single experts give the role of the merged tensor.
    std::string_view role;
    std::optional<std::uint32_t> expert; ///< for old names of single experts (blk.N.ffn_gate.E.weight)
    bool atEnd = false; ///< outside blocks: belongs after the last block (output, final norms)
};

/// Never fails: a name that fits no pattern keeps group Other, with the first number among its components
/// taken as layer.
TensorPlace placeTensor(std::string_view name);

/// True where `text` fits `pattern`, in which '*' stands for any run of characters, the empty one included.
bool matchesGlob(std::string_view text, std::string_view pattern);

} // namespace gguf
