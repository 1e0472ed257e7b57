// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plaintext.h"

#include <QEvent>
#include <QResizeEvent>

namespace {

constexpr qsizetype kMaxToolTipLength = 2000;

} // namespace

PlainLabel::PlainLabel(QWidget* parent)
    : QLabel(parent)
{
    setTextFormat(Qt::PlainText);
    setTextInteractionFlags(Qt::NoTextInteraction);
}

PlainLabel::PlainLabel(const QString& text, QWidget* parent)
    : PlainLabel(parent)
{
    setText(text);
}

void PlainLabel::setText(const QString& text)
{
    m_text = text;
    setAccessibleName(text);
    showText();
    updateGeometry();
}

void PlainLabel::setElideMode(Qt::TextElideMode mode)
{
    m_elideMode = mode;
    showText();
    updateGeometry();
}

void PlainLabel::setSelectable(bool selectable)
{
    setTextInteractionFlags(selectable ? Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard
                                       : Qt::TextInteractionFlags(Qt::NoTextInteraction));
    setFocusPolicy(selectable ? Qt::ClickFocus : Qt::NoFocus);
}

QSize PlainLabel::minimumSizeHint() const
{
    QSize hint = QLabel::minimumSizeHint();
    if (m_elideMode != Qt::ElideNone)
        hint.setWidth(qMin(hint.width(), fontMetrics().horizontalAdvance(u'x') * 6));
    return hint;
}

QSize PlainLabel::sizeHint() const
{
    QSize hint = QLabel::sizeHint();
    if (m_elideMode != Qt::ElideNone) {
        const QMargins margins = contentsMargins();
        hint.setWidth(fontMetrics().size(0, m_text).width() + margins.left() + margins.right() + 2 * margin() + 2);
    }
    return hint;
}

void PlainLabel::resizeEvent(QResizeEvent* event)
{
    QLabel::resizeEvent(event);
    if (m_elideMode != Qt::ElideNone && event->oldSize().width() != event->size().width())
        showText();
}

void PlainLabel::changeEvent(QEvent* event)
{
    QLabel::changeEvent(event);
    if (event->type() == QEvent::FontChange && m_elideMode != Qt::ElideNone)
        showText();
}

void PlainLabel::showText()
{
    if (m_elideMode == Qt::ElideNone) {
        QLabel::setText(m_text);
        return;
    }
    const QString line = QString(m_text).replace(u'\n', u' ');
    const QString shown = fontMetrics().elidedText(line, m_elideMode, contentsRect().width() - 2 * margin());
    QLabel::setText(shown);
    setToolTip(shown == line ? QString() : plainToolTip(m_text));
}

QString plainToolTip(const QString& text)
{
    if (text.isEmpty())
        return {};
    QString shown = text;
    if (shown.size() > kMaxToolTipLength) {
        shown.truncate(kMaxToolTipLength);
        if (shown.back().isHighSurrogate())
            shown.chop(1);
        shown += QChar(0x2026);
    }
    // Rich text around escaped text: nothing of it can be markup, and Qt wraps it.
    const QString escaped = shown.toHtmlEscaped().replace(u'\n', QStringLiteral("<br/>"));
    return QStringLiteral("<qt>") + escaped + QStringLiteral("</qt>");
}
