// SPDX-License-Identifier: GPL-3.0-or-later
#include "load/blockcache.h"

#include "load/mailbox.h"
#include "load/workers.h"

#include <algorithm>
#include <deque>
#include <limits>
#include <mutex>
#include <string>
#include <utility>

struct BlockNews
{
    struct Read
    {
        std::uint64_t number;
        std::vector<std::byte> bytes;
        std::string error;
    };
    std::vector<Read> blocks;
};

/// What cache and reader share.
struct BlockQueue
{
    std::mutex mutex;
    std::deque<std::uint64_t> wishes; ///< next first
    std::uint64_t reading = UINT64_MAX; ///< the block that is read now
    bool readerRuns = false;
    bool closed = false;
};

namespace {

using BlockMailbox = Mailbox<BlockNews>;

BlockNews::Read readBlock(const gguf::ByteSource& source, std::uint64_t number, std::uint64_t size)
{
    BlockNews::Read read{number, {}, {}};
    const std::uint64_t offset = number * BlockCache::kBlockSize;
    read.bytes.resize(static_cast<std::size_t>(std::min(BlockCache::kBlockSize, size - offset)));
    std::size_t filled = 0;
    while (filled < read.bytes.size()) {
        const gguf::ReadResult result = source.read(offset + filled, std::span(read.bytes).subspan(filled));
        filled += result.bytes;
        if (result.error) {
            read.error = result.error.message;
            break;
        }
        if (result.bytes == 0) {
            read.error = "The file has become shorter since it was opened.";
            break;
        }
    }
    read.bytes.resize(filled);
    return read;
}

void readWishes(const std::shared_ptr<const gguf::ByteSource>& source, const std::shared_ptr<BlockQueue>& queue,
    const std::shared_ptr<BlockMailbox>& mailbox, std::uint64_t size)
{
    for (;;) {
        std::uint64_t number = 0;
        {
            const std::lock_guard lock(queue->mutex);
            queue->reading = UINT64_MAX;
            if (queue->closed || queue->wishes.empty()) {
                queue->readerRuns = false;
                return;
            }
            number = queue->wishes.front();
            queue->wishes.pop_front();
            queue->reading = number;
        }
        BlockNews::Read read = readBlock(*source, number, size);
        if (!mailbox->post([&read](BlockNews& news) { news.blocks.push_back(std::move(read)); }))
            return;
    }
}

} // namespace

BlockCache::BlockCache(QObject* parent)
    : QObject(parent)
{
    m_sendTimer.setSingleShot(true);
    m_sendTimer.setInterval(0);
    connect(&m_sendTimer, &QTimer::timeout, this, &BlockCache::sendWishes);
}

BlockCache::~BlockCache()
{
    letGo();
}

void BlockCache::setSource(std::shared_ptr<const gguf::ByteSource> source)
{
    letGo();
    m_blocks.clear();
    m_wishes.clear();
    m_window = {};
    m_source = std::move(source);
    m_size = m_source ? std::min<std::uint64_t>(m_source->size(), std::numeric_limits<std::int64_t>::max()) : 0;
    const std::uint64_t generation = ++m_generation;
    m_queue = std::make_shared<BlockQueue>();
    m_mailbox = std::make_shared<BlockMailbox>([this, generation] {
        QMetaObject::invokeMethod(this, [this, generation] { receive(generation); }, Qt::QueuedConnection);
    });
}

BlockCache::State BlockCache::state(std::uint64_t offset) const
{
    const std::uint64_t number = offset / kBlockSize;
    if (const auto found = m_blocks.find(number); found != m_blocks.end())
        return offset % kBlockSize < found->second.bytes.size() ? State::Present : State::Failed;
    if (std::find(m_wishes.begin(), m_wishes.end(), number) != m_wishes.end())
        return State::Wanted;
    if (!m_queue)
        return State::Absent;
    const std::lock_guard lock(m_queue->mutex);
    const bool sent = m_queue->reading == number
        || std::find(m_queue->wishes.begin(), m_queue->wishes.end(), number) != m_queue->wishes.end();
    return sent ? State::Wanted : State::Absent;
}

BlockCache::Run BlockCache::bytesAt(std::uint64_t offset, std::uint64_t length)
{
    if (offset >= m_size || length == 0)
        return {};
    const std::uint64_t number = offset / kBlockSize;
    const std::uint64_t inside = offset % kBlockSize;
    const std::uint64_t most = std::min(length, blockLength(number) - inside);
    const auto found = m_blocks.find(number);
    if (found == m_blocks.end()) {
        wish(number);
        return {State::Wanted, most, {}};
    }
    Block& block = found->second;
    block.used = ++m_clock;
    if (inside >= block.bytes.size())
        return {State::Failed, most, {}};
    const std::uint64_t present = std::min<std::uint64_t>(most, block.bytes.size() - inside);
    return {State::Present, present,
        std::span(block.bytes).subspan(static_cast<std::size_t>(inside), static_cast<std::size_t>(present))};
}

