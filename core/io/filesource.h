// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "io/bytesource.h"

#include <filesystem>
#include <memory>
#include <variant>

namespace gguf {

/// A regular file, read at positions and never mapped: a file that shrinks while it is open
/// gives short reads instead of a signal. Opened without ever blocking on a FIFO or device.
class FileSource final : public ByteSource
{
public:
    /// The opened file, or why it could not be opened: it is missing, may not be read,
    /// or is a directory, FIFO, socket or device.
    static std::variant<std::shared_ptr<const FileSource>, IoError> open(const std::filesystem::path& path);

    ~FileSource() override;
    FileSource(const FileSource&) = delete;
    FileSource& operator=(const FileSource&) = delete;

    std::uint64_t size() const override { return m_size; }
    ReadResult read(std::uint64_t offset, std::span<std::byte> into) const override;

    /// The file's length now, which may differ from size() after it grew or shrank; size() on error.
    std::uint64_t currentSize() const;

private:
    FileSource() = default;

    std::uint64_t m_size = 0;
#ifdef _WIN32
    void* m_handle = nullptr;
#else
    int m_descriptor = -1;
#endif
};

} // namespace gguf
