// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

class PlainLabel;
class QAction;
class QHBoxLayout;
class QLabel;
class QToolButton;

/// A bar with one message inside a view. It stays until it is dismissed, replaced or cleared: no timer hides it.
class StatusMessage : public QFrame
{
    Q_OBJECT
public:
    enum class Kind { Information, Success, Warning, Error };

    explicit StatusMessage(QWidget* parent = nullptr); ///< hidden until show is called with a text

    /// Plain text. Sets the accessible name too, and tells screen readers.
    void showMessage(Kind kind, const QString& text);
    void clear(); ///< hides it; emits nothing
    QString text() const;
    Kind kind() const { return m_kind; }
    /// Buttons at the right, for instance "Reload"; none takes them away. Not owned.
    void setActions(const QList<QAction*>& actions);
    void setAction(QAction* action); ///< one button, or none for null
    void setDismissable(bool dismissable); ///< true at first

signals:
    void dismissed();

protected:
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void updateLook();

    Kind m_kind = Kind::Information;
    QLabel* m_icon;
    PlainLabel* m_text;
    QList<QToolButton*> m_actionButtons; ///< made as they are needed
    QHBoxLayout* m_row;
    QToolButton* m_close;
};
