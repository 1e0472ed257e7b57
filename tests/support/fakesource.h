// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "io/bytesource.h"

#include <atomic>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

/// A door that reads wait at. Any thread may open or shut it.
class Gate
{
public:
    explicit Gate(bool open = false)
        : m_open(open)
    {
    }
    void open();
    void shut();
    void pass(); ///< waits until the gate is open
    int waiting() const; ///< threads that wait now
    void awaitWaiting(int count = 1) const; ///< returns when at least this many threads wait

private:
    mutable std::mutex m_mutex;
    mutable std::condition_variable m_changed;
    bool m_open;
    int m_waiting = 0;
};

/// Another source with faults: a dead disk, a slow mount, a file that shrinks. Without faults it reads like
/// the other. Faults can be set while other threads read.
class FakeSource final : public gguf::ByteSource
{
public:
    explicit FakeSource(std::shared_ptr<const gguf::ByteSource> inner);
    explicit FakeSource(std::vector<std::byte> bytes);

    FakeSource& blockAt(std::shared_ptr<Gate> gate, std::uint64_t fromOffset = 0); ///< reads that end beyond it wait
    FakeSource& delay(std::chrono::milliseconds eachRead);
    FakeSource& shortReads(std::uint64_t most); ///< at most so many bytes a read, as if the end were met
    FakeSource& failAt(std::uint64_t offset, int code = EIO); ///< bytes from here on cannot be read
    FakeSource& exhaustMemory(); ///< reads throw std::bad_alloc
    FakeSource& shrinkTo(std::uint64_t size); ///< reads end here; size() stays, as for an open file
    FakeSource& heal(); ///< no more faults

    std::uint64_t size() const override { return m_inner->size(); }
    gguf::ReadResult read(std::uint64_t offset, std::span<std::byte> into) const override;

    std::uint64_t reads() const { return m_reads; } ///< calls of read() so far
    std::uint64_t bytesRead() const { return m_bytesRead; }
    std::uint64_t furthestRead() const { return m_furthest; } ///< end of the furthest read

private:
    std::shared_ptr<const gguf::ByteSource> m_inner;
    mutable std::mutex m_mutex; ///< guards m_gate
    std::shared_ptr<Gate> m_gate;
    std::atomic<std::uint64_t> m_gateOffset = UINT64_MAX;
    std::atomic<std::int64_t> m_delayMs = 0;
    std::atomic<std::uint64_t> m_most = UINT64_MAX;
    std::atomic<std::uint64_t> m_failOffset = UINT64_MAX;
    std::atomic<int> m_failCode = 0;
    std::atomic<bool> m_exhausted = false;
    std::atomic<std::uint64_t> m_shrunk = UINT64_MAX;
    mutable std::atomic<std::uint64_t> m_reads = 0;
    mutable std::atomic<std::uint64_t> m_bytesRead = 0;
    mutable std::atomic<std::uint64_t> m_furthest = 0;
};
