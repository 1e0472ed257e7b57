// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "load/workers.h"

#include <QPromise>

#include <memory>
#include <utility>

/// Runs `work(promise)` on a worker, and gives what it returns to the future. Nobody waits for it: who does not want
/// the result any more cancels the future, which the work may look for by `promise.isCanceled()`.
template <class Result, class Work>
QFuture<Result> runFutureWork(Work work)
{
    const auto promise = std::make_shared<QPromise<Result>>();
    const QFuture<Result> future = promise->future();
    Workers::run([promise, work = std::move(work)] {
        promise->start();
        promise->addResult(work(*promise));
        promise->finish();
    });
    return future;
}
