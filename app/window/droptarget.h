// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "window/opening.h"

#include <QPointer>
#include <QTimer>
#include <QWidget>

#include <optional>

/// Takes drops anywhere on a window and covers it, while something hangs over it, with one or two zones that say
/// what letting go will do.
///
/// It sees drag events before the widgets they are sent to (a line edit would take a file as text), so it filters
/// the whole program's events; what is not for its window passes.
class DropTarget : public QWidget
{
    Q_OBJECT
public:
    enum class Zone { Open, Compare };

    explicit DropTarget(QWidget* window);

    /// Offers the second zone; `openName` is the file that would be compared. Empty: one zone.
    void setCompareName(const QString& openName);
    std::optional<Zone> hotZone() const { return m_hotZone; }

signals:
    void dropped(const DropContents& contents, DropTarget::Zone zone);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    bool belongsToWindow(const QObject* watched) const;
    QRect zoneRect(Zone zone) const;
    Zone zoneAt(QPoint position) const;
    void setHotZone(std::optional<Zone> zone);

    QWidget* m_window;
    QString m_compareName;
    std::optional<Zone> m_hotZone;
    QTimer m_leave; ///< a leave that no enter follows: the drag is gone
};
