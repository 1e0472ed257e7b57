// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIcon>
#include <QWidget>

class PlainLabel;
class QLabel;
class QHBoxLayout;
class QAction;

/// What a view shows when it has nothing to show: an icon, a title, a sentence, and buttons for what can be done.
class EmptyState : public QWidget
{
    Q_OBJECT
public:
    explicit EmptyState(QWidget* parent = nullptr);

    void setIcon(const QIcon& icon);
    void setTitle(const QString& title); ///< plain text
    void setText(const QString& text); ///< plain text, wrapped
    /// Adds a button for the action; the first one is the default look.
    void addButton(QAction* action);
    void setTextWidth(int width); ///< at most; for texts of several lines
    void setFramed(bool framed); ///< a dashed line around it

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void updateLook();

    QIcon m_icon;
    QLabel* m_iconLabel;
    PlainLabel* m_title;
    PlainLabel* m_text;
    QHBoxLayout* m_buttons;
    bool m_isFramed = false;
};
