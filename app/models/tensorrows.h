// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "document/document.h"
#include "models/roworder.h"

#include <QVariant>

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <vector>

/// The share of a tensor's data that the file really has; nothing where its size is unknown.
std::optional<double> presentShare(const gguf::TensorSpace& space);

/// What to sort tensors by.
enum class TensorKey { FileOrder, Name, Type, Elements, DataBytes, BitsPerWeight, Offset, FileOffset, Padding, Reserved,
    Present, DerivedNumber, DerivedText, Given };

/// A value of each tensor, to sort by; invalid where there is none.
using TensorValue = std::function<QVariant(const gguf::Document& document, std::size_t tensor)>;

/// The values of all tensors: numbers, or texts.
SortKeys keysOf(const gguf::Document& document, const TensorValue& value, bool numeric);

/// Asks for the rows of a tensor table: a value that a worker can take along.
struct TensorRowsWish
{
    gguf::Document document;
    RowFilter filter;
    TensorKey key = TensorKey::FileOrder;
    SortKeys given; ///< for TensorKey::Given
    TensorValue derived; ///< for TensorKey::DerivedNumber and DerivedText
    Qt::SortOrder order = Qt::AscendingOrder;
};

struct TensorRows
{
    std::vector<quint32> rows; ///< tensor numbers
    gguf::TensorSum sum; ///< over all rows
    std::size_t undecided = 0; ///< see RowFilter::Result
};

/// Which tensors pass the filter, in the order wished. Not complete where it was told to stop.
TensorRows tensorRows(const TensorRowsWish& wish, const std::stop_token& stop = {});
