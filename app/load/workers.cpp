// SPDX-License-Identifier: GPL-3.0-or-later
#include "load/workers.h"

#include <condition_variable>
#include <exception>
#include <mutex>
#include <new>
#include <thread>
#include <utility>

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

void tell(const std::function<void(const std::string&)>& failed, const std::function<std::string()>& sentence)
{
    try {
        failed(sentence());
    } catch (...) { // NOLINT(bugprone-empty-catch): not even for the message is there memory
    }
}

/// Also frees what the work holds.
void runAndTell(std::function<void()> work, const std::function<void(const std::string&)>& failed)
{
    try {
        work();
    } catch (const std::exception& error) {
        work = nullptr; // which may make room for the message
        tell(failed, [&error] { return Workers::failureSentence(error); });
    } catch (...) {
        tell(failed, [] { return std::string("This failed unexpectedly."); });
    }
}

} // namespace

std::string Workers::failureSentence(const std::exception& error)
{
    return dynamic_cast<const std::bad_alloc*>(&error) ? "There is not enough memory for this."
                                                       : std::string("This failed unexpectedly: ") + error.what();
}

void Workers::run(std::function<void()> work, std::function<void(const std::string&)> failed)
{
    Count& workers = count();
    {
        const std::lock_guard lock(workers.mutex);
        ++workers.running;
    }
    try {
        std::thread([work = std::move(work), failed, &workers]() mutable {
            runAndTell(std::exchange(work, nullptr), failed);
            failed = nullptr; // what both hold goes before it is counted out
            const std::lock_guard lock(workers.mutex);
            --workers.running;
            workers.changed.notify_all();
        }).detach();
    } catch (const std::exception& error) {
        {
            const std::lock_guard lock(workers.mutex);
            --workers.running;
        }
        tell(failed, [&error] { return std::string("No thread can be started: ") + error.what(); });
    }
}

bool Workers::waitForAll(std::chrono::milliseconds most)
{
    Count& workers = count();
    std::unique_lock lock(workers.mutex);
    return workers.changed.wait_for(lock, most, [&workers] { return workers.running == 0; });
}
