// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "load/filewatch.h"

#include <QObject>

class MessageArea;
class QAction;

/// Says in the window what happens to the file that it shows, and offers to read it again or to follow it.
class FileNotice : public QObject
{
    Q_OBJECT
public:
    /// `reload` is offered wherever reading again helps.
    FileNotice(DocumentLoader& loader, MessageArea& messages, QAction& reload, QObject* parent = nullptr);

    void show(); ///< what is true now; also where the messages were cleared

private:
    FileWatch m_watch;
    MessageArea& m_messages;
    QAction& m_reload;
    QAction* m_follow;
    QAction* m_unfollow;
};
