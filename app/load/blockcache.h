// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "io/byterange.h"
#include "io/bytesource.h"

#include <QObject>
#include <QString>
#include <QTimer>

#include <cstddef>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

struct BlockNews;
struct BlockQueue;
template <class News>
class Mailbox;

/// The bytes of a file for those who paint them: aligned blocks, read on a thread that nobody waits for.
///
/// Asking for a block that is not there records a wish; the wishes of one event go to the reader together. The newest
/// is read first, and one that lies no longer in or near the window is dropped before it is begun. All functions and
/// signals belong to the GUI thread, and none of them reads. A reader that is stuck is let go with what it shares.
class BlockCache : public QObject
{
    Q_OBJECT
public:
    static constexpr std::uint64_t kBlockSize = 64 * 1024;
    static constexpr std::size_t kMaxBlocks = 512; ///< 32 MiB

    enum class State {
        Absent, ///< neither here nor asked for
        Wanted,
        Present,
        Failed, ///< could not be read, wholly or from some byte on
    };
    /// Bytes that share a state, or nothing beyond the end (length 0).
    struct Run
    {
        State state = State::Absent;
        std::uint64_t length = 0;
        std::span<const std::byte> bytes; ///< if Present; valid until control returns to the event loop
    };

    explicit BlockCache(QObject* parent = nullptr);
    ~BlockCache() override;

    /// A new file, or none. All blocks are forgotten, and what is still read for the old one is dropped on arrival.
    void setSource(std::shared_ptr<const gguf::ByteSource> source);
    std::uint64_t size() const { return m_size; } ///< at most 2^63 - 1

    State state(std::uint64_t offset) const;
    /// The bytes from offset on, at most `length`; records a wish where they are absent.
    Run bytesAt(std::uint64_t offset, std::uint64_t length);
    /// A copy of the whole range, empty unless all of it is present; records wishes. For at most a few blocks.
    std::vector<std::byte> copy(gguf::ByteRange range);
    /// Why the block at this offset failed; empty for other states.
    QString error(std::uint64_t offset) const;

    /// What is in sight: wishes further away than its own length (and one block) are dropped.
    void setWindow(gguf::ByteRange window);
    void retryFailed(); ///< forgets the failed blocks, so that they are asked for again

    std::size_t blockCount() const { return m_blocks.size(); }
    std::uint64_t droppedWishes() const { return m_droppedWishes; }
    std::size_t waitingWishes() const; ///< sent and not begun

signals:
    void changed(quint64 offset, quint64 length); ///< these bytes came, or failed

private:
    struct Block
    {
        std::vector<std::byte> bytes; ///< shorter than the block where reading failed
        QString error;
        std::uint64_t used = 0;
    };

    std::uint64_t blockLength(std::uint64_t number) const;
    void wish(std::uint64_t number);
    void sendWishes();
    void receive(std::uint64_t generation);
    void letGo();
    void evict();

    std::shared_ptr<const gguf::ByteSource> m_source;
    std::uint64_t m_size = 0;
    std::uint64_t m_generation = 0;
    std::uint64_t m_clock = 0;
    std::uint64_t m_droppedWishes = 0;
    gguf::ByteRange m_window;
    std::unordered_map<std::uint64_t, Block> m_blocks;
    std::vector<std::uint64_t> m_wishes; ///< of this event
    QTimer m_sendTimer;
    std::shared_ptr<BlockQueue> m_queue;
    std::shared_ptr<Mailbox<BlockNews>> m_mailbox;
};
