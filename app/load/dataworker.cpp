// SPDX-License-Identifier: GPL-3.0-or-later
#include "load/dataworker.h"

#include "load/sha256digest.h"
#include "load/workers.h"

namespace {

/// One task: what the worker owns or shares.
struct DataOrder
{
    DataWorker::Task task;
    gguf::Document document;
    std::shared_ptr<const gguf::ByteSource> source;
    std::vector<std::size_t> tensors;
    bool wholeFile;
    std::stop_token stop;
    std::shared_ptr<Mailbox<DataNews>> mailbox;

    void run() const
    {
        if (task == DataWorker::Task::Hash)
            hash();
        else
            scan();
        mailbox->post([](DataNews& news) { news.finished = true; });
    }

    void tell(std::uint64_t done, std::uint64_t total) const
    {
        mailbox->post([&](DataNews& news) {
            news.done = done;
            news.total = total;
        });
    }

    void scan() const
    {
        gguf::DataScanOptions options;
        options.statistics = task == DataWorker::Task::Statistics;
        options.stop = stop;
        options.progress = [this](std::uint64_t done, std::uint64_t total) { tell(done, total); };
        options.finished = [this](const gguf::TensorScan& found) {
            mailbox->post([&](DataNews& news) { news.scans.push_back(found); });
        };
        gguf::scanData(document, *source, tensors, options);
    }

    void hash() const
    {
        gguf::HashOptions options;
        options.wholeFile = wholeFile;
        options.makeDigest = makeSha256Digest;
        options.stop = stop;
        options.progress = [this](std::uint64_t done, std::uint64_t total) { tell(done, total); };
        options.finished = [this](const gguf::DataHash& found) {
            mailbox->post([&](DataNews& news) { news.hashes.push_back(found); });
        };
        gguf::hashData(document, *source, tensors, options);
    }
};

} // namespace

DataWorker::DataWorker(QObject* parent)
    : QObject(parent)
{
}

DataWorker::~DataWorker()
{
    letGo();
}

void DataWorker::start(Task task, const gguf::Document& document,
    std::shared_ptr<const gguf::ByteSource> source, std::vector<std::size_t> tensors, bool wholeFile)
{
    cancel();
    m_task = task;
    m_done = m_total = 0;
    m_failure.clear();
    m_stop = std::stop_source();
    const quint64 generation = ++m_generation;
    // The mailbox is closed before `this` dies, and wakes nobody after that.
    m_mailbox = std::make_shared<Mailbox<DataNews>>([this, generation] {
        QMetaObject::invokeMethod(
            this, [this, generation] { receive(generation); }, Qt::QueuedConnection);
    });
    Workers::run([order = DataOrder{task, document, std::move(source), std::move(tensors), wholeFile,
                      m_stop.get_token(), m_mailbox}] { order.run(); },
        [mailbox = m_mailbox](const std::string& sentence) {
            mailbox->post([&sentence](DataNews& news) {
                news.finished = true;
                news.failure = sentence;
            });
        });
    emit started();
}

void DataWorker::cancel()
{
    if (!m_mailbox)
        return;
    letGo();
    emit finished(true);
}

void DataWorker::letGo()
{
    if (!m_mailbox)
        return;
    m_stop.request_stop();
    m_mailbox->close();
    m_mailbox.reset();
}

void DataWorker::receive(quint64 generation)
{
    // A wake-up of an older task may still lie in the event queue.
    if (generation != m_generation || !m_mailbox)
        return;
    const std::optional<DataNews> news = m_mailbox->take();
    if (!news)
        return;
    if (news->total != 0) {
        m_done = news->done;
        m_total = news->total;
    }
    // Whoever hears of one thing may start or cancel another.
    if (!news->scans.empty())
        emit scansFound(news->scans);
    if (generation == m_generation && m_mailbox && !news->hashes.empty())
        emit hashesFound(news->hashes);
    if (generation == m_generation && m_mailbox)
        emit progressChanged();
    if (generation == m_generation && m_mailbox && news->finished) {
        letGo();
        m_failure = QString::fromStdString(news->failure);
        emit finished(false);
    }
}
