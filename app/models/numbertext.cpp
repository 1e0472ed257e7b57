// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/numbertext.h"

#include <QCoreApplication>
#include <QLocale>

#include <array>
#include <bit>
#include <cmath>

using namespace Qt::StringLiterals;

namespace {

QString tr(const char* text, int n = -1)
{
    return QCoreApplication::translate("NumberText", text, nullptr, n);
}

/// Three significant digits, but never an exponent: 1.05, 10.5, 105, 1023.
QString threeDigits(double value)
{
    const int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
    return QString::number(value, 'f', decimals);
}

} // namespace

QString NumberText::count(std::uint64_t value)
{
    QString digits = QString::number(value);
    for (qsizetype at = digits.size() - 3; at > 0; at -= 3)
        digits.insert(at, u',');
    return digits;
}

QString NumberText::bytes(std::uint64_t size)
{
    return size == 1 ? tr("1 byte") : tr("%1 bytes").arg(count(size));
}

QString NumberText::shortSize(std::uint64_t size)
{
    static constexpr std::array kUnits = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    if (size < 1024)
        return bytes(size);
    auto value = static_cast<double>(size) / 1024;
    std::size_t unit = 0;
    while (value >= 1023.5 && unit + 1 < kUnits.size()) {
        value /= 1024;
        ++unit;
    }
    return threeDigits(value) + u' ' + QLatin1StringView(kUnits[unit]);
}

QString NumberText::size(std::uint64_t size)
{
    return size < 1024 ? bytes(size) : u"%1 (%2)"_s.arg(shortSize(size), bytes(size));
}

QString NumberText::hex(std::uint64_t value, int digits)
{
    return "0x"_L1 + QString::number(value, 16).toUpper().rightJustified(digits, u'0');
}

int NumberText::offsetDigits(std::uint64_t fileSize)
{
    const int needed = (static_cast<int>(std::bit_width(fileSize)) + 3) / 4;
    return std::max(8, needed + needed % 2);
}

QString NumberText::offset(std::uint64_t value, int digits)
{
    return u"%1 (%2)"_s.arg(hex(value, digits), count(value));
}

QString NumberText::range(std::uint64_t offset, std::uint64_t length)
{
    if (length == 0)
        return u"%1 (%2)"_s.arg(hex(offset), bytes(0));
    const std::uint64_t last = length - 1 > UINT64_MAX - offset ? UINT64_MAX : offset + (length - 1);
    return tr("%1 to %2 (%3)").arg(hex(offset), hex(last), bytes(length));
}

QString NumberText::parameters(std::uint64_t value)
{
    static constexpr std::array kUnits = {"K", "M", "B", "T", "Q"};
    if (value < 1000)
        return QString::number(value);
    auto scaled = static_cast<double>(value) / 1000;
    std::size_t unit = 0;
    while (scaled >= 999.5 && unit + 1 < kUnits.size()) {
        scaled /= 1000;
        ++unit;
    }
    return threeDigits(scaled) + u' ' + QLatin1StringView(kUnits[unit]);
}

QString NumberText::bitsPerWeight(std::optional<double> value)
{
    return value ? QString::number(*value, 'f', 2) : QString();
}

QString NumberText::share(std::uint64_t part, std::uint64_t whole)
{
    if (whole == 0)
        return {};
    const double percent = 100.0 * static_cast<double>(part) / static_cast<double>(whole);
    if (part > 0 && percent < 0.05)
        return u"< 0.1 %"_s;
    if (part < whole && percent >= 99.95)
        return u"> 99.9 %"_s;
    return QString::number(percent, 'f', 1) + " %"_L1;
}

QString NumberText::dimensions(std::span<const std::int64_t> dims)
{
    if (dims.empty())
        return tr("scalar");
    QString text;
    for (const std::int64_t dim : dims) {
        if (!text.isEmpty())
            text += u" × "_s;
        text += QString::number(dim);
    }
    return text;
}
