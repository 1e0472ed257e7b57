// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "panes/auditservice.h"

#include <QChartView>

#include <optional>
#include <vector>

class QAbstractBarSeries;
class QBarSet;

/// The mix as bars in the types' colours: one bar per type, or one per layer or role with the types stacked.
class MixChart : public QChartView
{
    Q_OBJECT
public:
    enum class Measure
    {
        Bytes,
        Elements,
        Count
    };
    enum class Grouping
    {
        Type,
        Layer,
        Role
    };

    /// Layers beyond so many share bars, and the smallest roles share one.
    static constexpr int kMostBars = 256;
    static constexpr int kMostRoles = 24;

    explicit MixChart(QWidget* parent = nullptr);

    void setAudit(AuditService::Result audit);
    void setMeasure(Measure measure);
    void setGrouping(Grouping grouping);
    Measure measure() const { return m_measure; }
    Grouping grouping() const { return m_grouping; }

    /// One bar: what it is called, and the tensors it stands for.
    struct Bar
    {
        QString label;
        std::vector<std::uint32_t> members; ///< columns or roles of the mix; one type for Grouping::Type
    };
    const std::vector<Bar>& bars() const { return m_bars; }
    /// What one part of a bar is, for tooltip and screen reader; empty where there is nothing.
    QString partText(int bar, std::uint32_t type) const;
    std::vector<std::size_t> partTensors(int bar, std::uint32_t type) const;

    /// Draws the chart with its legend into a size, for export.
    void paintTo(QPainter& painter, const QSizeF& size);

signals:
    void partClicked(int bar, quint32 type); ///< type: index into the mix's types

protected:
    bool viewportEvent(QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void rebuild();
    void makeBars();
    void addAxes(QAbstractBarSeries* series, double largest, bool horizontal);
    gguf::MixSum partSum(const Bar& bar, std::uint32_t type) const;
    double valueOf(const gguf::MixSum& sum) const;
    void showPart(bool entered, int bar, QBarSet* set);
    std::optional<std::uint32_t> typeOf(QBarSet* set) const;
    void applyPalette();

    AuditService::Result m_audit;
    Measure m_measure = Measure::Bytes;
    Grouping m_grouping = Grouping::Layer;
    std::vector<Bar> m_bars;
    std::vector<QBarSet*> m_sets; ///< one for each type; the series owns them
};
