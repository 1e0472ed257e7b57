// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/datareport.h"

#include "audit/datahash.h"
#include "audit/datascan.h"
#include "document/text.h"
#include "load/sha256digest.h"
#include "report/headless.h"
#include "report/jsonwriter.h"
#include "report/output.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>

using gguf::DataHash;
using gguf::TensorScan;

namespace {

/// Prints results in order, each as soon as all before it are printed, though they come in any order.
template <class Result, class Write> class InOrder
{
public:
    explicit InOrder(Write write)
        : m_write(std::move(write))
    {
    }

    void add(std::size_t number, const Result& result)
    {
        m_waiting.emplace(number, result);
        for (auto first = m_waiting.begin(); first != m_waiting.end() && first->first == m_next; ++m_next) {
            m_write(first->second);
            first = m_waiting.erase(first);
        }
    }

private:
    Write m_write;
    std::map<std::size_t, Result> m_waiting;
    std::size_t m_next = 0;
};

std::vector<std::size_t> allTensors(const gguf::Document& document)
{
    std::vector<std::size_t> tensors(document.tensorCount());
    std::iota(tensors.begin(), tensors.end(), std::size_t{0});
    return tensors;
}

void writeRange(JsonWriter& json, const gguf::ByteRange& range)
{
    json.member("offset", range.offset);
    json.member("length", range.length);
}

void writeValues(JsonWriter& json, const std::optional<gguf::ValueStatistics>& values)
{
    const bool known = values && values->finite > 0;
    json.member("min", known ? std::optional(values->min) : std::nullopt);
    json.member("max", known ? std::optional(values->max) : std::nullopt);
    json.member("mean", known ? std::optional(values->mean) : std::nullopt);
    json.member("deviation", known ? std::optional(values->deviation) : std::nullopt);
    json.member("zeros", known ? std::optional(values->zeroShare()) : std::nullopt);
    json.key("histogram");
    if (!known)
        return json.value(nullptr);
    json.beginArray();
    for (const std::uint64_t count : values->histogram)
        json.value(count);
    json.endArray();
}

void writeScan(JsonWriter& json, const std::string& file, const gguf::Document& document,
    const TensorScan& scan, bool statistics)
{
    const gguf::Tensor tensor = document.tensor(scan.tensor);
    json.beginObject();
    json.member("file", file);
    json.member("tensor", tensor.name);
    json.member("type", tensor.typeName());
    json.member("type_id", tensor.typeId);
    json.member("offset", tensor.fileOffset);
    json.member("bytes", scan.bytes);
    json.member("complete", scan.complete);
    json.member("finite", gguf::finiteVerdictName(scan.finite));
    json.member("blocks", scan.units);
    json.member("bad_blocks", scan.badUnits);
    json.key("first_bad");
    if (scan.firstBad) {
        json.beginObject();
        json.member("row", scan.firstBad->row);
        json.member("block", scan.firstBad->block);
        json.member("field", scan.firstBad->field);
        writeRange(json, scan.firstBad->range);
        json.member("kind", scan.firstBad->isNan ? "nan" : "inf");
        json.endObject();
    } else {
        json.value(nullptr);
    }
    json.member("all_zero", scan.allZero);
    json.member("zero_runs", scan.zeroRuns.count);
    json.member("zero_bytes", scan.zeroRuns.bytes);
    json.key("first_zero_run");
    if (scan.zeroRuns.count > 0) {
        json.beginObject();
        writeRange(json, scan.zeroRuns.ranges.front());
        json.endObject();
    } else {
        json.value(nullptr);
    }
    if (statistics)
        writeValues(json, scan.values);
    json.member("error", scan.error ? std::optional<std::string_view>(scan.error.message) : std::nullopt);
    json.endObject();
    json.endLine();
}

/// readToEnd: whether the table names all tensors that the file should have.
void writeScanSum(JsonWriter& json, const std::string& file, const std::vector<TensorScan>& scans, bool readToEnd)
{
    std::uint64_t bytes = 0, badTensors = 0, badBlocks = 0, allZero = 0, zeroRuns = 0, zeroBytes = 0;
    bool complete = readToEnd;
    for (const TensorScan& scan : scans) {
        bytes += scan.bytes;
        badTensors += scan.badUnits > 0 ? 1 : 0;
        badBlocks += scan.badUnits;
        allZero += scan.allZero ? 1 : 0;
        zeroRuns += scan.zeroRuns.count;
        zeroBytes += scan.zeroRuns.bytes;
        complete = complete && scan.complete;
    }
    json.beginObject();
    json.member("file", file);
    json.member("tensors", scans.size());
    json.member("bytes", bytes);
    json.member("complete", complete);
    json.member("bad_tensors", badTensors);
    json.member("bad_blocks", badBlocks);
    json.member("all_zero_tensors", allZero);
    json.member("zero_runs", zeroRuns);
    json.member("zero_bytes", zeroBytes);
    json.endObject();
    json.endLine();
}

/// Why there is no hash; `range` is what was to be hashed.
std::string hashFault(const DataHash& hash, const std::optional<gguf::ByteRange>& range)
{
    if (hash.error)
        return hash.error.message;
    if (!range)
        return "Where its data lie is not known.";
    return fmt::format("Only {} of {} bytes are there.", hash.bytes, range->length);
}

/// One line for all that could not be hashed.
void complainOfHashes(Output& complaints, const std::string& file, const gguf::Document& document,
    const std::vector<DataHash>& hashes)
{
    const auto hasNone = [](const DataHash& hash) { return !hash.sha256; };
    const auto first = std::ranges::find_if(hashes, hasNone);
    const std::string_view what = first->tensor ? document.tensorName(*first->tensor) : "the whole file";
    complaints.write(gguf::visibleText(fmt::format("gguf-inspector: {}: {} of {} hashes could not be made; the first is of {}.",
                         file, std::ranges::count_if(hashes, hasNone), hashes.size(), what))
        + '\n');
}

} // namespace

