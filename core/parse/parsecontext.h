// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "document/documentbuilder.h"
#include "parse/imagereader.h"
#include "parse/parser.h"
#include "parse/tidytable.h"

#include <cstdint>
#include <string>

namespace gguf {

/// What the sections of one parse share.
class ParseContext
{
public:
    ParseContext(const ByteSource& source, const ParseOptions& options);

    DocumentBuilder builder;
    ImageReader reader;
    const ParseOptions& options;
    TidyTable tidyTable; ///< what parseTensors() learnt for judgeTensors()

    const Header& header() const { return *builder.document().header(); }
    /// Width of counts and lengths: 8, or 4 in version 1.
    std::uint32_t countBytes() const { return m_countBytes; }
    void useHeader(const Header& header);

    template <class T>
    T load(const std::byte* bytes) const
    {
        return loadAs<T>(bytes, m_byteOrder);
    }
    std::uint64_t loadCount(const std::byte* bytes) const
    {
        return m_countBytes == 4 ? load<std::uint32_t>(bytes) : load<std::uint64_t>(bytes);
    }

    /// Called after each record: publishes a snapshot now and then. False when somebody asked to stop.
    bool recordDone();
    void publish();
    /// Called inside long records: reports progress now and then. False when somebody asked to stop.
    bool goesOn();
    bool stopped() const { return options.stop.stop_requested(); }

    /// Reports why the reader could not bring `needed` bytes: the file ends here, it cannot be read, or it
    /// is too large. `rule` says so for the section; `doing` names what was being read.
    void reportEnd(Rule rule, Subject subject, std::uint64_t needed, const std::string& doing);

private:
    std::uint32_t m_countBytes = 8;
    ByteOrder m_byteOrder = ByteOrder::Little;
    std::size_t m_recordsSincePublish = 0;
    std::uint64_t m_publishedAt = 0;
    std::uint64_t m_progressAt = 0;
};

/// A stated length that may be a truncated file's; longer ones cannot be meant.
inline constexpr std::uint64_t kPlausibleLength = std::uint64_t{64} << 20;

/// A stated count that may be a truncated file's; no model has nearly so many pairs or tensors.
inline constexpr std::uint64_t kPlausibleCount = std::uint64_t{1} << 20;

/// Reads magic, version and counts. False where nothing more can be read.
bool parseHeader(ParseContext& context, const ByteSource& source);
/// Reads the key-value pairs. False where reading had to stop.
bool parseMetadata(ParseContext& context);
/// Reads the tensor table's records without judging their sizes and places. False where reading had to stop.
bool parseTensors(ParseContext& context);
/// Judges types, dimensions, sizes and offsets, and computes the data section; needs the whole table.
void judgeTensors(ParseContext& context);

} // namespace gguf
