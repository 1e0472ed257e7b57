// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <vector>

/// What to say of a path besides what reading it tells. Standard C++ only.
struct PathNote
{
    std::filesystem::path linkTarget; ///< for a symbolic link: where it ends
    std::vector<std::filesystem::path> folderFiles; ///< for a folder: the GGUF files in it, sorted
    bool isFolder = false;

    /// Looks at the path. May hang on a dead mount: never on the GUI thread.
    static PathNote of(const std::filesystem::path& path);
};
