// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/typepalette.h"

#include <QStyledItemDelegate>

/// Adds to a cell what its roles say: the mark of a Problem (SeverityRole), and a chip in the colour of a tensor
/// type (TypeIdRole, in the one column that shows the type). Shows tooltips as plain text: they quote the file, and
/// Qt would take <b> in a key for markup. Knows no model.
class CellDelegate : public QStyledItemDelegate
{
    Q_OBJECT
public:
    /// Columns below 0: none.
    CellDelegate(int severityColumn, int typeColumn, QObject* parent = nullptr);

    bool helpEvent(QHelpEvent* event, QAbstractItemView* view, const QStyleOptionViewItem& option,
        const QModelIndex& index) override;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;

private:
    int m_severityColumn;
    int m_typeColumn;
};
