// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/filenotice.h"

#include "window/messagearea.h"

#include <QAction>

FileNotice::FileNotice(DocumentLoader& loader, MessageArea& messages, QAction& reload, QObject* parent)
    : QObject(parent)
    , m_watch(loader)
    , m_messages(messages)
    , m_reload(reload)
    , m_follow(new QAction(tr("Follow"), this))
    , m_unfollow(new QAction(tr("Stop Following"), this))
{
    connect(m_follow, &QAction::triggered, this, [this] { m_watch.setFollowing(true); });
    connect(m_unfollow, &QAction::triggered, this, [this] { m_watch.setFollowing(false); });
    connect(&m_watch, &FileWatch::changed, this, &FileNotice::show);
}

void FileNotice::show()
{
    const QString text = m_watch.message();
    if (m_watch.isFollowing() && (text.isEmpty() || m_watch.change() == FileChange::Grown)) {
        m_messages.showMessage(MessageArea::Subject::File, StatusMessage::Kind::Information,
            tr("This file is followed: it is read again whenever it has grown."), {m_unfollow});
    } else if (text.isEmpty()) {
        m_messages.clear(MessageArea::Subject::File);
    } else {
        m_messages.showMessage(MessageArea::Subject::File, StatusMessage::Kind::Warning, text,
            m_watch.change() == FileChange::Grown ? QList<QAction*>{m_follow, &m_reload} : QList<QAction*>{&m_reload});
    }
}
