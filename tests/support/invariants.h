// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "document/document.h"

#include <string>

/// What must hold for every document, whatever the file says: the regions cover the file from 0 to its end
/// without a hole, no Problem lies outside the file, counts and sums agree. Returns what is broken, or nothing.
std::string brokenInvariant(const gguf::Document& document);
