// SPDX-License-Identifier: GPL-3.0-or-later
#include "inputs.h"
#include "measure.h"

#include <benchmark/benchmark.h>

int main(int argc, char** argv)
{
    useFreshMemory();
    benchmark::Initialize(&argc, argv);
    for (const benchinputs::Input& input : benchinputs::all()) {
        const auto path = benchinputs::folder() / (input.name + ".gguf");
        const auto make = input.make;
        const auto ensure = [path, make, name = input.name] {
            if (!std::filesystem::exists(path))
                benchinputs::written(benchinputs::folder(), name, make());
        };
        benchmark::RegisterBenchmark(("parse/" + input.name).c_str(), [path, ensure](benchmark::State& state) {
            ensure();
            for (auto _ : state)
                benchmark::DoNotOptimize(parseFile(path).tensorCount());
        })->Unit(benchmark::kMillisecond);
        benchmark::RegisterBenchmark(("read/" + input.name).c_str(), [path, ensure](benchmark::State& state) {
            ensure();
            const std::uint64_t bytes = parseFile(path).tablesEnd();
            for (auto _ : state)
                benchmark::DoNotOptimize(readFile(path, bytes).get());
            state.SetBytesProcessed(static_cast<std::int64_t>(bytes) * state.iterations());
        })->Unit(benchmark::kMillisecond);
    }
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
