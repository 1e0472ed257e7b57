// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "io/bytesource.h"
#include "parse/sniff.h"

#include <QFutureWatcher>
#include <QObject>

#include <memory>
#include <stop_token>
#include <vector>

/// Looks for GGUF files inside another file on a worker thread. One search at a time; starting another or
/// cancelling lets the old one go without waiting for it, and nothing more is heard of it.
class EmbeddedSearch : public QObject
{
    Q_OBJECT
public:
    static constexpr std::size_t kMostFound = 64;
    /// Bytes searched at most. People's archives and executables are smaller; it is said where it ends.
    static constexpr std::uint64_t kMostBytes = std::uint64_t{64} << 30;

    explicit EmbeddedSearch(QObject* parent = nullptr);
    ~EmbeddedSearch() override;

    void start(std::shared_ptr<const gguf::ByteSource> source);
    void cancel();
    bool isRunning() const { return m_running; }

signals:
    void progress(quint64 searched, quint64 total); ///< bytes
    // One of these ends a search that is not cancelled.
    void finished(const std::vector<gguf::EmbeddedGguf>& found);
    void failed(const QString& sentence); ///< for want of memory

private:
    struct Result
    {
        std::vector<gguf::EmbeddedGguf> found;
        QString failure;
    };

    std::stop_source m_stop;
    std::unique_ptr<QFutureWatcher<Result>> m_watcher;
    bool m_running = false;
};
