// SPDX-License-Identifier: GPL-3.0-or-later
#include "load/filewatch.h"

#include "load/documentloader.h"
#include "load/mailbox.h"
#include "load/workers.h"

#include <QFile>
#include <QPointer>

#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <optional>
#include <utility>

struct WatchNews
{
    std::optional<FileStamp> now; ///< if it has changed
    bool ended = false; ///< the file is looked at no more
};

/// Shared with the worker, which owns nothing else.
struct WatchState
{
    explicit WatchState(std::function<void()> wake)
        : mailbox(std::move(wake))
    {
    }

    std::filesystem::path path;
    std::chrono::milliseconds interval{};
    Mailbox<WatchNews> mailbox;

    std::mutex mutex;
    std::condition_variable changed;
    bool stopped = false;
    bool asked = false;
};

namespace {

void watch(WatchState& state, FileStamp last)
{
    for (;;) {
        {
            std::unique_lock lock(state.mutex);
            state.changed.wait_for(lock, state.interval, [&state] { return state.stopped || state.asked; });
            if (state.stopped)
                return;
            state.asked = false;
        }
        const FileStamp now = FileStamp::of(state.path);
        if (now != last)
            state.mailbox.post([&now](WatchNews& news) { news.now = now; });
        last = now;
    }
}

} // namespace

FileWatch::FileWatch(DocumentLoader& loader, QObject* parent, std::chrono::milliseconds interval)
    : QObject(parent)
    , m_loader(loader)
    , m_interval(interval)
{
    connect(&loader, &DocumentLoader::started, this, [this] {
        stop();
        if (m_following && m_loader.path() != m_followedPath)
            m_following = false;
        m_change = FileChange::None;
        emit changed();
    });
    connect(&loader, &DocumentLoader::stateChanged, this, &FileWatch::restart);
    restart();
}

FileWatch::~FileWatch()
{
    stop();
}

void FileWatch::restart()
{
    stop();
    const FileStamp& stamp = m_loader.stamp();
    if (!stamp.exists || m_loader.state() == DocumentLoader::State::Loading)
        return;
    m_state = std::make_shared<WatchState>([this] {
        QMetaObject::invokeMethod(this, [this] { receive(); }, Qt::QueuedConnection);
    });
#ifdef Q_OS_WIN
    m_state->path = m_loader.path().toStdWString();
#else
    m_state->path = QFile::encodeName(m_loader.path()).toStdString();
#endif
    m_state->interval = m_interval;
    Workers::run([state = m_state, stamp] { watch(*state, stamp); },
        [state = m_state](const std::string&) { state->mailbox.post([](WatchNews& news) { news.ended = true; }); });
}

void FileWatch::stop()
{
    if (!m_state)
        return;
    const std::shared_ptr<WatchState> state = std::exchange(m_state, nullptr);
    state->mailbox.close();
    const std::lock_guard lock(state->mutex);
    state->stopped = true;
    state->changed.notify_all();
}

void FileWatch::check()
{
    if (!m_state)
        return;
    const std::lock_guard lock(m_state->mutex);
    m_state->asked = true;
    m_state->changed.notify_all();
}

void FileWatch::receive()
{
    const std::optional<WatchNews> news = m_state ? m_state->mailbox.take() : std::nullopt;
    if (!news)
        return; // of a file that is watched no more
    if (news->now) {
        m_now = *news->now;
        m_change = fileChange(m_loader.stamp(), m_now);
    }
    // A watch that ends by itself is no worse than a file that does not change; but nobody is told that it is followed.
    if (news->ended)
        m_following = false;
    const QPointer<FileWatch> self(this);
    emit changed();
    if (self && m_following && m_change == FileChange::Grown)
        m_loader.reload();
}

void FileWatch::setFollowing(bool following)
{
    if (following == m_following)
        return;
    m_following = following;
    m_followedPath = m_loader.path();
    emit changed();
    if (m_following && m_change == FileChange::Grown)
        m_loader.reload();
}

QString FileWatch::message() const
{
    const auto bytes = [](quint64 value) { return value == 1 ? tr("1 byte") : tr("%1 bytes").arg(value); };
    const quint64 before = m_loader.stamp().size;
    switch (m_change) {
    case FileChange::None:
        return {};
    case FileChange::Grown:
        return tr("The file has grown by %1 since it was opened.").arg(bytes(m_now.size - before));
    case FileChange::Shrunk:
        return tr("The file has become shorter by %1 since it was opened. What was read is still shown.")
            .arg(bytes(before - m_now.size));
    case FileChange::Rewritten:
        return tr("The file was written to since it was opened. What is shown may be out of date.");
    case FileChange::Replaced:
        return tr("Another file has taken the place of this one. The file that was opened is still shown.");
    case FileChange::Deleted:
        return tr("The file was deleted or moved away. What was read is still shown.");
    }
    return {};
}
