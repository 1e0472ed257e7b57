// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "io/bytesource.h"
#include "load/bytepattern.h"

#include <QObject>
#include <QString>

#include <memory>
#include <stop_token>

struct SearchNews;
template <class News>
class Mailbox;

/// Looks for bytes in a whole file in the background, and begins again at the other end when it came to one.
/// Bytes that cannot be read are passed over.
/// All functions and signals belong to the GUI thread; nothing here waits.
class ByteSearch : public QObject
{
    Q_OBJECT
public:
    explicit ByteSearch(QObject* parent = nullptr);
    ~ByteSearch() override;

    /// Finds the first match that begins at or behind `from`, or (backwards) the last one that begins before it.
    /// A search that runs is let go.
    void start(std::shared_ptr<const gguf::ByteSource> source, const BytePattern& pattern, quint64 from, bool forwards);
    void cancel();
    bool isRunning() const;

signals:
    void progress(quint64 searchedBytes, quint64 totalBytes);
    /// Comes before the end of a search that passed over bytes which could not be read.
    void skipped(quint64 bytes, quint64 firstOffset, const QString& reason);
    // Exactly one of these ends a search that is not cancelled.
    void found(quint64 offset, quint64 length, bool wrapped);
    void notFound();
    void failed(const QString& sentence); ///< for want of memory

private:
    void receive(quint64 generation);

    std::shared_ptr<Mailbox<SearchNews>> m_mailbox; ///< null: none runs
    std::stop_source m_stop{std::nostopstate};
    quint64 m_generation = 0;
    quint64 m_total = 0;
    quint64 m_length = 0;
};
