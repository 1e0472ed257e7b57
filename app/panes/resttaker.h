// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QTableView;

/// Gives one column of a table what the others leave of the width, but never less than its texts need: then the table
/// scrolls. A stretched column of Qt would shrink to nothing.
class RestTaker : public QObject
{
    Q_OBJECT
public:
    RestTaker(QTableView& view, int column); ///< a child of the table

    int column() const { return m_column; }
    int needed() const { return m_needed; }
    void setNeeded(int width);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void apply();

    QTableView& m_view;
    int m_column;
    int m_needed = 0; ///< 0: not known yet
};
