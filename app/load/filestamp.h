// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>

/// What tells that a path still leads to the same, unchanged file. Standard C++ (and stat) only.
struct FileStamp
{
    bool exists = false; ///< false too where it cannot be looked at
    std::uint64_t device = 0, inode = 0; ///< which file; 0 where the system does not tell
    std::uint64_t size = 0; ///< bytes
    std::int64_t modified = 0; ///< in the file system's ticks; only good for comparing

    /// Looks at the path, following links. May hang on a dead mount: never on the GUI thread.
    static FileStamp of(const std::filesystem::path& path);

    friend bool operator==(const FileStamp&, const FileStamp&) = default;
};

enum class FileChange {
    None,
    Grown,
    Shrunk,
    Rewritten, ///< same file, same length, written to since
    Replaced, ///< another file lies at the path
    Deleted,
};

FileChange fileChange(const FileStamp& before, const FileStamp& now);
