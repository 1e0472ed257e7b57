// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "document/valueview.h"
#include "load/latestjob.h"
#include "models/selection.h"

#include <QStringList>
#include <QWidget>

#include <optional>
#include <vector>

class DocumentLoader;
class FilterLine;
class MetadataModel;
class PlainLabel;
class QCheckBox;
class QModelIndex;
class QPlainTextEdit;
class QTreeView;

/// The metadata as a tree or flat, with a filter, and below it the chosen value in full with what its key means.
class MetadataPane : public QWidget
{
    Q_OBJECT
public:
    MetadataPane(DocumentLoader& loader, Selection& selection, QWidget* parent = nullptr);

    bool isFlat() const;
    void setFlat(bool flat);

public slots:
    void copy(); ///< the chosen rows
    void focusFilter();

signals:
    void flatChanged(bool flat);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    /// Cells of a row that is copied; the value, if any, is the last.
    struct CopiedRow
    {
        QStringList cells;
        std::optional<gguf::ValueView> value;
    };

    static QString textOf(const std::vector<CopiedRow>& rows, std::size_t mostBytes, const std::stop_token& stop);

    void copyRole(int column);
    void copyValue();
    void copyRows(std::vector<CopiedRow> rows, std::size_t mostBytes); ///< of each value; 0: all
    void showBytes(const QModelIndex& index, Selection::Kind kind);
    void follow(QObject* origin);
    void showDetails();
    void showMenu(const QPoint& position);
    void updateCount();
    void expandShortGroups();
    void expandBelow(const QModelIndex& index);

    DocumentLoader& m_loader;
    Selection& m_selection;
    MetadataModel* m_model;
    LatestJob<QString> m_copying; ///< of long values
    FilterLine* m_filter;
    QCheckBox* m_flat;
    QTreeView* m_view;
    PlainLabel* m_count;
    PlainLabel* m_key;
    PlainLabel* m_meaning;
    PlainLabel* m_cut;
    QPlainTextEdit* m_value;
    bool m_following = false; ///< the selection moves because another pane was used
};
