// SPDX-License-Identifier: GPL-3.0-or-later
#include "panes/labelpane.h"

#include "document/text.h"
#include "models/counted.h"
#include "models/numbertext.h"
#include "models/selection.h"
#include "models/typepalette.h"
#include "panes/audittables.h"
#include "panes/rowtable.h"
#include "widgets/emptystate.h"
#include "widgets/plaintext.h"

#include <QEvent>
#include <QFormLayout>
#include <QLabel>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>

using gguf::Label;
using gguf::RecipeVerdict;

namespace {

QString visible(std::string_view text)
{
    return QString::fromStdString(gguf::visibleText(text, 400));
}

QString verdictText(const RecipeVerdict& recipe)
{
    const QString name = visible(recipe.name);
    switch (recipe.kind) {
    case RecipeVerdict::Kind::Equal:
        return LabelPane::tr("The stock recipe of %1").arg(name);
    case RecipeVerdict::Kind::Deviates:
        return counted(recipe.deviations.size(), LabelPane::tr("%1, but for 1 tensor").arg(name),
            LabelPane::tr("%1, but for %2 tensors").arg(name, QStringLiteral("%1")));
    case RecipeVerdict::Kind::ForkMix:
        return LabelPane::tr("A fork's mix");
    case RecipeVerdict::Kind::Unknown:
        break;
    }
    return LabelPane::tr("No recipe is known");
}

QString fileTypeText(const Label& label)
{
    if (!label.fileType)
        return LabelPane::tr("not stated");
    QString text = visible(label.fileTypeText());
    if (label.info() && !label.info()->label.empty() && label.info()->label != label.info()->name)
        text += LabelPane::tr(", which llama.cpp calls \"%1\"").arg(visible(label.info()->label));
    return text;
}

QString imatrixText(const gguf::ImatrixKeys& keys)
{
    if (!keys.present)
        return LabelPane::tr("no quantize.imatrix.* key");
    QStringList parts;
    if (!keys.file.empty())
        parts << visible(keys.file);
    if (!keys.dataset.empty())
        parts << LabelPane::tr("from %1").arg(visible(keys.dataset));
    if (keys.entries)
        parts << counted(*keys.entries, LabelPane::tr("1 entry"), LabelPane::tr("%1 entries"));
    if (keys.chunks)
        parts << counted(*keys.chunks, LabelPane::tr("1 chunk"), LabelPane::tr("%1 chunks"));
    return parts.isEmpty() ? LabelPane::tr("used") : parts.join(QStringLiteral(", "));
}

QString bestFitText(const Label& label)
{
    if (!label.bestFit)
        return LabelPane::tr("cannot be told");
    const gguf::FileTypeInfo* info = gguf::findFileType(*label.bestFit);
    const QString name = info ? visible(info->name) : QString::number(*label.bestFit);
    if (label.bestFitTensors == 0)
        return LabelPane::tr("%1, exactly").arg(name);
    return LabelPane::tr("%1; %2, %3")
        .arg(name,
            counted(
                label.bestFitTensors, LabelPane::tr("1 tensor differs"), LabelPane::tr("%1 tensors differ")),
            NumberText::shortSize(label.bestFitBytes));
}

} // namespace

