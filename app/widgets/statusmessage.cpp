// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/statusmessage.h"

#include "widgets/plaintext.h"

#include <QAccessible>
#include <QAction>
#include <QEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QPainter>
#include <QStyle>
#include <QToolButton>

namespace {

QColor accent(StatusMessage::Kind kind, bool dark)
{
    switch (kind) {
    case StatusMessage::Kind::Information:
        return dark ? QColor(0x6a, 0xa9, 0xe9) : QColor(0x1f, 0x6f, 0xb8);
    case StatusMessage::Kind::Success:
        return dark ? QColor(0x5f, 0xc0, 0x8f) : QColor(0x1d, 0x7d, 0x4d);
    case StatusMessage::Kind::Warning:
        return dark ? QColor(0xe0, 0xb0, 0x4a) : QColor(0xa8, 0x6d, 0x00);
    case StatusMessage::Kind::Error:
        return dark ? QColor(0xef, 0x7d, 0x75) : QColor(0xba, 0x26, 0x26);
    }
    return {};
}

QColor mixed(const QColor& base, const QColor& over, double share)
{
    const auto blend = [share](int a, int b) { return qRound(a + (b - a) * share); };
    return QColor(blend(base.red(), over.red()), blend(base.green(), over.green()), blend(base.blue(), over.blue()));
}

} // namespace

StatusMessage::StatusMessage(QWidget* parent)
    : QFrame(parent)
    , m_icon(new QLabel(this))
    , m_text(new PlainLabel(this))
    , m_row(new QHBoxLayout(this))
    , m_close(new QToolButton(this))
{
    m_text->setObjectName(QStringLiteral("messageText"));
    m_text->setWordWrap(true);
    m_text->setSelectable(true);
    m_close->setObjectName(QStringLiteral("messageDismiss"));
    m_close->setAutoRaise(true);
    m_close->setToolTip(tr("Dismiss this message"));
    m_close->setAccessibleName(tr("Dismiss this message"));
    connect(m_close, &QToolButton::clicked, this, [this] {
        clear();
        emit dismissed();
    });

    m_row->setContentsMargins(12, 5, 6, 5);
    m_row->setSpacing(8);
    m_row->addWidget(m_icon, 0, Qt::AlignVCenter);
    m_row->addWidget(m_text, 1);
    m_row->addWidget(m_close, 0, Qt::AlignVCenter);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    hide();
}

void StatusMessage::showMessage(Kind kind, const QString& text)
{
    m_kind = kind;
    m_text->setText(text);
    setAccessibleName(text);
    updateLook();
    show();
    QAccessibleEvent event(this, QAccessible::Alert);
    QAccessible::updateAccessibility(&event);
}

void StatusMessage::clear()
{
    m_text->setText({});
    hide();
}

QString StatusMessage::text() const
{
    return m_text->fullText();
}

void StatusMessage::setActions(const QList<QAction*>& actions)
{
    while (m_actionButtons.size() < actions.size()) {
        auto* button = new QToolButton(this);
        button->setObjectName(QStringLiteral("messageAction"));
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        m_row->insertWidget(m_row->indexOf(m_close), button, 0, Qt::AlignVCenter);
        m_actionButtons.append(button);
    }
    for (qsizetype i = 0; i < m_actionButtons.size(); ++i) {
        m_actionButtons[i]->setVisible(i < actions.size());
        if (i < actions.size())
            m_actionButtons[i]->setDefaultAction(actions[i]);
    }
}

void StatusMessage::setAction(QAction* action)
{
    setActions(action ? QList<QAction*>{action} : QList<QAction*>());
}

void StatusMessage::setDismissable(bool dismissable)
{
    m_close->setVisible(dismissable);
}

void StatusMessage::changeEvent(QEvent* event)
{
    QFrame::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::StyleChange)
        updateLook();
}

void StatusMessage::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape && !m_close->isHidden())
        m_close->click();
    else
        QFrame::keyPressEvent(event);
}

void StatusMessage::paintEvent(QPaintEvent*)
{
    const QColor window = palette().color(QPalette::Window);
    const QColor color = accent(m_kind, window.lightness() < 128);
    QPainter painter(this);
    painter.fillRect(rect(), mixed(window, color, 0.13));
    painter.fillRect(QRect(0, 0, 4, height()), color);
    painter.fillRect(QRect(0, height() - 1, width(), 1), mixed(window, color, 0.35));
}

void StatusMessage::updateLook()
{
    QStyle::StandardPixmap icon = QStyle::SP_MessageBoxInformation;
    if (m_kind == Kind::Success)
        icon = QStyle::SP_DialogApplyButton;
    else if (m_kind == Kind::Warning)
        icon = QStyle::SP_MessageBoxWarning;
    else if (m_kind == Kind::Error)
        icon = QStyle::SP_MessageBoxCritical;
    const int size = style()->pixelMetric(QStyle::PM_SmallIconSize, nullptr, this);
    m_icon->setPixmap(style()->standardIcon(icon, nullptr, this).pixmap(QSize(size, size), devicePixelRatioF()));
    m_close->setIcon(style()->standardIcon(QStyle::SP_TitleBarCloseButton, nullptr, this));
    update();
}
