// SPDX-License-Identifier: GPL-3.0-or-later
#include "audit/valuestatistics.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <utility>

namespace gguf {

void ValueGatherer::add(std::span<const float> values)
{
    // Loops of one thought each, which become vector code or at least overlap; one loop over all took twice
    // as long.
    std::uint32_t notFinite = 0;
    for (const float value : values)
        notFinite += (std::bit_cast<std::uint32_t>(value) & 0x7F800000u) == 0x7F800000u ? 1u : 0u;
    if (notFinite == 0)
        return addFinite(values);
    m_notFinite += notFinite;
    std::vector<float> finite;
    std::ranges::copy_if(
        values, std::back_inserter(finite), [](float value) { return std::isfinite(value); });
    addFinite(finite);
}

void ValueGatherer::addFinite(std::span<const float> values)
{
    float low = m_min, high = m_max;
    for (const float value : values) {
        low = value < low ? value : low;
        high = value > high ? value : high;
    }
    m_min = low;
    m_max = high;

    // Four sums that do not wait for each other.
    double sums[4] = {}, squares[4] = {};
    std::size_t i = 0;
    for (; i + 4 <= values.size(); i += 4) {
        for (std::size_t lane = 0; lane < 4; ++lane) {
            const auto value = static_cast<double>(values[i + lane]);
            sums[lane] += value;
            squares[lane] += value * value;
        }
    }
    for (; i < values.size(); ++i) {
        const auto value = static_cast<double>(values[i]);
        sums[0] += value;
        squares[0] += value * value;
    }
    m_sum += sums[0] + sums[1] + sums[2] + sums[3];
    m_squares += squares[0] + squares[1] + squares[2] + squares[3];

    count(values);
    std::uint32_t zeros = 0;
    for (const float value : values)
        zeros += (std::bit_cast<std::uint32_t>(value) & 0x7FFFFFFFu) == 0 ? 1u : 0u;
    m_zeros += zeros;
    m_finite += values.size();
}

void ValueGatherer::count(std::span<const float> values)
{
    if (m_fine.empty() && m_few.size() + values.size() <= kFew) {
        m_few.insert(m_few.end(), values.begin(), values.end());
        return;
    }
    if (m_fine.empty()) {
        m_fine.resize(std::size_t{1} << (32 - kFineShift));
        count(std::exchange(m_few, {}));
    }
    for (const float value : values)
        ++m_fine[std::bit_cast<std::uint32_t>(value) >> kFineShift];
}

void ValueGatherer::merge(const ValueGatherer& other)
{
    count(other.m_few);
    if (m_fine.empty() && !other.m_fine.empty()) {
        m_fine = other.m_fine;
        count(std::exchange(m_few, {}));
    } else {
        for (std::size_t i = 0; i < other.m_fine.size(); ++i)
            m_fine[i] += other.m_fine[i];
    }
    m_finite += other.m_finite;
    m_notFinite += other.m_notFinite;
    m_zeros += other.m_zeros;
    m_min = std::min(m_min, other.m_min);
    m_max = std::max(m_max, other.m_max);
    m_sum += other.m_sum;
    m_squares += other.m_squares;
}

ValueStatistics ValueGatherer::result() const
{
    ValueStatistics result;
    result.finite = m_finite;
    result.notFinite = m_notFinite;
    result.zeros = m_zeros;
    if (m_finite == 0)
        return result;
    const auto count = static_cast<double>(m_finite);
    result.min = m_min;
    result.max = m_max;
    result.mean = m_sum / count;
    result.deviation = std::sqrt(std::max(0.0, m_squares / count - result.mean * result.mean));
    if (m_min == m_max) {
        result.histogram = {m_finite};
        return result;
    }
    result.histogram.assign(ValueStatistics::kBins, 0);
    const double low = static_cast<double>(m_min);
    const double binsPerUnit = ValueStatistics::kBins / (static_cast<double>(m_max) - low);
    const auto add = [&](std::uint32_t fine, std::uint64_t values) {
        // The middle of the fine step, but inside the range: the outermost steps reach beyond it.
        const std::uint32_t bits = fine << kFineShift;
        const bool isZero = (bits & 0x7FFFFFFFu) == 0;
        const float middle = std::bit_cast<float>(isZero ? bits : bits | (1u << (kFineShift - 1)));
        const double place = (static_cast<double>(std::clamp(middle, m_min, m_max)) - low) * binsPerUnit;
        const auto bin = std::min(static_cast<std::size_t>(place), ValueStatistics::kBins - 1);
        result.histogram[bin] += values;
    };
    for (const float value : m_few)
        add(std::bit_cast<std::uint32_t>(value) >> kFineShift, 1);
    for (std::size_t i = 0; i < m_fine.size(); ++i) {
        if (m_fine[i] != 0)
            add(static_cast<std::uint32_t>(i), m_fine[i]);
    }
    return result;
}

} // namespace gguf
