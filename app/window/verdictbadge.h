// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "parse/rules.h"

#include <QAbstractButton>

#include <optional>

/// One judge's verdict: mark, short text, and below it the first reason. Pressing it goes to the reason's Problem.
class VerdictBadge : public QAbstractButton
{
    Q_OBJECT
public:
    explicit VerdictBadge(QWidget* parent = nullptr);

    /// Nothing for `severity`: all is well. Plain text.
    void setVerdict(std::optional<gguf::Severity> severity, const QString& text, const QString& reason,
        std::optional<std::size_t> problem);
    std::optional<std::size_t> problem() const { return m_problem; }
    QString reason() const { return m_reason; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void enterEvent(QEnterEvent* event) override;

private:
    std::optional<gguf::Severity> m_severity;
    QString m_reason;
    std::optional<std::size_t> m_problem;
};
