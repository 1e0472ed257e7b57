// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "load/mailbox.h"
#include "load/workers.h"

#include <QObject>
#include <QString>

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

/// Background work of which only the newest counts: another start() stops the work before and drops its result.
/// All functions belong to the GUI thread; nothing here waits.
template <class Result>
class LatestJob
{
public:
    /// One of these is called on the thread of `owner`, of which this must be a part: `failed` with a sentence where
    /// the work threw, as for want of memory.
    LatestJob(QObject* owner, std::function<void(Result)> done, std::function<void(const QString& sentence)> failed)
        : m_owner(owner)
        , m_done(std::move(done))
        , m_failed(std::move(failed))
    {
    }
    ~LatestJob() { cancel(); }
    LatestJob(const LatestJob&) = delete;
    LatestJob& operator=(const LatestJob&) = delete;

    /// `work` may hold only what it owns; what it returns after a stop was requested is dropped.
    void start(std::function<Result(const std::stop_token&)> work)
    {
        cancel();
        m_stop = std::stop_source();
        m_mailbox = std::make_shared<Mailbox<News>>(
            [this] { QMetaObject::invokeMethod(m_owner, [this] { receive(); }, Qt::QueuedConnection); });
        Workers::run(
            [work = std::move(work), mailbox = m_mailbox, stop = m_stop.get_token()] {
                std::optional<Result> result(work(stop));
                if (!stop.stop_requested())
                    mailbox->post([&result](News& news) { news.result.swap(result); });
            },
            [mailbox = m_mailbox](const std::string& sentence) {
                mailbox->post([&sentence](News& news) { news.failure = sentence; });
            });
    }
    void cancel()
    {
        if (!m_mailbox)
            return;
        m_stop.request_stop();
        m_mailbox->close();
        m_mailbox.reset();
    }
    bool isRunning() const { return m_mailbox != nullptr; }

private:
    struct News
    {
        std::optional<Result> result;
        std::string failure;
    };

    /// A wake-up of older work finds the mailbox of the newest, or none.
    void receive()
    {
        std::optional<News> news = m_mailbox ? m_mailbox->take() : std::nullopt;
        if (!news)
            return;
        cancel(); // it has ended before anybody hears of it
        if (news->result)
            m_done(std::move(*news->result));
        else
            m_failed(QString::fromStdString(news->failure));
    }

    QObject* m_owner;
    std::function<void(Result)> m_done;
    std::function<void(const QString&)> m_failed;
    std::shared_ptr<Mailbox<News>> m_mailbox; ///< null: none runs
    std::stop_source m_stop{std::nostopstate};
};
