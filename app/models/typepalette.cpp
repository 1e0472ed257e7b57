// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/typepalette.h"

#include <QPalette>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>

namespace {

/// A hue and how colourful it is, as OKLCH has them (degrees; 0 to about 0.3).
struct Hue
{
    double degrees;
    double chroma;
    double emphasis = 0; ///< lightness by which all types of a family stand out more
    double spread = 1; ///< how much further apart its types are on light ground; about the middle of the lightness
    double wideSpread = 1; ///< how much further apart its types of more than 16 bits are, on any ground
};

constexpr Hue kGrey = {0, 0};
constexpr double kMiddleWeight = 0.55; ///< a type of 5 bits
constexpr double kWideWeight = 0.9; ///< a type of 16 bits

/// sRGB from OKLCH, with the chroma lowered until the colour exists on a screen.
QColor fromOklch(double lightness, Hue hue)
{
    const double angle = hue.degrees * std::numbers::pi / 180;
    for (double chroma = hue.chroma;; chroma -= 0.005) {
        const double a = std::max(chroma, 0.0) * std::cos(angle);
        const double b = std::max(chroma, 0.0) * std::sin(angle);
        const double l = std::pow(lightness + 0.3963377774 * a + 0.2158037573 * b, 3);
        const double m = std::pow(lightness - 0.1055613458 * a - 0.0638541728 * b, 3);
        const double s = std::pow(lightness - 0.0894841775 * a - 1.2914855480 * b, 3);
        const std::array linear = {4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
            -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
            -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s};
        const bool exists = std::ranges::all_of(linear, [](double v) { return v > -0.0005 && v < 1.0005; });
        if (!exists && chroma > 0)
            continue;
        std::array<int, 3> bytes{};
        std::ranges::transform(linear, bytes.begin(), [](double v) {
            v = std::clamp(v, 0.0, 1.0);
            const double encoded = v <= 0.0031308 ? 12.92 * v : 1.055 * std::pow(v, 1 / 2.4) - 0.055;
            return static_cast<int>(std::lround(255 * encoded));
        });
        return QColor(bytes[0], bytes[1], bytes[2]);
    }
}

double luminance(const QColor& color)
{
    const auto linear = [](double v) { return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

QColor mixed(const QColor& front, const QColor& back, double share)
{
    const auto part = [share](int f, int b) { return static_cast<int>(std::lround(share * f + (1 - share) * b)); };
    return QColor(part(front.red(), back.red()), part(front.green(), back.green()), part(front.blue(), back.blue()));
}

/// Sought so that the closest two types of different families are as far apart as can be for people who lack one kind of
/// cone, in light and in dark, with hues at least 20 degrees apart for everybody else.
Hue hueOf(gguf::TypeFamily family)
{
    using enum gguf::TypeFamily;
    switch (family) {
    case Float:
        return {278, 0.142, 0, 1, 2.6}; // F16 and F32 stand side by side in nearly every file
    case Integer:
        return {349, 0.096, 0.016, 1, 0.3}; // out of the way of the floats
    case LegacyQuant:
        return {70, 0.192, 0, 2.2}; // its types lie between 4.5 and 9 bits
    case KQuant:
        return {168, 0.107};
    case IQuant:
        return {310, 0.171, 0.065};
    case Ternary:
        return {119, 0.192};
    case Fp4:
        return {13, 0.196};
    case Other:
        break;
    }
    return kGrey;
}

/// 0 (one bit and less) to 1 (64 bits). Steep where quantized types lie close together.
double weightOf(double bitsPerWeight)
{
    static constexpr std::array<std::pair<double, double>, 10> kCurve = {{{1, 0.0}, {2, 0.13}, {3, 0.27}, {4, 0.41},
        {5, 0.55}, {6, 0.67}, {8.5, 0.8}, {16, kWideWeight}, {32, 0.96}, {64, 1.0}}};
    if (bitsPerWeight <= kCurve.front().first)
        return 0;
    for (std::size_t i = 1; i < kCurve.size(); ++i) {
        const auto [x0, y0] = kCurve[i - 1];
        const auto [x1, y1] = kCurve[i];
        if (bitsPerWeight <= x1)
            return y0 + (y1 - y0) * (bitsPerWeight - x0) / (x1 - x0);
    }
    return 1;
}

double lightnessOf(double weight, const Hue& hue, bool dark)
{
    if (weight > kWideWeight)
        weight = kWideWeight + hue.wideSpread * (weight - kWideWeight);
    if (dark)
        return 0.565 + 0.30 * weight + hue.emphasis;
    return 0.665 - 0.35 * (kMiddleWeight + hue.spread * (weight - kMiddleWeight)) - hue.emphasis;
}

/// Types of one family with the same bits per weight (F16 and BF16) differ by a turn of the hue.
const std::map<quint32, int>& hueTurns()
{
    static const std::map<quint32, int> turns = [] {
        std::map<quint32, int> result;
        std::map<std::pair<gguf::TypeFamily, long>, int> seen;
        for (const gguf::TensorTypeInfo& type : gguf::allTensorTypes()) {
            if (!result.contains(type.id))
                result[type.id] = seen[{type.family, std::lround(16 * type.bitsPerWeight())}]++;
        }
        return result;
    }();
    return turns;
}

Hue regionHue(gguf::RegionKind kind)
{
    using enum gguf::RegionKind;
    switch (kind) {
    case Header:
        return {305, 0.15};
    case MetadataPair:
        return {255, 0.13};
    case TensorRecord:
        return {195, 0.11};
    case HeaderPadding:
    case TensorPadding:
        return {255, 0.02};
    case TensorData:
        return {130, 0.06};
    case Gap:
        return {95, 0.15};
    case Trailing:
        return {55, 0.15};
    case Unread:
        return {28, 0.19};
    case Missing:
        return {345, 0.10};
    }
    return kGrey;
}

} // namespace

TypePalette TypePalette::forPalette(const QPalette& palette)
{
    return TypePalette(
        palette.color(QPalette::WindowText).lightness() > palette.color(QPalette::Window).lightness());
}

QColor TypePalette::color(quint32 typeId) const
{
    const gguf::TensorTypeInfo* const type = gguf::findTensorType(typeId);
    if (!type || type->blockLength == 0)
        return familyColor(gguf::TypeFamily::Other);
    Hue hue = hueOf(type->family);
    hue.degrees += 14 * (hueTurns().at(typeId) % 4);
    return fromOklch(lightnessOf(weightOf(type->bitsPerWeight()), hue, m_dark), hue);
}

QColor TypePalette::textOn(const QColor& background)
{
    // The luminance at which black and white have the same contrast (WCAG 2): sqrt(1.05 * 0.05) - 0.05.
    return luminance(background) > 0.179 ? QColor(Qt::black) : QColor(Qt::white);
}

QColor TypePalette::familyColor(gguf::TypeFamily family) const
{
    const Hue hue = hueOf(family);
    return fromOklch(lightnessOf(0.45, hue, m_dark), hue);
}

QColor TypePalette::tint(quint32 typeId) const
{
    return mixed(color(typeId), background(), m_dark ? 0.20 : 0.22);
}

QColor TypePalette::regionTint(gguf::RegionKind kind) const
{
    return mixed(regionColor(kind), background(), m_dark ? 0.24 : 0.17);
}

QColor TypePalette::regionColor(gguf::RegionKind kind) const
{
    return fromOklch(m_dark ? 0.72 : 0.58, regionHue(kind));
}

QColor TypePalette::severityColor(gguf::Severity severity) const
{
    switch (severity) {
    case gguf::Severity::Error:
        return fromOklch(m_dark ? 0.70 : 0.44, {25, 0.19});
    case gguf::Severity::Warning:
        return fromOklch(m_dark ? 0.84 : 0.56, {85, 0.14});
    case gguf::Severity::Note:
        break;
    }
    return fromOklch(m_dark ? 0.76 : 0.50, {255, 0.14});
}

QColor TypePalette::faintText(const QPalette& palette)
{
    const QColor text = palette.color(QPalette::Active, QPalette::Text);
    const auto reads = [&palette](const QColor& ink, QPalette::ColorRole role) {
        const double a = luminance(ink), b = luminance(palette.color(QPalette::Active, role));
        return (std::max(a, b) + 0.05) / (std::min(a, b) + 0.05) >= 4.5;
    };
    for (double share = 0.6; share < 1; share += 0.05) {
        const QColor ink = mixed(text, palette.color(QPalette::Active, QPalette::Base), share);
        if (reads(ink, QPalette::Base) && reads(ink, QPalette::AlternateBase))
            return ink;
    }
    return text;
}

QColor TypePalette::background() const
{
    return m_dark ? QColor(0x20, 0x22, 0x24) : QColor(Qt::white);
}

QColor TypePalette::foreground() const
{
    return m_dark ? QColor(0xf0, 0xf0, 0xf0) : QColor(Qt::black);
}
