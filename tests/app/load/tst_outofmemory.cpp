// SPDX-License-Identifier: GPL-3.0-or-later
#include "load/blockcache.h"
#include "load/bytesearch.h"
#include "load/datacomparison.h"
#include "load/dataworker.h"
#include "load/documentloader.h"
#include "load/futurework.h"
#include "load/latestjob.h"
#include "load/rangesaver.h"
#include "parse/parser.h"
#include "support/fakesource.h"
#include "support/ggufwriter.h"
#include "support/nothreads.h"
#include "support/qt/await.h"

#include <QDir>
#include <QFutureWatcher>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <stdexcept>

using namespace Qt::StringLiterals;

namespace {

const QString kSentence = u"There is not enough memory for this."_s;

GgufWriter model()
{
    GgufWriter writer;
    for (int i = 0; i < 40; ++i)
        writer.tensor("t" + std::to_string(i), kF32, {1000});
    return writer;
}

/// A source that is read on the way of a job, when memory has run out.
std::shared_ptr<FakeSource> exhausted()
{
    const auto source = std::make_shared<FakeSource>(model().bytes());
    source->exhaustMemory();
    return source;
}

} // namespace

/// A job that finds no memory ends, says so, and the program goes on.
class OutOfMemoryTest : public QObject
{
    Q_OBJECT
private slots:
    void cleanup() { QVERIFY(Workers::waitForAll(std::chrono::minutes(1))); }

    void latestJob()
    {
        QObject owner;
        QStringList heard;
        LatestJob<int> job(
            &owner, [&](int) { heard += u"done"_s; }, [&](const QString& sentence) { heard += sentence; });
        job.start([](const std::stop_token&) -> int { throw std::bad_alloc(); });
        AWAIT(!job.isRunning());
        job.start([](const std::stop_token&) -> int { throw std::runtime_error("no luck"); });
        AWAIT(!job.isRunning());
        job.start([](const std::stop_token&) -> int { throw 7; });
        AWAIT(!job.isRunning());
        job.start([](const std::stop_token&) { return 7; }); // the next is as if nothing had been
        AWAIT(!job.isRunning());
        QCOMPARE(heard,
            (QStringList{kSentence, u"This failed unexpectedly: no luck"_s, u"This failed unexpectedly."_s, u"done"_s}));
        job.start([](const std::stop_token&) -> int { throw std::bad_alloc(); });
        job.cancel();
        QVERIFY(Workers::waitForAll(std::chrono::minutes(1)));
        runQueued();
        QCOMPARE(heard.size(), 4);
    }

    void futureWork()
    {
        QFutureWatcher<QString> watcher;
        QSignalSpy finished(&watcher, &QFutureWatcherBase::finished);
        watcher.setFuture(runFutureWork<QString>(
            [](const QPromise<QString>&) -> QString { throw std::bad_alloc(); },
            [](const QString& sentence) { return sentence; }));
        AWAIT(finished.count() == 1);
        QCOMPARE(watcher.result(), kSentence);

        const auto failed = [](const QString& sentence) { return sentence; };
        watcher.setFuture(runFutureWork<QString>([](const QPromise<QString>&) -> QString { throw std::bad_alloc(); },
            [](const QString&) -> QString { throw std::bad_alloc(); })); // not even room to say so
        AWAIT(finished.count() == 2);
        QCOMPARE(resultOf(watcher, failed), kSentence);
        watcher.setFuture(runFutureWork<QString>([](const QPromise<QString>&) { return u"done"_s; }, failed));
        AWAIT(finished.count() == 3);
        QCOMPARE(resultOf(watcher, failed), u"done"_s);
    }

    void load_data()
    {
        QTest::addColumn<bool>("seen");
        QTest::newRow("after the window saw that it is parsed") << true;
        QTest::newRow("before") << false;
    }
    void load()
    {
        QFETCH(bool, seen);
        // Parsed by then, and stuck in a look at the padding far behind
        GgufWriter writer = model();
        writer.tensor("large", kF32, {3'000'001}).tensor("last", kF32, {8});
        const auto source = std::make_shared<FakeSource>(writer.bytes());
        const auto gate = std::make_shared<Gate>();
        source->blockAt(gate, writer.dataRange("large").end());
        DocumentLoader loader;
        QSignalSpy inspected(&loader, &DocumentLoader::inspected);
        loader.open(source, u"x.gguf"_s);
        gate->awaitWaiting();
        if (seen)
            AWAIT(loader.state() == DocumentLoader::State::Loaded);
        source->exhaustMemory();
        gate->open();
        QVERIFY(Workers::waitForAll(std::chrono::minutes(1)));
        AWAIT(inspected.count() == 1);
        QCOMPARE(loader.state(), DocumentLoader::State::Loaded);
        QCOMPARE(loader.error(), kSentence);
        QCOMPARE(loader.document().tensorCount(), std::size_t{42}); // what was read stays
    }

