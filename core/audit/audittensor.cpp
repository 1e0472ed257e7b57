// SPDX-License-Identifier: GPL-3.0-or-later
#include "audit/audittensor.h"

#include <fmt/format.h>

#include <algorithm>

namespace gguf {

std::string AuditTensor::typeName() const
{
    return type ? std::string(type->name) : fmt::format("type {}", typeId);
}

std::vector<AuditTensor> auditTensors(const Document& document)
{
    std::vector<AuditTensor> tensors;
    tensors.reserve(document.tensorCount());
    for (std::size_t i = 0; i < document.tensorCount(); ++i) {
        const Tensor tensor = document.tensor(i);
        AuditTensor row;
        row.name = tensor.name;
        row.typeId = tensor.typeId;
        row.type = tensor.type;
        row.dimCount = tensor.dimCount;
        const auto dims = tensor.dims();
        std::copy_n(dims.begin(), std::min(dims.size(), row.dims.size()), row.dims.begin());
        row.elements = tensor.elements;
        row.bytes = tensor.dataBytes;
        tensors.push_back(row);
    }
    return tensors;
}

} // namespace gguf
