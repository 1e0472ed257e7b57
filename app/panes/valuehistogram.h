// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "audit/valuestatistics.h"

#include <QChartView>

#include <optional>

/// The histogram of a tensor's values as a stepped area.
class ValueHistogram : public QChartView
{
    Q_OBJECT
public:
    explicit ValueHistogram(QWidget* parent = nullptr);

    void setValues(const std::optional<gguf::ValueStatistics>& values); ///< nothing: an empty chart

protected:
    void changeEvent(QEvent* event) override;

private:
    void draw();

    std::optional<gguf::ValueStatistics> m_values;
};
