// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "document/document.h"
#include "io/bytesource.h"

#include <string>

class Output;

/// Reads the data of all tensors and prints one JSON object a line for each, in file order, then one for the
/// file.
///
/// Each tensor: `file`, `tensor`, `type`, `type_id`, `offset` (in the file) and `bytes` (read), `complete`
/// (all bytes are there), `finite` ("finite", "not_finite", "not_judged"), `blocks` and `bad_blocks` (with
/// NaN or infinity in a scale; plain numbers count as blocks), `first_bad` (null, or `row`, `block`, `field`,
/// `offset`, `length`, `kind`: "nan" or "inf"), `all_zero`, `zero_runs` and `zero_bytes` (runs of 64 KiB or
/// more), `first_zero_run` (null, or `offset`, `length`), `error` (null, or why bytes could not be read).
/// With statistics also, null where the type cannot be dequantized: `min`, `max`, `mean`, `deviation`,
/// `zeros` (share), `histogram` (counts in equal steps from min to max). The file: `file`, `tensors`,
/// `bytes`, `complete`, `bad_tensors`, `bad_blocks`, `all_zero_tensors`, `zero_runs`, `zero_bytes`. Returns
/// ExitErrors where a number is not finite or bytes are missing, ExitTrouble for what is not GGUF.
int checkDataReport(Output& output, const std::string& file, const gguf::Document& document,
    const gguf::ByteSource& source, bool statistics);

/// Prints the SHA-256 of each tensor's data (without padding), in file order, and of the whole file, one JSON
/// object a line: `file`, `tensor` (null for the whole file), `offset`, `size`, `sha256` (null where it could not be
/// made), `error` (null, or why there is no hash). Files that are not GGUF have the last line alone. Returns ExitErrors
/// where a hash is null, and says so on `complaints`.
int hashReport(Output& output, Output& complaints, const std::string& file, const gguf::Document& document,
    const gguf::ByteSource& source);
