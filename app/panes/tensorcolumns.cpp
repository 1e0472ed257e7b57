// SPDX-License-Identifier: GPL-3.0-or-later
#include "panes/tensorcolumns.h"

#include "audit/tensorname.h"
#include "document/document.h"
#include "models/datamodel.h"
#include "models/numbertext.h"
#include "models/tensormodel.h"
#include "panes/panetext.h"
#include "panes/tensorpane.h"

#include <algorithm>
#include <chrono>
#include <utility>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

constexpr std::size_t kLongestRole = 200; ///< bytes that are shown

struct DataColumnId
{
    int source;
    const char16_t* id; ///< in exported tables
};

constexpr DataColumnId kDataColumns[]{{DataModel::VerdictColumn, u"numbers"}, {DataModel::BadColumn, u"bad_blocks"},
    {DataModel::ZeroColumn, u"zero_bytes"}, {DataModel::MinColumn, u"min"}, {DataModel::MaxColumn, u"max"},
    {DataModel::MeanColumn, u"mean"}, {DataModel::DeviationColumn, u"deviation"},
    {DataModel::ZeroShareColumn, u"zero_share"}, {DataModel::HashColumn, u"sha256"}};

/// The experts that a tensor holds: its third dimension, in the matrices of routed experts.
std::optional<std::uint64_t> expertsOf(const gguf::Tensor& tensor)
{
    const gguf::TensorPlace place = gguf::placeTensor(tensor.name);
    if (place.kind != gguf::RoleKind::FfnRouted || place.expert || tensor.dims().size() < 3 || tensor.dims()[2] < 1)
        return std::nullopt;
    return static_cast<std::uint64_t>(tensor.dims()[2]);
}

} // namespace

TensorColumns::TensorColumns(TensorPane& pane, const DataModel& data, QObject* parent)
    : QObject(parent)
    , m_pane(pane)
    , m_data(data)
{
    addNameColumns();
    addDataColumns();
    m_refresh.setSingleShot(true);
    m_refresh.setInterval(250ms);
    connect(&m_refresh, &QTimer::timeout, this, &TensorColumns::refresh);
    const auto later = [this] {
        if (!m_refresh.isActive())
            m_refresh.start();
    };
    connect(&m_data, &DataModel::rowsInserted, this, later);
    connect(&m_data, &DataModel::dataChanged, this, later);
    connect(&m_data, &DataModel::modelReset, this, later);
}

void TensorColumns::addNameColumns()
{
    TensorModel& model = m_pane.model();
    constexpr bool kNumeric = true, kDerived = true;
    model.addColumn({u"layer"_s, tr("Layer"), kNumeric, kDerived,
        [](const gguf::Document& document, std::size_t tensor) {
            const auto layer = gguf::placeTensor(document.tensorName(tensor)).layer;
            return layer ? QVariant(*layer) : QVariant();
        },
        [](const gguf::Document& document, std::size_t tensor) {
            const gguf::TensorPlace place = gguf::placeTensor(document.tensorName(tensor));
            if (!place.layer)
                return QString();
            const QString number = QString::number(*place.layer);
            return place.list == "blk" ? number : QString(fileText(place.list, kLongestRole) + u'.' + number);
        }});
    model.addColumn({u"role"_s, tr("Role"), !kNumeric, kDerived,
        [](const gguf::Document& document, std::size_t tensor) {
            return QVariant(fileText(gguf::placeTensor(document.tensorName(tensor)).role, kLongestRole));
        },
        {}});
    model.addColumn({u"experts"_s, tr("Experts"), kNumeric, kDerived,
        [](const gguf::Document& document, std::size_t tensor) {
            const auto count = expertsOf(document.tensor(tensor));
            return count ? QVariant(quint64{*count}) : QVariant();
        },
        [](const gguf::Document& document, std::size_t tensor) {
            const auto count = expertsOf(document.tensor(tensor));
            return count ? NumberText::count(*count) : QString();
        }});
}

void TensorColumns::addDataColumns()
{
    for (const DataColumnId& row : kDataColumns) {
        const int source = row.source;
        const QString title = m_data.headerData(source, Qt::Horizontal, Qt::DisplayRole).toString();
        const int column = m_pane.model().addColumn({QString::fromUtf16(row.id), title, DataModel::isNumeric(source), false,
            [this, source](const gguf::Document&, std::size_t tensor) {
                const DataResult* result = m_data.find(tensor);
                return result ? m_data.sortValue(*result, source) : QVariant();
            },
            [this, source](const gguf::Document&, std::size_t tensor) {
                const DataResult* result = m_data.find(tensor);
                return result ? m_data.text(*result, source) : QString();
            }});
        m_columns.push_back({source, column});
    }
}

void TensorColumns::refresh()
{
    for (DataColumn& column : m_columns) {
        const auto& results = m_data.results();
        const bool any = std::ranges::any_of(results, [this, &column](const DataResult& result) {
            return result.tensor && m_data.sortValue(result, column.source).isValid();
        });
        if (any != column.shown) {
            column.shown = any;
            m_pane.setColumnShown(column.column, any);
        }
        m_pane.model().refreshColumn(column.column);
    }
}
