// SPDX-License-Identifier: GPL-3.0-or-later
#include "load/filestamp.h"

#ifndef _WIN32
#include <sys/stat.h>
#endif

FileStamp FileStamp::of(const std::filesystem::path& path)
{
    FileStamp stamp;
#ifdef _WIN32
    std::error_code error;
    stamp.size = std::filesystem::file_size(path, error);
    if (error)
        return {};
    const auto time = std::filesystem::last_write_time(path, error);
    if (!error)
        stamp.modified = static_cast<std::int64_t>(time.time_since_epoch().count());
#else
    struct stat status = {};
    if (::stat(path.c_str(), &status) != 0)
        return {};
    stamp.device = static_cast<std::uint64_t>(status.st_dev);
    stamp.inode = static_cast<std::uint64_t>(status.st_ino);
    stamp.size = static_cast<std::uint64_t>(status.st_size);
#ifdef __APPLE__
    const timespec& time = status.st_mtimespec;
#else
    const timespec& time = status.st_mtim;
#endif
    stamp.modified = std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
#endif
    stamp.exists = true;
    return stamp;
}

FileChange fileChange(const FileStamp& before, const FileStamp& now)
{
    if (!now.exists)
        return before.exists ? FileChange::Deleted : FileChange::None;
    if (!before.exists || before.device != now.device || before.inode != now.inode)
        return FileChange::Replaced;
    if (now.size != before.size)
        return now.size > before.size ? FileChange::Grown : FileChange::Shrunk;
    return now.modified != before.modified ? FileChange::Rewritten : FileChange::None;
}
