// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/summarybar.h"

#include "document/text.h"
#include "load/documentloader.h"
#include "models/overview.h"
#include "widgets/plaintext.h"
#include "window/verdictbadge.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace {

/// How grave a verdict is: that of its reason.
std::optional<gguf::Severity> severityOf(const gguf::Document& document, const Overview::Verdict& verdict)
{
    if (verdict.good)
        return std::nullopt;
    return verdict.problem ? document.problem(*verdict.problem).severity : gguf::Severity::Error;
}

QString joined(QStringList facts)
{
    facts.removeAll(QString());
    return facts.join(u"  ·  "_s);
}

} // namespace

SummaryBar::SummaryBar(DocumentLoader& loader, QWidget* parent)
    : QWidget(parent)
    , m_loader(loader)
    , m_title(new PlainLabel)
    , m_facts(new PlainLabel)
    , m_fileFacts(new PlainLabel)
    , m_spec(new VerdictBadge)
    , m_ggml(new VerdictBadge)
{
    setObjectName(u"summaryBar"_s);
    setAccessibleName(tr("Summary"));
    m_title->setObjectName(u"summaryTitle"_s);
    m_title->setElideMode(Qt::ElideMiddle);
    m_title->setSelectable(true);
    QFont font = m_title->font();
    font.setPointSizeF(font.pointSizeF() * 1.35);
    font.setBold(true);
    m_title->setFont(font);
    m_facts->setObjectName(u"summaryFacts"_s);
    m_fileFacts->setObjectName(u"summaryFileFacts"_s);
    for (PlainLabel* label : {m_facts, m_fileFacts}) {
        label->setElideMode(Qt::ElideRight);
        label->setSelectable(true);
    }
    m_spec->setObjectName(u"verdictSpec"_s);
    m_ggml->setObjectName(u"verdictGgml"_s);

    auto* text = new QVBoxLayout;
    text->setSpacing(2);
    text->addWidget(m_title);
    text->addWidget(m_facts);
    text->addWidget(m_fileFacts);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(10, 6, 10, 6);
    layout->setSpacing(8);
    layout->addLayout(text, 1);
    layout->addWidget(m_spec);
    layout->addWidget(m_ggml);

    for (VerdictBadge* badge : {m_spec, m_ggml}) {
        connect(badge, &VerdictBadge::clicked, this, [this, badge] {
            if (badge->problem())
                emit problemChosen(*badge->problem());
        });
    }
    connect(&m_loader, &DocumentLoader::documentChanged, this, &SummaryBar::update);
    connect(&m_loader, &DocumentLoader::stateChanged, this, &SummaryBar::update);
    connect(&m_loader, &DocumentLoader::inspected, this, &SummaryBar::update);
    update();
}

void SummaryBar::update()
{
    const gguf::Document& document = m_loader.document();
    const Overview overview = Overview::of(document, m_loader.name());
    m_title->setText(overview.title);

    m_facts->setText(joined({overview.architecture,
        overview.parameters, overview.bitsPerWeight,
        overview.fileType.isEmpty() ? QString() : tr("labelled %1").arg(overview.fileType), overview.tensors,
        overview.metadata}));
    m_fileFacts->setText(
        joined({overview.format, overview.size, overview.complete ? QString() : overview.completeness}));
    const auto shown = [](const QString& path) { return QString::fromStdString(gguf::visibleText(path.toStdString())); };
    m_title->setToolTip(plainToolTip(m_loader.linkTarget().isEmpty()
            ? shown(m_loader.path())
            : tr("%1\nis a link to\n%2").arg(shown(m_loader.path()), shown(m_loader.linkTarget()))));

    const bool judged = document.isFinished();
    m_spec->setVisible(judged);
    m_ggml->setVisible(judged);
    if (!judged)
        return;
    m_spec->setVerdict(severityOf(document, overview.spec), overview.spec.text, overview.spec.reason, overview.spec.problem);
    // One badge for ggml: what stops it first is what counts.
    const Overview::Verdict& ggml = overview.ggmlOpens.good ? overview.ggmlReads : overview.ggmlOpens;
    m_ggml->setVerdict(severityOf(document, ggml), ggml.good ? tr("ggml opens and reads it") : ggml.text, ggml.reason, ggml.problem);
}
