// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "io/byterange.h"
#include "io/bytesource.h"

#include <functional>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace gguf {

/// What a file is that is not GGUF.
enum class ForeignKind {
    Unknown,
    Empty,
    Zeros, ///< nothing but zeros
    ZerosThenData, ///< a writer that did not finish
    ReversedMagic, ///< FUGG
    TextConverted, ///< a GGUF damaged by a text conversion
    Html,
    Xml,
    Json,
    GitLfsPointer,
    LegacyGgml, ///< lmgg, fmgg, tjgg
    LegacyLora, ///< algg
    Whisper,
    LlamaSession, ///< ggsn, ggsq
    Safetensors,
    Zip,
    Gzip,
    Zstd,
    Xz,
    Tar,
    Elf,
    Pe,
    Hdf5,
    Onnx,
    Pickle,
    SplitPart, ///< a later piece of a byte-wise split, by its name and lack of any magic
    Text,
};

/// What was found out about a file that is not GGUF, in words for people. Plain text; text from the
/// file in it is already made visible.
struct Foreign
{
    ForeignKind kind = ForeignKind::Unknown;
    std::string title; ///< "This is an HTML page, not a model."
    std::vector<std::pair<std::string, std::string>> details; ///< name and value: "Page title", "Sign in"
    std::string remedy; ///< what to do
    ByteRange evidence; ///< the bytes that told
};

/// A place inside a file where a GGUF file seems to begin.
struct EmbeddedGguf
{
    std::uint64_t offset = 0;
    std::uint32_t version = 0;
    bool bigEndian = false;
    std::uint64_t tensorCount = 0;
    std::uint64_t metadataCount = 0;
};

/// Identifies what is not GGUF from its first bytes (reads at most 1 MiB; of a file that begins with zeros
/// up to 64 MiB and the last 512 bytes). fileName is the name without folders, as a hint for split pieces only.
Foreign identifyForeign(const ByteSource& source, const std::string& fileName);

/// Searches [range) of the source for GGUF headers: the magic with a plausible version and counts.
/// At most `most` are returned. Reads in large pieces; calls progress(bytes searched) now and then.
std::vector<EmbeddedGguf> findEmbeddedGguf(const ByteSource& source, ByteRange range, std::size_t most,
    std::stop_token stop, const std::function<void(std::uint64_t)>& progress = {});

} // namespace gguf
