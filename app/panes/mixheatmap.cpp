// SPDX-License-Identifier: GPL-3.0-or-later
#include "panes/mixheatmap.h"

#include "document/text.h"
#include "models/numbertext.h"
#include "models/typepalette.h"

#include <QCoreApplication>

#include <algorithm>

using gguf::Mix;

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(MixHeatMap)
};

QString visible(std::string_view text)
{
    return QString::fromStdString(gguf::visibleText(text, 80));
}

QString columnHeading(const Mix::Column& column)
{
    switch (column.kind) {
    case Mix::Column::Kind::Before:
        return Words::tr("before");
    case Mix::Column::Kind::After:
        return Words::tr("after");
    case Mix::Column::Kind::Layer:
        break;
    }
    return visible(column.label);
}

QString columnText(const Mix::Column& column)
{
    switch (column.kind) {
    case Mix::Column::Kind::Before:
        return Words::tr("before the first layer");
    case Mix::Column::Kind::After:
        return Words::tr("after the last layer");
    case Mix::Column::Kind::Layer:
        break;
    }
    return Words::tr("layer %1").arg(visible(column.label));
}

HeatMapCell makeCell(const AuditResult& audit, const TypePalette& colors, const Mix::Cell& cell)
{
    const Mix& mix = audit.mix;
    const Mix::Type& type = mix.types[cell.type];
    const Mix::Role& role = mix.roles[cell.role];
    const std::uint32_t usual = mix.majorityType(cell.role);

    HeatMapCell result;
    result.color = colors.color(type.id);
    result.label = visible(type.name);
    result.deviates = cell.mixed || cell.type != usual;
    result.hatched = cell.count > 1 && cell.mixed;

    QStringList lines;
    lines << Words::tr("%1, %2").arg(visible(role.label), columnText(mix.columns[cell.column]));
    if (cell.count == 1) {
        lines << visible(audit.tensors[mix.cellTensors[cell.first]].name);
        lines << visible(type.name);
    } else if (cell.mixed) {
        lines << Words::tr("%1 tensors of several types, mostly %2")
                     .arg(NumberText::count(cell.count), visible(type.name));
    } else {
        lines << Words::tr("%1 tensors, all %2").arg(NumberText::count(cell.count), visible(type.name));
    }
    lines << NumberText::size(cell.sum.bytes);
    if (cell.sum.bitsPerWeight())
        lines << Words::tr("%1 bits per weight").arg(NumberText::bitsPerWeight(cell.sum.bitsPerWeight()));
    else if (const std::string why = cell.sum.whyNoBitsPerWeight(); !why.empty())
        lines << QString::fromStdString(why);
    if (cell.type != usual)
        lines << Words::tr("Most of this row is %1.").arg(visible(mix.types[usual].name));
    result.description = lines.join(u'\n');
    return result;
}

template <class Part> void addTotals(std::vector<HeatMapTotal>& totals, const std::vector<Part>& parts)
{
    HeatMapTotal bytes{Words::tr("Size"), {}, {}}, bits{Words::tr("BPW"), {}, {}};
    for (const Part& part : parts) {
        bytes.values << NumberText::shortSize(part->sum.bytes);
        bytes.amounts.push_back(static_cast<double>(part->sum.bytes));
        bits.values << NumberText::bitsPerWeight(part->sum.bitsPerWeight());
        bits.amounts.push_back(part->sum.bitsPerWeight().value_or(0));
    }
    totals = {bytes, bits};
}

} // namespace

MixHeatMap MixHeatMap::of(const AuditResult& audit, const TypePalette& colors, bool small)
{
    const Mix& mix = audit.mix;
    MixHeatMap map;
    for (std::uint32_t role = 0; role < mix.roles.size(); ++role) {
        const gguf::RoleKind kind = mix.roles[role].kind;
        if (small || (kind != gguf::RoleKind::Norm && kind != gguf::RoleKind::Bias))
            map.roles.push_back(role);
    }
    if (map.roles.size() > kMostRows) {
        std::ranges::stable_sort(map.roles, std::ranges::greater(),
            [&mix](std::uint32_t role) { return mix.roles[role].sum.bytes; });
        map.hiddenRoles = map.roles.size() - kMostRows;
        map.roles.resize(kMostRows);
        std::ranges::sort(map.roles);
    }
    const std::size_t columns = std::min(mix.columns.size(), kMostColumns);
    map.hiddenColumns = mix.columns.size() - columns;

    std::vector<const Mix::Column*> shownColumns;
    std::vector<const Mix::Role*> shownRoles;
    std::vector<std::int32_t> rowOfRole(mix.roles.size(), -1);
    for (std::size_t column = 0; column < columns; ++column) {
        map.data.columns << columnHeading(mix.columns[column]);
        shownColumns.push_back(&mix.columns[column]);
    }
    for (const std::uint32_t role : map.roles) {
        rowOfRole[role] = static_cast<std::int32_t>(shownRoles.size());
        map.data.rows << visible(mix.roles[role].label);
        shownRoles.push_back(&mix.roles[role]);
    }
    map.data.cells.resize(columns * map.roles.size());
    map.cells.assign(columns * map.roles.size(), -1);
    for (std::size_t i = 0; i < mix.cells.size(); ++i) {
        const Mix::Cell& cell = mix.cells[i];
        if (rowOfRole[cell.role] < 0 || cell.column >= columns)
            continue;
        const std::size_t at = static_cast<std::size_t>(rowOfRole[cell.role]) * columns + cell.column;
        map.data.cells[at] = makeCell(audit, colors, cell);
        map.cells[at] = static_cast<std::int32_t>(i);
    }
    addTotals(map.data.rowTotals, shownRoles);
    addTotals(map.data.columnTotals, shownColumns);
    return map;
}

const Mix::Cell* MixHeatMap::cellAt(const AuditResult& audit, HeatMap::Cell cell) const
{
    if (!cell.isValid() || cell.row >= data.rows.size() || cell.column >= data.columns.size())
        return nullptr;
    const std::int32_t number
        = cells[static_cast<std::size_t>(cell.row) * static_cast<std::size_t>(data.columns.size())
            + static_cast<std::size_t>(cell.column)];
    return number < 0 ? nullptr : &audit.mix.cells[static_cast<std::size_t>(number)];
}

HeatMap::Cell MixHeatMap::find(const AuditResult& audit, std::size_t tensor) const
{
    if (tensor >= audit.mix.placements.size())
        return {};
    const Mix::Placement& place = audit.mix.placements[tensor];
    const auto row = std::ranges::find(roles, place.role);
    if (row == roles.end() || place.column >= static_cast<std::size_t>(data.columns.size()))
        return {};
    return {static_cast<int>(row - roles.begin()), static_cast<int>(place.column)};
}
