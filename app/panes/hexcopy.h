// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMimeData>

#include <cstddef>
#include <memory>
#include <span>

/// Bytes in the forms in which people paste them.
enum class HexCopyFormat { Hex, CArray, Base64, Raw };

/// Hex: "47 47 55 46", 16 a line. CArray: a definition that compiles. Base64: one line. Raw: the bytes as
/// application/octet-stream, and as text where they are valid UTF-8.
std::unique_ptr<QMimeData> hexCopy(std::span<const std::byte> bytes, HexCopyFormat format);
