// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/icons.h"

#include <QApplication>
#include <QFile>
#include <QIconEngine>
#include <QPainter>
#include <QPalette>
#include <QSvgRenderer>

using namespace Qt::StringLiterals;

namespace {

/// Paints a one-colour SVG in the palette's text colour, at any scale, so that it fits light and dark.
class SymbolicIconEngine final : public QIconEngine
{
public:
    explicit SymbolicIconEngine(const QString& file)
        : m_file(file)
    {
    }

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override
    {
        const qreal ratio = painter->device()->devicePixelRatioF();
        painter->drawPixmap(rect, render(rect.size() * ratio, mode));
    }

    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State) override { return render(size, mode); }

    QIconEngine* clone() const override { return new SymbolicIconEngine(m_file); }

private:
    QPixmap render(const QSize& size, QIcon::Mode mode) const
    {
        QPixmap pixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        QSvgRenderer renderer(m_file);
        renderer.render(&painter, QRectF(QPointF(0, 0), QSizeF(size)));
        const auto group = mode == QIcon::Disabled ? QPalette::Disabled : QPalette::Active;
        const auto role = mode == QIcon::Selected ? QPalette::HighlightedText : QPalette::ButtonText;
        painter.setCompositionMode(QPainter::CompositionMode_SourceIn);
        painter.fillRect(pixmap.rect(), QApplication::palette().color(group, role));
        return pixmap;
    }

    QString m_file;
};

} // namespace

QIcon actionIcon(const QString& name)
{
    const QString file = u":/icons/"_s + name + u".svg"_s;
    if (QFile::exists(file))
        return QIcon(new SymbolicIconEngine(file));
    return QIcon::fromTheme(name);
}
