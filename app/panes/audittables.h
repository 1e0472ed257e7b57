// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/columntablemodel.h"
#include "panes/auditservice.h"

class QTableView;

/// The audit's tables as content of a ColumnTableModel; each keeps its result alive.
namespace AuditTables {

ColumnTableModel::Content types(AuditService::Result audit);
ColumnTableModel::Content deviations(AuditService::Result audit);
ColumnTableModel::Content kinds(AuditService::Result audit); ///< bits per weight of groups of roles

/// Whole rows, sorted by clicking, one line each, no grid; column widths from the first rows.
void setUp(QTableView& view);
/// This column takes the rest of the width instead of the last, and is at least as wide as its texts.
void stretchColumn(QTableView& view, int column);
/// After the content changed: columns as wide as their first rows need, one takes the rest.
void fitColumns(QTableView& view);
/// The width in which the table shows all columns as fitColumns() found them.
int fittedWidth(const QTableView& view);

} // namespace AuditTables
