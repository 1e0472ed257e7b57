// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "panes/auditservice.h"

#include <QWidget>

class ColumnTableModel;
class DocumentLoader;
class PlainLabel;
class QFormLayout;
class QStackedWidget;
class QTableView;
class Selection;

/// The label and the truth: what the file says of its quantization, what its tensors say, and where they
/// differ.
class LabelPane : public QWidget
{
    Q_OBJECT
public:
    LabelPane(DocumentLoader& loader, Selection& selection, QWidget* parent = nullptr);

protected:
    void changeEvent(QEvent* event) override;

private:
    PlainLabel* addFact(QFormLayout& form, const QString& caption, const QString& name);
    void showAudit();
    void showFacts(const AuditResult& audit);
    void selectDeviation();
    void followSelection(QObject* origin);
    void applyColors();

    AuditService& m_service;
    Selection& m_selection;
    PlainLabel* m_verdict;
    PlainLabel* m_explanation;
    PlainLabel* m_fileType = nullptr;
    PlainLabel* m_nameLabel = nullptr;
    PlainLabel* m_dominant = nullptr;
    PlainLabel* m_bits = nullptr;
    PlainLabel* m_bestFit = nullptr;
    PlainLabel* m_imatrix = nullptr;
    PlainLabel* m_version = nullptr;
    PlainLabel* m_remarks;
    PlainLabel* m_deviationTitle;
    ColumnTableModel* m_kinds;
    ColumnTableModel* m_deviations;
    QTableView* m_kindTable;
    QTableView* m_deviationTable;
    QWidget* m_deviationPart; ///< the table of deviations and its title
    QStackedWidget* m_pages;
};
