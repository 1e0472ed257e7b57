// SPDX-License-Identifier: GPL-3.0-or-later
#include "load/rangesaver.h"

#include "load/mailbox.h"
#include "load/savefile.h"
#include "load/shownfile.h"
#include "load/workers.h"

#include <QCoreApplication>

#include <algorithm>
#include <vector>

struct SaveNews
{
    quint64 written = 0;
    bool ended = false;
    QString error;
};

namespace {

constexpr std::uint64_t kPiece = 1024 * 1024;

QString sentence(const char* text)
{
    return QCoreApplication::translate("RangeSaver", text);
}

/// Empty if all went well; also after stop, when nobody hears it.
QString saveRange(const gguf::ByteSource& source, gguf::ByteRange range, const QString& path,
    const QString& protectedPath, const std::stop_token& stop, const std::function<bool(quint64)>& tell)
{
    if (ShownFile::isSame(path, protectedPath))
        return ShownFile::refusal();
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        return file.errorString();
    std::vector<std::byte> buffer(static_cast<std::size_t>(std::min(kPiece, std::max<std::uint64_t>(1, range.length))));
    std::uint64_t written = 0;
    while (written < range.length) {
        const auto piece = static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), range.length - written));
        const gguf::ReadResult read = source.read(range.offset + written, std::span(buffer).first(piece));
        if (read.error)
            return QString::fromStdString(read.error.message);
        if (read.bytes == 0)
            return sentence("The file has become shorter since it was opened.");
        const auto bytes = static_cast<qint64>(read.bytes);
        if (file.write(reinterpret_cast<const char*>(buffer.data()), bytes) != bytes)
            return file.errorString();
        written += read.bytes;
        if (stop.stop_requested() || !tell(written))
            return {}; // the temporary file goes with `file`
    }
    return commitWhole(file) ? QString() : file.errorString();
}

} // namespace

RangeSaver::RangeSaver(QObject* parent)
    : QObject(parent)
{
}

RangeSaver::~RangeSaver()
{
    cancel();
}

void RangeSaver::save(std::shared_ptr<const gguf::ByteSource> source, gguf::ByteRange range, const QString& path,
    const QString& protectedPath)
{
    cancel();
    if (!source)
        return;
    const quint64 generation = ++m_generation;
    m_total = range.length;
    m_path = path;
    m_stop = std::stop_source();
    m_mailbox = std::make_shared<Mailbox<SaveNews>>([this, generation] {
        QMetaObject::invokeMethod(this, [this, generation] { receive(generation); }, Qt::QueuedConnection);
    });
    const auto end = [mailbox = m_mailbox](const QString& error) {
        mailbox->post([&error](SaveNews& news) {
            news.ended = true;
            news.error = error;
        });
    };
    const auto work = [source = std::move(source), range, path, protectedPath, mailbox = m_mailbox,
                          stop = m_stop.get_token(), end] {
        const QString error = saveRange(*source, range, path, protectedPath, stop, [&mailbox](quint64 written) {
            return mailbox->post([written](SaveNews& news) { news.written = written; });
        });
        end(error);
    };
    Workers::run(work, [end](const std::string& sentence) { end(QString::fromStdString(sentence)); });
}

bool RangeSaver::isRunning() const
{
    return m_mailbox != nullptr;
}

void RangeSaver::cancel()
{
    if (!m_mailbox)
        return;
    m_stop.request_stop();
    m_mailbox->close();
    m_mailbox.reset();
}

void RangeSaver::receive(quint64 generation)
{
    if (generation != m_generation || !m_mailbox)
        return;
    const std::optional<SaveNews> news = m_mailbox->take();
    if (!news)
        return;
    if (!news->ended) {
        emit progress(news->written, m_total);
        return;
    }
    cancel();
    if (news->error.isEmpty())
        emit saved(m_path, m_total);
    else
        emit failed(m_path, news->error);
}
