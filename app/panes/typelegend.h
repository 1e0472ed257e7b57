// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QList>
#include <QString>
#include <QWidget>

/// Swatches with names, in as many lines as the width asks for.
class TypeLegend : public QWidget
{
    Q_OBJECT
public:
    struct Entry
    {
        QString name;
        QColor color;
    };

    explicit TypeLegend(QWidget* parent = nullptr);

    void setEntries(const QList<Entry>& entries);
    const QList<Entry>& entries() const { return m_entries; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QList<QRect> layOut(int width) const; ///< where each entry goes
    int lineHeight() const;

    QList<Entry> m_entries;
};
