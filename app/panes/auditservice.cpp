// SPDX-License-Identifier: GPL-3.0-or-later
#include "panes/auditservice.h"

#include "load/documentloader.h"

#include <QPromise>
#include <QThreadPool>

std::shared_ptr<const AuditResult> AuditResult::of(const gguf::Document& document, const QString& fileName)
{
    auto result = std::make_shared<AuditResult>();
    result->document = document;
    result->tensors = gguf::auditTensors(result->document);
    result->mix = gguf::computeMix(result->tensors);
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
    if (loader.state() != DocumentLoader::State::Loading)
        begin();
}

void AuditService::forget()
{
    m_watcher.setFuture({}); // what still runs for an older load is not heard any more
    if (!m_result)
        return;
    m_result.reset();
    emit changed();
}

void AuditService::begin()
{
    const gguf::Document document = m_loader.document();
    if (m_loader.state() == DocumentLoader::State::Loading || !document.isFinished())
        return;
    const auto promise = std::make_shared<QPromise<Result>>();
    m_watcher.setFuture(promise->future());
    QThreadPool::globalInstance()->start([promise, document, name = m_loader.name()] {
        promise->start();
        promise->addResult(AuditResult::of(document, name));
        promise->finish();
    });
}
