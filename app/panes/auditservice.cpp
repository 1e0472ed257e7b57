// SPDX-License-Identifier: GPL-3.0-or-later
#include "panes/auditservice.h"

#include "load/documentloader.h"
#include "widgets/emptystate.h"

#include <QEvent>
#include <QWidget>

#include <utility>

std::shared_ptr<const AuditResult> AuditResult::of(
    const gguf::Document& document, const QString& fileName, const std::stop_token& stop)
{
    auto result = std::make_shared<AuditResult>();
    result->document = document;
    result->tensors = gguf::auditTensors(result->document);
    if (stop.stop_requested())
        return nullptr;
    result->mix = gguf::computeMix(result->tensors);
    if (stop.stop_requested())
        return nullptr;
    result->label = gguf::auditLabel(result->document, result->tensors, result->mix, fileName.toStdString());
    return result;
}

AuditService& AuditService::of(DocumentLoader& loader)
{
    auto* service = loader.findChild<AuditService*>(QString(), Qt::FindDirectChildrenOnly);
    return service ? *service : *new AuditService(loader);
}

AuditService::AuditService(DocumentLoader& loader)
    : QObject(&loader)
    , m_loader(loader)
    , m_job(
          this,
          [this](Result result) {
              m_result = std::move(result);
              emit changed();
          },
          [this](const QString& sentence) {
              m_failure = sentence;
              emit changed();
          })
{
    connect(&loader, &DocumentLoader::started, this, &AuditService::forget);
    connect(&loader, &DocumentLoader::stateChanged, this, &AuditService::begin);
}

QString AuditService::filePath() const
{
    return m_loader.filePath();
}

void AuditService::explainOn(EmptyState& page, const QString& title, const QString& text)
{
    const auto explain = [this, &page, title, text] {
        page.setTitle(m_failure.isEmpty() ? title : tr("The audit failed"));
        page.setText(m_failure.isEmpty() ? text : m_failure);
    };
    connect(this, &AuditService::changed, &page, explain);
    explain();
}

void AuditService::serve(QWidget& widget)
{
    if (!m_isWanted)
        widget.installEventFilter(this);
}

bool AuditService::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Paint) {
        watched->removeEventFilter(this);
        if (!std::exchange(m_isWanted, true))
            begin();
    }
    return QObject::eventFilter(watched, event);
}

void AuditService::forget()
{
    m_job.cancel(); // what still runs for an older load is not heard any more
    if (!m_result && m_failure.isEmpty())
        return;
    m_result.reset();
    m_failure.clear();
    emit changed();
}

void AuditService::begin()
{
    const gguf::Document document = m_loader.document();
    if (!m_isWanted || m_loader.state() == DocumentLoader::State::Loading || !document.isFinished())
        return;
    m_job.start([document, name = m_loader.name()](const std::stop_token& stop) {
        return AuditResult::of(document, name, stop);
    });
}
