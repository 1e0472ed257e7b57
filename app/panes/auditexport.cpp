// SPDX-License-Identifier: GPL-3.0-or-later
#include "panes/auditexport.h"

#include "document/document.h"
#include "load/documentloader.h"
#include "load/filewriter.h"
#include "models/typepalette.h"
#include "panes/exporterror.h"
#include "report/output.h"

#include <QCoreApplication>
#include <QFileDialog>
#include <QFileInfo>
#include <QIODevice>

namespace AuditExport {

HtmlReport::Color pageColor(std::uint32_t type)
{
    const QColor color = TypePalette(false).color(type);
    return {color.name().toStdString(), TypePalette::textOn(color).name().toStdString()};
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
    FileWriter::start(
        *parent, path, loader.filePath(),
        [file = loader.name(), document = loader.document()](QIODevice& target, const auto&) {
            std::string page;
            {
                Output output(page);
                HtmlReport::write(output, file.toStdString(), document, pageColor);
            }
            target.write(page.data(), static_cast<qint64>(page.size()));
        },
        [parent, title](const QString& error) { showExportError(parent, title, error); });
}

} // namespace AuditExport
