// SPDX-License-Identifier: GPL-3.0-or-later
#include "audit/datascan.h"

#include "audit/crew.h"
#include "audit/finitecheck.h"
#include "format/arithmetic.h"
#include "quant/dequantize.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <tuple>
#include <unordered_map>

namespace gguf {

namespace {

/// Large enough that a read costs little beside its bytes, small enough to stay in the processor's cache.
constexpr std::uint64_t kPiece = 512 * 1024;
/// The same where values are gathered: counters for the histogram are merged after each piece.
constexpr std::uint64_t kPieceOfValues = 4 * kPiece;
/// Progress is told each time so many bytes are done.
constexpr std::uint64_t kProgressStep = 8u << 20;
/// Floats dequantized at a time.
constexpr std::size_t kBatch = 8192;

/// A tensor being scanned.
struct Job
{
    std::size_t index = 0; ///< of the result
    Tensor tensor;
    ByteRange range; ///< of the data that the file really has
    std::unique_ptr<FiniteCheck> check;
    std::uint64_t pieceBytes = kPiece; ///< whole units of the check and whole blocks
    std::uint64_t pieces = 0;
    bool gathers = false; ///< statistics

    // Guarded by Scan's mutex
    std::uint64_t merged = 0; ///< pieces
    std::uint64_t joined = 0; ///< pieces whose zeros are joined
    std::map<std::uint64_t, PieceZeros> waiting; ///< zeros of pieces that came before their turn
    ZeroJoiner zeros;
    bool onlyZeros = true;
    std::unique_ptr<ValueGatherer> values;
};

/// What one thread found in one piece.
struct PieceResult
{
    std::uint64_t bytes = 0;
    IoError error;
    std::uint64_t units = 0, badUnits = 0;
    std::optional<FiniteCheck::Bad> firstBad; ///< unit counted from the piece's start
    PieceZeros zeros;
    std::unique_ptr<ValueGatherer> values;
};

class Scan
{
public:
    Scan(const Document& document, const ByteSource& source, std::span<const std::size_t> tensors,
        const DataScanOptions& options);
    std::vector<TensorScan> run();

private:
    struct Task
    {
        std::shared_ptr<Job> job;
        std::uint64_t piece = 0;
    };
    /// What a thread reuses from piece to piece.
    struct Workspace
    {
        std::vector<std::byte> bytes;
        std::vector<float> floats;
    };
    /// The tensor's data as far as the file has it; nothing where it is not known.
    std::optional<ByteRange> presentRange(const Tensor& tensor) const;

    std::shared_ptr<Job> makeJob(std::size_t index) const;
    void work(const std::atomic<bool>& failed);
    std::optional<Task> next();
    PieceResult scanPiece(const Task& task, Workspace& workspace) const;
    void gather(const Job& job, std::span<const std::byte> bytes, std::vector<float>& floats,
        ValueGatherer& values) const;
    void merge(const Task& task, PieceResult piece);
    void finish(Job& job);

    const Document& m_document;
    const ByteSource& m_source;
    const DataScanOptions& m_options;
    std::vector<TensorScan> m_results;
    std::uint64_t m_total = 0;
    std::unordered_map<std::size_t, std::vector<std::size_t>> m_alike; ///< by result: those that are to be the same
    std::vector<bool> m_isRepeated; ///< by result: stands in m_alike

