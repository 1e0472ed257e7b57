// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "audit/comparison.h"

#include <string>

class Output;

/// How two files differ, as text or as one JSON object on one line: --compare.
class CompareReport
{
public:
    static void writeText(Output& output, const std::string& fileA, const std::string& fileB,
        const gguf::Comparison& comparison);
    static void writeJson(Output& output, const std::string& fileA, const std::string& fileB,
        const gguf::Comparison& comparison);

    /// One value of a pair for people: "4096", "llama", "[128256 x str] ...".
    static std::string valueText(const gguf::Document& document, std::size_t pair);
    /// What differs between two tensors, in a few words: "Q4_K to Q6_K, 256 x 4 to 256 x 8".
    static std::string tensorText(
        const gguf::Comparison& comparison, const gguf::TensorDifference& difference);
};
