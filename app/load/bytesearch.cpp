// SPDX-License-Identifier: GPL-3.0-or-later
#include "load/bytesearch.h"

#include "load/mailbox.h"
#include "load/workers.h"

struct SearchNews
{
    quint64 searched = 0;
    bool ended = false;
    bool wrapped = false;
    FindResult result;
    std::string failure;
};

ByteSearch::ByteSearch(QObject* parent)
    : QObject(parent)
{
}

ByteSearch::~ByteSearch()
{
    cancel();
}

void ByteSearch::start(
    std::shared_ptr<const gguf::ByteSource> source, const BytePattern& pattern, quint64 from, bool forwards)
{
    cancel();
    if (!source)
        return;
    const quint64 generation = ++m_generation;
    m_total = source->size();
    m_length = pattern.length();
    m_stop = std::stop_source();
    m_mailbox = std::make_shared<Mailbox<SearchNews>>([this, generation] {
        QMetaObject::invokeMethod(this, [this, generation] { receive(generation); }, Qt::QueuedConnection);
    });
    const auto work = [source = std::move(source), pattern, from, forwards, mailbox = m_mailbox,
                          stop = m_stop.get_token()] {
        quint64 before = 0;
        const auto tell = [&](std::uint64_t searched) {
            return !stop.stop_requested()
                && mailbox->post([&](SearchNews& news) { news.searched = before + searched; });
        };
        const quint64 size = source->size();
        const quint64 middle = std::min<quint64>(from, size);
        bool wrapped = false;
        FindResult result = forwards ? findPattern(*source, pattern, middle, size, true, tell)
                                     : findPattern(*source, pattern, 0, middle, false, tell);
        if (!result.offset && !result.stopped) {
            wrapped = true;
            before = forwards ? size - middle : middle;
            const FindResult first = std::move(result);
            result = forwards ? findPattern(*source, pattern, 0, middle, true, tell)
                              : findPattern(*source, pattern, middle, size, false, tell);
            result.skipped += first.skipped;
            if (first.error) {
                result.error = first.error;
                result.firstSkipped = first.firstSkipped;
            }
        }
        mailbox->post([&](SearchNews& news) {
            news.ended = true;
            news.wrapped = wrapped;
            news.result = std::move(result);
        });
    };
    Workers::run(work, [mailbox = m_mailbox](const std::string& sentence) {
        mailbox->post([&sentence](SearchNews& news) {
            news.ended = true;
            news.failure = sentence;
        });
    });
}

bool ByteSearch::isRunning() const
{
    return m_mailbox != nullptr;
}

void ByteSearch::cancel()
{
    if (!m_mailbox)
        return;
    m_stop.request_stop();
    m_mailbox->close();
    m_mailbox.reset();
}

void ByteSearch::receive(quint64 generation)
{
    if (generation != m_generation || !m_mailbox)
        return;
    const std::optional<SearchNews> news = m_mailbox->take();
    if (!news)
        return;
    if (!news->ended) {
        emit progress(news->searched, m_total);
        return;
    }
    cancel(); // it has ended: isRunning() is false before anybody hears of it
    if (!news->failure.empty()) {
        emit failed(QString::fromStdString(news->failure));
        return;
    }
    const FindResult& result = news->result;
    if (result.error)
        emit skipped(result.skipped, result.firstSkipped, QString::fromStdString(result.error.message));
    if (m_mailbox)
        return; // who heard it began another search
    if (result.offset)
        emit found(*result.offset, m_length, news->wrapped);
    else
        emit notFound();
}
