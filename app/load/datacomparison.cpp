// SPDX-License-Identifier: GPL-3.0-or-later
#include "load/datacomparison.h"

#include "load/sha256digest.h"
#include "load/workers.h"

#include <array>
#include <mutex>
#include <stop_token>

/// What the workers and the GUI thread share. The workers hold nothing else.
struct DataComparison::Job
{
    Pairs pairs;
    std::array<Side, 2> sides;
    std::stop_source stop;

    std::mutex mutex; // guards all below
    std::array<std::vector<std::optional<gguf::DataHash>>, 2> hashes; // by pair
    std::array<std::uint64_t, 2> done{}, total{};
    int running = 2;
    std::string failure;

    void work(std::size_t side)
    {
        const Side& from = sides[side];
        std::vector<std::size_t> tensors;
        std::vector<std::size_t> pairOf(from.document.tensorCount());
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            tensors.push_back(side == 0 ? pairs[i].first : pairs[i].second);
            pairOf[tensors.back()] = i;
        }
        gguf::HashOptions options;
        options.makeDigest = makeSha256Digest;
        options.stop = stop.get_token();
        options.progress = [this, side](std::uint64_t bytes, std::uint64_t all) {
            const std::scoped_lock lock(mutex);
            done[side] = bytes;
            total[side] = all;
        };
        options.finished = [this, side, &pairOf](const gguf::DataHash& hash) {
            const std::scoped_lock lock(mutex);
            if (hash.tensor)
                hashes[side][pairOf[*hash.tensor]] = hash;
        };
        gguf::hashData(from.document, *from.source, tensors, options);
        const std::scoped_lock lock(mutex);
        --running;
    }
};

DataComparison::DataComparison(QObject* parent)
    : QObject(parent)
{
    // Looking now and then spares a message per tensor.
    m_timer.setInterval(100);
    connect(&m_timer, &QTimer::timeout, this, [this] {
        const bool ended = [this] {
            const std::scoped_lock lock(m_job->mutex);
            return m_job->running == 0;
        }();
        emit progressed();
        if (ended) {
            m_timer.stop();
            emit finished();
        }
    });
}

DataComparison::~DataComparison()
{
    letGo();
}

void DataComparison::letGo()
{
    m_timer.stop();
    if (m_job)
        m_job->stop.request_stop();
}

void DataComparison::start(const Side& a, const Side& b, Pairs pairs)
{
    letGo();
    m_job = std::make_shared<Job>();
    m_job->pairs = std::move(pairs);
    m_job->sides = {a, b};
    for (auto& hashes : m_job->hashes)
        hashes.resize(m_job->pairs.size());
    for (const std::size_t side : {std::size_t{0}, std::size_t{1}})
        Workers::run([job = m_job, side] { job->work(side); },
            [job = m_job](const std::string& sentence) {
                job->stop.request_stop();
                const std::scoped_lock lock(job->mutex);
                --job->running;
                job->failure = sentence;
            });
    m_timer.start();
}

void DataComparison::cancel()
{
    if (!isRunning())
        return;
    letGo();
    emit finished();
}

void DataComparison::clear()
{
    letGo();
    m_job.reset();
}

DataComparison::State DataComparison::state(std::size_t pair) const
{
    if (!m_job)
        return State::Waiting;
    const std::scoped_lock lock(m_job->mutex);
    const auto &a = m_job->hashes[0][pair], &b = m_job->hashes[1][pair];
    if (!a || !b)
        return State::Waiting;
    if (!a->sha256 || !b->sha256)
        return m_job->stop.stop_requested() ? State::Waiting : State::Unreadable;
    return *a->sha256 == *b->sha256 ? State::Equal : State::Different;
}

std::optional<gguf::Sha256> DataComparison::hash(std::size_t pair, bool ofB) const
{
    if (!m_job)
        return std::nullopt;
    const std::scoped_lock lock(m_job->mutex);
    const auto& hash = m_job->hashes[ofB ? 1 : 0][pair];
    return hash ? hash->sha256 : std::nullopt;
}

std::uint64_t DataComparison::doneBytes() const
{
    if (!m_job)
        return 0;
    const std::scoped_lock lock(m_job->mutex);
    return m_job->done[0] + m_job->done[1];
}

std::uint64_t DataComparison::totalBytes() const
{
    if (!m_job)
        return 0;
    const std::scoped_lock lock(m_job->mutex);
    return m_job->total[0] + m_job->total[1];
}

QString DataComparison::failure() const
{
    if (!m_job)
        return {};
    const std::scoped_lock lock(m_job->mutex);
    return QString::fromStdString(m_job->failure);
}

std::size_t DataComparison::count(State wanted) const
{
    std::size_t found = 0;
    for (std::size_t i = 0; m_job && i < m_job->pairs.size(); ++i)
        found += state(i) == wanted;
    return found;
}
