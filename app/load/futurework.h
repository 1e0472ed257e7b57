// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "load/workers.h"

#include <QFutureWatcher>
#include <QPromise>
#include <QString>

#include <memory>
#include <new>
#include <string>
#include <utility>

/// Runs `work(promise)` on a worker, and gives what it returns to the future; where it throws, as for want of memory,
/// what `failed(sentence)` returns. Nobody waits for it: who does not want the result any more cancels the future, which
/// the work may look for by `promise.isCanceled()`.
template <class Result, class Work, class Failed>
QFuture<Result> runFutureWork(Work work, Failed failed)
{
    const auto promise = std::make_shared<QPromise<Result>>();
    const QFuture<Result> future = promise->future();
    Workers::run(
        [promise, work = std::move(work)] {
            promise->start();
            promise->addResult(work(*promise));
            promise->finish();
        },
        [promise, failed = std::move(failed)](const std::string& sentence) {
            promise->start(); // unless it has begun
            promise->addResult(failed(QString::fromStdString(sentence)));
            promise->finish();
        });
    return future;
}

/// What finished work gave to its future, on which a watcher looks; where there was not even memory to say why it failed,
/// what `failed(sentence)` returns.
template <class Result, class Failed>
Result resultOf(const QFutureWatcher<Result>& watcher, Failed failed)
{
    if (watcher.future().resultCount() > 0)
        return watcher.result();
    return failed(QString::fromStdString(Workers::failureSentence(std::bad_alloc())));
}
