// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

/// Numbers that the format or its readers fix, each with its source.
namespace gguf {

/// "GGUF" at byte 0, in both byte orders (SPEC-gguf.ksy: magic).
inline constexpr unsigned char kMagic[4] = {'G', 'G', 'U', 'F'};
/// Alignment where no general.alignment is stored (gguf.cpp v0.27, GGUF_DEFAULT_ALIGNMENT).
inline constexpr std::uint32_t kDefaultAlignment = 32;
/// ggml's GGML_MAX_DIMS.
inline constexpr std::uint32_t kMaxDimsGgml = 4;
/// Dimensions of one tensor that are read and shown; a record that states more ends the table.
inline constexpr std::uint32_t kMaxDimsRead = 16;
/// A tensor name must be shorter than this (ggml's GGML_MAX_NAME).
inline constexpr std::size_t kMaxNameGgml = 64;
/// Longest key that gguf.md allows, in bytes.
inline constexpr std::size_t kMaxKeyDoc = 65535;
/// ggml refuses longer strings (gguf.cpp v0.27, GGUF_MAX_STRING_LENGTH).
inline constexpr std::uint64_t kMaxStringGgml = std::uint64_t{1} << 30;
/// ggml refuses longer arrays (gguf.cpp v0.27, GGUF_MAX_ARRAY_ELEMENTS).
inline constexpr std::uint64_t kMaxArrayGgml = std::uint64_t{1} << 30;
/// Arrays nested deeper than this are not followed.
inline constexpr std::uint32_t kMaxNesting = 256;
/// Memory that one file's metadata and tensor table may take; parsing stops there and says so.
inline constexpr std::uint64_t kMaxMetadataMemory = std::uint64_t{4} << 30;
/// Problems of one rule that are stored; more are only counted.
inline constexpr std::size_t kMaxProblemsPerRule = 1000;
/// 4294967295, which means "no such token" in token id keys.
inline constexpr std::uint32_t kUnsetTokenId = 0xFFFFFFFF;

} // namespace gguf
