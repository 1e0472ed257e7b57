// SPDX-License-Identifier: GPL-3.0-or-later
#include "panes/auditservice.h"

#include "load/documentloader.h"
#include "load/futurework.h"

#include <QEvent>
#include <QWidget>

#include <utility>

std::shared_ptr<const AuditResult> AuditResult::of(
    const gguf::Document& document, const QString& fileName, const std::function<bool()>& isUnwanted)
{
    auto result = std::make_shared<AuditResult>();
    result->document = document;
    result->tensors = gguf::auditTensors(result->document);
    if (isUnwanted && isUnwanted())
        return nullptr;
    result->mix = gguf::computeMix(result->tensors);
    if (isUnwanted && isUnwanted())
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
{
    connect(&loader, &DocumentLoader::started, this, &AuditService::forget);
    connect(&loader, &DocumentLoader::stateChanged, this, &AuditService::begin);
    connect(&m_watcher, &QFutureWatcher<Result>::finished, this, [this] {
        if (m_watcher.future().resultCount() == 0)
            return;
        m_result = m_watcher.result();
        emit changed();
    });
}

AuditService::~AuditService()
{
    m_watcher.future().cancel();
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
    m_watcher.future().cancel();
    m_watcher.setFuture({}); // what still runs for an older load is not heard any more
    if (!m_result)
        return;
    m_result.reset();
    emit changed();
}

void AuditService::begin()
{
    const gguf::Document document = m_loader.document();
    if (!m_isWanted || m_loader.state() == DocumentLoader::State::Loading || !document.isFinished())
        return;
    m_watcher.future().cancel();
    m_watcher.setFuture(runFutureWork<Result>([document, name = m_loader.name()](const QPromise<Result>& promise) {
        return AuditResult::of(document, name, [&promise] { return promise.isCanceled(); });
    }));
}
