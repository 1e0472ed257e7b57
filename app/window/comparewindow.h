// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "audit/comparison.h"
#include "load/documentloader.h"
#include "load/latestjob.h"
#include "panes/diffview.h"
#include "widgets/heatmap.h"

#include <QMainWindow>

#include <memory>

class ColumnTableModel;
class CompareDataPage;
class DataComparison;
class PlainLabel;
class QStackedWidget;
class QTabWidget;
class QTableView;
class EmptyState;

/// How two files differ: totals, metadata, tensors, layers and roles, a map of changes, and on demand the
/// bytes.
class CompareWindow : public QMainWindow
{
    Q_OBJECT
public:
    CompareWindow(const QString& pathA, const QString& pathB, QWidget* parent = nullptr);
    ~CompareWindow() override;

    /// Null while files are read or compared.
    const std::shared_ptr<const gguf::Comparison>& comparison() const { return m_comparison; }
    void swap(); ///< A becomes B
    void compareData(); ///< begins, or cancels what runs
    DataComparison& data();

protected:
    void changeEvent(QEvent* event) override;

private:
    using Shared = std::shared_ptr<const gguf::Comparison>;

    QTableView* addTable(ColumnTableModel* model, const QString& name, const QString& title);
    QWidget* makeHeader(); ///< the files' names, and what can be done with them
    QWidget* makeTotals();
    QWidget* makeMetadataPage();
    QWidget* makePartsPage();
    QWidget* makeMapPage();
    void open();
    void loaderChanged();
    void showComparison(Shared comparison);
    void showSummary();
    void showMetadataRow();
    void showTensors(HeatMap::Cell cell); ///< the rows of a cell of the map
    void applyColors();

    QString m_pathA, m_pathB;
    DocumentLoader m_loaderA, m_loaderB;
    LatestJob<Shared> m_job;
    LatestJob<DiffView::Content> m_diffJob; ///< of the chosen key's values
    Shared m_comparison;

    PlainLabel* m_nameA = nullptr;
    PlainLabel* m_nameB = nullptr;
    PlainLabel* m_summary = nullptr;
    QTabWidget* m_tabs = nullptr;
    EmptyState* m_state = nullptr;
    QStackedWidget* m_pages = nullptr;
    ColumnTableModel *m_totals, *m_metadata, *m_tensors, *m_layers, *m_roles;
    QTableView *m_totalTable = nullptr, *m_metadataTable = nullptr, *m_tensorTable = nullptr,
               *m_layerTable = nullptr, *m_roleTable = nullptr;
    DiffView* m_diff = nullptr;
    HeatMap* m_map = nullptr;
    PlainLabel* m_mapStatus = nullptr;
    CompareDataPage* m_dataPage = nullptr;
};
