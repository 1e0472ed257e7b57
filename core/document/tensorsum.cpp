// SPDX-License-Identifier: GPL-3.0-or-later
#include "document/tensorsum.h"

#include "document/text.h"
#include "format/arithmetic.h"

#include <fmt/format.h>

#include <string_view>

namespace gguf {

namespace {

// What saturated may be more.
constexpr std::uint64_t kTooMany = UINT64_MAX;

std::string reason(std::uint64_t tensors, std::string_view what, bool tooMany, std::string_view unit)
{
    if (tensors > 0)
        return fmt::format("{} of unknown {}", countText(tensors, "tensor"), what);
    return tooMany ? fmt::format("too many {} to count", unit) : std::string();
}

} // namespace

void TensorSum::add(std::optional<std::uint64_t> tensorElements, std::optional<std::uint64_t> tensorBytes)
{
    add({1, tensorElements.value_or(0), tensorBytes.value_or(0), tensorElements ? 0U : 1U, tensorBytes ? 0U : 1U});
}

void TensorSum::add(const TensorSum& other)
{
    tensors += other.tensors;
    elements = saturatingAdd(elements, other.elements);
    bytes = saturatingAdd(bytes, other.bytes);
    uncounted += other.uncounted;
    unsized += other.unsized;
}

std::optional<std::uint64_t> TensorSum::parameters() const
{
    return uncounted > 0 || elements == kTooMany ? std::nullopt : std::optional(elements);
}

std::optional<std::uint64_t> TensorSum::knownBytes() const
{
    return unsized > 0 || bytes == kTooMany ? std::nullopt : std::optional(bytes);
}

std::optional<double> TensorSum::bitsPerWeight() const
{
    if (!parameters() || !knownBytes() || elements == 0)
        return std::nullopt;
    return 8.0 * static_cast<double>(bytes) / static_cast<double>(elements);
}

std::string TensorSum::whyNoParameters() const
{
    return reason(uncounted, "element count", elements == kTooMany, "elements");
}

std::string TensorSum::whyNoBitsPerWeight() const
{
    // Each tensor that cannot be counted has no size either.
    const std::string why = reason(unsized, "size", bytes == kTooMany, "bytes");
    return why.empty() ? whyNoParameters() : why;
}

} // namespace gguf
