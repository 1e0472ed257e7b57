// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "io/byterange.h"
#include "io/bytesource.h"

#include <QObject>
#include <QString>

#include <memory>
#include <stop_token>

struct SaveNews;
template <class News>
class Mailbox;

/// Writes a range of a source's bytes to a file in the background. The file appears, or is replaced, only when all
/// bytes are written. All functions and signals belong to the GUI thread; nothing here waits.
class RangeSaver : public QObject
{
    Q_OBJECT
public:
    explicit RangeSaver(QObject* parent = nullptr);
    ~RangeSaver() override; ///< gives up what is not finished

    /// `protectedPath` names the file that is shown: it is never written to, by whatever name. One save at a time:
    /// one that runs is given up.
    void save(std::shared_ptr<const gguf::ByteSource> source, gguf::ByteRange range, const QString& path,
        const QString& protectedPath);
    void cancel();
    bool isRunning() const;

signals:
    void progress(quint64 writtenBytes, quint64 totalBytes);
    // Exactly one of these ends a save that is not cancelled.
    void saved(const QString& path, quint64 bytes);
    void failed(const QString& path, const QString& reason); ///< reason: one sentence

private:
    void receive(quint64 generation);

    std::shared_ptr<Mailbox<SaveNews>> m_mailbox; ///< null: none runs
    std::stop_source m_stop{std::nostopstate};
    quint64 m_generation = 0;
    quint64 m_total = 0;
    QString m_path;
};
