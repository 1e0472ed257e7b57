// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>

class QAbstractItemModel;

/// Rows of a table model as text for the clipboard and for files.
///
/// Text shows what the cells show; CSV, Markdown and JSON hold the true values (SortRole) under the columns' stable
/// names (CopyRole of the header), numbers exactly.
namespace TableText {

enum class Format { Text, Csv, Markdown, Json };

/// Rows and columns in the order given; no columns: all.
QString table(const QAbstractItemModel& model, const QList<int>& rows, Format format, const QList<int>& columns = {});

/// One CSV cell (RFC 4180). Text that a spreadsheet would run as a formula (it begins with =, +, -, @, a tab or a
/// carriage return) gets an apostrophe in front.
QString csvCell(const QString& text);
QString markdownCell(const QString& text); ///< pipes and backticks escaped, no line breaks, no HTML
QString jsonString(const QString& text); ///< quoted and escaped

} // namespace TableText
