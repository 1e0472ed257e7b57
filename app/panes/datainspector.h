// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "format/tensortype.h"
#include "io/byteorder.h"

#include <QStringList>
#include <QWidget>

#include <cstddef>
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

/// A side pane that spells out the bytes at the caret and, in tensor data, takes the quantization block apart.
class DataInspector : public QWidget
{
    Q_OBJECT
public:
    explicit DataInspector(QWidget* parent = nullptr);

    /// The bytes from the caret on; 8 are enough. Empty: they are not here.
    void setBytes(std::span<const std::byte> bytes);
    /// One block of a tensor. `title` says which; `firstElement` is the number of its first weight in the row,
    /// `caretInBlock` the caret's byte within the block.
    void setBlock(const QString& title, const gguf::TensorTypeInfo& type, gguf::ByteOrder order,
        std::span<const std::byte> bytes, quint64 firstElement, quint32 caretInBlock);
    /// No block here; `text` says why, or is empty.
    void clearBlock(const QString& text);

    QSize sizeHint() const override;

private:
    QTreeWidget* m_values;
    PlainLabel* m_blockTitle;
    QTreeWidget* m_fields;
    QTreeWidget* m_weights;
    std::vector<std::byte> m_shownBytes, m_shownBlock;
    QString m_shownTitle;
};
