// SPDX-License-Identifier: GPL-3.0-or-later
#include "panes/heatmappane.h"

#include "document/text.h"
#include "models/counted.h"
#include "models/selection.h"
#include "models/typepalette.h"
#include "panes/imageexport.h"
#include "panes/typelegend.h"
#include "widgets/emptystate.h"
#include "widgets/plaintext.h"

#include <QCheckBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QPushButton>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

HeatMapPane::HeatMapPane(DocumentLoader& loader, Selection& selection, QWidget* parent)
    : QWidget(parent)
    , m_service(AuditService::of(loader))
    , m_selection(selection)
    , m_map(new HeatMap)
    , m_small(new QCheckBox(tr("&Norms and biases")))
    , m_legend(new TypeLegend)
    , m_status(new PlainLabel)
    , m_pages(new QStackedWidget)
{
    setObjectName(QStringLiteral("heatMapPane"));
    setAccessibleName(tr("Types by layer and role"));
    m_map->setObjectName(QStringLiteral("mixHeatMap"));
    m_map->setAccessibleName(tr("Heat map of types: layers across, roles down"));
    m_small->setObjectName(QStringLiteral("showSmallTensors"));
    m_small->setChecked(true);
    m_legend->setObjectName(QStringLiteral("heatMapLegend"));
    m_status->setObjectName(QStringLiteral("heatMapStatus"));
    m_status->setElideMode(Qt::ElideRight);

    auto* bar = new QHBoxLayout;
    bar->addWidget(m_legend, 1);
    bar->addWidget(m_small);
    const auto addButton = [bar](const QString& text, const QString& name) {
        auto* button = new QPushButton(text);
        button->setObjectName(name);
        bar->addWidget(button);
        return button;
    };
    auto* fit = addButton(tr("Fit"), QStringLiteral("fitHeatMap"));
    fit->setToolTip(plainToolTip(tr("Fit the whole map into the pane. Ctrl and the wheel zoom.")));
    auto* filter = addButton(tr("Show in Ta&ble"), QStringLiteral("showHeatMapTensors"));
    filter->setToolTip(plainToolTip(tr("Show only the tensors of the chosen cells in the tensor table.")));
    auto* save = addButton(tr("S&ave Image…"), QStringLiteral("saveHeatMapImage"));

    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    column->addLayout(bar);
    column->addWidget(m_map, 1);
    column->addWidget(m_status);
    auto* empty = new EmptyState;
    m_service.explainOn(*empty, tr("No tensors"),
        tr("The map of types by layer and role is shown here when a file with tensors has been read."));
    m_pages->addWidget(empty);
    m_pages->addWidget(content);
    auto* whole = new QVBoxLayout(this);
    whole->setContentsMargins(0, 0, 0, 0);
    whole->addWidget(m_pages);

    connect(fit, &QPushButton::clicked, m_map, &HeatMap::zoomToFit);
    connect(filter, &QPushButton::clicked, this, &HeatMapPane::requestTensors);
    connect(save, &QPushButton::clicked, this, &HeatMapPane::saveImage);
    connect(m_small, &QCheckBox::toggled, this, &HeatMapPane::showAudit);
    connect(m_map, &HeatMap::selectionChanged, this, &HeatMapPane::selectTensors);
    connect(m_map, &HeatMap::activated, this, &HeatMapPane::requestTensors);
    connect(m_map, &HeatMap::hovered, this, &HeatMapPane::describe);
    m_service.serve(*this);
    connect(&m_service, &AuditService::changed, this, &HeatMapPane::showAudit);
    connect(&m_selection, &Selection::changed, this, &HeatMapPane::followSelection);
    showAudit();
}

void HeatMapPane::showAudit()
{
    const AuditService::Result audit = m_service.result();
    const bool any = audit && !audit->tensors.empty();
    m_pages->setCurrentIndex(any ? 1 : 0);
    const TypePalette colors = TypePalette::forPalette(palette());
    m_content = any ? MixHeatMap::of(*audit, colors, m_small->isChecked()) : MixHeatMap();
    m_map->setData(m_content.data);
    QList<TypeLegend::Entry> legend;
    if (any) {
        for (const gguf::Mix::Type& type : audit->mix.types)
            legend.append({QString::fromStdString(gguf::visibleText(type.name)), colors.color(type.id)});
    }
    m_legend->setEntries(legend);
    describe({});
    followSelection(nullptr);
}

void HeatMapPane::followSelection(QObject* origin)
{
    const AuditService::Result audit = m_service.result();
    if (origin == this || !audit || !m_selection.place() || !m_selection.place()->tensor)
        return;
    const HeatMap::Cell cell = m_content.find(*audit, *m_selection.place()->tensor);
    if (!cell.isValid())
        return;
    m_map->setCurrent(cell);
    m_map->setSelectedCells({cell});
}

QList<quint64> HeatMapPane::chosenTensors() const
{
    QList<quint64> tensors;
    const AuditService::Result audit = m_service.result();
    if (!audit)
        return tensors;
    for (const HeatMap::Cell at : m_map->selectedCells()) {
        if (const gguf::Mix::Cell* cell = m_content.cellAt(*audit, at)) {
            for (std::uint32_t i = 0; i < cell->count; ++i)
                tensors.append(audit->mix.cellTensors[cell->first + i]);
        }
    }
    return tensors;
}

void HeatMapPane::selectTensors()
{
    describe({});
    const AuditService::Result audit = m_service.result();
    const gguf::Mix::Cell* cell = audit ? m_content.cellAt(*audit, m_map->current()) : nullptr;
    if (!cell)
        return;
    const std::size_t index = audit->mix.cellTensors[cell->first];
    const gguf::Tensor tensor = audit->document.tensor(index);
    Place place;
    place.tensor = index;
    place.range = tensor.dataRange().value_or(tensor.record);
    m_selection.select(place, this);
}

void HeatMapPane::requestTensors()
{
    const QList<quint64> tensors = chosenTensors();
    if (!tensors.isEmpty())
        emit tensorsRequested(tensors);
}

void HeatMapPane::describe(HeatMap::Cell cell)
{
    const AuditService::Result audit = m_service.result();
    if (!audit)
        return m_status->setText({});
    if (!cell.isValid())
        cell = m_map->current();
    if (m_content.cellAt(*audit, cell)) {
        QString text = m_content.data.cell(cell.row, cell.column).description;
        m_status->setText(text.replace(u'\n', tr(" · ")));
    } else if (m_content.hiddenRoles + m_content.hiddenColumns > 0) {
        m_status->setText(tr("Too many to show. Left out: %1, %2.")
                              .arg(counted(m_content.hiddenRoles, tr("1 role"), tr("%1 roles")),
                                  counted(m_content.hiddenColumns, tr("1 layer"), tr("%1 layers"))));
    } else {
        m_status->setText(
            tr("A corner or dot: another type than most of its row. Hatched: several types in one cell."));
    }
}

void HeatMapPane::saveImage()
{
    ImageExport::saveAs(this, m_service.filePath(), QStringLiteral("heat-map.png"), m_map->naturalSize(),
        tr("Types by layer and role"),
        [this](QPainter& painter, const QSizeF& size) { m_map->paintTo(painter, size); });
}

void HeatMapPane::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        showAudit();
}
