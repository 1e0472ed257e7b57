// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace gguf {

/// Why bytes could not be had. code 0: no error.
struct IoError
{
    int code = 0; ///< errno, or -1 where the system gave none
    std::string message; ///< one sentence for people, without the file's name

    explicit operator bool() const { return code != 0; }
};

/// What a read brought: `bytes` were filled from the front; fewer than asked for
/// means the end of the source was met, or `error` is set.
struct ReadResult
{
    std::size_t bytes = 0;
    IoError error;
};

/// Bytes at offsets. read() may be called from several threads at once.
class ByteSource
{
public:
    virtual ~ByteSource() = default;

    /// Length in bytes when the source was opened.
    virtual std::uint64_t size() const = 0;

    /// Reads up to into.size() bytes from offset. Reading at or past the end brings 0 bytes and no error.
    virtual ReadResult read(std::uint64_t offset, std::span<std::byte> into) const = 0;
};

} // namespace gguf
