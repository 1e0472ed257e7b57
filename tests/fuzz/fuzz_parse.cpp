// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes: the document agrees with itself, and is the same when the bytes are part of something larger.
#include "fuzz.h"

#include "io/partsource.h"
#include "parse/parser.h"
#include "support/invariants.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const gguf::MemorySource source = fuzzSource(data, size);
    const gguf::Document document = gguf::parse(source);
    std::string broken = brokenInvariant(document);
    require(broken.empty(), broken);
    broken = brokenInvariant(gguf::inspectData(document, source));
    require(broken.empty(), "after looking into the data: " + broken);

    std::vector<std::byte> larger(size + 48, std::byte{0x55});
    if (size > 0)
        std::memcpy(larger.data() + 16, data, size);
    const auto whole = std::make_shared<gguf::MemorySource>(std::move(larger));
    const gguf::Document part = gguf::parse(gguf::PartSource(whole, {16, size}));
    require(part.status() == document.status(), "the same status as a part");
    require(part.problemCount() == document.problemCount(), "the same problems as a part");
    require(part.tensorCount() == document.tensorCount(), "the same tensors as a part");
    return 0;
}
