// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "io/byterange.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gguf {

/// What a program did to a binary file because it took it for text.
struct TextConversion
{
    enum class Kind
    {
        Replaced,
        Latin1,
        LineEnds,
        NulsRemoved
    };
    Kind kind = Kind::Replaced;
    std::string what; ///< "every line feed (0A) became 0D 0A, 312 times in the bytes looked at"
    std::string destroyed; ///< what cannot be had back, as a sentence
    ByteRange evidence; ///< the first changed bytes
};

/// Looks for the traces of a text conversion in bytes that should be binary and begin at `offset` of the
/// file. Conservative: needs several traces and no byte that speaks against it. Text that is rightly text (a
/// chat template with 0D 0A) has traces too, so ask only where reading went wrong or in tensor data.
std::optional<TextConversion> recogniseTextConversion(std::string_view bytes, std::uint64_t offset);

} // namespace gguf
