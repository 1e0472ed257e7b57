// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "document/document.h"
#include "io/bytesource.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace gguf {

using Sha256 = std::array<std::byte, 32>;

/// Computes one SHA-256. Implemented outside of core, by a library.
class Digest
{
public:
    virtual ~Digest() = default;
    virtual void add(std::span<const std::byte> bytes) = 0;
    virtual Sha256 result() = 0;
};

/// The hash of one tensor's data (without padding) or of the whole file.
struct DataHash
{
    std::optional<std::size_t> tensor; ///< none: the whole file
    std::uint64_t bytes = 0; ///< that were read
    std::optional<Sha256> sha256; ///< only where all bytes are there
    IoError error;
};

struct HashOptions
{
    bool wholeFile = false;
    std::function<std::unique_ptr<Digest>()> makeDigest; ///< called on the threads of the computation
    std::stop_token stop;
    /// As in DataScanOptions: on the threads of the computation, one call at a time.
    std::function<void(std::uint64_t done, std::uint64_t total)> progress;
    std::function<void(const DataHash& hash)> finished;
};

/// Hashes the whole file, if asked, and these tensors, on two threads. Returns the results in this order;
/// what was not finished before a stop has no hash. Blocks until done.
std::vector<DataHash> hashData(const Document& document, const ByteSource& source,
    std::span<const std::size_t> tensors, const HashOptions& options);

std::string sha256Text(const Sha256& hash); ///< 64 lower-case hex digits

/// The one SHA-256 that a text names: 64 hex digits standing alone, as in a bare hash, the output of
/// sha256sum, a Git LFS pointer ("oid sha256:...") or a file name. Nothing where there is none, or several
/// that differ.
std::optional<Sha256> findSha256(std::string_view text);

} // namespace gguf
