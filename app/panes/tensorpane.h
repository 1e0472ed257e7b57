// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "io/byterange.h"
#include "load/latestjob.h"
#include "models/selection.h"
#include "models/tabletext.h"
#include "models/tensorrows.h"

#include <QSet>
#include <QTimer>
#include <QWidget>

#include <optional>
#include <vector>

class DocumentLoader;
class FilterChips;
class FilterLine;
class PlainLabel;
class QComboBox;
class QLabel;
class QMenu;
class QStackedLayout;
class QTableView;
class QToolButton;
class TensorModel;

/// The tensor table: sorted by any column, filtered by name, type, or by what another pane chose, with sums of what is
/// selected.
class TensorPane : public QWidget
{
    Q_OBJECT
public:
    TensorPane(DocumentLoader& loader, Selection& selection, QWidget* parent = nullptr);

    TensorModel& model() { return *m_model; }

    /// Shows only these types (empty: all); a chip above the table tells and takes it away.
    void setTypeFilter(const QSet<quint32>& types);
    /// Shows only these tensors; `reason` stands on the chip. Nothing: all.
    void setTensorFilter(std::optional<std::vector<std::size_t>> tensors, const QString& reason = {});
    void setColumnShown(int column, bool shown);
    /// Tensors selected in the table, in its order.
    std::vector<std::size_t> selectedTensors() const;

public slots:
    void copy(); ///< the selected rows as text
    void focusFilter();
    void exportTable(); ///< asks for a file; CSV, Markdown or JSON by its suffix

signals:
    void exported(const QString& path);
    void exportFailed(const QString& sentence);

private:
    void exportTo(const QString& path);
    enum class Target { Data, Padding, Record };

    void applyNameFilter();
    void goTo(std::size_t tensor, Target target, Selection::Kind kind);
    void follow(QObject* origin);
    void copyAs(TableText::Format format);
    QList<int> selectedRows() const;
    void fillTypeMenu();
    void showMenu(const QPoint& position);
    void showColumnMenu(const QPoint& position);
    QList<int> shownColumns() const; ///< as they stand, from left to right
    void updateSum();
    void showFiltering(); ///< says that it runs, or that it does not

    DocumentLoader& m_loader;
    Selection& m_selection;
    TensorModel* m_model;
    LatestJob<TensorRows> m_arranging;
    LatestJob<QString> m_copying; ///< of many rows
    FilterLine* m_filter;
    QComboBox* m_mode;
    QToolButton* m_typeButton;
    QMenu* m_typeMenu;
    FilterChips* m_chips;
    QTableView* m_view;
    QLabel* m_filtering; ///< beside the filter, while it runs
    QTimer m_patience; ///< until it is worth saying that it runs
    PlainLabel* m_sum;
    QStackedLayout* m_pages;
    bool m_following = false;
};
