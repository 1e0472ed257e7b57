// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "audit/datahash.h"
#include "document/document.h"
#include "io/bytesource.h"

#include <QObject>
#include <QString>
#include <QTimer>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

/// Compares the bytes of tensors of two files by their SHA-256, in the background. Nothing here waits.
class DataComparison : public QObject
{
    Q_OBJECT
public:
    struct Side
    {
        gguf::Document document;
        std::shared_ptr<const gguf::ByteSource> source;
    };
    using Pairs = std::vector<std::pair<std::size_t, std::size_t>>; ///< tensor of A, tensor of B

    enum class State
    {
        Waiting,
        Equal,
        Different,
        Unreadable
    };

    explicit DataComparison(QObject* parent = nullptr);
    ~DataComparison() override;

    void start(const Side& a, const Side& b, Pairs pairs); ///< an older run is let go
    void cancel(); ///< what is known stays; unfinished pairs stay Waiting
    void clear(); ///< as if it had never run; emits nothing

    bool isRunning() const { return m_timer.isActive(); }
    bool hasRun() const { return m_job != nullptr; }
    State state(std::size_t pair) const;
    std::optional<gguf::Sha256> hash(std::size_t pair, bool ofB) const; ///< known once that side was read
    std::uint64_t doneBytes() const;
    std::uint64_t totalBytes() const; ///< of both sides
    std::size_t count(State state) const;
    QString failure() const; ///< why it came to no end, in one sentence: there was not enough memory. Else empty

signals:
    void progressed(); ///< some times a second
    void finished(); ///< all is known, or cancel() was called

private:
    struct Job;
    void letGo();

    QTimer m_timer;
    std::shared_ptr<Job> m_job;
};
