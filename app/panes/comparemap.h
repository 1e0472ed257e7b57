// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "audit/comparison.h"
#include "widgets/heatmap.h"

class TypePalette;

/// A comparison as a heat map, layers across and roles down: `unchanged` where nothing changed, else the colour of B's
/// type, or of A's where B lacks the tensor.
HeatMapData compareHeatMap(
    const gguf::Comparison& comparison, const TypePalette& colors, const QColor& unchanged);
