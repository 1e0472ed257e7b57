// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "io/filesource.h"
#include "parse/parser.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <ctime>
#include <memory>
#include <string>
#include <vector>

#include <malloc.h>
#include <sys/wait.h>
#include <unistd.h>

inline std::shared_ptr<const gguf::FileSource> openOrDie(const std::filesystem::path& path)
{
    auto opened = gguf::FileSource::open(path);
    if (auto* source = std::get_if<std::shared_ptr<const gguf::FileSource>>(&opened))
        return *source;
    std::fprintf(stderr, "%s: %s\n", path.c_str(), std::get<gguf::IoError>(opened).message.c_str());
    std::exit(2);
}

/// Open, read, parse and check.
inline gguf::Document parseFile(const std::filesystem::path& path)
{
    const auto source = openOrDie(path);
    gguf::ParseOptions options;
    options.fileName = path.filename().string();
    return gguf::parse(*source, options);
}

/// The baseline: the same bytes by positioned reads of 1 MiB into fresh memory.
inline std::unique_ptr<std::byte[]> readFile(const std::filesystem::path& path, std::uint64_t bytes)
{
    const auto source = openOrDie(path);
    // new[] without zeros: the baseline must not write twice.
    std::unique_ptr<std::byte[]> memory(new std::byte[bytes]);
    for (std::uint64_t offset = 0; offset < bytes;) {
        const std::uint64_t length = std::min<std::uint64_t>(1U << 20, bytes - offset);
        const auto result = source->read(offset, {memory.get() + offset, static_cast<std::size_t>(length)});
        if (result.bytes == 0)
            break;
        offset += result.bytes;
    }
    return memory;
}

/// Seconds of processor time that all threads of this process have used: files come from the page cache, so that
/// this is what a run takes on an idle machine, and other programs do not disturb it much.
inline double processorSeconds()
{
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Large blocks come fresh from the system each time, as when a program opens one file; the allocator would
/// otherwise hand warm memory to all runs but the first.
inline void useFreshMemory() { mallopt(M_MMAP_THRESHOLD, 128 * 1024); }

/// Seconds of the fastest run: the one that was disturbed least.
template <class Work>
double fastest(int runs, Work work)
{
    double best = 1e300;
    for (int i = 0; i < runs; ++i) {
        const double start = processorSeconds();
        work();
        best = std::min(best, processorSeconds() - start);
    }
    return best;
}

/// The most bytes that were resident since this program was begun. What wait4() tells of a child counts the memory of
/// the parent that it was forked from too.
inline double peakResident()
{
    long kilobytes = 0;
    if (std::FILE* const file = std::fopen("/proc/self/status", "r")) {
        char line[256];
        while (std::fgets(line, sizeof line, file)) {
            if (std::sscanf(line, "VmHWM: %ld kB", &kilobytes) == 1)
                break;
        }
        std::fclose(file);
    }
    return 1024.0 * static_cast<double>(kilobytes);
}

/// For a program that another measures: tells it its peak.
inline void tellPeak()
{
    std::printf("%.0f\n", peakResident());
    std::fflush(stdout);
}

struct Run
{
    double seconds = 0; ///< by the clock, from the start of the program to its end
    double peak = 0; ///< what it said by tellPeak(), else 0
};

/// Runs a program to its end; gives up where it fails.
inline Run runProgram(const std::string& program, const std::string& mode, const std::string& argument)
{
    int ends[2];
    if (pipe(ends) != 0)
        std::exit(2);
    timespec begin{}, end{};
    clock_gettime(CLOCK_MONOTONIC, &begin);
    const pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        execl(program.c_str(), program.c_str(), mode.c_str(), argument.c_str(), nullptr);
        _exit(127);
    }
    close(ends[1]);
    Run run;
    std::FILE* const said = fdopen(ends[0], "r");
    if (!said || std::fscanf(said, "%lf", &run.peak) != 1)
        run.peak = 0;
    int status = 0;
    waitpid(child, &status, 0);
    clock_gettime(CLOCK_MONOTONIC, &end);
    if (said)
        std::fclose(said);
    if (status != 0)
        std::exit(2);
    run.seconds = static_cast<double>(end.tv_sec - begin.tv_sec) + 1e-9 * static_cast<double>(end.tv_nsec - begin.tv_nsec);
    return run;
}
