// SPDX-License-Identifier: GPL-3.0-or-later
#include "load/documentloader.h"

#include "document/text.h"
#include "io/partsource.h"
#include "load/loadworker.h"
#include "load/workers.h"

#include <QFile>
#include <QFileInfo>
#include <QPointer>

#include <cerrno>

namespace {

std::filesystem::path nativePath(const QString& path)
{
#ifdef Q_OS_WIN
    return std::filesystem::path(path.toStdWString());
#else
    return std::filesystem::path(QFile::encodeName(path).toStdString());
#endif
}

QString pathText(const std::filesystem::path& path)
{
#ifdef Q_OS_WIN
    return QString::fromStdWString(path.wstring());
#else
    return QFile::decodeName(QByteArray::fromStdString(path.string()));
#endif
}

} // namespace

DocumentLoader::DocumentLoader(QObject* parent)
    : QObject(parent)
    , m_dropped(std::make_shared<std::atomic<std::uint64_t>>(0))
{
}

DocumentLoader::~DocumentLoader()
{
    letGo();
}

void DocumentLoader::open(const QString& path)
{
    m_path = m_filePath = path;
    const std::string name = QFileInfo(path).fileName().toStdString();
    m_name = QString::fromStdString(gguf::visibleText(name));
    m_given.reset();
    LoadOrder order;
    order.path = nativePath(path);
    order.fileName = name;
    start(std::move(order));
}

void DocumentLoader::open(
    std::shared_ptr<const gguf::ByteSource> source, const QString& name, const QString& path)
{
    openSource(std::move(source), name, path, path);
}

void DocumentLoader::openPart(quint64 offset, const QString& name)
{
    if (!m_source || offset > m_source->size())
        return;
    const gguf::ByteRange rest{offset, m_source->size() - offset};
    openSource(std::make_shared<gguf::PartSource>(m_source, rest), name, {}, QString(m_filePath));
}

void DocumentLoader::openSource(
    std::shared_ptr<const gguf::ByteSource> source, const QString& name, const QString& path, const QString& filePath)
{
    m_path = path;
    m_filePath = filePath;
    m_name = name;
    m_given = source;
    LoadOrder order;
    order.source = std::move(source);
    order.fileName = m_name.toStdString();
    start(std::move(order));
}

void DocumentLoader::reload()
{
    if (m_given)
        openSource(std::shared_ptr(m_given), QString(m_name), QString(m_path), QString(m_filePath));
    else if (!m_path.isEmpty())
        open(QString(m_path));
}

void DocumentLoader::start(LoadOrder order)
{
    letGo();
    const quint64 generation = ++m_generation;
    m_state = State::Loading;
    m_error.clear();
    m_document = {};
    m_source.reset();
    m_stamp = {};
    m_linkTarget.clear();
    m_folderFiles.clear();
    m_isFolder = false;
    m_bytesRead = 0;

    m_stop = std::stop_source();
    // The mailbox is closed before `this` dies, and calls nobody after that; an event that already lies in the
    // queue dies with its receiver.
    m_mailbox = std::make_shared<LoadMailbox>([this, generation] {
        QMetaObject::invokeMethod(this, [this, generation] { receive(generation); }, Qt::QueuedConnection);
    });
    order.stop = m_stop.get_token();
    order.mailbox = m_mailbox;
    order.refused = m_dropped;

    const QPointer<DocumentLoader> self(this);
    emit started();
    if (!self || m_generation != generation)
        return; // somebody who heard it opened something else
    Workers::run([order] { runLoad(order); }, [order](const std::string& sentence) { failLoad(order, sentence); });
}

void DocumentLoader::letGo()
{
    m_stop.request_stop();
    if (m_mailbox)
        m_mailbox->close();
    m_mailbox.reset();
    m_inspecting = false;
}

void DocumentLoader::cancel()
{
    if (m_state == State::Loading) {
        letGo();
        m_state = State::Cancelled;
        emit stateChanged();
    } else if (m_inspecting) {
        letGo();
        emit inspected();
    }
}

void DocumentLoader::receive(quint64 generation)
{
    if (generation != m_generation || !m_mailbox) {
        m_dropped->fetch_add(1);
        return;
    }
    if (std::optional<LoadNews> news = m_mailbox->take())
        accept(std::move(*news));
}

/// What is wrong and what to do, where the system's own words for it are terse.
QString DocumentLoader::sentenceFor(const gguf::IoError& error)
{
    switch (error.code) {
    case ENOENT:
    case ENOTDIR:
        return tr("There is no such file. It may have been moved or deleted, or be a link that leads nowhere.");
    case EACCES:
    case EPERM:
        return tr("You do not have permission to read this file.");
    case EIO:
        return tr("The disk or network that holds this file reports an error.");
    case ELOOP:
        return tr("This link leads back to itself.");
    case ENAMETOOLONG:
        return tr("This file name is too long.");
    default:
        break;
    }
    const QString message = QString::fromStdString(error.message);
    return message.isEmpty() || message.endsWith(u'.') ? message : tr("The file cannot be read: %1.").arg(message);
}

void DocumentLoader::accept(LoadNews news)
{
    if (news.source) {
        m_source = std::move(news.source);
        m_stamp = news.stamp;
    }
    if (news.note) {
        m_linkTarget = pathText(news.note->linkTarget);
        m_isFolder = news.note->isFolder;
        for (const std::filesystem::path& file : news.note->folderFiles)
            m_folderFiles.append(pathText(file));
    }
    const bool grew = news.document.has_value();
    if (grew)
        m_document = *std::move(news.document);
    const bool moved = news.bytesRead > m_bytesRead;
    if (moved)
        m_bytesRead = news.bytesRead;

    const bool ended = m_state == State::Loading && (news.parsed || news.failure);
    if (ended) {
        m_state = State::Loaded;
        m_inspecting = !news.inspected;
        if (news.failure && !news.parsed)
            fail(sentenceFor(*news.failure));
        else if (m_document.status() == gguf::Status::Unreadable)
            fail(sentenceFor(m_document.readError()));
    }
    const bool lastNews = m_state == State::Loaded && (news.inspected || news.failure);
    if (lastNews) {
        m_inspecting = false;
        if (news.failure)
            m_error = sentenceFor(*news.failure);
    }

    // Whoever hears a signal may open another file or delete the loader: then the rest is out of date.
    const QPointer<DocumentLoader> self(this);
    const auto current = [self, generation = m_generation, state = m_state] {
        return self && self->m_generation == generation && self->m_state == state;
    };
    if (grew)
        emit documentChanged();
    if (moved && current())
        emit progressChanged();
    if (ended && current())
        emit stateChanged();
    if (lastNews && current())
        emit inspected();
}

void DocumentLoader::fail(const QString& sentence)
{
    m_state = State::Failed;
    m_inspecting = false;
    m_error = sentence.isEmpty() ? tr("The file cannot be read.") : sentence;
    if (m_mailbox)
        m_mailbox->close();
}
