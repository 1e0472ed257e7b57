// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/focusoutline.h"

#include <QAbstractScrollArea>
#include <QApplication>
#include <QEvent>
#include <QPainter>

namespace {

constexpr int kWidth = 2;

class Outline : public QWidget
{
public:
    explicit Outline(QAbstractScrollArea* area)
        : QWidget(area)
    {
        setAttribute(Qt::WA_TransparentForMouseEvents);
        area->installEventFilter(this);
        cover();
        show();
    }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override
    {
        if (event->type() == QEvent::Resize)
            cover();
        return QWidget::eventFilter(watched, event);
    }
    void paintEvent(QPaintEvent*) override { QPainter(this).fillRect(rect(), palette().color(QPalette::Highlight)); }

private:
    void cover()
    {
        const QRect all = parentWidget()->rect();
        setGeometry(all);
        setMask(QRegion(all) - all.adjusted(kWidth, kWidth, -kWidth, -kWidth));
        raise();
    }
};

} // namespace

FocusOutline::FocusOutline(QWidget* window)
    : QObject(window)
{
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, QWidget* now) { follow(now); });
}

void FocusOutline::follow(QWidget* now)
{
    delete m_outline;
    auto* area = qobject_cast<QAbstractScrollArea*>(now);
    for (const QObject* part = area; part; part = part->parent()) {
        if (part == parent()) {
            m_outline = new Outline(area);
            return;
        }
    }
}
