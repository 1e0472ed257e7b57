// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "document/document.h"

#include <QObject>
#include <QString>

#include <memory>

class LoadJob;

/// Opens one file at a time on a worker thread and shows what has been read so far.
///
/// All functions and signals belong to the GUI thread. Nothing here waits: a load that is stopped, replaced or
/// stuck in a read is let go. Each load has a generation number; what a stopped load still sends is dropped.
class DocumentLoader : public QObject
{
    Q_OBJECT
public:
    enum class State {
        Idle, ///< nothing was opened
        Loading,
        Loaded, ///< parsing ended by itself, whatever the document's status says
        Failed, ///< the file could not be opened or read at all: see error()
        Cancelled,
    };

    explicit DocumentLoader(QObject* parent = nullptr);
    ~DocumentLoader() override;

    void open(const QString& path);
    /// Opens any source under a name; `path` may be empty.
    void open(std::shared_ptr<const gguf::ByteSource> source, const QString& name, const QString& path = {});
    void reload(); ///< opens the same path or source again
    void cancel();

    State state() const;
    quint64 generation() const;
    QString path() const; ///< as given to open(); empty where the source is no file
    QString name() const; ///< file name for titles
    QString error() const; ///< one sentence, in State::Failed
    /// The newest snapshot. Grows while loading; never null.
    const gguf::Document& document() const;
    /// Null until the file was opened.
    std::shared_ptr<const gguf::ByteSource> source() const;
    quint64 bytesRead() const; ///< of metadata and tensor table
    /// True while the data section's paddings and tail are still inspected after loading (inspectData).
    bool isInspecting() const;
    quint64 droppedMessages() const; ///< how many messages of older generations were refused, for tests

signals:
    void started(); ///< a new generation: everything shown before is out of date
    void documentChanged(); ///< document() has more; same generation
    void progressChanged();
    void stateChanged(); ///< to Loaded, Failed or Cancelled; document() is final but for Problems of inspectData
    void inspected(); ///< the Problems of inspectData have been added

private:
    std::unique_ptr<LoadJob> m_job;
};
