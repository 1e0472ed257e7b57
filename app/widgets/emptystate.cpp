// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/emptystate.h"

#include "widgets/plaintext.h"

#include <QAction>
#include <QEvent>
#include <QHBoxLayout>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

namespace {

constexpr int kIconSize = 48;
constexpr int kTextWidth = 420;

} // namespace

EmptyState::EmptyState(QWidget* parent)
    : QWidget(parent)
    , m_iconLabel(new QLabel(this))
    , m_title(new PlainLabel(this))
    , m_text(new PlainLabel(this))
    , m_buttons(new QHBoxLayout)
{
    m_title->setObjectName(QStringLiteral("emptyTitle"));
    m_text->setObjectName(QStringLiteral("emptyText"));
    m_title->setAlignment(Qt::AlignCenter);
    m_title->setWordWrap(true);
    m_text->setAlignment(Qt::AlignCenter);
    m_text->setWordWrap(true);
    m_text->setMaximumWidth(kTextWidth);
    m_text->setMinimumWidth(kTextWidth / 2);
    m_iconLabel->setAlignment(Qt::AlignCenter);
    m_iconLabel->hide();
    m_text->hide();
    m_buttons->setSpacing(8);

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(24, 24, 24, 24);
    column->setSpacing(10);
    column->addStretch(2);
    column->addWidget(m_iconLabel, 0, Qt::AlignHCenter);
    column->addWidget(m_title);
    // In a row of its own and not by alignment: only so does its height follow the width that it really gets.
    auto* textRow = new QHBoxLayout;
    textRow->addStretch(1);
    textRow->addWidget(m_text, 100);
    textRow->addStretch(1);
    column->addLayout(textRow);
    column->addSpacing(6);
    auto* row = new QHBoxLayout;
    row->addStretch();
    row->addLayout(m_buttons);
    row->addStretch();
    column->addLayout(row);
    column->addStretch(3);
    updateLook();
}

void EmptyState::setIcon(const QIcon& icon)
{
    m_icon = icon;
    m_iconLabel->setVisible(!icon.isNull());
    updateLook();
}

void EmptyState::setTitle(const QString& title)
{
    m_title->setText(title);
    setAccessibleName(title);
}

void EmptyState::setText(const QString& text)
{
    m_text->setText(text);
    m_text->setVisible(!text.isEmpty());
    setAccessibleDescription(text);
}

void EmptyState::addButton(QAction* action)
{
    auto* button = new QPushButton(this);
    const auto update = [button, action] {
        button->setText(action->text());
        button->setIcon(action->icon());
        button->setEnabled(action->isEnabled());
        button->setVisible(action->isVisible());
        button->setToolTip(plainToolTip(action->toolTip()));
    };
    update();
    if (!action->objectName().isEmpty())
        button->setObjectName(action->objectName() + QStringLiteral("Button"));
    connect(action, &QAction::changed, button, update);
    connect(button, &QPushButton::clicked, action, [action] { action->trigger(); });
    button->setDefault(m_buttons->count() == 0);
    m_buttons->addWidget(button);
}

void EmptyState::setTextWidth(int width)
{
    m_text->setMaximumWidth(width);
}

void EmptyState::setFramed(bool framed)
{
    m_isFramed = framed;
    update();
}

void EmptyState::paintEvent(QPaintEvent*)
{
    if (!m_isFramed)
        return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QColor line = palette().color(QPalette::WindowText);
    line.setAlphaF(0.35F);
    painter.setPen(QPen(line, 1.5, Qt::DashLine));
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 12, 12);
}

void EmptyState::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        updateLook();
}

void EmptyState::updateLook()
{
    QFont font = this->font();
    font.setPointSizeF(font.pointSizeF() * 1.35);
    font.setWeight(QFont::DemiBold);
    if (m_title->font() != font)
        m_title->setFont(font);
    if (!m_icon.isNull())
        m_iconLabel->setPixmap(m_icon.pixmap(QSize(kIconSize, kIconSize), devicePixelRatioF()));
}
