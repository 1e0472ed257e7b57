// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "document/document.h"

#include <QString>
#include <QVariant>

/// What the base columns of the tensor table say: functions of the document alone, so that a worker may ask them.
namespace TensorCells {

QString text(const gguf::Document& document, const gguf::Tensor& tensor, int column);
QVariant value(const gguf::Document& document, const gguf::Tensor& tensor, int column); ///< true value, to sort by
QString toolTip(const gguf::Document& document, const gguf::Tensor& tensor, int column);

} // namespace TensorCells
