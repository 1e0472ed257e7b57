// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "document/document.h"
#include "format/tensortype.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gguf {

/// What the audit needs to know of one tensor. `name` points into the Document it came from.
struct AuditTensor
{
    std::string_view name;
    std::uint32_t typeId = 0;
    const TensorTypeInfo* type = nullptr; ///< null: an id that nobody is known to use
    std::uint32_t dimCount = 0;
    std::array<std::int64_t, 4> dims{1, 1, 1, 1}; ///< the first four; 1 where the tensor has fewer
    std::optional<std::uint64_t> elements, bytes; ///< nothing where they cannot be known

    std::string typeName() const; ///< "Q4_K"; for an unknown id "type 200"
};

/// Every tensor of a document, in file order. The document must outlive the result.
std::vector<AuditTensor> auditTensors(const Document& document);

} // namespace gguf
