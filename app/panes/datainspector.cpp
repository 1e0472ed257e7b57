// SPDX-License-Identifier: GPL-3.0-or-later
#include "panes/datainspector.h"

#include "document/text.h"
#include "format/valuetype.h"
#include "quant/blockdetail.h"
#include "quant/dequantize.h"
#include "widgets/plaintext.h"

#include <QFontDatabase>
#include <QHeaderView>
#include <QSplitter>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <concepts>

namespace {

/// The shortest text that reads back as the same number.
template <std::floating_point T>
QString floatText(T value)
{
    if (std::isnan(value))
        return QStringLiteral("nan");
    if (std::isinf(value))
        return value < 0 ? QStringLiteral("-inf") : QStringLiteral("inf");
    char buffer[64];
    const std::to_chars_result end = std::to_chars(buffer, buffer + sizeof buffer, value);
    return QString::fromLatin1(buffer, end.ptr - buffer);
}

template <class T>
QString numberAt(std::span<const std::byte> bytes, gguf::ByteOrder order)
{
    if (bytes.size() < sizeof(T))
        return {};
    const T value = gguf::loadAs<T>(bytes.data(), order);
    if constexpr (std::is_floating_point_v<T>)
        return floatText(value);
    else if constexpr (sizeof(T) < sizeof(int))
        return QString::number(int{value});
    else
        return QString::number(value);
}

template <class T>
InspectedValue row(const char* name, std::span<const std::byte> bytes)
{
    return {QString::fromLatin1(name), numberAt<T>(bytes, gguf::ByteOrder::Little),
        numberAt<T>(bytes, gguf::ByteOrder::Big)};
}

template <class Convert>
InspectedValue convertedRow(const QString& name, std::span<const std::byte> bytes, std::size_t width, Convert convert)
{
    if (bytes.size() < width)
        return {name, {}, {}};
    return {name, convert(gguf::ByteOrder::Little), convert(gguf::ByteOrder::Big)};
}

QString characterText(std::span<const std::byte> bytes)
{
    if (bytes.empty())
        return {};
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), std::min<std::size_t>(bytes.size(), 4));
    const auto lead = static_cast<unsigned char>(text.front());
    const std::size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    if (length > text.size() || gguf::firstInvalidUtf8(text.substr(0, length)) != length)
        return {};
    const std::string_view character = text.substr(0, length);
    const char32_t code = QString::fromUtf8(character.data(), static_cast<qsizetype>(length)).toUcs4().value(0);
    return QStringLiteral("%1  U+%2")
        .arg(QString::fromStdString(gguf::visibleText(character)),
            QString::number(code, 16).toUpper().rightJustified(4, u'0'));
}

QTreeWidget* makeTable(const QStringList& headings, const QString& objectName, const QString& accessibleName)
{
    auto* table = new QTreeWidget;
    table->setObjectName(objectName);
    table->setAccessibleName(accessibleName);
    table->setHeaderLabels(headings);
    table->setRootIsDecorated(false);
    table->setUniformRowHeights(true);
    table->setAlternatingRowColors(true);
    table->setFrameShape(QFrame::NoFrame);
    table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    table->header()->setStretchLastSection(true);
    table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    table->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    table->header()->setFont(QFontDatabase::systemFont(QFontDatabase::GeneralFont));
    return table;
}

QString entriesText(const std::vector<double>& entries)
{
    QStringList texts;
    for (std::size_t i = 0; i < std::min<std::size_t>(entries.size(), 64); ++i)
        texts += QString::number(entries[i], 'g', 7);
    if (entries.size() > 64)
        texts += QStringLiteral("…");
    return texts.join(u' ');
}

} // namespace

