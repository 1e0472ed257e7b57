// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "document/document.h"
#include "load/filestamp.h"

#include <QObject>
#include <QString>
#include <QStringList>

#include <atomic>
#include <memory>
#include <stop_token>

struct LoadOrder;
struct LoadNews;
template <class News>
class Mailbox;

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
    /// Opens the rest of what is open, from `offset` on, under a name.
    void openPart(quint64 offset, const QString& name);
    void reload(); ///< opens the same path or source again
    void cancel(); ///< what was read stays

    State state() const { return m_state; }
    quint64 generation() const { return m_generation; }
    QString path() const { return m_path; } ///< as given to open(); empty where the source is no file
    /// The file in which the bytes lie, also where only a part of it is shown: never to be written to.
    QString filePath() const { return m_filePath; }
    QString name() const { return m_name; } ///< file name for titles: what is odd in it made visible
    QString error() const { return m_error; } ///< in State::Failed, or why there was no look at the data section
    /// The newest snapshot. Grows while loading; never null.
    const gguf::Document& document() const { return m_document; }
    /// Null until the file was opened.
    std::shared_ptr<const gguf::ByteSource> source() const { return m_source; }
    QString linkTarget() const { return m_linkTarget; } ///< where path() is a symbolic link: its end
    bool isFolder() const { return m_isFolder; }
    QStringList folderFiles() const { return m_folderFiles; } ///< where path() is a folder: the GGUF files in it
    const FileStamp& stamp() const { return m_stamp; } ///< of the file when it was opened
    quint64 bytesRead() const { return m_bytesRead; } ///< of metadata and tensor table
    /// True while the data section's paddings and tail are still inspected after loading (inspectData).
    bool isInspecting() const { return m_inspecting; }
    /// How many messages of older generations were refused, for tests.
    quint64 droppedMessages() const { return m_dropped->load(); }

signals:
    void started(); ///< a new generation: everything shown before is out of date
    void documentChanged(); ///< document() has more; same generation
    void progressChanged();
    void stateChanged(); ///< to Loaded, Failed or Cancelled; document() is final but for what inspectData adds
    void inspected(); ///< what inspectData found has been added, or the inspection was cancelled

private:
    void openSource(std::shared_ptr<const gguf::ByteSource> source, const QString& name, const QString& path,
        const QString& filePath);
    void start(LoadOrder order);
    void letGo();
    void receive(quint64 generation);
    void accept(LoadNews news);
    void fail(const QString& sentence);
    static QString sentenceFor(const gguf::IoError& error);

    std::shared_ptr<Mailbox<LoadNews>> m_mailbox; ///< of the running load
    std::stop_source m_stop{std::nostopstate};
    std::shared_ptr<std::atomic<std::uint64_t>> m_dropped;

    State m_state = State::Idle;
    quint64 m_generation = 0;
    QString m_filePath;
    QString m_path, m_name, m_error, m_linkTarget;
    QStringList m_folderFiles;
    bool m_isFolder = false;
    gguf::Document m_document;
    std::shared_ptr<const gguf::ByteSource> m_given; ///< what reload() opens again, where open() got a source
    std::shared_ptr<const gguf::ByteSource> m_source;
    FileStamp m_stamp;
    quint64 m_bytesRead = 0;
    bool m_inspecting = false;
};
