// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "format/valuetype.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace gguf {

/// A set of value types.
using ValueTypeSet = std::uint16_t;

template <class... Types>
constexpr ValueTypeSet valueTypeSet(Types... types)
{
    return static_cast<ValueTypeSet>(((1u << static_cast<unsigned>(types)) | ... | 0u));
}

/// One metadata key that programs agree on (ggml's gguf.md; llama.cpp's converter and loader, August 2026).
struct KnownKey
{
    /// "*" at the front stands for the architecture ("llama", "clip.vision"), elsewhere for a number.
    std::string_view pattern;
    ValueTypeSet types; ///< a single value may have one of these; 0: only arrays
    ValueTypeSet elementTypes; ///< an array's elements may have one of these; 0: no array
    std::string_view unit; ///< "tokens", "layers"; empty: none
    std::string_view meaning; ///< one line without a full stop

    /// True where a value of this type (for arrays: with these elements) is what the key asks for.
    constexpr bool fits(ValueType type, std::optional<ValueType> element = std::nullopt) const
    {
        if (type != ValueType::Array)
            return (types & valueTypeSet(type)) != 0;
        return elementTypes != 0 && (!element || (elementTypes & valueTypeSet(*element)) != 0);
    }
};

/// What is known of this key, or null. Takes logarithmic time.
const KnownKey* findKnownKey(std::string_view key);

/// All known keys: those with a fixed name, then those under an architecture, each sorted by pattern.
std::span<const KnownKey> knownFixedKeys();
std::span<const KnownKey> knownArchitectureKeys();

} // namespace gguf