QList<InspectedValue> inspectBytes(std::span<const std::byte> bytes)
{
    QList<InspectedValue> values;
    values << row<std::uint8_t>("u8", bytes) << row<std::int8_t>("i8", bytes) << row<std::uint16_t>("u16", bytes)
           << row<std::int16_t>("i16", bytes) << row<std::uint32_t>("u32", bytes) << row<std::int32_t>("i32", bytes)
           << row<quint64>("u64", bytes) << row<qint64>("i64", bytes);
    values << convertedRow(QStringLiteral("f16"), bytes, 2, [&](gguf::ByteOrder order) {
        return floatText(gguf::halfToFloat(gguf::loadAs<std::uint16_t>(bytes.data(), order)));
    });
    values << convertedRow(QStringLiteral("bf16"), bytes, 2, [&](gguf::ByteOrder order) {
        return floatText(gguf::bfloat16ToFloat(gguf::loadAs<std::uint16_t>(bytes.data(), order)));
    });
    values << row<float>("f32", bytes) << row<double>("f64", bytes);
    const QString character = characterText(bytes);
    values << InspectedValue{DataInspector::tr("UTF-8"), character, character};
    values << convertedRow(DataInspector::tr("Value type"), bytes, 4, [&](gguf::ByteOrder order) {
        const auto type = gguf::valueTypeFromId(gguf::loadAs<std::uint32_t>(bytes.data(), order));
        const std::string_view name = type ? gguf::valueTypeName(*type) : std::string_view();
        return QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
    });
    values << convertedRow(DataInspector::tr("Tensor type"), bytes, 4, [&](gguf::ByteOrder order) {
        const gguf::TensorTypeInfo* type = gguf::findTensorType(gguf::loadAs<std::uint32_t>(bytes.data(), order));
        return type ? QString::fromUtf8(type->name.data(), static_cast<qsizetype>(type->name.size())) : QString();
    });
    return values;
}

