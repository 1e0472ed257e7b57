// SPDX-License-Identifier: GPL-3.0-or-later
#include "panes/rowchoice.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QItemSelectionModel>

#include <utility>

void onRowChosen(QAbstractItemView& view, const bool& following,
    std::function<void(const QModelIndex& index, Selection::Kind kind)> go)
{
    QObject::connect(view.selectionModel(), &QItemSelectionModel::currentChanged, &view,
        [&following, go](const QModelIndex& index) {
            if (following || !index.isValid())
                return;
            const bool byMouse = QApplication::mouseButtons() != Qt::NoButton;
            go(index, byMouse ? Selection::Kind::Jump : Selection::Kind::Move);
        });
    QObject::connect(&view, &QAbstractItemView::activated, &view,
        [go = std::move(go)](const QModelIndex& index) { go(index, Selection::Kind::Jump); });
}
