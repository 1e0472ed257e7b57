// SPDX-License-Identifier: GPL-3.0-or-later
#include "panes/datainspector.h"

#include "document/text.h"
#include "format/valuetype.h"
#include "quant/blockdetail.h"
#include "quant/dequantize.h"
#include "widgets/plaintext.h"

#include <QFontDatabase>
#include <QHeaderView>
#include <QScrollArea>
#include <QScrollBar>
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
    table->header()->setStretchLastSection(false);
    // As wide as what they show: in a narrow pane a person scrolls sideways, and nothing is cut.
    table->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    table->header()->setResizeContentsPrecision(0);
    table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
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
    , m_block(new QWidget)
    , m_blockTitle(new PlainLabel)
    , m_note(new PlainLabel)
    , m_fields(makeTable({tr("Field"), tr("Bytes"), tr("Type"), tr("Value")}, QStringLiteral("inspectorFields"),
          tr("Fields of the block")))
    , m_weights(makeTable({tr("Element"), tr("Quant"), tr("Scale"), tr("Value")}, QStringLiteral("inspectorWeights"),
          tr("Dequantized values of the block")))
{
    m_blockTitle->setObjectName(QStringLiteral("inspectorBlockTitle"));
    m_blockTitle->setElideMode(Qt::ElideMiddle);
    m_blockTitle->setContentsMargins(8, 6, 8, 4);
    auto* blockColumn = new QVBoxLayout(m_block);
    blockColumn->setContentsMargins(0, 0, 0, 0);
    blockColumn->setSpacing(0);
    blockColumn->addWidget(m_blockTitle);
    blockColumn->addWidget(m_fields);
    blockColumn->addWidget(m_note);
    blockColumn->addWidget(m_weights, 1);
    blockColumn->addStretch();
    auto* splitter = new QSplitter(Qt::Vertical);
    splitter->setObjectName(QStringLiteral("inspectorSplitter"));
    splitter->setChildrenCollapsible(false);
    splitter->addWidget(m_values);
    splitter->addWidget(m_block);
    splitter->setSizes({2, 3});
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    // In a low pane all of it scrolls: each table keeps room for some rows.
    for (QTreeWidget* table : {m_values, m_weights})
        table->setMinimumHeight(6 * table->fontMetrics().height());
    auto* area = new QScrollArea;
    area->setFrameShape(QFrame::NoFrame);
    area->setFocusPolicy(Qt::NoFocus);
    area->setWidgetResizable(true);
    area->setWidget(splitter);
    column->addWidget(area);

    for (const InspectedValue& value : inspectBytes({}))
        new QTreeWidgetItem(m_values, {value.type});
    m_weights->header()->setResizeContentsPrecision(-1); // scrolling to the caret does not measure the rows again
    m_note->setObjectName(QStringLiteral("inspectorNote"));
    m_note->setWordWrap(true);
    m_note->setContentsMargins(8, 4, 8, 4);
    clearBlock({});
}

void DataInspector::setBytes(std::span<const std::byte> bytes, gguf::ByteOrder order)
{
    QHeaderView* header = m_values->header();
    const int first = order == gguf::ByteOrder::Little ? 1 : 2;
    header->moveSection(header->visualIndex(first), 1);
    if (std::ranges::equal(bytes, m_shownBytes))
        return;
    m_shownBytes.assign(bytes.begin(), bytes.end());
    const QList<InspectedValue> values = inspectBytes(bytes);
    for (int i = 0; i < values.size(); ++i) {
        m_values->topLevelItem(i)->setText(1, values[i].little);
        m_values->topLevelItem(i)->setText(2, values[i].big);
    }
}

void DataInspector::setBlock(const InspectedBlock& block)
{
    const std::optional<quint32> before = std::exchange(m_shown.caret, block.caret);
    if (m_shown != block) {
        m_shown = block;
        const std::optional<gguf::BlockDetail> detail
            = gguf::blockDetail(*block.type, block.order, block.bytes, block.meta);
        m_blockTitle->setText(block.title);
        showBlock(true);
        m_fields->clear();
        m_weights->clear();
        fillFields(detail);
        if (detail)
            fillWeights(*detail);
        const QString name = QString::fromUtf8(block.type->name.data(), qsizetype(block.type->name.size()));
        m_note->setText(detail || block.bytes.empty() ? QString()
                : block.type->rowsInterleaved > 1
                ? tr("The values of %1 are not decoded: its rows lie woven together, %2 at a time.")
                      .arg(name)
                      .arg(block.type->rowsInterleaved)
                : tr("The values of %1 are not decoded: what lies where inside its blocks is not known here.").arg(name));
        m_note->setVisible(!m_note->fullText().isEmpty());
        // As high as its rows: blocks have a handful of fields
        const int rows = std::min(m_fields->topLevelItemCount(), 8);
        m_fields->setFixedHeight(m_fields->header()->sizeHint().height() + rows * m_fields->sizeHintForRow(0)
            + m_fields->horizontalScrollBar()->sizeHint().height() + 4);
        m_fields->setVisible(m_fields->topLevelItemCount() > 0);
        m_weights->setVisible(m_weights->topLevelItemCount() > 0);
    } else if (before == block.caret) {
        return;
    }
    markCaret();
}

