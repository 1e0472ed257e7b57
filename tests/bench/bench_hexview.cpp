// SPDX-License-Identifier: GPL-3.0-or-later
// Painting the hex pane after random jumps, in a sparse file of 400 GB and in one of 200 MB that is all tensor table, as
// ratios to an empty widget's repaint of the same size: once with placeholders, before the bytes have come, and once
// with them.
#include "load/documentloader.h"
#include "panes/hexpane.h"
#include "support/ggufwriter.h"
#include "widgets/hexview.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QTemporaryDir>

#include <algorithm>
#include <benchmark/benchmark.h>
#include <random>

namespace {

constexpr int kJumps = 1000;
constexpr int kTensors = 2000;
constexpr int kTableTensors = 1'700'000;

double repaintTime(QWidget& widget)
{
    QElapsedTimer timer;
    timer.start();
    widget.repaint();
    return static_cast<double>(timer.nsecsElapsed());
}

double median(std::vector<double> times)
{
    std::ranges::nth_element(times, times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2));
    return times[times.size() / 2];
}

QString sparseFile(const QTemporaryDir& folder)
{
    const QString path = folder.filePath(QStringLiteral("sparse.gguf"));
    GgufWriter writer;
    writer.kv("general.architecture", std::string("llama"));
    for (int i = 0; i < kTensors; ++i) {
        // 199 MB each
        writer.tensor("blk." + std::to_string(i) + ".ffn_up.weight", kQ4K, {86'528, 4096});
    }
    writer.writeSparse(path.toStdString());
    return path;
}

QString tableFile(const QTemporaryDir& folder)
{
    const QString path = folder.filePath(QStringLiteral("table.gguf"));
    GgufWriter writer;
    for (int i = 0; i < kTableTensors; ++i)
        writer.tensor("blk." + std::to_string(i) + ".ffn_gate_up_exps_with_a_name_as_long_as.weight", kF32, {4, 4, 4, 0});
    writer.write(path.toStdString());
    return path;
}

void hexViewJumps(benchmark::State& state, QString (*writeFile)(const QTemporaryDir&))
{
    QTemporaryDir folder;
    DocumentLoader loader;
    Selection selection;
    HexPane pane(loader, selection);
    pane.resize(1200, 800);
    pane.show();
    loader.open(writeFile(folder));
    while (loader.state() == DocumentLoader::State::Loading)
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    QWidget* viewport = pane.view()->viewport();
    QWidget empty;
    empty.resize(viewport->size());
    empty.show();
    QCoreApplication::processEvents();

    std::mt19937_64 random(4);
    const quint64 size = pane.cache().size();
    std::vector<double> baseline, placeholders, present;
    for (auto _ : state) {
        for (int i = 0; i < kJumps; ++i) {
            const quint64 offset = random() % size;
            pane.view()->showRange({offset, 0});
            baseline.push_back(repaintTime(empty));
            placeholders.push_back(repaintTime(*viewport));
            while (pane.cache().state(offset) == BlockCache::State::Wanted)
                QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
            present.push_back(repaintTime(*viewport));
        }
    }
    const double unit = median(baseline);
    state.counters["file_GB"] = static_cast<double>(size) / 1e9;
    state.counters["placeholders_median"] = median(placeholders) / unit;
    state.counters["placeholders_worst"] = *std::ranges::max_element(placeholders) / unit;
    state.counters["bytes_median"] = median(present) / unit;
    state.counters["bytes_worst"] = *std::ranges::max_element(present) / unit;
    state.counters["bytes_median_ms"] = median(present) / 1e6;
    state.counters["bytes_worst_ms"] = *std::ranges::max_element(present) / 1e6;
}

} // namespace

BENCHMARK_CAPTURE(hexViewJumps, sparse, sparseFile)->Iterations(1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(hexViewJumps, table, tableFile)->Iterations(1)->Unit(benchmark::kMillisecond);

int main(int argc, char** argv)
{
    QApplication app(argc, argv);
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