    std::mutex m_mutex;
    std::size_t m_nextTensor = 0;
    Task m_task; ///< the next piece to hand out
    std::uint64_t m_done = 0, m_told = 0;
};

Scan::Scan(const Document& document, const ByteSource& source, std::span<const std::size_t> tensors,
    const DataScanOptions& options)
    : m_document(document)
    , m_source(source)
    , m_options(options)
    , m_results(tensors.size())
    , m_isRepeated(tensors.size())
{
    // Many tensors may claim the same bytes: what is the same is looked at once.
    using Claim = std::tuple<std::uint64_t, std::uint64_t, std::uint32_t, std::uint64_t>;
    std::map<Claim, std::size_t> claims;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        m_results[i].tensor = tensors[i];
        const Tensor tensor = m_document.tensor(tensors[i]);
        const auto range = presentRange(tensor);
        if (!range)
            continue;
        const Claim claim(range->offset, tensor.dataBytes.value_or(0), tensor.typeId, tensor.rowBytes.value_or(0));
        const auto first = claims.try_emplace(claim, i).first->second;
        if (first == i) {
            m_total = saturatingAdd(m_total, range->length);
        } else {
            m_alike[first].push_back(i);
            m_isRepeated[i] = true;
        }
    }
}

std::optional<ByteRange> Scan::presentRange(const Tensor& tensor) const
{
    auto range = tensor.dataRange();
    if (range) {
        const std::uint64_t size = m_source.size();
        range->length = range->offset >= size ? 0 : std::min(range->length, size - range->offset);
    }
    return range;
}

std::shared_ptr<Job> Scan::makeJob(std::size_t index) const
{
    auto job = std::make_shared<Job>();
    job->index = index;
    job->tensor = m_document.tensor(m_results[index].tensor);
    const auto range = presentRange(job->tensor);
    if (!range || range->length == 0 || !job->tensor.type || !job->tensor.rowBytes)
        return job;
    job->range = *range;
    const std::uint64_t rows = job->tensor.dataBytes.value_or(0) / *job->tensor.rowBytes;
    job->check = std::make_unique<FiniteCheck>(*job->tensor.type, *job->tensor.rowBytes, rows);
    job->gathers = m_options.statistics && canDequantize(*job->tensor.type);
    const std::uint64_t unit = std::max<std::uint64_t>(
        job->check->judges() ? job->check->unitBytes() : 1, job->gathers ? job->tensor.type->blockBytes : 1);
    const std::uint64_t piece = job->gathers ? kPieceOfValues : kPiece;
    job->pieceBytes = std::max<std::uint64_t>(1, piece / unit) * unit;
    job->pieces = job->range.length / job->pieceBytes + (job->range.length % job->pieceBytes != 0 ? 1 : 0);
    if (job->gathers)
        job->values = std::make_unique<ValueGatherer>();
    return job;
}

/// The next piece, or nothing when all are handed out.
std::optional<Scan::Task> Scan::next()
{
    const std::lock_guard lock(m_mutex);
    while (!m_task.job || m_task.piece == m_task.job->pieces) {
        while (m_nextTensor < m_results.size() && m_isRepeated[m_nextTensor])
            ++m_nextTensor;
        if (m_nextTensor == m_results.size())
            return std::nullopt;
        m_task = {makeJob(m_nextTensor++), 0};
        if (m_task.job->pieces == 0)
            finish(*m_task.job);
    }
    Task task = m_task;
    ++m_task.piece;
    return task;
}

PieceResult Scan::scanPiece(const Task& task, Workspace& workspace) const
{
    const Job& job = *task.job;
    const std::uint64_t begin = task.piece * job.pieceBytes;
    const std::uint64_t length = std::min(job.pieceBytes, job.range.length - begin);
    workspace.bytes.resize(std::max<std::size_t>(workspace.bytes.size(), length));
    const std::span<std::byte> buffer = std::span(workspace.bytes).first(length);

    PieceResult result;
    const ReadResult read = m_source.read(job.range.offset + begin, buffer);
    result.bytes = read.bytes;
    result.error = read.error;
    const std::span<const std::byte> bytes = buffer.first(read.bytes);
    result.zeros = findZeros(bytes, job.range.offset + begin);
    const ByteOrder order = m_document.byteOrder();
    if (job.check->judges()) {
        result.units = bytes.size() / job.check->unitBytes();
        const auto whole = bytes.first(result.units * job.check->unitBytes());
        result.badUnits = job.check->countBad(order, whole);
        if (result.badUnits != 0)
            result.firstBad = job.check->firstBad(order, whole);
    }
    if (job.gathers) {
        result.values = std::make_unique<ValueGatherer>();
        gather(job, bytes, workspace.floats, *result.values);
    }
    return result;
}

void Scan::gather(
    const Job& job, std::span<const std::byte> bytes, std::vector<float>& floats, ValueGatherer& values) const
{
    const TensorTypeInfo& type = *job.tensor.type;
    floats.resize(kBatch);
    const std::size_t blocksAtOnce = kBatch / type.blockLength;
    for (std::size_t blocks = bytes.size() / type.blockBytes; blocks > 0;) {
        const std::size_t count = std::min(blocks, blocksAtOnce);
        const auto batch = std::span(floats).first(count * type.blockLength);
        dequantize(type, m_document.byteOrder(), bytes.first(count * type.blockBytes), batch);
        values.add(batch);
        bytes = bytes.subspan(count * type.blockBytes);
        blocks -= count;
    }
}

void Scan::merge(const Task& task, PieceResult piece)
{
    Job& job = *task.job;
    const std::lock_guard lock(m_mutex);
    TensorScan& result = m_results[job.index];
    result.bytes += piece.bytes;
    if (piece.error && !result.error)
        result.error = piece.error;
    result.units += piece.units;
    result.badUnits += piece.badUnits;
    if (piece.firstBad) {
        const std::uint64_t unitBytes = job.check->unitBytes();
        const std::uint64_t unitAt = task.piece * job.pieceBytes + piece.firstBad->unit * unitBytes;
        const ByteRange range{job.range.offset + unitAt + piece.firstBad->offset, piece.firstBad->size};
        if (!result.firstBad || range.offset < result.firstBad->range.offset) {
            const std::uint64_t rowBytes = *job.tensor.rowBytes;
            result.firstBad = {unitAt / rowBytes, unitAt % rowBytes / job.tensor.type->blockBytes, range,
                std::string(piece.firstBad->field), piece.firstBad->isNan};
        }
    }
    job.onlyZeros = job.onlyZeros && piece.zeros.isAllZero();
    job.waiting.emplace(task.piece, piece.zeros);
    for (auto ready = job.waiting.begin(); ready != job.waiting.end() && ready->first == job.joined;) {
        job.zeros.add(ready->second);
        ready = job.waiting.erase(ready);
        ++job.joined;
    }
    if (piece.values)
        job.values->merge(*piece.values);
    if (++job.merged == job.pieces)
        finish(job);

    m_done += piece.bytes;
    if (m_options.progress && m_done - m_told >= kProgressStep) {
        m_told = m_done;
        m_options.progress(m_done, m_total);
    }
}

void Scan::finish(Job& job)
{
    TensorScan& result = m_results[job.index];
    const auto claimed = job.tensor.dataRange();
    result.complete = claimed && result.bytes == claimed->length;
    if (result.badUnits != 0)
        result.finite = FiniteVerdict::NotFinite;
    else if (job.check && job.check->judges())
        result.finite = FiniteVerdict::Finite;
    result.zeroRuns = job.zeros.finish();
    result.allZero = result.complete && result.bytes > 0 && job.onlyZeros;
    if (job.values)
        result.values = job.values->result();
    if (m_options.finished)
        m_options.finished(result);
    const auto alike = m_alike.find(job.index);
    if (alike == m_alike.end())
        return;
    for (const std::size_t index : alike->second) {
        const std::size_t tensor = m_results[index].tensor;
        m_results[index] = result;
        m_results[index].tensor = tensor;
        if (m_options.finished)
            m_options.finished(m_results[index]);
    }
}

void Scan::work(const std::atomic<bool>& failed)
{
    Workspace workspace;
    while (!failed && !m_options.stop.stop_requested()) {
        const auto task = next();
        if (!task)
            return;
        merge(*task, scanPiece(*task, workspace));
    }
}

std::vector<TensorScan> Scan::run()
{
    workTogether(m_options.threads, [this](const std::atomic<bool>& failed) { work(failed); });
    if (m_options.progress && !m_options.stop.stop_requested())
        m_options.progress(m_total, m_total);
    return std::move(m_results);
}

} // namespace

