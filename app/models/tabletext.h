// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>
#include <QStringList>
#include <QVariant>

#include <functional>

/// Tables as text for the clipboard and for files.
///
/// Text shows what the cells show; CSV, Markdown and JSON hold the true values under the columns' stable names, numbers
/// exactly.
namespace TableText {

enum class Format { Text, Csv, Markdown, Json };

/// A table that needs no model, so that a worker may write it.
struct Table
{
    Format format = Format::Text;
    QStringList names; ///< of the columns
    int rows = 0;
    std::function<QVariant(int row, int column)> cell; ///< for Format::Text a text, else a true value
};

/// Gives the text to `put` piece by piece, until that returns false.
void write(const Table& table, const std::function<bool(const QString& piece)>& put);

QString text(const Table& table); ///< all of it

/// One CSV cell (RFC 4180). Text that a spreadsheet would run as a formula (it begins with =, +, -, @, a tab or a
/// carriage return) gets an apostrophe in front.
QString csvCell(const QString& text);
QString markdownCell(const QString& text); ///< pipes and backticks escaped, no line breaks, no HTML
QString jsonString(const QString& text); ///< quoted and escaped

} // namespace TableText
