// SPDX-License-Identifier: GPL-3.0-or-later
#include "panes/auditexport.h"

#include "document/document.h"
#include "load/documentloader.h"
#include "load/futurework.h"
#include "load/shownfile.h"
#include "models/typepalette.h"
#include "report/output.h"

#include <QCoreApplication>
#include <QFileDialog>
#include <QFileInfo>
#include <QFutureWatcher>
#include <QMessageBox>
#include <QSaveFile>

namespace AuditExport {

HtmlReport::Color pageColor(std::uint32_t type)
{
    const QColor color = TypePalette(false).color(type);
    return {color.name().toStdString(), TypePalette::textOn(color).name().toStdString()};
}

QString save(const QString& path, const QString& file, const gguf::Document& document)
{
    std::string page;
    {
        Output output(page);
        HtmlReport::write(output, file.toStdString(), document, pageColor);
    }
    QSaveFile target(path);
    if (target.open(QIODevice::WriteOnly) && target.write(page.data(), static_cast<qint64>(page.size())) >= 0
        && target.commit())
        return {};
    return QCoreApplication::translate("AuditExport", "The report could not be written: %1")
        .arg(target.errorString());
}

void saveAs(QWidget* parent, const DocumentLoader& loader)
{
    const QString name = QFileInfo(loader.name()).completeBaseName();
    const QString title = QCoreApplication::translate("AuditExport", "Export Audit Report");
    const QString path
        = QFileDialog::getSaveFileName(parent, title, QString(name + QStringLiteral("-audit.html")),
            QCoreApplication::translate("AuditExport", "HTML page (*.html)"));
    if (path.isEmpty())
        return;
    auto* watcher = new QFutureWatcher<QString>(parent);
    QObject::connect(watcher, &QFutureWatcher<QString>::finished, parent, [watcher, parent, title] {
        watcher->deleteLater();
        if (watcher->result().isEmpty())
            return;
        auto* box = new QMessageBox(QMessageBox::Warning, title, watcher->result(), QMessageBox::Ok, parent);
        box->setTextFormat(Qt::PlainText);
        box->setAttribute(Qt::WA_DeleteOnClose);
        box->open();
    });
    watcher->setFuture(runFutureWork<QString>(
        [path, shown = loader.filePath(), file = loader.name(), document = loader.document()](
            const QPromise<QString>&) {
            return ShownFile::isSame(path, shown) ? ShownFile::refusal() : save(path, file, document);
        },
        [](const QString& sentence) { return sentence; }));
}

} // namespace AuditExport
