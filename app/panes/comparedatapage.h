// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "load/datacomparison.h"
#include "panes/comparetables.h"

#include <QWidget>

class ColumnTableModel;
class PlainLabel;
class QProgressBar;
class QPushButton;
class QTableView;

/// Whether the tensors of two files hold the same bytes: compared when asked for, in the background.
class CompareDataPage : public QWidget
{
    Q_OBJECT
public:
    using Source = std::shared_ptr<const gguf::ByteSource>;

    explicit CompareDataPage(QWidget* parent = nullptr);

    void setComparison(const CompareTables::Shared& comparison, Source a, Source b);
    void clear(); ///< lets go of what runs
    void startOrCancel();
    DataComparison& data() { return m_data; }

signals:
    void changed(); ///< more is known, or all

private:
    void showState();

    DataComparison m_data;
    CompareTables::Shared m_comparison;
    Source m_sourceA, m_sourceB;
    ColumnTableModel* m_model;
    QTableView* m_table;
    QPushButton* m_button;
    QProgressBar* m_progress;
    PlainLabel* m_status;
};
