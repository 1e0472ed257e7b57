// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

/// The code books of the IQ1, IQ2 and IQ3 types: a row of weights for each code.
/// The numbers are data of ggml (MIT licence, ggml-common.h, v0.27).
namespace gguf {

template <std::size_t Codes, std::size_t Length>
using CodeBook = std::array<std::array<std::int8_t, Length>, Codes>;

extern const CodeBook<256, 8> kIq2xxsGrid;
extern const CodeBook<512, 8> kIq2xsGrid;
extern const CodeBook<1024, 8> kIq2sGrid;
extern const CodeBook<256, 4> kIq3xxsGrid;
extern const CodeBook<512, 4> kIq3sGrid;
extern const CodeBook<2048, 8> kIq1sGrid;

} // namespace gguf
