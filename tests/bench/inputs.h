// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "support/ggufwriter.h"

#include <filesystem>
#include <string>
#include <vector>

/// Generated files to measure with. All are sparse where their tensor data begin.
namespace benchinputs {

struct Input
{
    std::string name;
    std::string what; ///< for people
    GgufWriter (*make)();
};

/// Every input of the tables: large vocabulary, many tensors, many keys, a huge file, an 8B-like one,
/// nested arrays, one long string.
const std::vector<Input>& all();

// Families for growth: how the time rises with one number.
GgufWriter manyTensors(std::size_t count);
GgufWriter manyKeys(std::size_t count);
GgufWriter manyTokens(std::size_t count);

/// Writes the input below `folder` unless it is there, and returns its path.
std::filesystem::path written(const std::filesystem::path& folder, const std::string& name, const GgufWriter& writer);

/// The folder for generated files: $GGUF_BENCH_DIR, or one in the system's temporary folder.
std::filesystem::path folder();

} // namespace benchinputs
