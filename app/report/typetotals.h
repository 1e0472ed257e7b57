// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "document/document.h"

#include <cstdint>
#include <string>
#include <vector>

/// What all tensors of one type come to.
struct TypeTotal
{
    std::string name; ///< "Q4_K", "type 200"
    std::uint32_t typeId = 0;
    std::uint64_t tensors = 0;
    std::uint64_t elements = 0; ///< saturates, as bytes do
    std::uint64_t bytes = 0; ///< of the tensors whose size is known
    bool known = true; ///< false where the size of one of them is not known
};

/// The types in the document, largest first. Recovered tensors do not count.
std::vector<TypeTotal> typeTotals(const gguf::Document& document);
