// SPDX-License-Identifier: GPL-3.0-or-later
#include "panes/resttaker.h"

#include <QEvent>
#include <QHeaderView>
#include <QTableView>

#include <algorithm>

RestTaker::RestTaker(QTableView& view, int column)
    : QObject(&view)
    , m_view(view)
    , m_column(column)
{
    view.viewport()->installEventFilter(this);
}

void RestTaker::setNeeded(int width)
{
    m_needed = width;
    apply();
}

void RestTaker::apply()
{
    const QHeaderView* header = m_view.horizontalHeader();
    if (m_needed == 0 || header->count() <= m_column)
        return;
    const int others = header->length() - header->sectionSize(m_column);
    m_view.setColumnWidth(m_column, std::max(m_needed, m_view.viewport()->width() - others));
}

bool RestTaker::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize)
        apply();
    return QObject::eventFilter(watched, event);
}
