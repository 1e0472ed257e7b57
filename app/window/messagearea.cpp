// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/messagearea.h"

#include <QVBoxLayout>

using namespace Qt::StringLiterals;

MessageArea::MessageArea(QWidget* parent)
    : QWidget(parent)
    , m_layout(new QVBoxLayout(this))
{
    setObjectName(u"messages"_s);
    m_layout->setContentsMargins({});
    m_layout->setSpacing(1);
    hide();
}

void MessageArea::showMessage(
    Subject subject, StatusMessage::Kind kind, const QString& text, const QList<QAction*>& actions)
{
    StatusMessage*& bar = m_bars[static_cast<int>(subject)];
    if (!bar) {
        bar = new StatusMessage(this);
        bar->setObjectName(u"message%1"_s.arg(static_cast<int>(subject)));
        m_layout->addWidget(bar);
        connect(bar, &StatusMessage::dismissed, this, [this, subject] { clear(subject); });
    }
    bar->setActions(actions);
    bar->showMessage(kind, text);
    show();
}

void MessageArea::clear(Subject subject)
{
    if (StatusMessage* bar = m_bars.value(static_cast<int>(subject)))
        bar->clear();
    bool anyShown = false;
    for (const StatusMessage* bar : std::as_const(m_bars))
        anyShown = anyShown || !bar->isHidden();
    setVisible(anyShown);
}

void MessageArea::clearAll()
{
    for (StatusMessage* bar : std::as_const(m_bars))
        bar->clear();
    hide();
}

QString MessageArea::text(Subject subject) const
{
    const StatusMessage* bar = m_bars.value(static_cast<int>(subject));
    return bar && !bar->isHidden() ? bar->text() : QString();
}
