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

    /// Lines to show, worked out from bytes as stored and made visible.
    struct Content
    {
        QStringList lines;
        QList<int> removed, added; ///< numbers of lines

        /// May take long; for any thread.
        static Content of(std::string_view a, std::string_view b);
    };
    void setContent(const Content& content);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QList<int> m_removed, m_added; ///< numbers of lines, rising
};
