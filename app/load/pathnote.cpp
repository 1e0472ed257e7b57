// SPDX-License-Identifier: GPL-3.0-or-later
#include "load/pathnote.h"

#include <algorithm>
#include <system_error>

namespace fs = std::filesystem;

PathNote PathNote::of(const fs::path& path)
{
    PathNote note;
    std::error_code error;
    if (fs::is_symlink(path, error)) {
        note.linkTarget = fs::canonical(path, error);
        if (error)
            note.linkTarget = fs::read_symlink(path, error); // it leads nowhere: then its own words
    }
    note.isFolder = fs::is_directory(path, error);
    if (note.isFolder) {
        for (fs::directory_iterator entry(path, error), end; !error && entry != end; entry.increment(error)) {
            std::error_code unreadable;
            if (entry->path().extension() == ".gguf" && entry->is_regular_file(unreadable))
                note.folderFiles.push_back(entry->path());
        }
        std::ranges::sort(note.folderFiles);
    }
    return note;
}
