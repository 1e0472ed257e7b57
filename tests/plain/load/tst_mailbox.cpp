// SPDX-License-Identifier: GPL-3.0-or-later
#include "load/mailbox.h"

#include "plain/check.h"

#include <atomic>
#include <condition_variable>
#include <memory>
#include <string>
#include <thread>

namespace {

struct News
{
    int newest = 0;
    int count = 0; ///< posts that went into these news
};

/// A reader on a thread of its own that sleeps until it is woken.
struct Reader
{
    std::mutex mutex;
    std::condition_variable woken;
    int wakes = 0;

    void wake()
    {
        const std::lock_guard lock(mutex);
        ++wakes;
        woken.notify_one();
    }
    void await(int seen)
    {
        std::unique_lock lock(mutex);
        woken.wait(lock, [&] { return wakes > seen; });
    }
};

void newsMergeAndWakeOnce()
{
    int wakes = 0;
    Mailbox<News> mailbox([&] { ++wakes; });
    CHECK(!mailbox.take());
    for (int i = 1; i <= 5; ++i)
        CHECK(mailbox.post([i](News& news) { news = {i, news.count + 1}; }));
    CHECK(wakes == 1);
    const std::optional<News> news = mailbox.take();
    CHECK(news && news->newest == 5 && news->count == 5);
    CHECK(!mailbox.take());
    CHECK(mailbox.post([](News& fresh) { CHECK(fresh.count == 0); }));
    CHECK(wakes == 2);
}

void closedRefusesAndIsSilent()
{
    int wakes = 0;
    Mailbox<std::shared_ptr<int>> mailbox([&] { ++wakes; });
    const auto held = std::make_shared<int>(1);
    CHECK(mailbox.post([&](std::shared_ptr<int>& news) { news = held; }));
    CHECK(held.use_count() == 2);
    mailbox.close();
    CHECK(held.use_count() == 1); // unread news go at once
    CHECK(!mailbox.take());
    CHECK(!mailbox.post([](std::shared_ptr<int>&) { CHECK(false); }));
    CHECK(wakes == 1);
}

void nothingIsLostBetweenThreads()
{
    constexpr int kPosts = 200'000;
    Reader reader;
    Mailbox<News> mailbox([&] { reader.wake(); });
    std::thread writer([&] {
        for (int i = 1; i <= kPosts; ++i)
            mailbox.post([i](News& news) { news = {i, news.count + 1}; });
    });
    int count = 0;
    int newest = 0;
    for (int takes = 0; newest < kPosts; ++takes) {
        reader.await(takes);
        const std::optional<News> news = mailbox.take();
        CHECK(news); // each wake-up stands for exactly one take
        CHECK(news->newest > newest);
        newest = news->newest;
        count += news->count;
    }
    writer.join();
    CHECK(count == kPosts);
    CHECK(!mailbox.take());
}

/// The receiver of wake-ups may die once close() has returned, however busy the writer is.
void receiverMayDieAfterClose()
{
    for (int round = 0; round < 200; ++round) {
        auto receiver = std::make_unique<std::string>("alive and long enough to live on the heap");
        auto mailbox = std::make_shared<Mailbox<News>>([raw = receiver.get()] { CHECK(raw->front() == 'a'); });
        std::atomic<bool> refused = false;
        std::thread writer([mailbox, &refused] {
            while (mailbox->post([](News& news) { ++news.count; }))
                mailbox->take();
            refused = true;
        });
        mailbox->close();
        receiver->front() = 'x';
        receiver.reset();
        writer.join();
        CHECK(refused);
    }
}

} // namespace

int main()
{
    newsMergeAndWakeOnce();
    closedRefusesAndIsSilent();
    nothingIsLostBetweenThreads();
    receiverMayDieAfterClose();
}
