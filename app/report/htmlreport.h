// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "document/document.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

class Output;

/// The whole audit as one HTML page that needs nothing else: no scripts, no images, no network. All text from
/// the file is made visible and escaped.
class HtmlReport
{
public:
    /// "#1a2b3c" for a tensor type id, and black or white for text on it.
    struct Color
    {
        std::string background = "#d0d0d0", text = "#000000";
    };
    using TypeColor = std::function<Color(std::uint32_t typeId)>;

    static void write(
        Output& output, const std::string& file, const gguf::Document& document, const TypeColor& color);

    /// Visible, and safe inside text and quoted attributes.
    static std::string escaped(std::string_view text);
};
