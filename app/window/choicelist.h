// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>
#include <QWidget>

class PlainLabel;
class QListWidget;

/// A heading and a short list of things to choose from, each with a second, fainter line. Hidden while it is empty.
class ChoiceList : public QWidget
{
    Q_OBJECT
public:
    struct Choice
    {
        QString title; ///< plain text
        QString detail; ///< plain text, elided in the middle
        bool isEnabled = true;
    };

    ChoiceList(const QString& heading, const QString& name, QWidget* parent = nullptr);

    void setHeading(const QString& heading);
    void setChoices(const QList<Choice>& choices);
    int count() const;

signals:
    void chosen(int index); ///< click or Enter

private:
    void fitHeight();

    PlainLabel* m_heading;
    QListWidget* m_list;
};
