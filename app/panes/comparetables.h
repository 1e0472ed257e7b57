// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "audit/comparison.h"
#include "models/columntablemodel.h"
#include "widgets/heatmap.h"

#include <QString>

#include <memory>

class DataComparison;
class TypePalette;

/// A comparison as tables and as a heat map; each content keeps the comparison alive.
namespace CompareTables {

using Shared = std::shared_ptr<const gguf::Comparison>;

ColumnTableModel::Content totals(const Shared& comparison); ///< A, B and the change
ColumnTableModel::Content metadata(const Shared& comparison);
ColumnTableModel::Content tensors(const Shared& comparison);
ColumnTableModel::Content layers(const Shared& comparison); ///< only those that differ
ColumnTableModel::Content roles(const Shared& comparison);
/// Tensors in both files with what is known of their bytes.
ColumnTableModel::Content data(const Shared& comparison, const DataComparison& bytes);

/// Layers across, roles down: grey where nothing changed, B's colour where the type did.
HeatMapData heatMap(const gguf::Comparison& comparison, const TypePalette& colors, const QColor& unchanged);

QString signedSize(std::optional<std::int64_t> change); ///< "+1.50 MiB", "−512 bytes", "0", "" for nothing

} // namespace CompareTables
