// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/typetotals.h"

#include <algorithm>
#include <map>
#include <tuple>

std::vector<TypeTotal> typeTotals(const gguf::Document& document)
{
    std::map<std::uint32_t, TypeTotal> byId;
    for (std::size_t i = 0; i < document.tensorCount(); ++i) {
        const gguf::Tensor tensor = document.tensor(i);
        if (tensor.recovered)
            continue;
        TypeTotal& total = byId[tensor.typeId];
        if (total.sum.tensors == 0) {
            total.name = tensor.typeName();
            total.typeId = tensor.typeId;
        }
        total.sum.add(tensor.elements, tensor.dataBytes);
    }

    std::vector<TypeTotal> totals;
    for (auto& [id, total] : byId)
        totals.push_back(std::move(total));
    std::stable_sort(totals.begin(), totals.end(),
        [](const TypeTotal& a, const TypeTotal& b) { return a.sum.bytes > b.sum.bytes; });
    return totals;
}
