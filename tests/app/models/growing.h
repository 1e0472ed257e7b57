// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "parse/parser.h"
#include "support/ggufwriter.h"

#include <vector>

/// Every snapshot that a parse shows on its way, the finished document last.
inline std::vector<gguf::Document> snapshotsOf(const GgufWriter& writer)
{
    struct Collector final : gguf::ParseSink
    {
        std::vector<gguf::Document> documents;
        void snapshot(const gguf::Document& document) override { documents.push_back(document); }
        void progress(std::uint64_t /*bytesRead*/) override { }
    };
    Collector collector;
    gguf::ParseOptions options;
    options.sink = &collector;
    const auto source = writer.source();
    const gguf::Document parsed = gguf::parse(*source, options);
    collector.documents.push_back(parsed);
    options.sink = nullptr;
    collector.documents.push_back(gguf::inspectData(parsed, *source, options));
    return collector.documents;
}

inline gguf::Document documentOf(const GgufWriter& writer)
{
    return snapshotsOf(writer).back();
}
