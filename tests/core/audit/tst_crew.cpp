// SPDX-License-Identifier: GPL-3.0-or-later
#include "audit/crew.h"
#include "support/nothreads.h"

#include <QtTest>

#include <atomic>
#include <cstdlib>
#include <new>

static thread_local bool t_exhausted = false;

/// The next allocation of a thread fails, once it is asked for.
void* operator new(std::size_t size)
{
    if (std::exchange(t_exhausted, false))
        throw std::bad_alloc();
    void* memory = std::malloc(size == 0 ? 1 : size);
    if (!memory)
        throw std::bad_alloc();
    return memory;
}

void operator delete(void* memory) noexcept
{
    std::free(memory);
}

void operator delete(void* memory, std::size_t) noexcept
{
    std::free(memory);
}

/// Those threads that there are do all the work.
class CrewTest : public QObject
{
    Q_OBJECT
private slots:
    void allTogether()
    {
        std::atomic<int> calls = 0;
        gguf::workTogether(3, [&calls](const std::atomic<bool>&) { ++calls; });
        QCOMPARE(calls.load(), 3);
    }

    void noMemoryForAnotherThread()
    {
        std::atomic<int> calls = 0;
        const auto work = [&calls](const std::atomic<bool>&) { ++calls; };
        t_exhausted = true;
        gguf::workTogether(3, work);
        QCOMPARE(calls.load(), 1);
    }

    void noOtherThread()
    {
#ifdef GGUF_HAS_NO_THREADS
        const NoThreads none;
        std::atomic<int> calls = 0;
        gguf::workTogether(3, [&calls](const std::atomic<bool>&) { ++calls; });
        QCOMPARE(calls.load(), 1);
#else
        QSKIP("Threads cannot be forbidden here.");
#endif
    }
};

QTEST_APPLESS_MAIN(CrewTest)
#include "tst_crew.moc"
