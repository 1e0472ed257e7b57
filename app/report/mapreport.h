// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "document/document.h"
#include "io/bytesource.h"

#include <QList>

class Output;

/// What lies where in a file, for scripts.
struct MapReport
{
    /// One JSON object a line for each leaf region of the file, in order: `kind`, `path` (list of strings),
    /// `offset`, `length`. The regions cover each byte once; where tensors overlap, `owners` names them all.
    static void writeMap(Output& output, const gguf::Document& document);

    /// One JSON object a line for each offset: `offset`, `path`, `kind`, `range_offset`, `range_length`,
    /// `type`, `value`, and where they apply `tensor`, `row`, `block`, `field`, `element`, `owners`. What an
    /// offset beyond the end does not have is null.
    static void writeLocations(Output& output, const gguf::Document& document, const gguf::ByteSource& source,
        const QList<quint64>& offsets);
};
