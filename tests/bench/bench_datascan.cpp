// SPDX-License-Identifier: GPL-3.0-or-later
// The scan of tensor data beside a plain read of the same cached bytes. GGUF_BENCH_MIB: size of the file,
// 1024 if not set. With --ratios alone: one tab-separated line for each measure (name, ratio, target, input).
#include "audit/datascan.h"
#include "io/filesource.h"
#include "parse/parser.h"
#include "quant/dequantize.h"
#include "support/ggufwriter.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <string_view>
#include <thread>

using namespace gguf;

namespace {

std::uint64_t wantedMib()
{
    const char* text = std::getenv("GGUF_BENCH_MIB");
    const auto mib = text ? std::strtoull(text, nullptr, 10) : 0;
    return mib == 0 ? 1024 : mib;
}

/// A file of Q4_K tensors of 16 MiB each, whose scales are finite, removed at the end.
class BenchFile
{
public:
    BenchFile()
        : m_path(std::filesystem::temp_directory_path() / "gguf-bench-datascan.gguf")
    {
        constexpr std::uint64_t kBlocks = 116'480; // 16 MiB
        GgufWriter writer;
        for (std::uint64_t i = 0; i < wantedMib() / 16; ++i)
            writer.tensor("blk." + std::to_string(i) + ".ffn_up.weight", 12, {256, kBlocks});
        writer.writeSparse(m_path);
        std::string block(144, '\0');
        std::fstream file(m_path, std::ios::binary | std::ios::in | std::ios::out);
        std::string data;
        for (std::uint64_t i = 0; i < kBlocks; ++i) {
            for (std::size_t j = 0; j < block.size(); ++j)
                block[j] = static_cast<char>((i * 31 + j * 7) % 113);
            data += block;
        }
        for (std::uint64_t i = 0; i < wantedMib() / 16; ++i) {
            const auto range = writer.dataRange("blk." + std::to_string(i) + ".ffn_up.weight");
            file.seekp(static_cast<std::streamoff>(range.offset));
            file.write(data.data(), static_cast<std::streamsize>(range.length));
        }
        file.close();
        source = std::get<std::shared_ptr<const FileSource>>(FileSource::open(m_path));
        document = parse(*source);
        tensors.resize(document.tensorCount());
        std::iota(tensors.begin(), tensors.end(), std::size_t{0});
    }
    ~BenchFile()
    {
        std::error_code ignored;
        std::filesystem::remove(m_path, ignored);
    }

    std::shared_ptr<const FileSource> source;
    Document document;
    std::vector<std::size_t> tensors;

private:
    std::filesystem::path m_path;
};

void readPart(const ByteSource& source, std::uint64_t begin, std::uint64_t end)
{
    std::vector<std::byte> buffer(512 * 1024);
    for (std::uint64_t at = begin; at < end;) {
        const auto read
            = source.read(at, std::span(buffer).first(std::min<std::uint64_t>(buffer.size(), end - at)));
        benchmark::DoNotOptimize(buffer.data());
        if (read.bytes == 0)
            break;
        at += read.bytes;
    }
}

void plainRead(const BenchFile& file, unsigned threads)
{
    std::vector<std::jthread> others;
    const std::uint64_t size = file.source->size();
    for (unsigned i = 1; i < threads; ++i)
        others.emplace_back([&file, size, threads, i] {
            readPart(*file.source, size / threads * i, size / threads * (i + 1));
        });
    readPart(*file.source, 0, size / threads);
}

void scan(const BenchFile& file, bool statistics)
{
    DataScanOptions options;
    options.statistics = statistics;
    const auto found = scanData(file.document, *file.source, file.tensors, options);
    if (!std::ranges::all_of(found, [](const TensorScan& one) { return one.complete && one.badUnits == 0; }))
        std::abort();
}

template <class Work> double fastest(Work work)
{
    double best = 1e9;
    for (int round = 0; round < 5; ++round) {
        const auto start = std::chrono::steady_clock::now();
        work();
        best
            = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    return best;
}

void printRatios(const BenchFile& file)
{
    const double one = fastest([&] { plainRead(file, 1); }), two = fastest([&] { plainRead(file, 2); });
    const double check = fastest([&] { scan(file, false); });
    const double statistics = fastest([&] { scan(file, true); });
    const auto line = [](const char* name, double ratio, const char* target) {
        std::printf("%s\t%.2f\t%s\tQ4_K, %llu MiB, cached\n", name, ratio, target,
            static_cast<unsigned long long>(wantedMib()));
    };
    line("check of tensor data : plain read on one thread", check / one, "<= 1.5");
    line("check of tensor data : plain read on two threads", check / two, "<= 1.5");
    line("statistics : plain read on two threads", statistics / two, "none");
}

} // namespace

int main(int argc, char** argv)
{
    const BenchFile file;
    if (argc == 2 && std::string_view(argv[1]) == "--ratios") {
        printRatios(file);
        return 0;
    }
    benchmark::Initialize(&argc, argv);
    const auto add = [&](const char* name, auto work) {
        benchmark::RegisterBenchmark(name,
            [&file, work](benchmark::State& state) {
                for (auto _ : state)
                    work();
                state.SetBytesProcessed(static_cast<std::int64_t>(file.source->size()) * state.iterations());
            })
            ->Unit(benchmark::kMillisecond)
            ->UseRealTime();
    };
    add("read/one thread", [&] { plainRead(file, 1); });
    add("read/two threads", [&] { plainRead(file, 2); });
    add("check", [&] { scan(file, false); });
    add("statistics", [&] { scan(file, true); });
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
