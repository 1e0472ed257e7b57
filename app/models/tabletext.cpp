// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/tabletext.h"

#include <QJsonArray>
#include <QJsonDocument>

#include <cmath>

using namespace Qt::StringLiterals;

namespace {

bool isNumber(const QVariant& value)
{
    switch (value.typeId()) {
    case QMetaType::Int:
    case QMetaType::UInt:
    case QMetaType::LongLong:
    case QMetaType::ULongLong:
    case QMetaType::Double:
        return true;
    default:
        return false;
    }
}

/// Exactly; doubles in the shortest form that reads back the same.
QString numberText(const QVariant& value)
{
    return value.typeId() == QMetaType::Double
        ? QString::number(value.toDouble(), 'g', QLocale::FloatingPointShortest)
        : value.toString();
}

QString jsonValue(const QVariant& value)
{
    if (!value.isValid())
        return u"null"_s;
    if (isNumber(value) && std::isfinite(value.toDouble()))
        return numberText(value);
    return TableText::jsonString(isNumber(value) ? numberText(value) : value.toString());
}

QString cell(const QVariant& value, TableText::Format format)
{
    if (format == TableText::Format::Json)
        return jsonValue(value);
    const QString text = isNumber(value) ? numberText(value) : value.toString();
    if (format == TableText::Format::Csv)
        return isNumber(value) ? text : TableText::csvCell(text);
    return TableText::markdownCell(text);
}

/// A cell of tab-separated text may hold no tab and no line break.
QString textCell(QString text)
{
    text.replace(u'\t', u' ');
    text.replace(u'\n', u' ');
    text.replace(u'\r', u' ');
    return text;
}

/// The lines before the first row.
QString headingOf(QStringList names, TableText::Format format)
{
    using Format = TableText::Format;
    switch (format) {
    case Format::Text:
        break;
    case Format::Csv:
        for (QString& name : names)
            name = TableText::csvCell(name);
        return names.join(u',') + u'\n';
    case Format::Markdown: {
        QStringList rules;
        for (QString& name : names) {
            name = TableText::markdownCell(name);
            rules.append(u"---"_s);
        }
        return u"| "_s + names.join(u" | "_s) + u" |\n| "_s + rules.join(u" | "_s) + u" |\n"_s;
    }
    case Format::Json:
        return u"[\n"_s;
    }
    return names.join(u'\t') + u'\n';
}

QString lineOf(const QStringList& cells, TableText::Format format, bool isLast)
{
    using Format = TableText::Format;
    switch (format) {
    case Format::Text:
        break;
    case Format::Csv:
        return cells.join(u',') + u'\n';
    case Format::Markdown:
        return u"| "_s + cells.join(u" | "_s) + u" |\n"_s;
    case Format::Json:
        return u"  {"_s + cells.join(u", "_s) + (isLast ? u"}\n"_s : u"},\n"_s);
    }
    return cells.join(u'\t') + u'\n';
}

} // namespace

QString TableText::csvCell(const QString& text)
{
    QString cell = text;
    if (!cell.isEmpty() && u"=+-@\t\r"_s.contains(cell.front()))
        cell.prepend(u'\'');
    const bool needsQuotes = cell.contains(u',') || cell.contains(u'"') || cell.contains(u'\n')
        || cell.contains(u'\r') || cell.startsWith(u' ') || cell.endsWith(u' ');
    if (!needsQuotes)
        return cell;
    cell.replace(u"\""_s, u"\"\""_s);
    return u'"' + cell + u'"';
}

QString TableText::markdownCell(const QString& text)
{
    QString cell;
    for (const QChar character : text) {
        if (u"\\|`*_[]<>~#&"_s.contains(character))
            cell += u'\\';
        cell += character == u'\n' || character == u'\r' ? QChar(u' ') : character;
    }
    return cell;
}

QString TableText::jsonString(const QString& text)
{
    const QByteArray array = QJsonDocument(QJsonArray{text}).toJson(QJsonDocument::Compact);
    return QString::fromUtf8(array.sliced(1, array.size() - 2));
}

void TableText::write(const Table& table, const std::function<bool(const QString& piece)>& put)
{
    const Format format = table.format;
    if (format == Format::Json && table.rows == 0) {
        put(u"[]\n"_s);
        return;
    }
    if (!put(headingOf(table.names, format)))
        return;
    QStringList keys;
    for (const QString& name : table.names)
        keys.append(format == Format::Json ? QString(jsonString(name) + ": "_L1) : QString());
    for (int row = 0; row < table.rows; ++row) {
        QStringList cells;
        for (int column = 0; column < keys.size(); ++column) {
            const QVariant value = table.cell(row, column);
            cells.append(format == Format::Text ? textCell(value.toString()) : QString(keys[column] + cell(value, format)));
        }
        const bool isLast = row + 1 == table.rows;
        if (!put(lineOf(cells, format, isLast)))
            return;
    }
    if (format == Format::Json)
        put(u"]\n"_s);
}

QString TableText::text(const Table& table)
{
    QString all;
    write(table, [&all](const QString& piece) {
        all += piece;
        return true;
    });
    return all;
}