std::vector<std::byte> BlockCache::copy(gguf::ByteRange range)
{
    std::vector<std::byte> bytes;
    bool complete = range.end() <= m_size;
    std::uint64_t offset = range.offset;
    while (offset < std::min(range.end(), m_size)) {
        const Run run = bytesAt(offset, range.end() - offset);
        if (run.state == State::Present && complete)
            bytes.insert(bytes.end(), run.bytes.begin(), run.bytes.end());
        else
            complete = false; // go on, to ask for all that is absent
        offset += run.length;
    }
    if (!complete)
        bytes.clear();
    return bytes;
}

QString BlockCache::error(std::uint64_t offset) const
{
    const auto found = m_blocks.find(offset / kBlockSize);
    return found == m_blocks.end() || offset % kBlockSize < found->second.bytes.size() ? QString() : found->second.error;
}

void BlockCache::setWindow(gguf::ByteRange window)
{
    m_window = window;
}

void BlockCache::retryFailed()
{
    std::erase_if(m_blocks, [this](const auto& item) { return item.second.bytes.size() < blockLength(item.first); });
    emit changed(0, m_size);
}

std::size_t BlockCache::waitingWishes() const
{
    if (!m_queue)
        return 0;
    const std::lock_guard lock(m_queue->mutex);
    return m_queue->wishes.size();
}

std::uint64_t BlockCache::blockLength(std::uint64_t number) const
{
    return std::min(kBlockSize, m_size - number * kBlockSize);
}

void BlockCache::wish(std::uint64_t number)
{
    if (std::find(m_wishes.begin(), m_wishes.end(), number) == m_wishes.end())
        m_wishes.push_back(number);
    if (!m_sendTimer.isActive())
        m_sendTimer.start();
}

void BlockCache::sendWishes()
{
    if (!m_source || m_wishes.empty())
        return;
    const std::uint64_t around = m_window.length + kBlockSize;
    const std::uint64_t first = (m_window.offset > around ? m_window.offset - around : 0) / kBlockSize;
    const std::uint64_t last = (m_window.end() > m_size - std::min(m_size, around) ? m_size : m_window.end() + around) / kBlockSize;
    bool start = false;
    {
        const std::lock_guard lock(m_queue->mutex);
        std::deque<std::uint64_t> wishes;
        for (const std::uint64_t number : m_wishes) {
            if (number != m_queue->reading)
                wishes.push_back(number);
        }
        for (const std::uint64_t number : m_queue->wishes) {
            if (std::find(wishes.begin(), wishes.end(), number) != wishes.end())
                continue;
            if (number >= first && number <= last)
                wishes.push_back(number);
            else
                ++m_droppedWishes;
        }
        m_queue->wishes = std::move(wishes);
        start = !m_queue->readerRuns && !m_queue->wishes.empty();
        m_queue->readerRuns = m_queue->readerRuns || start;
    }
    m_wishes.clear();
    if (start) {
        Workers::run([source = m_source, queue = m_queue, mailbox = m_mailbox,
                         size = m_size] { readWishes(source, queue, mailbox, size); },
            [queue = m_queue, mailbox = m_mailbox](const std::string& sentence) {
                std::vector<std::uint64_t> failed;
                {
                    const std::lock_guard lock(queue->mutex);
                    queue->readerRuns = false;
                    const std::uint64_t number = std::exchange(queue->reading, UINT64_MAX);
                    if (number != UINT64_MAX) {
                        failed.push_back(number);
                    } else { // there is no thread: what remains absent would be wished for again at once, without end
                        failed.assign(queue->wishes.begin(), queue->wishes.end());
                        queue->wishes.clear();
                    }
                }
                mailbox->post([&](BlockNews& news) {
                    for (const std::uint64_t number : failed)
                        news.blocks.push_back({number, {}, sentence});
                });
            });
    }
}

void BlockCache::receive(std::uint64_t generation)
{
    if (generation != m_generation)
        return; // of a file that was let go while this lay in the event queue
    std::optional<BlockNews> news = m_mailbox->take();
    if (!news)
        return;
    for (BlockNews::Read& read : news->blocks)
        m_blocks[read.number] = {std::move(read.bytes), QString::fromStdString(read.error), ++m_clock};
    evict();
    for (const BlockNews::Read& read : news->blocks)
        emit changed(read.number * kBlockSize, blockLength(read.number));
}

void BlockCache::letGo()
{
    if (!m_queue)
        return;
    m_mailbox->close();
    const std::lock_guard lock(m_queue->mutex);
    m_queue->closed = true;
    m_queue->wishes.clear();
}

void BlockCache::evict()
{
    while (m_blocks.size() > kMaxBlocks) {
        const auto oldest = std::min_element(m_blocks.begin(), m_blocks.end(),
            [](const auto& a, const auto& b) { return a.second.used < b.second.used; });
        m_blocks.erase(oldest);
    }
}
