// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace gguf {

/// What the dequantized values of a tensor are like. Values that are not finite are only counted.
struct ValueStatistics
{
    static constexpr std::size_t kBins = 64;

    std::uint64_t finite = 0; ///< values that the rest speaks of
    std::uint64_t notFinite = 0;
    std::uint64_t zeros = 0;
    float min = 0, max = 0;
    double mean = 0;
    double deviation = 0; ///< standard deviation of the population
    /// How many values lie in each of kBins equal steps from min to max; one bin where min is max, none
    /// without values. Near the ends of the range a count may be off by values of the neighbouring bin.
    std::vector<std::uint64_t> histogram;

    double zeroShare() const
    {
        return finite == 0 ? 0.0 : static_cast<double>(zeros) / static_cast<double>(finite);
    }
};

/// Gathers values of one tensor, in any order; gatherers can be merged.
class ValueGatherer
{
public:
    void add(std::span<const float> values);
    void merge(const ValueGatherer& other);
    ValueStatistics result() const;

private:
    void addFinite(std::span<const float> values);
    void count(std::span<const float> values);

    /// Values are counted by sign, exponent and 6 bits of mantissa: the final range need not be known before.
    static constexpr unsigned kFineShift = 17;
    /// So few values are kept as they are: small tensors are many, and the counters take 256 KiB.
    static constexpr std::size_t kFew = 4096;
    std::vector<float> m_few;
    std::vector<std::uint64_t> m_fine; ///< empty as long as all values are in m_few
    std::uint64_t m_finite = 0, m_notFinite = 0, m_zeros = 0;
    float m_min = std::numeric_limits<float>::infinity(), m_max = -std::numeric_limits<float>::infinity();
    double m_sum = 0, m_squares = 0;
};

} // namespace gguf
