// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineEdit>
#include <QTimer>

/// A line to filter or search with: filterChanged() comes when typing pauses, at once on Enter and on clearing.
/// Esc clears; on an empty line it is left to the parent.
class FilterLine : public QLineEdit
{
    Q_OBJECT
public:
    explicit FilterLine(const QString& placeholder, QWidget* parent = nullptr);

    void setDelay(int milliseconds); ///< 200 at first
    /// Marks the text as one that cannot be used, and says why in the tooltip; empty: it can.
    void setError(const QString& error);
    QString error() const { return m_error; }

signals:
    void filterChanged(const QString& text);

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void emitNow();

    QTimer m_timer;
    QString m_emitted;
    QString m_error;
};
