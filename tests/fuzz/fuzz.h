// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "io/memorysource.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

/// What libFuzzer and the replay main call.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

/// Ends the process with a message, as a crash that a fuzzer keeps the input of.
inline void require(bool holds, const std::string& what)
{
    if (!holds) {
        std::fprintf(stderr, "does not hold: %s\n", what.c_str());
        std::abort();
    }
}

inline gguf::MemorySource fuzzSource(const std::uint8_t* data, std::size_t size)
{
    return gguf::MemorySource(std::span<const std::uint8_t>(data, size));
}
