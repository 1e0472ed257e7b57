// SPDX-License-Identifier: GPL-3.0-or-later
#include "load/loadworker.h"

#include "io/filesource.h"
#include "parse/parser.h"

namespace {

using Source = std::shared_ptr<const gguf::ByteSource>;

/// Posts to the mailbox and counts what it refuses.
class Postman final : public gguf::ParseSink
{
public:
    explicit Postman(const LoadOrder& order)
        : m_order(order)
    {
    }

    template <class Change>
    void post(const Change& change) const
    {
        if (!m_order.mailbox->post(change))
            m_order.refused->fetch_add(1, std::memory_order_relaxed);
    }

    void snapshot(const gguf::Document& document) override
    {
        post([&document](LoadNews& news) { news.document = document; });
    }
    void progress(std::uint64_t bytesRead) override
    {
        m_bytesRead = bytesRead;
        post([bytesRead](LoadNews& news) { news.bytesRead = bytesRead; });
    }
    std::uint64_t bytesRead() const { return m_bytesRead; }

private:
    const LoadOrder& m_order;
    std::uint64_t m_bytesRead = 0;
};

} // namespace

void runLoad(const LoadOrder& order)
{
    Postman postman(order);
    Source source = order.source;
    FileStamp stamp;
    if (!source) {
        postman.post([note = PathNote::of(order.path)](LoadNews& news) { news.note = note; });
        stamp = FileStamp::of(order.path);
        const auto opened = gguf::FileSource::open(order.path);
        if (const auto* error = std::get_if<gguf::IoError>(&opened)) {
            postman.post([error](LoadNews& news) { news.failure = *error; });
            return;
        }
        source = std::get<std::shared_ptr<const gguf::FileSource>>(opened);
    }
    postman.post([&source, &stamp](LoadNews& news) {
        news.source = source;
        news.stamp = stamp;
    });

    gguf::ParseOptions options;
    options.fileName = order.fileName;
    options.stop = order.stop;
    options.sink = &postman;
    gguf::Document document = gguf::parse(*source, options);
    postman.post([&document, &postman](LoadNews& news) {
        news.document = document;
        news.bytesRead = postman.bytesRead();
        news.parsed = true;
    });

    options.sink = nullptr; // its Problems come at once
    const gguf::Status status = document.status();
    if (!order.stop.stop_requested() && (status == gguf::Status::Ok || status == gguf::Status::Partial))
        document = gguf::inspectData(std::move(document), *source, options);
    postman.post([&document, &postman](LoadNews& news) {
        news.document = document;
        news.bytesRead = postman.bytesRead();
        news.inspected = true;
    });
}

void failLoad(const LoadOrder& order, const std::string& sentence)
{
    Postman(order).post([&sentence](LoadNews& news) { news.failure = gguf::IoError{-1, sentence}; });
}
