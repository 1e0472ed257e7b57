// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes: everything that was read can be looked at, recovered parts included.
#include "fuzz.h"

#include "parse/parser.h"
#include "support/walk.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const gguf::MemorySource source = fuzzSource(data, size);
    walkEverything(gguf::inspectData(gguf::parse(source), source), 50);
    return 0;
}
