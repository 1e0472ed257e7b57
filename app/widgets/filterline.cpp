// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/filterline.h"

#include "widgets/plaintext.h"

#include <QKeyEvent>

FilterLine::FilterLine(const QString& placeholder, QWidget* parent)
    : QLineEdit(parent)
{
    setPlaceholderText(placeholder);
    setAccessibleName(placeholder);
    setClearButtonEnabled(true);
    m_timer.setSingleShot(true);
    m_timer.setInterval(200);
    connect(&m_timer, &QTimer::timeout, this, &FilterLine::emitNow);
    connect(this, &QLineEdit::textChanged, this, [this](const QString& text) {
        if (text.isEmpty())
            emitNow();
        else
            m_timer.start();
    });
    connect(this, &QLineEdit::returnPressed, this, &FilterLine::emitNow);
}

void FilterLine::setDelay(int milliseconds)
{
    m_timer.setInterval(milliseconds);
}

void FilterLine::setError(const QString& error)
{
    if (error == m_error)
        return;
    m_error = error;
    setToolTip(plainToolTip(error));
    setAccessibleDescription(error);
    QPalette colors;
    if (!error.isEmpty()) {
        const bool dark = colors.color(QPalette::Base).lightness() < 128;
        colors.setColor(QPalette::Text, dark ? QColor(0xff, 0x9a, 0x90) : QColor(0xb0, 0x1e, 0x1e));
    }
    setPalette(colors);
}

void FilterLine::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape && event->modifiers() == Qt::NoModifier && !text().isEmpty()) {
        clear();
        event->accept();
        return;
    }
    QLineEdit::keyPressEvent(event);
    if (event->key() == Qt::Key_Escape)
        event->ignore();
}

void FilterLine::emitNow()
{
    m_timer.stop();
    if (text() == m_emitted)
        return;
    m_emitted = text();
    emit filterChanged(m_emitted);
}