LabelPane::LabelPane(DocumentLoader& loader, Selection& selection, QWidget* parent)
    : QWidget(parent)
    , m_service(AuditService::of(loader))
    , m_selection(selection)
    , m_verdict(new PlainLabel)
    , m_explanation(new PlainLabel)
    , m_remarks(new PlainLabel)
    , m_deviationTitle(new PlainLabel)
    , m_kinds(new ColumnTableModel(this))
    , m_deviations(new ColumnTableModel(this))
    , m_kindTable(new RowTable)
    , m_deviationTable(new RowTable)
    , m_deviationPart(new QWidget)
    , m_pages(new QStackedWidget)
{
    setObjectName(QStringLiteral("labelPane"));
    setAccessibleName(tr("Label and truth"));

    QFont large = font();
    large.setPointSizeF(large.pointSizeF() * 1.35);
    large.setBold(true);
    m_verdict->setFont(large);
    m_verdict->setObjectName(QStringLiteral("recipeVerdict"));
    m_verdict->setWordWrap(true);
    m_explanation->setObjectName(QStringLiteral("recipeExplanation"));
    m_explanation->setWordWrap(true);
    m_remarks->setObjectName(QStringLiteral("labelRemarks"));
    m_remarks->setWordWrap(true);
    for (PlainLabel* label : {m_verdict, m_explanation, m_remarks})
        label->setSelectable(true);

    auto* facts = new QWidget;
    auto* form = new QFormLayout(facts);
    form->setLabelAlignment(Qt::AlignRight);
    form->setRowWrapPolicy(QFormLayout::DontWrapRows);
    form->setFieldGrowthPolicy(QFormLayout::ExpandingFieldsGrow);
    form->setContentsMargins(0, 0, 0, 0);
    m_fileType = addFact(*form, tr("File type"), QStringLiteral("labelFileType"));
    m_nameLabel = addFact(*form, tr("File name says"), QStringLiteral("labelFileName"));
    m_dominant = addFact(*form, tr("Most bytes are"), QStringLiteral("labelDominant"));
    m_bits = addFact(*form, tr("Bits per weight"), QStringLiteral("labelBits"));
    m_bestFit = addFact(*form, tr("Best fitting recipe"), QStringLiteral("labelBestFit"));
    m_imatrix = addFact(*form, tr("Importance matrix"), QStringLiteral("labelImatrix"));
    m_version = addFact(*form, tr("Quantization version"), QStringLiteral("labelVersion"));
    const QString formula
        = plainToolTip(tr("8 × the bytes of all tensors ÷ the number of their weights. Padding, header and "
                          "metadata do not count. This is what llama.cpp prints as BPW."));
    m_bits->setToolTip(formula);
    m_bits->setWhatsThis(formula);

    const auto setUp
        = [](QTableView* table, ColumnTableModel* model, const QString& name, const QString& title) {
              table->setObjectName(name);
              table->setAccessibleName(title);
              table->setModel(model);
              AuditTables::setUp(*table);
          };
    setUp(m_kindTable, m_kinds, QStringLiteral("bitsByPart"), tr("Bits per weight by part of the model"));
    setUp(m_deviationTable, m_deviations, QStringLiteral("deviations"),
        tr("Tensors that differ from the recipe"));
    AuditTables::stretchColumn(*m_kindTable, 0);
    AuditTables::stretchColumn(*m_deviationTable, 3);

    auto* summary = new QWidget;
    auto* left = new QVBoxLayout(summary);
    left->addWidget(m_verdict);
    left->addWidget(m_explanation);
    left->addSpacing(6);
    left->addWidget(facts);
    left->addSpacing(6);
    left->addWidget(m_remarks);
    left->addStretch(1);
    auto* scroll = new QScrollArea;
    scroll->setObjectName(QStringLiteral("labelSummary"));
    scroll->setAccessibleName(tr("What the file says of its quantization"));
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff); // texts are wrapped or elided
    scroll->setWidget(summary);

    auto* top = new QSplitter(Qt::Horizontal);
    top->addWidget(scroll);
    top->addWidget(m_kindTable);
    for (const int part : {0, 1})
        top->setStretchFactor(part, 1);
    top->setSizes({500, 500});
    top->setChildrenCollapsible(false);
    auto* bottomColumn = new QVBoxLayout(m_deviationPart);
    bottomColumn->setContentsMargins(0, 0, 0, 0);
    m_deviationTitle->setObjectName(QStringLiteral("deviationTitle"));
    bottomColumn->addWidget(m_deviationTitle);
    bottomColumn->addWidget(m_deviationTable);
    auto* split = new QSplitter(Qt::Vertical);
    split->setObjectName(QStringLiteral("labelSplitter"));
    split->addWidget(top);
    split->addWidget(m_deviationPart);
    split->setChildrenCollapsible(false);
    split->setSizes({340, 260});

    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    column->addWidget(split);
    auto* empty = new EmptyState;
    m_service.explainOn(*empty, tr("Nothing to judge"),
        tr("What the file says of its quantization, and whether it is true, is shown here when a "
           "file has been read."));
    m_pages->addWidget(empty);
    m_pages->addWidget(content);
    auto* whole = new QVBoxLayout(this);
    whole->setContentsMargins(0, 0, 0, 0);
    whole->addWidget(m_pages);

    connect(m_deviationTable->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
        &LabelPane::selectDeviation);
    m_service.serve(*this);
    connect(&m_service, &AuditService::changed, this, &LabelPane::showAudit);
    connect(&m_selection, &Selection::changed, this, &LabelPane::followSelection);
    showAudit();
}

