// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <cstdint>
#include <optional>
#include <span>

/// Numbers as text, the same everywhere in the program.
///
/// Exact values (bytes, offsets, counts) are grouped by commas and do not depend on the person's locale, so that what
/// is shown can be compared with what other tools print. Nothing is rounded but what says so.
namespace NumberText {

QString count(std::uint64_t value); ///< "131,072"
QString bytes(std::uint64_t size); ///< "4,920,739,872 bytes", "1 byte"
QString shortSize(std::uint64_t size); ///< "4.58 GiB", "17 bytes"; rounded to three digits
QString size(std::uint64_t size); ///< "4.58 GiB (4,920,739,872 bytes)"; below 1 KiB only the exact bytes

/// "0x0001A2B0": upper case, at least `digits` digits.
QString hex(std::uint64_t value, int digits = 1);
/// How many hex digits every offset of a file of this size needs: 8, or more in steps of 2.
int offsetDigits(std::uint64_t fileSize);
QString offset(std::uint64_t value, int digits = 1); ///< "0x1A2B0 (107,184)"
QString range(std::uint64_t offset, std::uint64_t length); ///< "0x10 to 0x1F (16 bytes)", "0x10 (0 bytes)"

QString parameters(std::uint64_t value); ///< "8.03 B", "494 M", "512"; rounded to three digits
QString bitsPerWeight(std::optional<double> value); ///< "4.50"; "" for nothing
QString share(std::uint64_t part, std::uint64_t whole); ///< "12.3 %"; never "0.0 %" or "100.0 %" unless exactly so
QString dimensions(std::span<const std::int64_t> dims); ///< "4096 × 14336", "scalar" without dimensions

} // namespace NumberText
