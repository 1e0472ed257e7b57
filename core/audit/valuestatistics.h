// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
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
    ValueGatherer();
    void add(std::span<const float> values);
    void merge(const ValueGatherer& other);
    ValueStatistics result() const;

private:
    void addFinite(std::span<const float> values);

    /// Values are counted by sign, exponent and 6 bits of mantissa: the final range need not be known before.
    static constexpr unsigned kFineShift = 17;
    std::vector<std::uint64_t> m_fine;
    std::uint64_t m_finite = 0, m_notFinite = 0, m_zeros = 0;
    float m_min, m_max;
    double m_sum = 0, m_squares = 0;
};

} // namespace gguf
