// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTimer>

#include <vector>

class DataModel;
class TensorPane;

/// The columns of the tensor table that others know: layer, role and experts by the name, and what looking through the
/// data found. They are hidden until a person chooses them in the header's menu; those of the data appear when there is
/// something to show in them.
class TensorColumns : public QObject
{
    Q_OBJECT
public:
    /// Both must live as long as this.
    TensorColumns(TensorPane& pane, const DataModel& data, QObject* parent = nullptr);

private:
    struct DataColumn
    {
        int source; ///< of the DataModel
        int column; ///< of the TensorModel
        bool shown = false; ///< by us, for the open document
    };

    void addNameColumns();
    void addDataColumns();
    void refresh();

    TensorPane& m_pane;
    const DataModel& m_data;
    std::vector<DataColumn> m_columns;
    QTimer m_refresh; ///< results come many times a second, and a sorted column is sorted anew for each
};
