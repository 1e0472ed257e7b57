// SPDX-License-Identifier: GPL-3.0-or-later
// Prints each measure as a ratio to a baseline of the same run: name, ratio, target, input; tab-separated.
#include "inputs.h"
#include "measure.h"

#include <cmath>
#include <fmt/format.h>
#include <string>

namespace {

constexpr int kRuns = 7;

void print(const std::string& name, double ratio, const std::string& target, const std::string& input)
{
    fmt::print("{}\t{:.2f}\t{}\t{}\n", name, ratio, target, input);
    std::fflush(stdout);
}

/// Peak resident bytes of this program started anew with these arguments.
double peakMemory(const char* mode, const std::string& argument)
{
    return runProgram("/proc/self/exe", mode, argument).peak;
}

void measureInput(const benchinputs::Input& input)
{
    const auto path = benchinputs::folder() / (input.name + ".gguf");
    const std::uint64_t bytes = parseFile(path).tablesEnd();
    // Alternating, so that a slow moment of the machine meets both.
    double parse = 1e300, read = 1e300;
    for (int i = 0; i < kRuns; ++i) {
        read = std::min(read, fastest(1, [&] { readFile(path, bytes); }));
        parse = std::min(parse, fastest(1, [&] { parseFile(path); }));
    }
    const char* target = input.name == "vocabulary" ? "4" : input.name == "tensors-100k" ? "3" : "-";
    print("parse / read", parse / read, target, input.what);
}

void measureMemory(const benchinputs::Input& input)
{
    const auto path = benchinputs::folder() / (input.name + ".gguf");
    const double bytes = static_cast<double>(parseFile(path).tablesEnd());
    const double idle = peakMemory("--idle", "");
    const double peak = peakMemory("--parse", path);
    print("parse memory above 20 MB / metadata bytes", std::max(0.0, peak - idle - 20e6) / bytes, "2", input.what);
}

/// The exponent of time over size, by least squares over four sizes: 1 is linear.
void measureGrowth(const std::string& what, GgufWriter (*make)(std::size_t), std::size_t smallest)
{
    double sumX = 0, sumY = 0, sumXX = 0, sumXY = 0;
    for (int i = 0; i < 4; ++i) {
        const std::size_t count = smallest << (2 * i);
        const auto path = benchinputs::written(benchinputs::folder(), fmt::format("growth-{}-{}", what, count), make(count));
        const double x = std::log(static_cast<double>(count));
        const double y = std::log(fastest(kRuns, [&] { parseFile(path); }));
        sumX += x;
        sumY += y;
        sumXX += x * x;
        sumXY += x * y;
    }
    print("growth exponent", (4 * sumXY - sumX * sumY) / (4 * sumXX - sumX * sumX), "1.1",
        fmt::format("{} to {} {}", smallest, smallest << 6, what));
}

} // namespace

int main(int argc, char** argv)
{
    useFreshMemory();
    const std::string mode = argc == 3 ? argv[1] : "";
    if (mode == "--parse") {
        const gguf::Document document = parseFile(argv[2]);
        tellPeak();
        return document.isFinished() ? 0 : 1;
    }
    if (mode == "--idle")
        tellPeak();
    for (const benchinputs::Input& input : benchinputs::all()) {
        if (mode == "--write" && input.name == argv[2])
            benchinputs::written(benchinputs::folder(), input.name, input.make());
    }
    if (!mode.empty())
        return 0;

    // Each is written by a process of its own, so that its memory does not count here.
    for (const benchinputs::Input& input : benchinputs::all())
        peakMemory("--write", input.name);
    for (const benchinputs::Input& input : benchinputs::all())
        measureInput(input);
    measureGrowth("tensors", benchinputs::manyTensors, 4'000);
    measureGrowth("keys", benchinputs::manyKeys, 4'000);
    measureGrowth("tokens", benchinputs::manyTokens, 16'000);
    for (const benchinputs::Input& input : benchinputs::all())
        measureMemory(input);
    return 0;
}
