// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "audit/comparison.h"

#include <QString>

#include <string>
#include <utility>

class DataComparison;

/// What is said of a comparison in words.
namespace CompareText {

/// A sentence or more on what differs, with what is known of the tensors' bytes.
QString summary(const gguf::Comparison& comparison, const DataComparison& bytes);

/// The values of a key in both files, whole however long they are (for a worker), as bytes for a line diff: strings whole, of arrays a line for each element
/// around the first that differs.
std::pair<std::string, std::string> values(
    const gguf::Comparison& comparison, const gguf::MetadataDifference& difference);

} // namespace CompareText
