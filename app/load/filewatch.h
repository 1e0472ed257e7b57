// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "load/filestamp.h"

#include <QObject>
#include <QString>

#include <chrono>
#include <memory>

class DocumentLoader;
struct WatchState;

/// Notices what happens to the file under an open document: it shrank, grew, was written to, replaced or deleted.
///
/// Looks at the file about once a second, on a worker thread, as long as the loader shows a file: that also works on
/// network mounts, where nobody reports changes, and a dead mount holds up nobody. On request it follows a file that
/// grows (a download) by loading it again. Belongs to the GUI thread.
class FileWatch : public QObject
{
    Q_OBJECT
public:
    explicit FileWatch(DocumentLoader& loader, QObject* parent = nullptr,
        std::chrono::milliseconds interval = std::chrono::seconds(1));
    ~FileWatch() override;

    FileChange change() const { return m_change; } ///< since the file was opened
    QString message() const; ///< what happened in one or two sentences; empty for None

    bool isFollowing() const { return m_following; }
    /// Loads the file again whenever it has grown. Ends when another file is opened, or the file cannot be looked at
    /// any more, as for want of a thread.
    void setFollowing(bool following);

    void check(); ///< looks at once, without waiting for the answer

signals:
    void changed(); ///< change(), message() or isFollowing()

private:
    void restart();
    void stop();
    void receive();

    DocumentLoader& m_loader;
    std::chrono::milliseconds m_interval;
    std::shared_ptr<WatchState> m_state;
    FileChange m_change = FileChange::None;
    FileStamp m_now;
    QString m_followedPath;
    bool m_following = false;
};
