// SPDX-License-Identifier: GPL-3.0-or-later
#include "load/blockcache.h"

#include "io/memorysource.h"
#include "support/fakesource.h"
#include "support/qt/await.h"

#include <QSignalSpy>

namespace {

constexpr std::uint64_t kBlock = BlockCache::kBlockSize;

std::shared_ptr<FakeSource> sourceOf(std::uint64_t size)
{
    std::vector<std::byte> bytes(size);
    for (std::size_t i = 0; i < bytes.size(); ++i)
        bytes[i] = static_cast<std::byte>(i % 251);
    return std::make_shared<FakeSource>(std::move(bytes));
}

/// Endless zeros that cost nothing.
class HugeSource final : public gguf::ByteSource
{
public:
    std::uint64_t size() const override { return 400'000'000'000; }
    gguf::ReadResult read(std::uint64_t offset, std::span<std::byte> into) const override
    {
        const std::uint64_t length = std::min<std::uint64_t>(into.size(), size() - offset);
        std::fill_n(into.begin(), length, std::byte{7});
        return {static_cast<std::size_t>(length), {}};
    }
};

} // namespace

class TestBlockCache : public QObject
{
    Q_OBJECT
private slots:
    void absentThenPresentAcrossBlocks()
    {
        BlockCache cache;
        cache.setSource(sourceOf(3 * kBlock + 10));
        QCOMPARE(cache.state(0), BlockCache::State::Absent);
        const gguf::ByteRange across{kBlock - 5, 10};
        QVERIFY(cache.copy(across).empty());
        QCOMPARE(cache.state(0), BlockCache::State::Wanted);
        AWAIT(!cache.copy(across).empty());
        const std::vector<std::byte> bytes = cache.copy(across);
        for (std::size_t i = 0; i < bytes.size(); ++i)
            QCOMPARE(int(bytes[i]), int((kBlock - 5 + i) % 251));
        QCOMPARE(cache.bytesAt(kBlock - 5, 100).length, std::uint64_t(5)); // ends at the block's border
        AWAIT(cache.bytesAt(3 * kBlock + 4, 100).state == BlockCache::State::Present);
        QCOMPARE(cache.bytesAt(3 * kBlock + 4, 100).length, std::uint64_t(6));
        QCOMPARE(cache.bytesAt(3 * kBlock + 10, 1).length, std::uint64_t(0));
    }

    void newestWishFirstAndStaleOnesDropped()
    {
        const auto source = sourceOf(64 * kBlock);
        const auto gate = std::make_shared<Gate>();
        source->blockAt(gate);
        BlockCache cache;
        cache.setSource(source);
        cache.setWindow({0, 4096});
        cache.bytesAt(0, 1);
        AWAIT(gate->waiting() == 1); // the reader hangs in block 0
        for (std::uint64_t block = 10; block < 40; ++block) {
            cache.setWindow({block * kBlock, 4096});
            cache.bytesAt(block * kBlock, 1);
            QCoreApplication::processEvents();
        }
        QVERIFY(cache.droppedWishes() >= 25);
        QVERIFY(cache.waitingWishes() <= 3);
        gate->open();
        AWAIT(cache.state(39 * kBlock) == BlockCache::State::Present);
        QCOMPARE(cache.state(12 * kBlock), BlockCache::State::Absent);
    }

    void staleFileNeverShows()
    {
        const auto slow = sourceOf(kBlock);
        const auto gate = std::make_shared<Gate>();
        slow->blockAt(gate);
        BlockCache cache;
        cache.setSource(slow);
        cache.bytesAt(0, 1);
        AWAIT(gate->waiting() == 1);
        QSignalSpy changed(&cache, &BlockCache::changed);
        cache.setSource(std::make_shared<HugeSource>());
        cache.bytesAt(5, 1);
        AWAIT(cache.state(0) == BlockCache::State::Present);
        gate->open();
        AWAIT(gate->waiting() == 0);
        runQueued();
        QCOMPARE(changed.count(), 1);
        QCOMPARE(int(cache.bytesAt(0, 1).bytes[0]), 7);
    }

    void destructionDoesNotWait()
    {
        const auto source = sourceOf(kBlock);
        const auto gate = std::make_shared<Gate>();
        source->blockAt(gate);
        {
            BlockCache cache;
            cache.setSource(source);
            cache.bytesAt(0, 1);
            AWAIT(gate->waiting() == 1);
        } // returns although the reader hangs
        gate->open();
        AWAIT(gate->waiting() == 0);
    }

    void failedFromSomeByteOn()
    {
        const auto source = sourceOf(4 * kBlock);
        source->failAt(kBlock + 100);
        BlockCache cache;
        cache.setSource(source);
        cache.bytesAt(kBlock, 1);
        cache.bytesAt(2 * kBlock, 1);
        AWAIT(cache.state(kBlock + 200) == BlockCache::State::Failed);
        AWAIT(cache.state(2 * kBlock) == BlockCache::State::Failed);
        QVERIFY(!cache.error(kBlock + 200).isEmpty());
        QVERIFY(cache.error(kBlock + 50).isEmpty());
        QCOMPARE(cache.bytesAt(kBlock, 500).length, std::uint64_t(100));
        source->heal();
        cache.retryFailed();
        cache.bytesAt(2 * kBlock, 1);
        AWAIT(cache.state(2 * kBlock) == BlockCache::State::Present);
    }

    void memoryIsBounded()
    {
        BlockCache cache;
        cache.setSource(std::make_shared<HugeSource>());
        for (std::uint64_t i = 0; i < BlockCache::kMaxBlocks + 50; ++i) {
            const std::uint64_t offset = i * 1'000 * kBlock;
            cache.setWindow({offset, 4096});
            cache.bytesAt(offset, 1);
            while (cache.state(offset) != BlockCache::State::Present)
                QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
        }
        QCOMPARE(cache.blockCount(), BlockCache::kMaxBlocks);
        QCOMPARE(cache.state(0), BlockCache::State::Absent); // the least recently used went
    }
};

QTEST_GUILESS_MAIN(TestBlockCache)
#include "tst_blockcache.moc"
