// SPDX-License-Identifier: GPL-3.0-or-later
#include "audit/mix.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <tuple>
#include <unordered_map>

namespace gguf {

namespace {

/// The usual order of roles inside a block; others follow by name.
constexpr auto kRoleOrder = std::to_array<std::string_view>({"token_embd", "attn_q", "attn_q_a", "attn_q_b",
    "attn_k", "attn_k_b", "attn_kv_a_mqa", "attn_kv_b", "attn_v", "attn_v_b", "attn_qkv", "attn_output",
    "attn_out", "ffn_gate", "ffn_up", "ffn_down", "ffn_gate_exps", "ffn_up_exps", "ffn_gate_up_exps",
    "ffn_down_exps", "ffn_gate_shexp", "ffn_up_shexp", "ffn_down_shexp"});

std::size_t roleRank(std::string_view role)
{
    return static_cast<std::size_t>(std::ranges::find(kRoleOrder, role) - kRoleOrder.begin());
}

/// Numbers things by a key as they are met.
template <class Key, class Hash = std::hash<Key>> class Interner
{
public:
    std::uint32_t operator()(const Key& key)
    {
        const auto [place, fresh] = m_numbers.try_emplace(key, static_cast<std::uint32_t>(m_numbers.size()));
        return place->second;
    }
    std::size_t size() const { return m_numbers.size(); }

private:
    std::unordered_map<Key, std::uint32_t, Hash> m_numbers;
};

struct PairHash
{
    template <class A, class B> std::size_t operator()(const std::pair<A, B>& pair) const
    {
        return std::hash<A>()(pair.first) * 31 + std::hash<B>()(pair.second);
    }
};

using Parts = std::unordered_map<std::uint64_t, MixSum>;

std::uint64_t partKey(std::uint32_t owner, std::uint32_t type)
{
    return std::uint64_t{owner} << 32 | type;
}

/// Hands the sums by (owner, type) to the owners.
template <class Owner> void distribute(const Parts& parts, std::vector<Owner>& owners)
{
    for (const auto& [key, sum] : parts)
        owners[key >> 32].byType.emplace_back(static_cast<std::uint32_t>(key), sum);
    for (Owner& owner : owners)
        std::ranges::sort(owner.byType, {}, [](const auto& part) { return part.first; });
}

/// Puts `items` into the order that `less` gives to their numbers; the result tells each one's new number.
template <class T, class Less> std::vector<std::uint32_t> reorder(std::vector<T>& items, Less less)
{
    std::vector<std::uint32_t> order(items.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(order, less);
    std::vector<std::uint32_t> place(items.size());
    std::vector<T> sorted;
    sorted.reserve(items.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) {
        place[order[i]] = i;
        sorted.push_back(std::move(items[order[i]]));
    }
    items = std::move(sorted);
    return place;
}

void makeCells(Mix& mix, std::span<const AuditTensor> tensors)
{
    auto& order = mix.cellTensors;
    order.resize(tensors.size());
    std::iota(order.begin(), order.end(), 0U);
    const auto key = [&mix](std::uint32_t tensor) {
        const Mix::Placement& place = mix.placements[tensor];
        return std::tuple(place.role, place.column, tensor);
    };
    std::ranges::sort(order, {}, key);

    std::unordered_map<std::uint32_t, MixSum> parts;
    const auto finish = [&mix, &parts](Mix::Cell& cell) {
        cell.mixed = parts.size() > 1;
        const auto largest = std::ranges::max_element(parts, {}, [](const auto& part) {
            return std::tuple(part.second.bytes, std::numeric_limits<std::uint32_t>::max() - part.first);
        });
        cell.type = largest->first;
        mix.cells.push_back(cell);
        parts.clear();
    };
    Mix::Cell cell;
    for (std::uint32_t i = 0; i < order.size(); ++i) {
        const Mix::Placement& place = mix.placements[order[i]];
        if (cell.count > 0 && (place.role != cell.role || place.column != cell.column)) {
            finish(cell);
            cell = {};
        }
        if (cell.count == 0) {
            cell.role = place.role;
            cell.column = place.column;
            cell.first = i;
        }
        ++cell.count;
        cell.sum.add(tensors[order[i]]);
        parts[place.type].add(tensors[order[i]]);
    }
    if (cell.count > 0)
        finish(cell);
}

} // namespace

std::uint32_t Mix::majorityType(std::size_t role) const
{
    const auto& parts = roles[role].byType;
    const auto most
        = std::ranges::max_element(parts, {}, [](const auto& part) { return part.second.tensors; });
    return most == parts.end() ? 0 : most->first;
}

Mix computeMix(std::span<const AuditTensor> tensors)
{
    Mix mix;
    Interner<std::pair<std::uint32_t, const TensorTypeInfo*>, PairHash> typeNumbers;
    Interner<std::string> listNumbers;
    Interner<std::pair<std::uint32_t, std::uint64_t>, PairHash> columnNumbers; // list, layer
    Interner<std::pair<std::string, std::uint32_t>, PairHash> roleNumbers; // role, group
    std::vector<std::uint32_t> columnList;
    std::uint64_t namedExperts = 0;
    constexpr std::uint32_t kBefore = 0, kAfter = 1;

    mix.placements.reserve(tensors.size());
    for (const AuditTensor& tensor : tensors) {
        const TensorPlace place = placeTensor(tensor.name);
        mix.total.add(tensor);
        mix.byKind[static_cast<std::size_t>(place.kind)].add(tensor);
        mix.byGroup[static_cast<std::size_t>(place.group)].add(tensor);
        if (place.kind == RoleKind::FfnRouted && tensor.dimCount >= 3 && tensor.dims[2] > 1)
            mix.expertCount = std::max(mix.expertCount, static_cast<std::uint64_t>(tensor.dims[2]));
        if (place.expert)
            namedExperts = std::max(namedExperts, std::uint64_t{*place.expert} + 1);

        Mix::Placement to;
        to.type = typeNumbers({tensor.typeId, tensor.type});
        if (to.type == mix.types.size())
            mix.types.push_back({tensor.typeId, tensor.type, tensor.typeName(), {}});

        const std::uint32_t list = place.layer ? 2 + listNumbers(std::string(place.list))
            : place.atEnd                      ? kAfter
                                               : kBefore;
        to.column = columnNumbers({list, place.layer.value_or(0)});
        if (to.column == mix.columns.size()) {
            Mix::Column column;
            column.kind = place.layer ? Mix::Column::Kind::Layer
                : place.atEnd         ? Mix::Column::Kind::After
                                      : Mix::Column::Kind::Before;
            column.list = place.list;
            column.layer = place.layer.value_or(0);
            mix.columns.push_back(std::move(column));
            columnList.push_back(list);
        }

        to.role = roleNumbers({std::string(place.role), static_cast<std::uint32_t>(place.group)});
        if (to.role == mix.roles.size()) {
            Mix::Role role;
            role.name = place.role;
            role.group = place.group;
            role.kind = place.kind;
            mix.roles.push_back(std::move(role));
        }

        mix.types[to.type].sum.add(tensor);
        mix.columns[to.column].sum.add(tensor);
        mix.roles[to.role].sum.add(tensor);
        mix.placements.push_back(to);
    }
    if (mix.expertCount == 0)
        mix.expertCount = namedExperts;

    // Final order, and the labels that depend on what else there is.
    const auto types = reorder(mix.types, [&mix](std::uint32_t a, std::uint32_t b) {
        const auto &left = mix.types[a].sum, &right = mix.types[b].sum;
        return std::tuple(left.bytes, left.tensors) > std::tuple(right.bytes, right.tensors);
    });
    const auto rankOf = [](std::uint32_t list) {
        return list == kAfter ? std::numeric_limits<std::uint32_t>::max() : list;
    };
    const auto columns = reorder(mix.columns, [&](std::uint32_t a, std::uint32_t b) {
        return std::tuple(rankOf(columnList[a]), mix.columns[a].layer)
            < std::tuple(rankOf(columnList[b]), mix.columns[b].layer);
    });
    const auto roles = reorder(mix.roles, [&mix](std::uint32_t a, std::uint32_t b) {
        const Mix::Role &left = mix.roles[a], &right = mix.roles[b];
        return std::tuple(left.kind, roleRank(left.name), left.group, left.name)
            < std::tuple(right.kind, roleRank(right.name), right.group, right.name);
    });

    Parts byColumn, byRole;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        Mix::Placement& to = mix.placements[i];
        to = {types[to.type], columns[to.column], roles[to.role]};
        byColumn[partKey(to.column, to.type)].add(tensors[i]);
        byRole[partKey(to.role, to.type)].add(tensors[i]);
    }
    distribute(byColumn, mix.columns);
    distribute(byRole, mix.roles);

    const bool oneList = listNumbers.size() < 2;
    for (Mix::Column& column : mix.columns) {
        column.label = column.kind == Mix::Column::Kind::Before ? "before"
            : column.kind == Mix::Column::Kind::After           ? "after"
            : oneList || column.list == "blk"                   ? std::to_string(column.layer)
                                              : fmt::format("{}.{}", column.list, column.layer);
    }
    const auto groups = std::ranges::count_if(mix.byGroup, [](const MixSum& sum) { return sum.tensors > 0; });
    for (Mix::Role& role : mix.roles) {
        const bool plain = groups < 2 || role.group == TensorGroup::Text;
        role.label = plain ? role.name : fmt::format("{}: {}", tensorGroupName(role.group), role.name);
    }

    makeCells(mix, tensors);
    return mix;
}

} // namespace gguf
