// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace gguf {

/// One meaning of a general.file_type number (llama_ftype). A number can have several owners.
struct FileTypeInfo
{
    std::uint32_t id;
    std::string_view name; ///< "Q4_K_M"
    std::string_view label; ///< what llama.cpp prints: "Q4_K - Medium"; empty: none known
    std::string_view defaultType; ///< name of the tensor type that most tensors get; empty: none
    std::string_view owner; ///< "llama.cpp", or the fork that defines it
    bool removed; ///< no current program writes it
};

/// Bit that llama.cpp sets in memory for a guessed file type; it reaches files only by copying.
inline constexpr std::uint32_t kFileTypeGuessed = 1024;

/// Every meaning of the number, llama.cpp's own first; kFileTypeGuessed is masked off.
std::span<const FileTypeInfo> fileTypes(std::uint32_t id);

/// The first of fileTypes(id), or null.
const FileTypeInfo* findFileType(std::uint32_t id);

/// The first entry of this name, compared without case, or null.
const FileTypeInfo* findFileType(std::string_view name);

std::span<const FileTypeInfo> allFileTypes();

} // namespace gguf
