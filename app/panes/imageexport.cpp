// SPDX-License-Identifier: GPL-3.0-or-later
#include "panes/imageexport.h"

#include "load/filewriter.h"
#include "panes/exporterror.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QFileDialog>
#include <QImage>
#include <QImageWriter>
#include <QPainter>
#include <QSvgGenerator>

namespace {

QByteArray svgOf(const QSizeF& size, const QColor& background, const QString& title, const ImageExport::Paint& paint)
{
    QBuffer buffer;
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setSize(size.toSize());
    generator.setViewBox(QRectF(QPointF(), size));
    generator.setTitle(title);
    QPainter painter(&generator);
    painter.fillRect(QRectF(QPointF(), size), background);
    paint(painter, size);
    painter.end();
    return buffer.data();
}

QImage imageOf(const QSizeF& size, const QColor& background, const ImageExport::Paint& paint)
{
    constexpr int kScale = 2;
    QImage image((size * kScale).toSize(), QImage::Format_RGB32);
    if (image.isNull())
        return image;
    image.setDevicePixelRatio(kScale);
    image.fill(background);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::TextAntialiasing);
    paint(painter, size);
    return image;
}

} // namespace

namespace ImageExport {

void save(QObject& owner, const QString& path, const QString& shownFile, const QSizeF& size, const QColor& background,
    const QString& title, const Paint& paint, std::function<void(const QString& error)> done)
{
    if (path.endsWith(QLatin1String(".svg"), Qt::CaseInsensitive)) {
        FileWriter::start(
            owner, path, shownFile,
            [svg = svgOf(size, background, title, paint)](QIODevice& file, const auto&) { file.write(svg); },
            std::move(done));
        return;
    }
    const QImage image = imageOf(size, background, paint);
    if (image.isNull()) {
        done(QCoreApplication::translate("ImageExport", "There is not enough memory for a picture of this size."));
        return;
    }
    FileWriter::start(
        owner, path, shownFile, [image](QIODevice& file, const auto&) { QImageWriter(&file, "png").write(image); },
        std::move(done));
}

void saveAs(QWidget* parent, const QString& shownFile, const QString& suggestedName, const QSizeF& size,
    const QString& title, const Paint& paint)
{
    const QString heading = QCoreApplication::translate("ImageExport", "Save Image");
    const QString path = QFileDialog::getSaveFileName(parent, heading, suggestedName,
        QCoreApplication::translate("ImageExport", "PNG image (*.png);;SVG image (*.svg)"));
    if (!path.isEmpty())
        save(*parent, path, shownFile, size, parent->palette().color(QPalette::Base), title, paint,
            [parent, heading](const QString& error) { showExportError(parent, heading, error); });
}

} // namespace ImageExport