DataInspector::DataInspector(QWidget* parent)
    : QWidget(parent)
    , m_values(makeTable({tr("Type"), tr("Little-endian"), tr("Big-endian")}, QStringLiteral("inspectorValues"),
          tr("Bytes at the caret as numbers")))
    , m_blockTitle(new PlainLabel)
    , m_fields(makeTable({tr("Field"), tr("Bytes"), tr("Type"), tr("Value")}, QStringLiteral("inspectorFields"),
          tr("Fields of the block")))
    , m_weights(makeTable({tr("Element"), tr("Quant"), tr("Scale"), tr("Value")}, QStringLiteral("inspectorWeights"),
          tr("Dequantized values of the block")))
{
    m_blockTitle->setObjectName(QStringLiteral("inspectorBlockTitle"));
    m_blockTitle->setElideMode(Qt::ElideMiddle);
    m_blockTitle->setContentsMargins(8, 6, 8, 4);
    auto* block = new QWidget;
    auto* blockColumn = new QVBoxLayout(block);
    blockColumn->setContentsMargins(0, 0, 0, 0);
    blockColumn->setSpacing(0);
    blockColumn->addWidget(m_blockTitle);
    blockColumn->addWidget(m_fields);
    blockColumn->addWidget(m_weights, 1);
    auto* splitter = new QSplitter(Qt::Vertical);
    splitter->setObjectName(QStringLiteral("inspectorSplitter"));
    splitter->setChildrenCollapsible(false);
    splitter->addWidget(m_values);
    splitter->addWidget(block);
    splitter->setStretchFactor(1, 1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(splitter);

    for (const InspectedValue& value : inspectBytes({}))
        new QTreeWidgetItem(m_values, {value.type});
    const int digit = m_values->fontMetrics().horizontalAdvance(u'0');
    // Both byte orders side by side; the longest numbers are elided and stand in the tooltip.
    m_values->setColumnWidth(0, digit * 13);
    m_values->setMaximumHeight(m_values->header()->sizeHint().height()
        + m_values->topLevelItemCount() * m_values->sizeHintForRow(0) + 4);
    m_values->header()->setStretchLastSection(false);
    m_values->header()->setSectionResizeMode(1, QHeaderView::Stretch);
    m_values->header()->setSectionResizeMode(2, QHeaderView::Stretch);
    m_fields->setColumnWidth(0, digit * 9);
    m_fields->setColumnWidth(1, digit * 9);
    m_fields->setColumnWidth(2, digit * 7);
    m_weights->setColumnWidth(0, digit * 9);
    m_weights->setColumnWidth(1, digit * 7);
    m_weights->setColumnWidth(2, digit * 23);
    clearBlock({});
}

void DataInspector::setBytes(std::span<const std::byte> bytes)
{
    if (std::ranges::equal(bytes, m_shownBytes))
        return;
    m_shownBytes.assign(bytes.begin(), bytes.end());
    const QList<InspectedValue> values = inspectBytes(bytes);
    for (int i = 0; i < values.size(); ++i) {
        m_values->topLevelItem(i)->setText(1, values[i].little);
        m_values->topLevelItem(i)->setText(2, values[i].big);
        m_values->topLevelItem(i)->setToolTip(1, plainToolTip(values[i].little));
        m_values->topLevelItem(i)->setToolTip(2, plainToolTip(values[i].big));
    }
}

void DataInspector::setBlock(const QString& title, const gguf::TensorTypeInfo& type, gguf::ByteOrder order,
    std::span<const std::byte> bytes, quint64 firstElement, quint32 caretInBlock)
{
    const bool same = title == m_shownTitle && std::ranges::equal(bytes, m_shownBlock);
    if (!same) {
        m_shownTitle = title;
        m_shownBlock.assign(bytes.begin(), bytes.end());
        m_blockTitle->setText(title);
        m_blockTitle->show();
        m_fields->clear();
        m_weights->clear();
        const std::optional<gguf::BlockDetail> detail = gguf::blockDetail(type, order, bytes);
        if (!detail) {
            for (const gguf::BlockField& field : gguf::blockFields(type)) {
                new QTreeWidgetItem(m_fields,
                    {QString::fromUtf8(field.name.data(), qsizetype(field.name.size())),
                        QStringLiteral("%1…%2").arg(field.offset).arg(field.offset + field.size - 1),
                        QString::fromUtf8(field.elementType.data(), qsizetype(field.elementType.size())),
                        QString::fromStdString(gguf::hexBytes(bytes.subspan(field.offset, field.size)))});
            }
        } else {
            for (const gguf::BlockFieldValues& values : detail->fields) {
                const gguf::BlockField& field = values.field;
                auto* item = new QTreeWidgetItem(m_fields,
                    {QString::fromUtf8(field.name.data(), qsizetype(field.name.size())),
                        QStringLiteral("%1…%2").arg(field.offset).arg(field.offset + field.size - 1),
                        QString::fromUtf8(field.elementType.data(), qsizetype(field.elementType.size())),
                        entriesText(values.entries)});
                item->setToolTip(0, plainToolTip(QString::fromUtf8(field.meaning.data(), qsizetype(field.meaning.size()))));
            }
            QList<QTreeWidgetItem*> items;
            for (std::size_t i = 0; i < detail->elements.size(); ++i) {
                const gguf::BlockElement& element = detail->elements[i];
                QString scale = element.quant ? QString::number(double{element.scale}, 'g', 5) : QString();
                if (element.offset)
                    scale += (*element.offset < 0 ? QStringLiteral(" − ") : QStringLiteral(" + "))
                        + QString::number(double{std::abs(*element.offset)}, 'g', 5);
                items += new QTreeWidgetItem({QString::number(firstElement + i),
                    element.quant ? QString::number(*element.quant) : QString(), scale, floatText(element.value)});
            }
            m_weights->addTopLevelItems(items);
        }
        // As high as its rows: blocks have a handful of fields
        const int rows = std::min(m_fields->topLevelItemCount(), 8);
        m_fields->setFixedHeight(m_fields->header()->sizeHint().height() + rows * m_fields->sizeHintForRow(0) + 4);
        m_fields->setVisible(m_fields->topLevelItemCount() > 0);
        m_weights->setVisible(m_weights->topLevelItemCount() > 0);
    }
    // The field and the weights that the caret's byte takes part in
    m_fields->clearSelection();
    const std::span<const gguf::BlockField> fields = gguf::blockFields(type);
    for (int i = 0; i < std::min<int>(m_fields->topLevelItemCount(), static_cast<int>(fields.size())); ++i) {
        const gguf::BlockField& field = fields[static_cast<std::size_t>(i)];
        if (caretInBlock >= field.offset && caretInBlock - field.offset < field.size)
            m_fields->topLevelItem(i)->setSelected(true);
    }
    m_weights->clearSelection();
    const std::vector<std::uint32_t> touched = gguf::blockElementsAt(type, caretInBlock);
    if (touched.size() < type.blockLength) {
        for (const std::uint32_t element : touched) {
            if (QTreeWidgetItem* item = m_weights->topLevelItem(static_cast<int>(element)))
                item->setSelected(true);
        }
    }
    if (!touched.empty() && m_weights->topLevelItemCount() > 0)
        m_weights->scrollToItem(m_weights->topLevelItem(static_cast<int>(touched.front())));
}

QSize DataInspector::sizeHint() const
{
    return QSize(m_values->fontMetrics().horizontalAdvance(u'0') * 56, 400);
}

void DataInspector::clearBlock(const QString& text)
{
    m_shownTitle.clear();
    m_shownBlock.clear();
    m_blockTitle->setText(text);
    m_blockTitle->setVisible(!text.isEmpty());
    m_fields->clear();
    m_weights->clear();
    m_fields->hide();
    m_weights->hide();
}
