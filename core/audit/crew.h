// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace gguf {

/// Calls `work(failed)` on so many threads, the calling one among them, and returns when all have returned. What the
/// first of them throws is thrown here then; the others see by `failed` that they may stop. Where the system gives fewer
/// threads, those do all the work.
template <class Work> void workTogether(unsigned threads, const Work& work)
{
    std::atomic<bool> failed = false;
    std::exception_ptr fault;
    std::mutex mutex; // guards fault
    const auto guarded = [&] {
        try {
            work(failed);
        } catch (...) {
            const std::lock_guard lock(mutex);
            if (!fault)
                fault = std::current_exception();
            failed = true;
        }
    };
    {
        std::vector<std::jthread> others;
        try {
            for (unsigned i = 1; i < threads; ++i)
                others.emplace_back(guarded);
        } catch (const std::exception&) { // nor where there is no memory for one
        }
        guarded();
    }
    if (fault)
        std::rethrow_exception(fault);
}

} // namespace gguf
