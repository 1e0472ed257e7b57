// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "audit/valuestatistics.h"
#include "audit/zeroruns.h"
#include "document/document.h"
#include "io/bytesource.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace gguf {

/// What the search for NaN and infinity said.
enum class FiniteVerdict
{
    Finite,
    NotFinite,
    NotJudged, ///< holds nothing that could be NaN, or nothing that is known to be a scale
};

std::string_view finiteVerdictName(FiniteVerdict verdict); ///< "finite", "not_finite", "not_judged"

/// The first number that is NaN or infinite.
struct BadNumber
{
    std::uint64_t row = 0; ///< of interleaved rows: the first of the group
    std::uint64_t block = 0; ///< within the row
    ByteRange range; ///< of the number in the file
    std::string field; ///< "d", "dmin", "v"; empty for the scale of a row
    bool isNan = false; ///< else infinite
};

/// What was found in the data of one tensor.
struct TensorScan
{
    std::size_t tensor = 0;
    std::uint64_t bytes = 0; ///< that could be read and were looked at
    bool complete = false; ///< all bytes that the tensor needs were looked at
    IoError error; ///< why bytes could not be read

    FiniteVerdict finite = FiniteVerdict::NotJudged;
    std::uint64_t units = 0; ///< blocks (numbers, rows) looked at
    std::uint64_t badUnits = 0;
    std::optional<BadNumber> firstBad;

    bool allZero = false; ///< there are bytes, all are there, and all are zero
    ZeroRuns zeroRuns;

    std::optional<ValueStatistics> values; ///< if asked for and the type can be dequantized
};

struct DataScanOptions
{
    bool statistics = false; ///< dequantize too: a few nanoseconds for each element
    unsigned threads = 2;
    std::stop_token stop; ///< polled at each piece of at most a few MiB
    /// Bytes done and in all. Called now and then on the scan's threads, one call at a time.
    std::function<void(std::uint64_t done, std::uint64_t total)> progress;
    /// Each tensor as soon as it is finished; like progress. Tensors finish in about the order asked for, those of the
    /// same type and bytes together.
    std::function<void(const TensorScan& scan)> finished;
};

/// Reads the data of these tensors and looks for NaN and infinity, runs of zeros and, if asked, what the
/// values are like. Returns one result for each, in this order; after a stop those not finished are not
/// complete. Tensors of unknown size or place are passed over (nothing read, not complete). Needs a finished
/// document. Blocks until done; reads in pieces and keeps no data.
std::vector<TensorScan> scanData(const Document& document, const ByteSource& source,
    std::span<const std::size_t> tensors, const DataScanOptions& options = {});

/// The same findings as Problems: Rule::DataNotFinite and Rule::DataZeroRun.
std::vector<Problem> dataProblems(const Document& document, const TensorScan& scan);

} // namespace gguf
