// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "document/text.h"

#include <QString>

#include <string_view>

/// Our own texts from the core.
inline QString coreText(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

/// Text from a file as one line that is safe to show.
inline QString fileText(std::string_view bytes, std::size_t maxBytes = 0)
{
    return QString::fromStdString(gguf::visibleText(bytes, maxBytes));
}

/// Text from a file with its line breaks, safe to show.
inline QString fileTextLines(std::string_view bytes, std::size_t maxBytes = 0)
{
    return QString::fromStdString(gguf::visibleMultiline(bytes, maxBytes));
}
