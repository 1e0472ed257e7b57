// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "audit/comparison.h"

#include <QString>

#include <functional>
#include <string_view>

class DataComparison;

/// What is said of a comparison in words.
namespace CompareText {

/// A sentence or more on what differs, with what is known of the tensors' bytes.
QString summary(const gguf::Comparison& comparison, const DataComparison& bytes);

/// Gives `use` the values of a key in both files as bytes for a line diff: strings as they are stored, whole; of arrays
/// a line for each element around the first that differs.
void withValues(const gguf::Comparison& comparison, const gguf::MetadataDifference& difference,
    const std::function<void(std::string_view a, std::string_view b)>& use);

} // namespace CompareText
