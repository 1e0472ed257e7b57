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
    gguf::TensorSum sum;
};

/// The types in the document, largest first. Recovered tensors do not count.
std::vector<TypeTotal> typeTotals(const gguf::Document& document);
