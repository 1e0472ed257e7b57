// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "document/documentbuilder.h"
#include "io/bytesource.h"

#include <stop_token>

namespace gguf {

/// For a parse that stopped early: was the file converted as text, would another count in the header or another
/// length make it whole, and do records go on further down, perhaps inside a value that seems to be cut? Recovered
/// records are added, marked, and count for nothing. Reads at most 34 MiB.
void explainStop(DocumentBuilder& builder, const ByteSource& source, std::stop_token stop);

/// Looks behind tables that were read to their end: do they go on, so that a count in the header is too small?
/// Reads at most 1 MiB, or 16 where the first tensor record does not look like one.
void suggestCounts(DocumentBuilder& builder, const ByteSource& source, std::stop_token stop);

/// All offsets wrong by one constant; a length that old file systems end at. Reads nothing.
void explainLayout(DocumentBuilder& builder);

} // namespace gguf
