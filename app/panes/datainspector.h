// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "format/tensortype.h"
#include "io/byteorder.h"
#include "quant/blockdetail.h"

#include <QStringList>
#include <QWidget>

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

class PlainLabel;
class QTreeWidget;

/// What a person could mean by the bytes at one place: each number type in both byte orders.
struct InspectedValue
{
    QString type;
    QString little;
    QString big; ///< the same as little where the order does not matter
};

/// Numbers of every width, the UTF-8 character, and the names that a GGUF value type or tensor type of this number
/// has. Fields that need more bytes than there are stay empty.
QList<InspectedValue> inspectBytes(std::span<const std::byte> bytes);

/// The piece of a tensor's rows at the caret.
struct InspectedBlock
{
    QString title; ///< which one
    const gguf::TensorTypeInfo* type = nullptr;
    gguf::ByteOrder order = gguf::ByteOrder::Little;
    std::vector<std::byte> meta; ///< what the row, or the group of rows, has before its blocks
    std::vector<std::byte> bytes; ///< of the block, or of the blocks of all rows of a group; empty inside `meta`
    quint64 firstElement = 0; ///< number of the block's first weight in the row
    std::optional<quint32> caret; ///< the caret's byte within the block; nothing inside `meta`

    friend bool operator==(const InspectedBlock&, const InspectedBlock&) = default;
};

/// A side pane that spells out the bytes at the caret and, in tensor data, takes the quantization block apart.
class DataInspector : public QWidget
{
    Q_OBJECT
public:
    explicit DataInspector(QWidget* parent = nullptr);

    /// The bytes from the caret on; 8 are enough. Empty: they are not here. The file's own byte order comes first.
    void setBytes(std::span<const std::byte> bytes, gguf::ByteOrder order);
    void setBlock(const InspectedBlock& block);
    /// No block here; `text` says why, or is empty.
    void clearBlock(const QString& text);

    QSize sizeHint() const override;

private:
    void showBlock(bool visible);
    void fillFields(const std::optional<gguf::BlockDetail>& detail);
    void fillWeights(const gguf::BlockDetail& detail);
    void markCaret();

    QTreeWidget* m_values;
    QWidget* m_block; ///< what follows; hidden where there is none
    PlainLabel* m_blockTitle;
    PlainLabel* m_note; ///< why there are no values
    QTreeWidget* m_fields;
    QTreeWidget* m_weights;
    std::vector<std::byte> m_shownBytes;
    InspectedBlock m_shown; ///< without a type: none
};
