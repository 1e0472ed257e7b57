// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "report/htmlreport.h"

#include <QString>

class DocumentLoader;
class QWidget;

/// The whole audit as one HTML page: see HtmlReport.
namespace AuditExport {

/// The colours of light panes, for the page.
HtmlReport::Color pageColor(std::uint32_t type);

/// Asks for a path and writes there in the background; says in a message box where that failed.
void saveAs(QWidget* parent, const DocumentLoader& loader);

} // namespace AuditExport
