// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "document/document.h"
#include "io/bytesource.h"

#include <cstdint>
#include <stop_token>
#include <string>

namespace gguf {

/// Hears of a running parse, on the parser's thread.
class ParseSink
{
public:
    virtual ~ParseSink() = default;

    /// What has been read so far: an immutable copy that shares its parts with later ones. Called after the
    /// header, then after every 4,096 records or 1 MiB of metadata, whichever comes first.
    virtual void snapshot(const Document& document) = 0;

    /// Bytes of metadata and tensor table read so far. The total is not known before the end.
    virtual void progress(std::uint64_t bytesRead) = 0;
};

struct ParseOptions
{
    std::string fileName; ///< without folders; only a hint for naming what is not GGUF and for split.* checks
    std::stop_token stop; ///< polled once per record and once per read
    ParseSink* sink = nullptr;
};

/// Reads header, metadata and tensor table, and judges them; touches no tensor data. Never throws for what a
/// file says. All faults are Problems of the returned Document. A source that fails is reported
/// there too (Rule::ReadFailed).
Document parse(const ByteSource& source, const ParseOptions& options = {});

/// Looks at what parse() leaves alone because it lies in the data section: tensor padding that is not zero, a
/// GGUF header in what follows the last tensor, and where parsing stopped early, records that can be
/// found again. Returns the document with these Problems added. Reads small pieces near each padding.
Document inspectData(Document document, const ByteSource& source, const ParseOptions& options = {});

} // namespace gguf
