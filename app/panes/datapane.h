// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "load/dataworker.h"
#include "models/selection.h"
#include "parse/problem.h"

#include <QWidget>

#include <functional>
#include <vector>

class DataModel;
class DocumentLoader;
class EmptyState;
class PlainLabel;
class QComboBox;
class QLayout;
class QLineEdit;
class QPlainTextEdit;
class QProgressBar;
class QPushButton;
class QStackedWidget;
class QTableView;
class ValueHistogram;

/// Looks through tensor data when asked to: NaN and infinity, runs of zeros, what the values are like,
/// SHA-256. Reads nothing by itself.
class DataPane : public QWidget
{
    Q_OBJECT
public:
    DataPane(DocumentLoader& loader, Selection& selection, QWidget* parent = nullptr);

    /// Tells which tensors a person has selected elsewhere (the tensor table). Without it, and where it
    /// answers none, the tensor of the shared selection counts.
    void setSelectedTensors(std::function<std::vector<std::size_t>()> selected);

    DataModel& model() { return *m_model; }
    /// Results as Problems, in the order of the results, the first 2,000 or so. They are not the document's.
    std::vector<gguf::Problem> problems() const;

public slots:
    void copy(); ///< the chosen rows
    void run(DataWorker::Task task); ///< over the tensors chosen in the pane
    void cancel();

signals:
    void problemsChanged(); ///< problems() has more, or was emptied

private:
    enum Scope
    {
        AllTensors,
        SelectedTensors
    };

    QWidget* buildControls();
    QWidget* buildDetails();
    QLayout* buildComparison();
    void showPage();
    void explain();
    std::vector<std::size_t> chosenTensors() const;
    void beginDocument();
    void updateControls();
    void updateProgress();
    void finish(bool cancelled);
    void showDetails();
    QString detailText(int row) const;
    void goToData(int row, Selection::Kind kind);
    void follow(QObject* origin);
    void compare();

    DocumentLoader& m_loader;
    Selection& m_selection;
    std::function<std::vector<std::size_t>()> m_selected;
    DataWorker m_worker;
    DataModel* m_model;
    QComboBox* m_scope;
    std::vector<QPushButton*> m_starters; ///< in the order of DataWorker::Task
    QPushButton* m_cancel;
    QProgressBar* m_progress;
    PlainLabel* m_status;
    QStackedWidget* m_pages; ///< what can be done, or what was found
    EmptyState* m_empty;
    QTableView* m_view;
    QPlainTextEdit* m_details;
    ValueHistogram* m_histogram;
    QLineEdit* m_expected;
    PlainLabel* m_comparison;
    bool m_following = false; ///< the row changes because another pane was used
};
