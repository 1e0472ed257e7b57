// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/selection.h"

#include <QWidget>

class DocumentLoader;
class FilterLine;
class MetadataModel;
class PlainLabel;
class QModelIndex;
class QPlainTextEdit;
class QToolButton;
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
    void copyRole(int column);
    void copyValue();
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
    FilterLine* m_filter;
    QToolButton* m_flat;
    QTreeView* m_view;
    PlainLabel* m_count;
    PlainLabel* m_key;
    PlainLabel* m_meaning;
    PlainLabel* m_cut;
    QPlainTextEdit* m_value;
    bool m_following = false; ///< the selection moves because another pane was used
};