    void dataTasks()
    {
        const GgufWriter writer = model();
        const gguf::Document document = gguf::parse(*writer.source());
        std::vector<std::size_t> all;
        for (std::size_t i = 0; i < document.tensorCount(); ++i)
            all.push_back(i);
        for (const auto task : {DataWorker::Task::Check, DataWorker::Task::Statistics, DataWorker::Task::Hash}) {
            DataWorker worker;
            QSignalSpy finished(&worker, &DataWorker::finished);
            worker.start(task, document, exhausted(), all, true);
            AWAIT(finished.count() == 1);
            QCOMPARE(worker.failure(), kSentence);
            QVERIFY(!worker.isRunning());
            worker.start(task, document, writer.source(), all, true);
            AWAIT(finished.count() == 2);
            QVERIFY(worker.failure().isEmpty());
        }
    }

    void comparison()
    {
        const GgufWriter writer = model();
        const gguf::Document document = gguf::parse(*writer.source());
        DataComparison comparison;
        QSignalSpy finished(&comparison, &DataComparison::finished);
        comparison.start({document, writer.source()}, {document, exhausted()}, {{0, 0}, {1, 1}});
        AWAIT(finished.count() == 1);
        QCOMPARE(comparison.failure(), kSentence);
        QCOMPARE(comparison.count(DataComparison::State::Waiting), std::size_t{2});
    }

    void save()
    {
        QTemporaryDir folder;
        RangeSaver saver;
        QSignalSpy failed(&saver, &RangeSaver::failed);
        saver.save(exhausted(), {0, 100}, folder.filePath(u"out.bin"_s), {});
        AWAIT(failed.count() == 1);
        QCOMPARE(failed[0][1].toString(), kSentence);
        QVERIFY(QDir(folder.path()).isEmpty());
    }

    void search()
    {
        ByteSearch search;
        QSignalSpy failed(&search, &ByteSearch::failed), notFound(&search, &ByteSearch::notFound);
        search.start(exhausted(), *BytePattern::fromBytes("needle"), 0, true);
        AWAIT(!search.isRunning());
        QCOMPARE(failed.count(), 1);
        QCOMPARE(failed[0][0].toString(), kSentence);
        QVERIFY(notFound.isEmpty());
    }

    void blocks()
    {
        BlockCache cache;
        const auto source = exhausted();
        cache.setSource(source);
        cache.bytesAt(0, 16);
        AWAIT(cache.state(0) == BlockCache::State::Failed);
        QCOMPARE(cache.error(0), kSentence);
        source->heal();
        cache.retryFailed();
        cache.bytesAt(0, 16);
        AWAIT(cache.state(0) == BlockCache::State::Present);
    }

#ifdef GGUF_HAS_NO_THREADS
    void noThreadForBlocks()
    {
        constexpr std::uint64_t kSecond = BlockCache::kBlockSize;
        BlockCache cache;
        cache.setSource(model().source());
        {
            const NoThreads none;
            cache.bytesAt(0, 16);
            cache.bytesAt(kSecond, 16);
            AWAIT(cache.state(0) == BlockCache::State::Failed && cache.state(kSecond) == BlockCache::State::Failed);
        }
        QVERIFY(cache.error(0).startsWith(u"No thread can be started"_s));
        QCOMPARE(cache.blockCount(), std::size_t{2});
        QCOMPARE(cache.waitingWishes(), std::size_t{0});
        cache.retryFailed();
        cache.bytesAt(0, 16);
        AWAIT(cache.state(0) == BlockCache::State::Present);
    }
#endif
};

QTEST_GUILESS_MAIN(OutOfMemoryTest)
#include "tst_outofmemory.moc"
