// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "audit/label.h"
#include "audit/mix.h"
#include "document/document.h"
#include "load/latestjob.h"

#include <QObject>

#include <functional>
#include <memory>
#include <vector>

class DocumentLoader;
class EmptyState;
class QWidget;

/// Everything that the audit's panes show of one finished load.
struct AuditResult
{
    gguf::Document document; ///< keeps alive what the others point into
    std::vector<gguf::AuditTensor> tensors;
    gguf::Mix mix;
    gguf::Label label;

    /// Null where it was told to stop on the way.
    static std::shared_ptr<const AuditResult> of(
        const gguf::Document& document, const QString& fileName, const std::stop_token& stop = {});
};

/// Audits what a loader has loaded, once for all panes, on a worker.
class AuditService : public QObject
{
    Q_OBJECT
public:
    using Result = std::shared_ptr<const AuditResult>;

    /// The one of this loader, made when first asked for; the loader owns it.
    static AuditService& of(DocumentLoader& loader);

    QString filePath() const; ///< of the file that is audited
    const Result& result() const { return m_result; } ///< null while nothing was loaded or the audit runs

    /// What a page that a pane shows where it has no audit says: these words, or why the audit failed.
    void explainOn(EmptyState& page, const QString& title, const QString& text);

    /// Begins when this widget is first painted. What nobody looks at is not worked out: for a million tensors it
    /// takes more memory than their table.
    void serve(QWidget& widget);

signals:
    void changed();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    explicit AuditService(DocumentLoader& loader);
    void forget();
    void begin();

    DocumentLoader& m_loader;
    LatestJob<Result> m_job;
    Result m_result;
    QString m_failure; ///< one sentence; empty: none
    bool m_isWanted = false;
};
