// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QHBoxLayout;

/// The filters in force as small buttons; pressing one takes its filter away. Hidden while there is none.
class FilterChips : public QWidget
{
    Q_OBJECT
public:
    explicit FilterChips(QWidget* parent = nullptr);

    /// Adds or replaces the chip of a filter; an empty text takes it away. Plain text.
    void setChip(const QString& id, const QString& text);
    bool hasChip(const QString& id) const;

signals:
    void removed(const QString& id); ///< a person pressed it; the chip is gone already

private:
    QHBoxLayout* m_layout;
};
