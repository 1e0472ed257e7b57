// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "panes/auditservice.h"
#include "widgets/heatmap.h"

#include <cstdint>
#include <vector>

class TypePalette;

/// A mix as a heat map: layers across, roles down, each cell in its type's colour.
struct MixHeatMap
{
    /// What is shown at most; the largest roles stay, and the first layers.
    static constexpr std::size_t kMostRows = 300;
    static constexpr std::size_t kMostColumns = 2000;

    HeatMapData data;
    std::vector<std::uint32_t> roles; ///< the mix's role in each row
    std::vector<std::int32_t> cells; ///< row by row: the mix's cell, or -1
    std::size_t hiddenRoles = 0, hiddenColumns = 0;

    /// small: with norms and biases, which are never quantized.
    static MixHeatMap of(const AuditResult& audit, const TypePalette& colors, bool small);

    const gguf::Mix::Cell* cellAt(const AuditResult& audit, HeatMap::Cell cell) const;
    HeatMap::Cell find(const AuditResult& audit, std::size_t tensor) const; ///< invalid where it is not shown
};
