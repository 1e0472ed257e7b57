// SPDX-License-Identifier: GPL-3.0-or-later
#include "panes/auditexport.h"

#include "document/document.h"
#include "load/documentloader.h"
#include "load/filewriter.h"
#include "models/typepalette.h"
#include "panes/exporterror.h"
#include "panes/savedialog.h"
#include "report/output.h"

#include <QCoreApplication>
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
    const QString filter = QCoreApplication::translate("AuditExport", "HTML page (*.html)");
    // The document of now: another file may be open when the dialog is closed.
    askWhereToSave(*parent, title, QString(name + QStringLiteral("-audit.html")), {filter},
        [parent, title, shown = loader.filePath(), file = loader.name(), document = loader.document()](
            const QString& path) {
            FileWriter::start(
                *parent, path, shown,
                [file, document](QIODevice& target, const auto&) {
                    std::string page;
                    {
                        Output output(page);
                        HtmlReport::write(output, file.toStdString(), document, pageColor);
                    }
                    target.write(page.data(), static_cast<qint64>(page.size()));
                },
                [parent, title](const QString& error) { showExportError(parent, title, error); });
        });
}

} // namespace AuditExport
