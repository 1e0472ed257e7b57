// SPDX-License-Identifier: GPL-3.0-or-later
#include "panes/mixpane.h"

#include "models/numbertext.h"
#include "models/typepalette.h"
#include "panes/audittables.h"
#include "panes/imageexport.h"
#include "panes/mixchart.h"
#include "panes/rowtable.h"
#include "widgets/emptystate.h"
#include "widgets/plaintext.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace {

QComboBox* addChoice(QHBoxLayout* row, const QString& label, const QString& name, const QStringList& choices)
{
    auto* box = new QComboBox;
    box->setObjectName(name);
    box->addItems(choices);
    auto* caption = new QLabel(label);
    caption->setBuddy(box);
    row->addWidget(caption);
    row->addWidget(box);
    return box;
}

} // namespace

MixPane::MixPane(DocumentLoader& loader, Selection&, QWidget* parent)
    : QWidget(parent)
    , m_service(AuditService::of(loader))
    , m_chart(new MixChart)
    , m_types(new ColumnTableModel(this))
    , m_table(new RowTable)
    , m_total(new PlainLabel)
    , m_splitter(new QSplitter(Qt::Horizontal))
    , m_pages(new QStackedWidget)
{
    setObjectName(QStringLiteral("mixPane"));
    setAccessibleName(tr("Quantization mix"));

    auto* bar = new QHBoxLayout;
    m_grouping = addChoice(
        bar, tr("Group by"), QStringLiteral("mixGrouping"), {tr("Type"), tr("Layer"), tr("Role")});
    m_measure = addChoice(
        bar, tr("&Measure"), QStringLiteral("mixMeasure"), {tr("Bytes"), tr("Weights"), tr("Tensors")});
    m_grouping->setCurrentIndex(static_cast<int>(m_chart->grouping()));
    bar->addStretch();
    m_total->setObjectName(QStringLiteral("mixTotal"));
    m_total->setElideMode(Qt::ElideRight);
    bar->addWidget(m_total, 1);
    auto* save = new QPushButton(tr("Save &Image…"));
    save->setObjectName(QStringLiteral("saveMixImage"));
    bar->addWidget(save);

    m_table->setObjectName(QStringLiteral("mixTypes"));
    m_table->setAccessibleName(tr("Types and what they cost"));
    m_table->setModel(m_types);
    AuditTables::setUp(*m_table);
    AuditTables::stretchColumn(*m_table, 0);
    m_splitter->setObjectName(QStringLiteral("mixSplitter"));
    m_splitter->addWidget(m_chart);
    m_splitter->addWidget(m_table);
    m_splitter->setStretchFactor(0, 1);
    m_splitter->setChildrenCollapsible(false);
    connect(m_splitter, &QSplitter::splitterMoved, this, [this] { m_isDividedByHand = true; });

    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    column->addLayout(bar);
    column->addWidget(m_splitter, 1);
    auto* empty = new EmptyState;
    m_service.explainOn(*empty, tr("No tensors"),
        tr("The mix of types is shown here when a file with tensors has been read."));
    m_pages->addWidget(empty);
    m_pages->addWidget(content);
    auto* whole = new QVBoxLayout(this);
    whole->setContentsMargins(0, 0, 0, 0);
    whole->addWidget(m_pages);

    connect(m_grouping, &QComboBox::currentIndexChanged, this,
        [this](int index) { m_chart->setGrouping(static_cast<MixChart::Grouping>(index)); });
    connect(m_measure, &QComboBox::currentIndexChanged, this,
        [this](int index) { m_chart->setMeasure(static_cast<MixChart::Measure>(index)); });
    connect(save, &QPushButton::clicked, this, &MixPane::saveImage);
    connect(m_chart, &MixChart::partClicked, this, &MixPane::choosePart);
    connect(m_table, &QTableView::activated, this, &MixPane::chooseTypes);
    m_service.serve(*this);
    connect(&m_service, &AuditService::changed, this, &MixPane::showAudit);
    showAudit();
}

void MixPane::showAudit()
{
    const AuditService::Result audit = m_service.result();
    const bool any = audit && !audit->tensors.empty();
    m_pages->setCurrentIndex(any ? 1 : 0);
    m_chart->setAudit(any ? audit : nullptr);
    m_types->setTypeColors(
        [colors = TypePalette::forPalette(palette())](quint32 id) { return colors.color(id); });
    m_types->setContent(AuditTables::types(any ? audit : nullptr));
    if (!any) {
        m_total->setText({});
        return;
    }
    AuditTables::fitColumns(*m_table);
    divide();
    const gguf::MixSum& total = audit->mix.total;
    const QString whyNoBits = QString::fromStdString(total.whyNoBitsPerWeight());
    m_total->setText(total.bitsPerWeight()
            ? tr("%1, %2 bits per weight")
                  .arg(NumberText::size(total.bytes), NumberText::bitsPerWeight(total.bitsPerWeight()))
            : whyNoBits.isEmpty() ? NumberText::size(total.bytes)
                                  : tr("%1, bits per weight unknown: %2").arg(NumberText::size(total.bytes), whyNoBits));
}

/// The table has room for its columns, as far as the chart can still be read.
void MixPane::divide()
{
    if (m_isDividedByHand || m_types->rowCount() == 0)
        return;
    const int room = m_splitter->width() - m_splitter->handleWidth();
    const int needed = AuditTables::fittedWidth(*m_table);
    const int table = std::min(needed, room - m_chart->minimumWidth());
    m_splitter->setSizes({room - table, table});
}

void MixPane::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    divide();
}

void MixPane::choosePart(int bar, quint32 type)
{
    const AuditService::Result audit = m_service.result();
    if (!audit)
        return;
    if (m_chart->grouping() == MixChart::Grouping::Type) {
        emit typeFilterRequested({audit->mix.types[type].id});
        return;
    }
    QList<quint64> tensors;
    for (const std::size_t tensor : m_chart->partTensors(bar, type))
        tensors.append(tensor);
    emit tensorsRequested(tensors);
}

void MixPane::chooseTypes()
{
    QList<quint32> types;
    for (const QModelIndex& row : m_table->selectionModel()->selectedRows())
        types.append(row.data(TypeIdRole).toUInt());
    if (!types.isEmpty())
        emit typeFilterRequested(types);
}

void MixPane::saveImage()
{
    if (!m_service.result())
        return;
    ImageExport::saveAs(this, m_service.filePath(), QStringLiteral("mix.png"), QSizeF(1200, 640), tr("Quantization mix"),
        [this](QPainter& painter, const QSizeF& size) { m_chart->paintTo(painter, size); });
}

void MixPane::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        m_types->setTypeColors(
            [colors = TypePalette::forPalette(palette())](quint32 id) { return colors.color(id); });
}