PlainLabel* LabelPane::addFact(QFormLayout& form, const QString& caption, const QString& name)
{
    auto* value = new PlainLabel;
    value->setObjectName(name);
    value->setSelectable(true);
    value->setElideMode(Qt::ElideRight);
    value->setAccessibleName(caption);
    form.addRow(caption, value);
    return value;
}

void LabelPane::showAudit()
{
    const AuditService::Result audit = m_service.result();
    m_pages->setCurrentIndex(audit ? 1 : 0);
    m_kinds->setContent(AuditTables::kinds(audit));
    m_deviations->setContent(AuditTables::deviations(audit));
    applyColors();
    if (!audit)
        return;
    showFacts(*audit);
    AuditTables::fitColumns(*m_kindTable);
    AuditTables::fitColumns(*m_deviationTable);
}

void LabelPane::showFacts(const AuditResult& audit)
{
    const Label& label = audit.label;
    const gguf::Mix& mix = audit.mix;
    m_verdict->setText(verdictText(label.recipe));
    m_explanation->setText(visible(label.recipe.explanation));
    m_fileType->setText(fileTypeText(label));
    m_nameLabel->setText(label.nameLabel.empty() ? tr("nothing") : visible(label.nameLabel));
    const gguf::Mix::Type* dominant = mix.dominantType();
    m_dominant->setText(dominant ? tr("%1, %2").arg(
                            visible(dominant->name), NumberText::share(dominant->sum.bytes, mix.total.bytes))
                                 : tr("there are none"));
    const QString whyNoBits = QString::fromStdString(mix.total.whyNoBitsPerWeight());
    m_bits->setText(mix.total.bitsPerWeight()
            ? tr("%1 (%2 for %3 weights)")
                  .arg(NumberText::bitsPerWeight(mix.total.bitsPerWeight()),
                      NumberText::shortSize(mix.total.bytes), NumberText::parameters(mix.total.elements))
            : whyNoBits.isEmpty() ? tr("there are no weights")
                                  : tr("unknown: %1").arg(whyNoBits));
    m_bestFit->setText(bestFitText(label));
    m_imatrix->setText(imatrixText(label.imatrix));
    m_version->setText(
        label.quantizationVersion ? NumberText::count(*label.quantizationVersion) : tr("not stated"));
    QStringList remarks;
    for (const std::string& remark : label.remarks)
        remarks << QString(QStringLiteral("• ") + visible(remark));
    m_remarks->setText(remarks.join(u'\n'));
    m_remarks->setVisible(!remarks.isEmpty());

    // Where no tensor differs, the verdict says so, and the facts have the room.
    m_deviationPart->setVisible(!label.recipe.deviations.empty());
    m_deviationTitle->setText(
        tr("Tensors whose type differs from the recipe of %1").arg(visible(label.recipe.name)));
}

void LabelPane::selectDeviation()
{
    const AuditService::Result audit = m_service.result();
    const QVariant number = m_deviationTable->currentIndex().data(IndexRole);
    if (!audit || !number.isValid())
        return;
    const auto index = static_cast<std::size_t>(number.toULongLong());
    if (m_selection.place() && m_selection.place()->tensor == index)
        return;
    const gguf::Tensor tensor = audit->document.tensor(index);
    Place place;
    place.tensor = index;
    place.range = tensor.dataRange().value_or(tensor.record);
    m_selection.select(place, this);
}

void LabelPane::followSelection(QObject* origin)
{
    if (origin == this || !m_selection.place() || !m_selection.place()->tensor)
        return;
    const AuditService::Result audit = m_service.result();
    if (!audit)
        return;
    const auto& deviations = audit->label.recipe.deviations;
    const auto found = std::ranges::find(
        deviations, *m_selection.place()->tensor, [](const gguf::Deviation& d) { return d.tensor; });
    if (found == deviations.end())
        return m_deviationTable->clearSelection();
    const int row = m_deviations->rowOf(static_cast<int>(found - deviations.begin()));
    if (row >= 0 && row != m_deviationTable->currentIndex().row())
        m_deviationTable->selectRow(row);
}

void LabelPane::applyColors()
{
    m_deviations->setTypeColors(
        [colors = TypePalette::forPalette(palette())](quint32 id) { return colors.color(id); });
}

void LabelPane::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        applyColors();
}
