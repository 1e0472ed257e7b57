// SPDX-License-Identifier: GPL-3.0-or-later
#include "load/futurework.h"

#include <QFutureWatcher>
#include <QSemaphore>
#include <QSignalSpy>
#include <QTest>

#include <atomic>
#include <chrono>
#include <memory>

using namespace std::chrono_literals;

class FutureWorkTest : public QObject
{
    Q_OBJECT
private slots:
    void cleanup() { QVERIFY(Workers::waitForAll(60s)); }

    void resultReachesTheWatcher()
    {
        QFutureWatcher<int> watcher;
        QSignalSpy finished(&watcher, &QFutureWatcher<int>::finished);
        watcher.setFuture(
            runFutureWork<int>([](const QPromise<int>&) { return 42; }, [](const QString&) { return -1; }));
        QVERIFY(finished.wait());
        QCOMPARE(watcher.result(), 42);
    }

    void cancelledWorkIsToldAndNobodyWaitsForIt()
    {
        const auto begun = std::make_shared<QSemaphore>(), mayGoOn = std::make_shared<QSemaphore>();
        const auto wasTold = std::make_shared<std::atomic<bool>>(false);
        {
            QFutureWatcher<int> watcher;
            watcher.setFuture(runFutureWork<int>(
                [=](const QPromise<int>& promise) {
                    begun->release();
                    mayGoOn->acquire();
                    *wasTold = promise.isCanceled();
                    return 1;
                },
                [](const QString&) { return -1; }));
            begun->acquire();
            watcher.future().cancel();
        } // returns although the work still stands
        QVERIFY(!Workers::waitForAll(0ms));
        mayGoOn->release();
        QVERIFY(Workers::waitForAll(60s));
        QVERIFY(*wasTold);
    }
};

QTEST_GUILESS_MAIN(FutureWorkTest)
#include "tst_futurework.moc"
