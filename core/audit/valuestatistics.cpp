// SPDX-License-Identifier: GPL-3.0-or-later
#include "audit/valuestatistics.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace gguf {

ValueGatherer::ValueGatherer()
    : m_fine(std::size_t{1} << (32 - kFineShift))
    , m_min(std::numeric_limits<float>::infinity())
    , m_max(-std::numeric_limits<float>::infinity())
{
}

void ValueGatherer::add(std::span<const float> values)
{
    double sum = 0, squares = 0;
    for (const float value : values) {
        const auto bits = std::bit_cast<std::uint32_t>(value);
        if ((bits & 0x7F800000u) == 0x7F800000u) {
            ++m_notFinite;
            continue;
        }
        ++m_fine[bits >> kFineShift];
        m_zeros += (bits & 0x7FFFFFFFu) == 0 ? 1 : 0;
        m_min = std::min(m_min, value);
        m_max = std::max(m_max, value);
        sum += static_cast<double>(value);
        squares += static_cast<double>(value) * static_cast<double>(value);
        ++m_finite;
    }
    m_sum += sum;
    m_squares += squares;
}

void ValueGatherer::merge(const ValueGatherer& other)
{
    for (std::size_t i = 0; i < m_fine.size(); ++i)
        m_fine[i] += other.m_fine[i];
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
    for (std::size_t i = 0; i < m_fine.size(); ++i) {
        if (m_fine[i] == 0)
            continue;
        // The middle of the fine step, but inside the range: the outermost steps reach beyond it.
        const auto bits = static_cast<std::uint32_t>(i << kFineShift);
        const bool isZero = (bits & 0x7FFFFFFFu) == 0;
        const float middle = std::bit_cast<float>(isZero ? bits : bits | (1u << (kFineShift - 1)));
        const double place = (static_cast<double>(std::clamp(middle, m_min, m_max)) - low) * binsPerUnit;
        const auto bin = std::min(static_cast<std::size_t>(place), ValueStatistics::kBins - 1);
        result.histogram[bin] += m_fine[i];
    }
    return result;
}

} // namespace gguf
