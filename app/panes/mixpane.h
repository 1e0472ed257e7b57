// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "panes/auditservice.h"

#include <QList>
#include <QWidget>

class ColumnTableModel;
class DocumentLoader;
class MixChart;
class PlainLabel;
class QComboBox;
class QSplitter;
class QStackedWidget;
class QTableView;
class Selection;

/// Which types the tensors have and what they cost: a chart by type, layer or role, and a table of the types.
class MixPane : public QWidget
{
    Q_OBJECT
public:
    MixPane(DocumentLoader& loader, Selection& selection, QWidget* parent = nullptr);

    MixChart& chart() { return *m_chart; }
    void saveImage(); ///< asks where

signals:
    void typeFilterRequested(const QList<quint32>& typeIds); ///< show only tensors of these types
    void tensorsRequested(const QList<quint64>& tensors); ///< show only these tensors

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void showAudit();
    void divide();
    void choosePart(int bar, quint32 type);
    void chooseTypes();

    AuditService& m_service;
    MixChart* m_chart;
    QComboBox* m_measure;
    QComboBox* m_grouping;
    ColumnTableModel* m_types;
    QTableView* m_table;
    PlainLabel* m_total;
    QSplitter* m_splitter;
    QStackedWidget* m_pages;
    bool m_isDividedByHand = false; ///< between chart and table
};
