// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "audit/audittensor.h"
#include "audit/tensorname.h"
#include "document/tensorsum.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace gguf {

/// The part of a mix that some tensors are.
struct MixSum : TensorSum
{
    using TensorSum::add;
    void add(const AuditTensor& tensor) { add(tensor.elements, tensor.bytes); }

    friend bool operator==(const MixSum&, const MixSum&) = default;
};

/// Which tensors have which type, and what it costs: by type, layer, role and group. A value that owns its
/// text; its numbers refer to the list it was computed from.
struct Mix
{
    struct Type
    {
        std::uint32_t id = 0;
        const TensorTypeInfo* info = nullptr;
        std::string name;
        MixSum sum;
    };

    /// One layer, or what lies before the first or after the last.
    struct Column
    {
        enum class Kind
        {
            Before,
            Layer,
            After
        };
        Kind kind = Kind::Layer;
        std::string list; ///< "blk", "v.blk", ...; text from the file
        std::uint32_t layer = 0;
        std::string label; ///< "3", "v.blk.3", "before", "after"; text from the file
        MixSum sum;
        std::vector<std::pair<std::uint32_t, MixSum>> byType; ///< index into types, ascending
    };

    struct Role
    {
        std::string name; ///< text from the file
        std::string label; ///< name, with the group before it where the file has several
        TensorGroup group = TensorGroup::Other;
        RoleKind kind = RoleKind::Other;
        MixSum sum;
        std::vector<std::pair<std::uint32_t, MixSum>> byType;
    };

    /// The tensors of one role in one layer.
    struct Cell
    {
        std::uint32_t column = 0, role = 0;
        std::uint32_t first = 0, count = 0; ///< run in cellTensors
        std::uint32_t type = 0; ///< index into types; of the largest part where there are several
        bool mixed = false; ///< tensors of more than one type
        MixSum sum;
    };

    /// Where each tensor of the list went.
    struct Placement
    {
        std::uint32_t type = 0, column = 0, role = 0;
    };

    MixSum total;
    std::vector<Type> types; ///< by bytes, largest first
    std::vector<Column> columns; ///< in layer order, lists in the order of the file
    std::vector<Role> roles; ///< by kind, then in the usual order of a block
    std::array<MixSum, kRoleKindCount> byKind;
    std::array<MixSum, kTensorGroupCount> byGroup;
    std::vector<Cell> cells; ///< by role, then by column
    std::vector<std::uint32_t> cellTensors; ///< indices into the list, cell by cell
    std::vector<Placement> placements; ///< one for each tensor
    std::uint64_t expertCount = 0; ///< routed experts of a layer: the largest third dimension; 0: none

    /// The type that takes most bytes, or null. `types` begins with it.
    const Type* dominantType() const { return types.empty() ? nullptr : &types.front(); }
    /// The type that most tensors of the role have, by count; the smaller index where they tie.
    std::uint32_t majorityType(std::size_t role) const;
};

/// Linear in the number of tensors but for sorting what was found. At most 2^32 - 1 tensors.
Mix computeMix(std::span<const AuditTensor> tensors);

} // namespace gguf
