// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "document/document.h"

#include <cstdint>

/// Looks at everything a document can show, as a person who opens every row would: values, elements, tensors,
/// problems, what lies at each region's ends. Returns the bytes of text that came of it, so that nothing is
/// optimised away. Of long arrays and tables the first and last `most` elements.
std::uint64_t walkEverything(const gguf::Document& document, std::uint64_t most = 200);