std::string_view finiteVerdictName(FiniteVerdict verdict)
{
    switch (verdict) {
    case FiniteVerdict::Finite:
        return "finite";
    case FiniteVerdict::NotFinite:
        return "not_finite";
    case FiniteVerdict::NotJudged:
        break;
    }
    return "not_judged";
}

std::vector<TensorScan> scanData(const Document& document, const ByteSource& source,
    std::span<const std::size_t> tensors, const DataScanOptions& options)
{
    return Scan(document, source, tensors, options).run();
}

std::vector<Problem> dataProblems(const Document& document, const TensorScan& scan)
{
    std::vector<Problem> problems;
    const auto add = [&](Rule rule, ByteRange range, std::string found, std::string expected) {
        const RuleInfo& info = ruleInfo(rule);
        problems.push_back({rule, info.judges, info.severity, range, {Subject::Kind::Tensor, scan.tensor},
            std::move(found), std::move(expected)});
    };
    if (scan.firstBad) {
        const BadNumber& bad = *scan.firstBad;
        const std::string where = bad.field.empty()
            ? fmt::format("the scale of row {}", bad.row)
            : fmt::format("{} of row {}, block {}", bad.field, bad.row, bad.block);
        add(Rule::DataNotFinite, bad.range,
            fmt::format("{} in {}; {} of {} places like it", bad.isNan ? "NaN" : "infinity", where,
                scan.badUnits, scan.units),
            "finite numbers");
    }
    const auto data = document.tensor(scan.tensor).dataRange();
    if (scan.allZero && data)
        add(Rule::DataZeroRun, *data,
            data->length == 1 ? std::string("the only byte is zero") : fmt::format("all {} bytes are zero", data->length),
            {});
    else if (scan.zeroRuns.count == 1)
        add(Rule::DataZeroRun, scan.zeroRuns.ranges.front(),
            fmt::format("{} bytes of zeros in one run", scan.zeroRuns.bytes), {});
    else if (scan.zeroRuns.count > 1)
        add(Rule::DataZeroRun, scan.zeroRuns.ranges.front(),
            fmt::format("{} bytes of zeros in {} runs", scan.zeroRuns.bytes, scan.zeroRuns.count), {});
    return problems;
}

} // namespace gguf