/// Beside a block the numbers are no higher than their rows; alone they have all the room.
void DataInspector::showBlock(bool visible)
{
    const int rows = m_values->header()->sizeHint().height() + m_values->topLevelItemCount() * m_values->sizeHintForRow(0)
        + m_values->horizontalScrollBar()->sizeHint().height() + 4;
    m_values->setMaximumHeight(visible ? rows : QWIDGETSIZE_MAX);
    m_block->setVisible(visible);
}

void DataInspector::fillFields(const std::optional<gguf::BlockDetail>& detail)
{
    const auto text = [](std::string_view view) { return QString::fromUtf8(view.data(), qsizetype(view.size())); };
    const auto add = [&](const QString& name, std::size_t offset, std::size_t size, const QString& type, const QString& value) {
        return new QTreeWidgetItem(
            m_fields, {name, QStringLiteral("%1…%2").arg(offset).arg(offset + size - 1), type, value});
    };
    const auto hex = [](std::span<const std::byte> bytes) -> QString {
        return QString::fromStdString(gguf::hexBytes(bytes.first(std::min<std::size_t>(bytes.size(), 64))))
            + (bytes.size() > 64 ? QStringLiteral(" …") : QString());
    };
    for (const gguf::MetaField& field : gguf::rowMetaFields(*m_shown.type, m_shown.order, m_shown.meta))
        add(tr("row: %1").arg(text(field.name)), field.offset, field.size, text(field.type),
            field.values.empty() ? hex(std::span(m_shown.meta).subspan(field.offset, field.size)) : entriesText(field.values));
    if (m_shown.bytes.empty())
        return;
    if (detail) {
        for (const gguf::BlockFieldValues& values : detail->fields) {
            const gguf::BlockField& field = values.field;
            add(text(field.name), field.offset, field.size, text(field.elementType), entriesText(values.entries))
                ->setToolTip(0, plainToolTip(text(field.meaning)));
        }
        return;
    }
    const std::span<const gguf::BlockField> fields = m_shown.type->rowsInterleaved > 1
        ? std::span<const gguf::BlockField>()
        : gguf::blockFields(*m_shown.type);
    for (const gguf::BlockField& field : fields)
        add(text(field.name), field.offset, field.size, text(field.elementType),
            hex(std::span(m_shown.bytes).subspan(field.offset, field.size)));
    if (fields.empty())
        add(tr("block"), 0, m_shown.bytes.size(), QStringLiteral("u8"), hex(m_shown.bytes));
}

void DataInspector::fillWeights(const gguf::BlockDetail& detail)
{
    QList<QTreeWidgetItem*> items;
    for (std::size_t i = 0; i < detail.elements.size(); ++i) {
        const gguf::BlockElement& element = detail.elements[i];
        QString scale = element.quant ? QString::number(double{element.scale}, 'g', 5) : QString();
        if (element.offset)
            scale += (*element.offset < 0 ? QStringLiteral(" − ") : QStringLiteral(" + "))
                + QString::number(double{std::abs(*element.offset)}, 'g', 5);
        items += new QTreeWidgetItem({QString::number(m_shown.firstElement + i),
            element.quant ? QString::number(*element.quant) : QString(), scale, floatText(element.value)});
    }
    m_weights->addTopLevelItems(items);
}

/// The field and the weights that the caret's byte takes part in
void DataInspector::markCaret()
{
    m_fields->clearSelection();
    m_weights->clearSelection();
    if (!m_shown.caret)
        return;
    const quint32 caret = *m_shown.caret;
    const std::span<const gguf::BlockField> fields = gguf::blockFields(*m_shown.type);
    const int metaRows = m_fields->topLevelItemCount() - static_cast<int>(fields.size());
    for (std::size_t i = 0; metaRows >= 0 && i < fields.size(); ++i) {
        if (caret >= fields[i].offset && caret - fields[i].offset < fields[i].size)
            m_fields->topLevelItem(metaRows + static_cast<int>(i))->setSelected(true);
    }
    const std::vector<std::uint32_t> touched = gguf::blockElementsAt(*m_shown.type, caret);
    if (touched.size() < m_shown.type->blockLength) {
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
    m_shown = {};
    m_note->hide();
    m_blockTitle->setText(text);
    showBlock(!text.isEmpty());
    m_fields->clear();
    m_weights->clear();
    m_fields->hide();
    m_weights->hide();
}
