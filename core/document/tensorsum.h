// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace gguf {

/// What some tensors add up to, and what cannot be said of them: the one place that defines parameters and bits
/// per weight of a file, a type, a layer or a selection.
struct TensorSum
{
    std::uint64_t tensors = 0;
    std::uint64_t elements = 0; ///< of the tensors whose elements can be counted, whatever their type; saturates
    std::uint64_t bytes = 0; ///< of the tensors whose size is known, without padding; saturates
    std::uint64_t uncounted = 0; ///< tensors whose elements cannot be counted: a negative dimension, an overflow
    std::uint64_t unsized = 0; ///< tensors whose bytes cannot be known: those, unknown types, partial rows

    void add(std::optional<std::uint64_t> tensorElements, std::optional<std::uint64_t> tensorBytes);
    void add(const TensorSum& other);

    /// The elements of all tensors; nothing where one cannot be counted, or from 2^64 - 1 on.
    std::optional<std::uint64_t> parameters() const;
    /// The bytes of all tensors; nothing where one is not known, or from 2^64 - 1 on.
    std::optional<std::uint64_t> knownBytes() const;
    /// 8 * bytes / elements, as llama.cpp prints it for a whole file. Nothing where one of the two is not known for
    /// every tensor, and for 0 elements.
    std::optional<double> bitsPerWeight() const;

    // In words why there is none, for people: "1 tensor of unknown size". Empty where nothing is unknown.
    std::string whyNoParameters() const;
    std::string whyNoBitsPerWeight() const;

    friend bool operator==(const TensorSum&, const TensorSum&) = default;
};

} // namespace gguf
