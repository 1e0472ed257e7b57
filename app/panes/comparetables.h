// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "audit/comparison.h"
#include "models/columntablemodel.h"

#include <QString>

#include <memory>

class DataComparison;

/// A comparison as tables; each content keeps the comparison alive.
namespace CompareTables {

using Shared = std::shared_ptr<const gguf::Comparison>;

ColumnTableModel::Content totals(const Shared& comparison); ///< A, B and the change
ColumnTableModel::Content metadata(const Shared& comparison);
ColumnTableModel::Content tensors(const Shared& comparison);
ColumnTableModel::Content layers(const Shared& comparison); ///< only those that differ
ColumnTableModel::Content roles(const Shared& comparison);
/// Tensors in both files with what is known of their bytes.
ColumnTableModel::Content data(const Shared& comparison, const DataComparison& bytes);

/// B less A; saturates where it does not fit.
std::int64_t difference(std::uint64_t a, std::uint64_t b);
/// What differs between two tensors of one name: "type, dimensions"; else where the only one is: "only in A".
QString differenceText(const gguf::TensorDifference& difference);
QString signedSize(std::optional<std::int64_t> change); ///< "+1.50 MiB", "−512 bytes", "0", "" for nothing

} // namespace CompareTables
