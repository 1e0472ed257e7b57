// SPDX-License-Identifier: GPL-3.0-or-later
#include "load/workers.h"

#include <condition_variable>
#include <mutex>
#include <thread>

namespace {

struct Count
{
    std::mutex mutex;
    std::condition_variable changed;
    int running = 0;
};

/// Never destroyed: a worker that outlives main() still counts itself out.
Count& count()
{
    static auto* const instance = new Count;
    return *instance;
}

} // namespace

void Workers::run(std::function<void()> work)
{
    Count& workers = count();
    {
        const std::lock_guard lock(workers.mutex);
        ++workers.running;
    }
    try {
        std::thread([work = std::move(work), &workers]() mutable {
            work();
            work = nullptr; // what it holds goes before it is counted out
            const std::lock_guard lock(workers.mutex);
            --workers.running;
            workers.changed.notify_all();
        }).detach();
    } catch (...) {
        const std::lock_guard lock(workers.mutex);
        --workers.running;
        throw;
    }
}

bool Workers::waitForAll(std::chrono::milliseconds most)
{
    Count& workers = count();
    std::unique_lock lock(workers.mutex);
    return workers.changed.wait_for(lock, most, [&workers] { return workers.running == 0; });
}
