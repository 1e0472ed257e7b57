// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/tabletext.h"

#include "models/roles.h"

#include <QAbstractItemModel>
#include <QJsonArray>
#include <QJsonDocument>

#include <cmath>
#include <numeric>

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

QString TableText::table(
    const QAbstractItemModel& model, const QList<int>& rows, Format format, const QList<int>& columns)
{
    QList<int> shown = columns;
    if (shown.isEmpty()) {
        shown.resize(model.columnCount());
        std::iota(shown.begin(), shown.end(), 0);
    }
    QStringList names;
    for (const int column : shown)
        names.append(model.headerData(column, Qt::Horizontal, format == Format::Text ? int{Qt::DisplayRole} : int{CopyRole})
                         .toString());

    QStringList lines;
    for (const int row : rows) {
        QStringList cells;
        for (qsizetype i = 0; i < shown.size(); ++i) {
            const QModelIndex index = model.index(row, shown[i]);
            if (format == Format::Text) {
                cells.append(textCell(index.data(CopyRole).toString()));
                continue;
            }
            const QString text = cell(index.data(SortRole), format);
            cells.append(format == Format::Json ? QString(jsonString(names[i]) + ": "_L1 + text) : text);
        }
        switch (format) {
        case Format::Text:
            lines.append(cells.join(u'\t'));
            break;
        case Format::Csv:
            lines.append(cells.join(u','));
            break;
        case Format::Markdown:
            lines.append(u"| "_s + cells.join(u" | "_s) + u" |"_s);
            break;
        case Format::Json:
            lines.append(u"  {"_s + cells.join(u", "_s) + u'}');
            break;
        }
    }

    switch (format) {
    case Format::Text:
        lines.prepend(names.join(u'\t'));
        break;
    case Format::Csv:
        for (QString& name : names)
            name = csvCell(name);
        lines.prepend(names.join(u','));
        break;
    case Format::Markdown: {
        QStringList rules;
        for (QString& name : names) {
            name = markdownCell(name);
            rules.append(u"---"_s);
        }
        lines.prepend(u"| "_s + rules.join(u" | "_s) + u" |"_s);
        lines.prepend(u"| "_s + names.join(u" | "_s) + u" |"_s);
        break;
    }
    case Format::Json:
        return lines.isEmpty() ? u"[]\n"_s : QString(u"[\n"_s + lines.join(u",\n"_s) + u"\n]\n"_s);
    }
    return lines.join(u'\n') + u'\n';
}
