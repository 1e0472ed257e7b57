// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "document/document.h"

#include <QString>
#include <QVariant>

/// What the base columns of the tensor table say: functions of the document alone, so that a worker may ask them.
namespace TensorCells {

/// Of a name at most so many bytes (0: all): a view lays out the whole text that it is given, however little fits.
QString text(const gguf::Document& document, const gguf::Tensor& tensor, int column, std::size_t maxNameBytes = 0);
QVariant value(const gguf::Document& document, const gguf::Tensor& tensor, int column); ///< true value, to sort by
QString toolTip(const gguf::Document& document, const gguf::Tensor& tensor, int column);

} // namespace TensorCells
