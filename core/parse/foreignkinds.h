// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "parse/sniff.h"

#include <cstdint>
#include <optional>
#include <string_view>

/// The recognisers behind identifyForeign(), one file for each family.
namespace gguf::foreign {

/// What they look at.
struct Head
{
    std::string_view bytes; ///< the first bytes of the file, at most 1 MiB
    std::uint64_t fileSize = 0;
    std::string_view fileName;

    bool startsWith(std::string_view magic) const { return bytes.substr(0, magic.size()) == magic; }
    /// A little-endian number; 0 where the bytes are not there.
    std::uint32_t u32(std::size_t offset) const;
    std::uint64_t u64(std::size_t offset) const;
};

std::optional<Foreign> identifyModel(const Head& head); ///< foreignmodels.cpp: other formats of models
std::optional<Foreign> identifyContainer(const Head& head); ///< foreigncontainers.cpp: archives and programs
std::optional<Foreign> identifyText(const Head& head); ///< foreigntexts.cpp: pages, pointers, messages
std::optional<Foreign> identifyDamagedGguf(
    const Head& head); ///< textconversion.cpp: GGUF with a changed magic

} // namespace gguf::foreign
