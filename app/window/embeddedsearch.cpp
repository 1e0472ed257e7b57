// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/embeddedsearch.h"

#include "load/futurework.h"

#include <algorithm>

namespace {

/// Progress is given as mebibytes, which fit the int that QPromise counts in.
constexpr int kProgressShift = 20;

} // namespace

EmbeddedSearch::EmbeddedSearch(QObject* parent)
    : QObject(parent)
{
}

EmbeddedSearch::~EmbeddedSearch()
{
    cancel();
}

void EmbeddedSearch::cancel()
{
    m_stop.request_stop();
    if (m_watcher)
        m_watcher->disconnect(this);
    m_running = false;
}

void EmbeddedSearch::start(std::shared_ptr<const gguf::ByteSource> source)
{
    cancel();
    m_stop = std::stop_source();
    m_running = true;
    const std::uint64_t total = std::min(source->size(), kMostBytes);

    const auto failure = [](const QString& sentence) { return Result{{}, sentence}; };
    m_watcher = std::make_unique<QFutureWatcher<Result>>();
    connect(m_watcher.get(), &QFutureWatcherBase::progressValueChanged, this, [this, total](int value) {
        emit progress(static_cast<quint64>(value) << kProgressShift, total);
    });
    connect(m_watcher.get(), &QFutureWatcherBase::finished, this, [this, failure] {
        m_running = false;
        const Result result = resultOf(*m_watcher, failure);
        if (result.failure.isEmpty())
            emit finished(result.found);
        else
            emit failed(result.failure);
    });
    m_watcher->setFuture(runFutureWork<Result>(
        [source = std::move(source), total, stop = m_stop.get_token()](QPromise<Result>& promise) {
            promise.setProgressRange(0, static_cast<int>(total >> kProgressShift));
            return Result{
                gguf::findEmbeddedGguf(*source, {0, total}, kMostFound, stop,
                    [&promise](std::uint64_t searched) {
                        promise.setProgressValue(static_cast<int>(searched >> kProgressShift));
                    }),
                {}};
        },
        failure));
}
