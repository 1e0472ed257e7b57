// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPointer>

class QWidget;

/// Draws a line around the list, text or view of a window that has the focus. Styles show the focus of buttons and
/// fields, and that of views only by a current row, which they need not have.
class FocusOutline : public QObject
{
public:
    explicit FocusOutline(QWidget* window); ///< and for its dialogs and floating docks

private:
    void follow(QWidget* now);

    QPointer<QWidget> m_outline;
};
