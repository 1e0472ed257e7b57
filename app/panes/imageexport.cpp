// SPDX-License-Identifier: GPL-3.0-or-later
#include "panes/imageexport.h"

#include <QCoreApplication>
#include <QFileDialog>
#include <QImage>
#include <QImageWriter>
#include <QMessageBox>
#include <QPainter>
#include <QSaveFile>
#include <QSvgGenerator>

namespace ImageExport {

QString save(const QString& path, const QSizeF& size, const QColor& background, const QString& title,
    const Paint& paint)
{
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        return QCoreApplication::translate("ImageExport", "The file could not be written: %1")
            .arg(file.errorString());
    if (path.endsWith(QLatin1String(".svg"), Qt::CaseInsensitive)) {
        QSvgGenerator generator;
        generator.setOutputDevice(&file);
        generator.setSize(size.toSize());
        generator.setViewBox(QRectF(QPointF(), size));
        generator.setTitle(title);
        QPainter painter(&generator);
        painter.fillRect(QRectF(QPointF(), size), background);
        paint(painter, size);
    } else {
        constexpr int kScale = 2;
        QImage image((size * kScale).toSize(), QImage::Format_RGB32);
        image.setDevicePixelRatio(kScale);
        image.fill(background);
        QPainter painter(&image);
        painter.setRenderHint(QPainter::TextAntialiasing);
        paint(painter, size);
        painter.end();
        QImageWriter writer(&file, "png");
        if (!writer.write(image))
            return QCoreApplication::translate("ImageExport", "The image could not be written: %1")
                .arg(writer.errorString());
    }
    if (!file.commit())
        return QCoreApplication::translate("ImageExport", "The file could not be written: %1")
            .arg(file.errorString());
    return {};
}

void saveAs(QWidget* parent, const QString& suggestedName, const QSizeF& size, const QString& title,
    const Paint& paint)
{
    const QString path = QFileDialog::getSaveFileName(parent,
        QCoreApplication::translate("ImageExport", "Save Image"), suggestedName,
        QCoreApplication::translate("ImageExport", "PNG image (*.png);;SVG image (*.svg)"));
    if (path.isEmpty())
        return;
    const QString error = save(path, size, parent->palette().color(QPalette::Base), title, paint);
    if (error.isEmpty())
        return;
    QMessageBox box(QMessageBox::Warning, QCoreApplication::translate("ImageExport", "Save Image"), error,
        QMessageBox::Ok, parent);
    box.setTextFormat(Qt::PlainText);
    box.exec();
}

} // namespace ImageExport
