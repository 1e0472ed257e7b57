// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <utility>

/// Hands news from a worker to another thread: one slot, in which newer news replace or complete older ones.
///
/// So it is bounded, the worker never waits for the reader, and at most one wake-up is outstanding however fast the
/// worker is. Once closed it refuses news and never wakes anybody again, so that a worker that is stuck in a read may
/// be let go. Standard C++ only.
template <class News>
class Mailbox
{
public:
    /// `wake` is called on the posting thread, when news lie in a slot that was empty. It must not call the mailbox.
    explicit Mailbox(std::function<void()> wake)
        : m_wake(std::move(wake))
    {
    }

    /// Lets `change` add to the news in the slot (or to fresh ones). False, and not called, once closed.
    template <class Change>
    bool post(const Change& change)
    {
        const std::lock_guard lock(m_mutex);
        if (m_closed)
            return false;
        if (!m_news) {
            m_wake(); // take() waits for the lock; and where this throws, the next one wakes
            m_news.emplace();
        }
        change(*m_news);
        return true;
    }

    /// Empties the slot. Nothing where it is empty or the mailbox is closed.
    std::optional<News> take()
    {
        const std::lock_guard lock(m_mutex);
        return m_closed ? std::nullopt : std::exchange(m_news, std::nullopt);
    }

    /// After this has returned, no wake-up is running or will come.
    void close()
    {
        std::optional<News> unread; // dies outside the lock
        const std::lock_guard lock(m_mutex);
        m_closed = true;
        unread.swap(m_news);
    }

private:
    std::mutex m_mutex;
    std::function<void()> m_wake;
    std::optional<News> m_news;
    bool m_closed = false;
};
