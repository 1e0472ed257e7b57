// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/statusmessage.h"

#include <QHash>
#include <QWidget>

class QAction;
class QVBoxLayout;

/// The place for messages inside the window: one bar for each subject, newest at the bottom. A bar stays until it is
/// dismissed or its subject is settled.
class MessageArea : public QWidget
{
    Q_OBJECT
public:
    enum class Subject { Drop, File, Loading, Export };

    explicit MessageArea(QWidget* parent = nullptr);

    /// Replaces the subject's bar. The actions are offered as buttons.
    void showMessage(
        Subject subject, StatusMessage::Kind kind, const QString& text, const QList<QAction*>& actions = {});
    void clear(Subject subject);
    void clearAll();
    QString text(Subject subject) const; ///< empty: no bar

private:
    QHash<int, StatusMessage*> m_bars;
    QVBoxLayout* m_layout;
};
