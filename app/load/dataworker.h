// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "audit/datahash.h"
#include "audit/datascan.h"
#include "load/mailbox.h"

#include <QObject>
#include <QString>

#include <memory>
#include <stop_token>
#include <string>
#include <vector>

/// What a task has found since it was last listened to.
struct DataNews
{
    std::vector<gguf::TensorScan> scans;
    std::vector<gguf::DataHash> hashes;
    std::uint64_t done = 0, total = 0; ///< bytes
    bool finished = false; ///< the last news
    std::string failure; ///< goes with finished
};

/// Looks through tensor data on worker threads: one task at a time, the newest wins.
///
/// All functions and signals belong to the GUI thread, and nothing waits: a task that is cancelled, replaced
/// or stuck in a read is let go, and what it still finds is dropped.
class DataWorker : public QObject
{
    Q_OBJECT
public:
    enum class Task
    {
        Check, ///< NaN, infinity, runs of zeros
        Statistics, ///< and what the values are like
        Hash, ///< SHA-256
    };

    explicit DataWorker(QObject* parent = nullptr);
    ~DataWorker() override;

    /// wholeFile: for Task::Hash, the file's hash too. The document must be finished.
    void start(Task task, const gguf::Document& document, std::shared_ptr<const gguf::ByteSource> source,
        std::vector<std::size_t> tensors, bool wholeFile);
    void cancel(); ///< what was found stays with those who heard of it

    bool isRunning() const { return m_mailbox != nullptr; }
    Task task() const { return m_task; } ///< of the running or last run
    quint64 bytesDone() const { return m_done; }
    quint64 bytesTotal() const { return m_total; }
    /// Why the last run came to no end, in one sentence: there was not enough memory. Else empty.
    const QString& failure() const { return m_failure; }

signals:
    void started();
    void scansFound(const std::vector<gguf::TensorScan>& scans);
    void hashesFound(const std::vector<gguf::DataHash>& hashes);
    void progressChanged();
    void finished(bool cancelled);

private:
    void letGo();
    void receive(quint64 generation);

    std::shared_ptr<Mailbox<DataNews>> m_mailbox; ///< of the running task, else null
    std::stop_source m_stop{std::nostopstate};
    quint64 m_generation = 0;
    Task m_task = Task::Check;
    quint64 m_done = 0, m_total = 0;
    QString m_failure;
};
