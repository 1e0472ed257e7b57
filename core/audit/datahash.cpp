// SPDX-License-Identifier: GPL-3.0-or-later
#include "audit/datahash.h"

#include "audit/crew.h"
#include "format/arithmetic.h"

#include <algorithm>
#include <mutex>

namespace gguf {

namespace {

constexpr std::size_t kPiece = 1u << 20;

struct Task
{
    std::optional<ByteRange> range; ///< of bytes that must all be there; nothing: unknown
};

class Hashing
{
public:
    Hashing(const ByteSource& source, const HashOptions& options)
        : m_source(source)
        , m_options(options)
    {
    }

    void add(std::optional<std::size_t> tensor, std::optional<ByteRange> range)
    {
        m_results.push_back({tensor, 0, std::nullopt, {}});
        m_tasks.push_back({range});
        const std::uint64_t size = m_source.size();
        if (range && range->offset < size) // many tensors may claim the same bytes
            m_total = saturatingAdd(m_total, std::min(range->length, size - range->offset));
    }

    std::vector<DataHash> run()
    {
        workTogether(2, [this](const std::atomic<bool>& failed) { work(failed); });
        return std::move(m_results);
    }

private:
    void work(const std::atomic<bool>& failed)
    {
        std::vector<std::byte> buffer(kPiece);
        for (;;) {
            std::size_t task = 0;
            {
                const std::lock_guard lock(m_mutex);
                if (m_next == m_tasks.size() || failed || m_options.stop.stop_requested())
                    return;
                task = m_next++;
            }
            DataHash hash = m_results[task];
            compute(m_tasks[task], buffer, hash, failed);
            if (failed || m_options.stop.stop_requested())
                return;
            const std::lock_guard lock(m_mutex);
            m_results[task] = hash;
            if (m_options.finished)
                m_options.finished(hash);
        }
    }

    void compute(const Task& task, std::span<std::byte> buffer, DataHash& hash, const std::atomic<bool>& failed)
    {
        if (!task.range)
            return;
        const auto digest = m_options.makeDigest();
        while (hash.bytes < task.range->length && !failed && !m_options.stop.stop_requested()) {
            const std::uint64_t left = task.range->length - hash.bytes;
            const auto piece = buffer.first(static_cast<std::size_t>(std::min<std::uint64_t>(left, kPiece)));
            const ReadResult read = m_source.read(task.range->offset + hash.bytes, piece);
            digest->add(piece.first(read.bytes));
            hash.bytes += read.bytes;
            tell(read.bytes);
            if (read.error || read.bytes == 0) {
                hash.error = read.error;
                return;
            }
        }
        if (hash.bytes == task.range->length)
            hash.sha256 = digest->result();
    }

    void tell(std::uint64_t bytes)
    {
        const std::lock_guard lock(m_mutex);
        m_done += bytes;
        if (m_options.progress)
            m_options.progress(m_done, m_total);
    }

    const ByteSource& m_source;
    const HashOptions& m_options;
    std::vector<Task> m_tasks;
    std::vector<DataHash> m_results;
    std::uint64_t m_total = 0;

    std::mutex m_mutex; ///< guards m_results while threads run, and what follows
    std::size_t m_next = 0;
    std::uint64_t m_done = 0;
};

int digitValue(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

bool isWordCharacter(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

} // namespace

std::vector<DataHash> hashData(const Document& document, const ByteSource& source,
    std::span<const std::size_t> tensors, const HashOptions& options)
{
    Hashing hashing(source, options);
    if (options.wholeFile) // first, since it takes longest
        hashing.add(std::nullopt, ByteRange{0, source.size()});
    for (const std::size_t tensor : tensors)
        hashing.add(tensor, document.tensor(tensor).dataRange());
    return hashing.run();
}

std::string sha256Text(const Sha256& hash)
{
    constexpr char kDigits[] = "0123456789abcdef";
    std::string text;
    for (const std::byte byte : hash) {
        text += kDigits[std::to_integer<unsigned>(byte) >> 4];
        text += kDigits[std::to_integer<unsigned>(byte) & 15];
    }
    return text;
}

std::optional<Sha256> findSha256(std::string_view text)
{
    constexpr std::size_t kDigits = 64;
    std::optional<Sha256> found;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = at;
        bool onlyDigits = true;
        for (; end < text.size() && isWordCharacter(text[end]); ++end)
            onlyDigits = onlyDigits && digitValue(text[end]) >= 0;
        if (onlyDigits && end - at == kDigits) {
            Sha256 hash;
            for (std::size_t i = 0; i < hash.size(); ++i) {
                const int value = digitValue(text[at + 2 * i]) * 16 + digitValue(text[at + 2 * i + 1]);
                hash[i] = std::byte{static_cast<unsigned char>(value)};
            }
            if (found && *found != hash)
                return std::nullopt;
            found = hash;
        }
        at = std::max(end, at + 1);
    }
    return found;
}

} // namespace gguf