int checkDataReport(Output& output, const std::string& file, const gguf::Document& document,
    const gguf::ByteSource& source, bool statistics)
{
    if (document.status() == gguf::Status::Foreign)
        return ExitTrouble;
    JsonWriter json(output);
    std::stop_source stop;
    // The tensors are asked for in file order, so that a tensor's number is its place.
    InOrder<TensorScan, std::function<void(const TensorScan&)>> lines(
        [&](const TensorScan& scan) { writeScan(json, file, document, scan, statistics); });
    gguf::DataScanOptions options;
    options.statistics = statistics;
    options.stop = stop.get_token();
    options.finished = [&](const TensorScan& scan) {
        lines.add(scan.tensor, scan);
        if (output.failed())
            stop.request_stop();
    };
    const auto scans = gguf::scanData(document, source, allTensors(document), options);
    const bool readToEnd = document.status() == gguf::Status::Ok;
    writeScanSum(json, file, scans, readToEnd);
    const bool sound = readToEnd && std::ranges::all_of(scans, [](const TensorScan& scan) {
        return scan.complete && scan.finite != gguf::FiniteVerdict::NotFinite;
    });
    return sound ? ExitOk : ExitErrors;
}

int hashReport(Output& output, Output& complaints, const std::string& file, const gguf::Document& document,
    const gguf::ByteSource& source)
{
    JsonWriter json(output);
    std::stop_source stop;
    InOrder<DataHash, std::function<void(const DataHash&)>> lines([&](const DataHash& hash) {
        json.beginObject();
        json.member("file", file);
        std::optional<gguf::ByteRange> range = gguf::ByteRange{0, source.size()};
        if (hash.tensor) {
            range = document.tensor(*hash.tensor).dataRange();
            json.member("tensor", document.tensorName(*hash.tensor));
        } else {
            json.member("tensor", nullptr);
        }
        json.member("offset", range ? std::optional(range->offset) : std::nullopt);
        json.member("size", range ? std::optional(range->length) : std::nullopt);
        json.member("sha256", hash.sha256 ? std::optional(gguf::sha256Text(*hash.sha256)) : std::nullopt);
        json.member("error", hash.sha256 ? std::nullopt : std::optional(hashFault(hash, range)));
        json.endObject();
        json.endLine();
    });
    const auto tensors = allTensors(document);
    gguf::HashOptions options;
    options.wholeFile = true;
    options.makeDigest = makeSha256Digest;
    options.stop = stop.get_token();
    options.finished = [&](const DataHash& hash) {
        lines.add(hash.tensor.value_or(tensors.size()), hash); // the whole file comes last
        if (output.failed())
            stop.request_stop();
    };
    const auto hashes = gguf::hashData(document, source, tensors, options);
    const bool sound
        = std::ranges::all_of(hashes, [](const DataHash& hash) { return hash.sha256.has_value(); });
    if (!sound && !output.failed())
        complainOfHashes(complaints, file, document, hashes);
    return sound ? ExitOk : ExitErrors;
}
