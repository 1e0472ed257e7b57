// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

class FilterLine;
class QPlainTextEdit;
class QTreeWidget;
class QTreeWidgetItem;

/// The catalogue of all checks: code, severity, who minds; meaning, consequence, remedy and an example of the
/// chosen one. Reads the core's table of rules.
class ChecksDialog : public QDialog
{
    Q_OBJECT
public:
    explicit ChecksDialog(QWidget* parent = nullptr);

    void choose(const QString& code);

private:
    void applyFilter(const QString& text);
    void showDetails(const QTreeWidgetItem* item);

    FilterLine* m_filter;
    QTreeWidget* m_list;
    QPlainTextEdit* m_details;
};
