// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/fakesource.h"

#include "io/memorysource.h"

#include <algorithm>
#include <new>
#include <thread>

void Gate::open()
{
    const std::lock_guard lock(m_mutex);
    m_open = true;
    m_changed.notify_all();
}

void Gate::shut()
{
    const std::lock_guard lock(m_mutex);
    m_open = false;
}

void Gate::pass()
{
    std::unique_lock lock(m_mutex);
    ++m_waiting;
    m_changed.notify_all();
    m_changed.wait(lock, [this] { return m_open; });
    --m_waiting;
}

int Gate::waiting() const
{
    const std::lock_guard lock(m_mutex);
    return m_waiting;
}

void Gate::awaitWaiting(int count) const
{
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [this, count] { return m_waiting >= count; });
}

FakeSource::FakeSource(std::shared_ptr<const gguf::ByteSource> inner)
    : m_inner(std::move(inner))
{
}

FakeSource::FakeSource(std::vector<std::byte> bytes)
    : m_inner(std::make_shared<gguf::MemorySource>(std::move(bytes)))
{
}

FakeSource& FakeSource::blockAt(std::shared_ptr<Gate> gate, std::uint64_t fromOffset)
{
    const std::lock_guard lock(m_mutex);
    m_gate = std::move(gate);
    m_gateOffset = fromOffset;
    return *this;
}

FakeSource& FakeSource::delay(std::chrono::milliseconds eachRead)
{
    m_delayMs = eachRead.count();
    return *this;
}

FakeSource& FakeSource::shortReads(std::uint64_t most)
{
    m_most = most;
    return *this;
}

FakeSource& FakeSource::failAt(std::uint64_t offset, int code)
{
    m_failCode = code;
    m_failOffset = offset;
    return *this;
}

FakeSource& FakeSource::exhaustMemory()
{
    m_exhausted = true;
    return *this;
}

FakeSource& FakeSource::shrinkTo(std::uint64_t size)
{
    m_shrunk = size;
    return *this;
}

FakeSource& FakeSource::heal()
{
    const std::lock_guard lock(m_mutex);
    m_gate.reset();
    m_gateOffset = UINT64_MAX;
    m_delayMs = 0;
    m_most = UINT64_MAX;
    m_failOffset = UINT64_MAX;
    m_exhausted = false;
    m_shrunk = UINT64_MAX;
    return *this;
}

gguf::ReadResult FakeSource::read(std::uint64_t offset, std::span<std::byte> into) const
{
    ++m_reads;
    std::shared_ptr<Gate> gate;
    {
        const std::lock_guard lock(m_mutex);
        if (offset + into.size() > m_gateOffset)
            gate = m_gate;
    }
    if (gate)
        gate->pass();
    if (const auto delay = m_delayMs.load(); delay > 0)
        std::this_thread::sleep_for(std::chrono::milliseconds(delay));

    if (m_exhausted)
        throw std::bad_alloc();

    const std::uint64_t failOffset = m_failOffset;
    const std::uint64_t end = std::min(m_shrunk.load(), failOffset);
    std::uint64_t length = std::min<std::uint64_t>(into.size(), m_most);
    length = offset >= end ? 0 : std::min(length, end - offset);

    gguf::ReadResult result;
    if (length > 0)
        result = m_inner->read(offset, into.first(static_cast<std::size_t>(length)));
    if (!result.error && into.size() > 0 && offset < size() && offset + into.size() > failOffset)
        result.error = {m_failCode, "The disk reported an error."};
    m_bytesRead += result.bytes;
    std::uint64_t furthest = m_furthest;
    while (furthest < offset + result.bytes && !m_furthest.compare_exchange_weak(furthest, offset + result.bytes)) { }
    return result;
}
