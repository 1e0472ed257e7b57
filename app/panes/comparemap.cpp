// SPDX-License-Identifier: GPL-3.0-or-later
#include "panes/comparemap.h"

#include "document/text.h"
#include "models/numbertext.h"
#include "models/typepalette.h"
#include "panes/comparetables.h"
#include "report/comparereport.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <map>

using gguf::ChangeKind;
using gguf::Comparison;
using gguf::ComparisonPart;

namespace {

/// Roles and layers of the map at most.
constexpr std::size_t kMostRows = 200, kMostColumns = 1000;

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(CompareMap)
};

QString visible(std::string_view text, std::size_t most = 200)
{
    return QString::fromStdString(gguf::visibleText(text, most));
}

} // namespace

HeatMapData compareHeatMap(const Comparison& comparison, const TypePalette& colors, const QColor& unchanged)
{
    const gguf::Mix& mix = comparison.mix;
    // What changed in each cell, by role and column.
    struct Changes
    {
        std::vector<std::size_t> differences;
    };
    std::map<std::pair<std::uint32_t, std::uint32_t>, Changes> changes;
    for (std::size_t i = 0; i < comparison.differences.size(); ++i) {
        const gguf::TensorDifference& difference = comparison.differences[i];
        const auto& place = comparison.placement(difference);
        changes[{place.role, place.column}].differences.push_back(i);
    }

    HeatMapData data;
    const std::size_t rows = std::min(mix.roles.size(), kMostRows),
                      columns = std::min(mix.columns.size(), kMostColumns);
    for (std::size_t column = 0; column < columns; ++column) {
        const auto kind = mix.columns[column].kind;
        data.columns << (kind == gguf::Mix::Column::Kind::Before ? Words::tr("before")
                : kind == gguf::Mix::Column::Kind::After         ? Words::tr("after")
                                                                 : visible(mix.columns[column].label, 40));
    }
    for (std::size_t role = 0; role < rows; ++role)
        data.rows << visible(mix.roles[role].label, 60);
    data.cells.resize(rows * columns);
    for (const gguf::Mix::Cell& cell : mix.cells) {
        if (cell.role >= rows || cell.column >= columns)
            continue;
        HeatMapCell& shown = data.cells[cell.role * columns + cell.column];
        QStringList lines{Words::tr("%1, layer %2").arg(data.rows[cell.role], data.columns[cell.column])};
        shown.color = unchanged;
        const auto found = changes.find({cell.role, cell.column});
        if (found == changes.end()) {
            lines << Words::tr("Nothing changed.");
        } else {
            const auto& list = found->second.differences;
            const gguf::TensorDifference& first = comparison.differences[list.front()];
            const auto tensor = first.b ? comparison.b.tensor(*first.b) : comparison.a.tensor(*first.a);
            shown.color = colors.color(tensor.typeId);
            shown.label = first.kind == ChangeKind::Removed ? QString(QChar(0x2212) + visible(tensor.typeName()))
                : first.kind == ChangeKind::Added           ? QString(u'+' + visible(tensor.typeName()))
                                                            : visible(tensor.typeName());
            // A mark only where one file lacks the tensor: all that is coloured has changed.
            shown.deviates = first.kind != ChangeKind::Changed;
            shown.hatched = list.size() > 1;
            for (std::size_t i = 0; i < std::min<std::size_t>(list.size(), 5); ++i) {
                const gguf::TensorDifference& one = comparison.differences[list[i]];
                lines << Words::tr("%1: %2, %3")
                             .arg(visible(one.name), CompareTables::differenceText(one),
                                 QString::fromStdString(CompareReport::tensorText(comparison, one)));
            }
            if (list.size() > 5)
                lines << Words::tr("and %1 more").arg(NumberText::count(list.size() - 5));
        }
        shown.description = lines.join(u'\n');
    }

    const auto totals = [](const std::vector<ComparisonPart>& list, std::size_t count) {
        HeatMapTotal bytes{Words::tr("Change"), {}, {}};
        for (std::size_t i = 0; i < count; ++i) {
            const std::int64_t change = CompareTables::difference(list[i].a.bytes, list[i].b.bytes);
            bytes.values << (change == 0 ? QString() : CompareTables::signedSize(change));
            bytes.amounts.push_back(std::abs(static_cast<double>(change)));
        }
        return bytes;
    };
    data.rowTotals = {totals(comparison.roles, rows)};
    data.columnTotals = {totals(comparison.layers, columns)};
    return data;
}
