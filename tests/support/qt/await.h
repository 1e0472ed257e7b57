// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTest>

/// Runs the event loop until the condition holds. The bound only ends a test that hangs; it measures nothing.
#define AWAIT(condition) QTRY_VERIFY_WITH_TIMEOUT(condition, 60000)
#define AWAIT_COMPARE(actual, expected) QTRY_COMPARE_WITH_TIMEOUT(actual, expected, 60000)

/// Runs everything that is queued now, deferred deletions included.
inline void runQueued()
{
    for (int i = 0; i < 3; ++i) {
        QCoreApplication::sendPostedEvents();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        QCoreApplication::processEvents();
    }
}
