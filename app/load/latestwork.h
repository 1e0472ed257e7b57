// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "load/workers.h"

#include <QFutureWatcher>
#include <QObject>
#include <QPromise>

#include <functional>
#include <memory>
#include <stop_token>

/// Runs the newest of many requests on a worker, one at a time: one that waits is replaced by the next.
///
/// All functions belong to the GUI thread, nothing waits, and nothing is delivered after this is gone. The work may
/// hold only what it owns or shares, and should end early when its token says so.
template <class Result>
class LatestWork
{
public:
    using Work = std::function<Result(std::stop_token)>;
    using Deliver = std::function<void(Result)>;

    explicit LatestWork(Deliver deliver)
        : m_deliver(std::move(deliver))
    {
        QObject::connect(&m_watcher, &QFutureWatcherBase::finished, &m_watcher, [this] { receive(); });
    }
    ~LatestWork() { m_stop.request_stop(); }
    LatestWork(const LatestWork&) = delete;
    LatestWork& operator=(const LatestWork&) = delete;

    bool isBusy() const { return m_running || m_next; }

    /// What runs already is still delivered.
    void request(Work work)
    {
        m_next = std::move(work);
        if (!m_running)
            begin();
    }

    /// What was asked for before is of no use any more and is not delivered.
    void forget()
    {
        m_next = nullptr;
        m_stop.request_stop();
    }

private:
    void begin()
    {
        m_running = true;
        m_stop = std::stop_source();
        const auto promise = std::make_shared<QPromise<Result>>();
        m_watcher.setFuture(promise->future());
        Workers::run([promise, work = std::exchange(m_next, nullptr), stop = m_stop.get_token()] {
            promise->start();
            promise->addResult(work(stop));
            promise->finish();
        });
    }

    void receive()
    {
        m_running = false;
        const bool wanted = !m_stop.stop_requested();
        auto result = m_watcher.future().takeResult();
        if (m_next)
            begin();
        if (wanted)
            m_deliver(std::move(result));
    }

    Deliver m_deliver;
    Work m_next; ///< waits for the one that runs
    bool m_running = false;
    std::stop_source m_stop;
    QFutureWatcher<Result> m_watcher; ///< goes first: then nothing is delivered any more
};
