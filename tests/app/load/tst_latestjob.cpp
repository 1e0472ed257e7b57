// SPDX-License-Identifier: GPL-3.0-or-later
#include "load/latestjob.h"

#include "support/fakesource.h"
#include "support/qt/await.h"

namespace {

/// Gates that work can wait at, as reads do.
struct Work
{
    std::shared_ptr<Gate> gate = std::make_shared<Gate>();
    std::shared_ptr<std::atomic<bool>> stopped = std::make_shared<std::atomic<bool>>(false);

    std::function<int(const std::stop_token&)> giving(int result) const
    {
        return [gate = gate, stopped = stopped, result](const std::stop_token& stop) {
            gate->pass();
            *stopped = stop.stop_requested();
            return result;
        };
    }
};

void unexpected(const QString& sentence)
{
    QFAIL(qPrintable(sentence));
}

} // namespace

class TestLatestJob : public QObject
{
    Q_OBJECT
private slots:
    void givesItsResultOnce()
    {
        QObject owner;
        QList<int> results;
        LatestJob<int> job(&owner, [&](int result) { results += result; }, unexpected);
        QVERIFY(!job.isRunning());
        job.start([](const std::stop_token&) { return 7; });
        QVERIFY(job.isRunning());
        QVERIFY(results.isEmpty());
        AWAIT(!job.isRunning());
        runQueued();
        QCOMPARE(results, QList<int>{7});
    }

    void onlyTheNewestCounts()
    {
        QObject owner;
        QList<int> results;
        LatestJob<int> job(&owner, [&](int result) { results += result; }, unexpected);
        const Work slow;
        job.start(slow.giving(1));
        AWAIT(slow.gate->waiting() == 1);
        job.start([](const std::stop_token&) { return 2; });
        AWAIT(!job.isRunning());
        slow.gate->open();
        Workers::waitForAll(std::chrono::minutes(1));
        QVERIFY(*slow.stopped);
        runQueued();
        QCOMPARE(results, QList<int>{2});
    }

    void aResultThatLiesInTheQueueIsDropped()
    {
        QObject owner;
        QList<int> results;
        LatestJob<int> job(&owner, [&](int result) { results += result; }, unexpected);
        job.start([](const std::stop_token&) { return 1; });
        Workers::waitForAll(std::chrono::minutes(1)); // its wake-up is queued now
        job.start([](const std::stop_token&) { return 2; });
        AWAIT(!job.isRunning());
        runQueued();
        QCOMPARE(results, QList<int>{2});
    }

    void cancelledAndDeletedJobsAreSilent()
    {
        const Work slow;
        QList<int> results;
        {
            QObject owner;
            LatestJob<int> job(&owner, [&](int result) { results += result; }, unexpected);
            job.start(slow.giving(1));
            AWAIT(slow.gate->waiting() == 1);
            job.cancel();
            QVERIFY(!job.isRunning());
            job.start(slow.giving(2));
            AWAIT(slow.gate->waiting() == 2);
        }
        slow.gate->open();
        Workers::waitForAll(std::chrono::minutes(1));
        runQueued();
        QVERIFY(results.isEmpty());
    }

    void aResultMayStartTheNext()
    {
        QObject owner;
        QList<int> results;
        LatestJob<int> job(&owner, [&](int result) {
            results += result;
            if (result < 3)
                job.start([result](const std::stop_token&) { return result + 1; });
        }, unexpected);
        job.start([](const std::stop_token&) { return 1; });
        AWAIT(!job.isRunning());
        QCOMPARE(results, (QList<int>{1, 2, 3}));
    }
};

QTEST_GUILESS_MAIN(TestLatestJob)
#include "tst_latestjob.moc"
