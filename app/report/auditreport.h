// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "document/document.h"

#include <string>

class Output;

/// The quantization mix and what its label says, as one JSON object on one line: --audit.
class AuditReport
{
public:
    /// `file`: as the person gave it; its last component tells a file-name label.
    static void write(Output& output, const std::string& file, const gguf::Document& document);
};
