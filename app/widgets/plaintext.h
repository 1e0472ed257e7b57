// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QString>

/// A label that shows its text as it is: never rich text, no links, no mnemonics. Text can be selected with mouse
/// and keyboard if asked for. Elides in the middle or at the end on demand, and then tells all in its tooltip.
class PlainLabel : public QLabel
{
    Q_OBJECT
public:
    explicit PlainLabel(QWidget* parent = nullptr);
    explicit PlainLabel(const QString& text, QWidget* parent = nullptr);

    void setText(const QString& text); ///< hides QLabel's
    QString fullText() const { return m_text; }
    void setElideMode(Qt::TextElideMode mode); ///< ElideNone (the default): as wide as the text
    void setSelectable(bool selectable);

    QSize minimumSizeHint() const override;
    QSize sizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void showText();

    QString m_text;
    Qt::TextElideMode m_elideMode = Qt::ElideNone;
};

/// Text as a tooltip that cannot be taken for rich text, whatever it holds; long lines are wrapped, line feeds stay,
/// and more than about 2,000 characters are cut. Empty for empty text.
QString plainToolTip(const QString& text);
