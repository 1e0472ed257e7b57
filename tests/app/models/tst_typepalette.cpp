// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/typepalette.h"
#include "support/qt/pixels.h"

#include <QPalette>
#include <QTest>

#include <array>
#include <cmath>
#include <string>

namespace {

using Vector = std::array<double, 3>;
using Matrix = std::array<Vector, 3>;

// How people see who lack one kind of cone, on linear RGB (Machado, Oliveira and Fernandes 2009, severity 1).
constexpr Matrix kEverybody = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
constexpr Matrix kProtanopia
    = {{{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}};
constexpr Matrix kDeuteranopia
    = {{{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}};
constexpr Matrix kTritanopia
    = {{{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}};
constexpr std::array<std::pair<const char*, Matrix>, 4> kEyes = {{{"everybody", kEverybody},
    {"protanopia", kProtanopia}, {"deuteranopia", kDeuteranopia}, {"tritanopia", kTritanopia}}};

Vector multiplied(const Matrix& matrix, const Vector& v)
{
    Vector result{};
    for (std::size_t i = 0; i < 3; ++i)
        result[i] = matrix[i][0] * v[0] + matrix[i][1] * v[1] + matrix[i][2] * v[2];
    return result;
}

Vector linear(const QColor& color)
{
    const auto decode = [](double v) { return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
    return {decode(color.redF()), decode(color.greenF()), decode(color.blueF())};
}

/// Where equal distances look about equally far apart (OKLab).
Vector perceived(const QColor& color, const Matrix& eyes)
{
    static constexpr Matrix kToCones = {{{0.4122214708, 0.5363325363, 0.0514459929},
        {0.2119034982, 0.6806995451, 0.1073969566}, {0.0883024619, 0.2817188376, 0.6299787005}}};
    static constexpr Matrix kToLab = {{{0.2104542553, 0.7936177850, -0.0040720468},
        {1.9779984951, -2.4285922050, 0.4505937099}, {0.0259040371, 0.7827717662, -0.8086757660}}};
    Vector cones = multiplied(kToCones, multiplied(eyes, linear(color)));
    for (double& value : cones)
        value = std::cbrt(value);
    return multiplied(kToLab, cones);
}

double distance(const QColor& a, const QColor& b, const Matrix& eyes)
{
    const Vector x = perceived(a, eyes);
    const Vector y = perceived(b, eyes);
    return std::hypot(x[0] - y[0], x[1] - y[1], x[2] - y[2]);
}

constexpr std::array kRegions = {gguf::RegionKind::Header, gguf::RegionKind::MetadataPair,
    gguf::RegionKind::TensorRecord, gguf::RegionKind::HeaderPadding, gguf::RegionKind::TensorData,
    gguf::RegionKind::TensorPadding, gguf::RegionKind::Gap, gguf::RegionKind::Trailing, gguf::RegionKind::Unread,
    gguf::RegionKind::Missing};

std::string label(const gguf::TensorTypeInfo& type)
{
    return std::string(type.name);
}

/// Q8_1 and Q8_K hold activations while a model runs; files do not have them.
bool isIntermediate(const gguf::TensorTypeInfo& type)
{
    return type.id == 9 || type.id == 15;
}

} // namespace

class TestTypePalette : public QObject
{
    Q_OBJECT
private:
    static void themes_data();

private slots:
    void typesStandOut_data() { themes_data(); }
    void typesStandOut();
    void textIsReadable_data() { themes_data(); }
    void textIsReadable();
    void moreBitsStandOutMore_data() { themes_data(); }
    void moreBitsStandOutMore();
    void familiesDifferForEverybody_data() { themes_data(); }
    void familiesDifferForEverybody();
    void typesOfAFamilyDiffer_data() { themes_data(); }
    void typesOfAFamilyDiffer();
    void legacyTypesAreToldApart_data() { themes_data(); }
    void legacyTypesAreToldApart();
    void floatsAreToldApart_data() { themes_data(); }
    void floatsAreToldApart();
    void regionsAreQuietAndDiffer_data() { themes_data(); }
    void regionsAreQuietAndDiffer();
    void severitiesDiffer_data() { themes_data(); }
    void severitiesDiffer();
    void followsTheApplication();
};

void TestTypePalette::themes_data()
{
    QTest::addColumn<bool>("dark");
    QTest::newRow("light") << false;
    QTest::newRow("dark") << true;
}

void TestTypePalette::typesStandOut()
{
    QFETCH(bool, dark);
    const TypePalette palette(dark);
    for (const gguf::TensorTypeInfo& type : gguf::allTensorTypes())
        QVERIFY2(contrast(palette.color(type.id), palette.background()) >= 3.0, label(type).c_str());
    QVERIFY(contrast(palette.color(9999), palette.background()) >= 3.0);
}

void TestTypePalette::textIsReadable()
{
    QFETCH(bool, dark);
    const TypePalette palette(dark);
    for (const gguf::TensorTypeInfo& type : gguf::allTensorTypes()) {
        const QColor color = palette.color(type.id);
        QVERIFY2(contrast(color, TypePalette::textOn(color)) >= 4.5, label(type).c_str());
        QVERIFY2(contrast(palette.tint(type.id), palette.foreground()) >= 7.0, label(type).c_str());
    }
}

void TestTypePalette::moreBitsStandOutMore()
{
    QFETCH(bool, dark);
    const TypePalette palette(dark);
    for (const gguf::TensorTypeInfo& a : gguf::allTensorTypes()) {
        for (const gguf::TensorTypeInfo& b : gguf::allTensorTypes()) {
            if (a.owner != "ggml" || b.owner != "ggml" || a.blockLength == 0 || b.blockLength == 0
                || a.family != b.family || a.bitsPerWeight() + 0.2 > b.bitsPerWeight() || b.bitsPerWeight() > 32)
                continue;
            QVERIFY2(contrast(palette.color(a.id), palette.background())
                    < contrast(palette.color(b.id), palette.background()),
                (label(a) + " " + label(b)).c_str());
        }
    }
}

void TestTypePalette::familiesDifferForEverybody()
{
    QFETCH(bool, dark);
    const TypePalette palette(dark);
    for (const auto& [name, eyes] : kEyes) {
        for (const gguf::TensorTypeInfo& a : gguf::allTensorTypes()) {
            for (const gguf::TensorTypeInfo& b : gguf::allTensorTypes()) {
                if (a.id >= b.id || a.family == b.family || a.status != gguf::TypeStatus::Current
                    || b.status != gguf::TypeStatus::Current || a.id > 42 || b.id > 42)
                    continue;
                if (isIntermediate(a) || isIntermediate(b))
                    continue;
                const double apart = distance(palette.color(a.id), palette.color(b.id), eyes);
                QVERIFY2(apart >= (name == kEyes.front().first ? 0.08 : 0.043),
                    (std::string(name) + ' ' + label(a) + ' ' + label(b) + ' ' + std::to_string(apart)).c_str());
            }
        }
    }
}

void TestTypePalette::typesOfAFamilyDiffer()
{
    QFETCH(bool, dark);
    const TypePalette palette(dark);
    for (const gguf::TensorTypeInfo& a : gguf::allTensorTypes()) {
        for (const gguf::TensorTypeInfo& b : gguf::allTensorTypes()) {
            if (a.id >= b.id || a.family != b.family || a.status != gguf::TypeStatus::Current
                || b.status != gguf::TypeStatus::Current || a.id > 42 || b.id > 42)
                continue;
            QVERIFY2(palette.color(a.id) != palette.color(b.id), (label(a) + " " + label(b)).c_str());
        }
    }
}

/// The three that people meet side by side.
void TestTypePalette::legacyTypesAreToldApart()
{
    QFETCH(bool, dark);
    const TypePalette palette(dark);
    constexpr std::array<quint32, 3> kTypes = {2, 6, 8}; // Q4_0, Q5_0, Q8_0
    for (std::size_t i = 1; i < kTypes.size(); ++i) {
        const double apart = std::abs(perceived(palette.color(kTypes[i - 1]), kEverybody)[0]
            - perceived(palette.color(kTypes[i]), kEverybody)[0]);
        QVERIFY2(apart >= (dark ? 0.035 : 0.085), std::to_string(apart).c_str());
    }
}

/// Nearly every file has F32 beside a type of 16 bits.
void TestTypePalette::floatsAreToldApart()
{
    QFETCH(bool, dark);
    const TypePalette palette(dark);
    for (const quint32 half : {1U, 30U}) { // F16, BF16
        const double apart = distance(palette.color(half), palette.color(0), kEverybody);
        QVERIFY2(apart >= 0.05, std::to_string(apart).c_str());
    }
    QVERIFY(distance(palette.color(1), palette.color(30), kEverybody) >= 0.02);
}

void TestTypePalette::regionsAreQuietAndDiffer()
{
    QFETCH(bool, dark);
    const TypePalette palette(dark);
    for (const gguf::RegionKind a : kRegions) {
        QVERIFY(contrast(palette.regionTint(a), palette.foreground()) >= 7.0);
        QVERIFY(contrast(palette.regionTint(a), palette.background()) <= 1.6);
        QVERIFY(contrast(palette.regionColor(a), palette.background()) >= 3.0);
        for (const gguf::RegionKind b : kRegions) {
            const auto isPadding = [](gguf::RegionKind kind) {
                return kind == gguf::RegionKind::HeaderPadding || kind == gguf::RegionKind::TensorPadding;
            };
            if (a >= b || (isPadding(a) && isPadding(b)))
                continue;
            QVERIFY2(distance(palette.regionTint(a), palette.regionTint(b), kEverybody) >= 0.01,
                (std::to_string(int(a)) + ' ' + std::to_string(int(b))).c_str());
        }
    }
}

void TestTypePalette::severitiesDiffer()
{
    QFETCH(bool, dark);
    const TypePalette palette(dark);
    constexpr std::array kAll = {gguf::Severity::Error, gguf::Severity::Warning, gguf::Severity::Note};
    for (const gguf::Severity a : kAll) {
        QVERIFY(contrast(palette.severityColor(a), palette.background()) >= 4.5);
        for (const gguf::Severity b : kAll) {
            for (const auto& [name, eyes] : kEyes) {
                QVERIFY2(a == b || distance(palette.severityColor(a), palette.severityColor(b), eyes) >= 0.08,
                    (std::string(name) + ' ' + std::to_string(int(a)) + ' ' + std::to_string(int(b))).c_str());
            }
        }
    }
}

void TestTypePalette::followsTheApplication()
{
    QPalette palette;
    palette.setColor(QPalette::Window, Qt::white);
    palette.setColor(QPalette::WindowText, Qt::black);
    QVERIFY(!TypePalette::forPalette(palette).isDark());
    palette.setColor(QPalette::Window, QColor(0x20, 0x20, 0x20));
    palette.setColor(QPalette::WindowText, Qt::white);
    QVERIFY(TypePalette::forPalette(palette).isDark());
}

QTEST_GUILESS_MAIN(TestTypePalette)
#include "tst_typepalette.moc"
