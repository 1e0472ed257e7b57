// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPlainTextEdit>

#include <string_view>

/// Two texts as one list of lines with a sign and a tint for those that only one has. Text can be selected
/// and copied.
class DiffView : public QPlainTextEdit
{
    Q_OBJECT
public:
    explicit DiffView(QWidget* parent = nullptr);

    void setTexts(std::string_view a, std::string_view b); ///< bytes as stored; made visible here

protected:
    void changeEvent(QEvent* event) override;

private:
    void tint();

    QList<int> m_removed, m_added; ///< numbers of lines
};
