// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "panes/auditservice.h"
#include "panes/mixheatmap.h"

#include <QList>
#include <QWidget>

class DocumentLoader;
class HeatMap;
class PlainLabel;
class QCheckBox;
class QLabel;
class QStackedWidget;
class Selection;
class TypeLegend;

/// The mix by layer and role, each cell in its type's colour.
class HeatMapPane : public QWidget
{
    Q_OBJECT
public:
    HeatMapPane(DocumentLoader& loader, Selection& selection, QWidget* parent = nullptr);

    HeatMap& map() { return *m_map; }
    void saveImage(); ///< asks where

signals:
    void tensorsRequested(const QList<quint64>& tensors); ///< show only these tensors

protected:
    void changeEvent(QEvent* event) override;

private:
    void showAudit();
    void followSelection(QObject* origin);
    void selectTensors();
    void requestTensors();
    void describe(HeatMap::Cell cell);
    QList<quint64> chosenTensors() const;

    AuditService& m_service;
    Selection& m_selection;
    MixHeatMap m_content;
    HeatMap* m_map;
    QCheckBox* m_small;
    TypeLegend* m_legend;
    PlainLabel* m_status;
    QStackedWidget* m_pages;
};
