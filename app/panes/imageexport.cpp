// SPDX-License-Identifier: GPL-3.0-or-later
#include "panes/imageexport.h"

#include "load/filewriter.h"
#include "panes/exporterror.h"
#include "panes/savedialog.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QImage>
#include <QImageWriter>
#include <QPainter>
#include <QSvgGenerator>

#include <algorithm>
#include <cmath>
#include <stdexcept>

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

/// Pixels for one unit of a drawing: two, or fewer where a picture would be too large to be made, shown or sent.
double scaleOf(const QSizeF& size)
{
    constexpr double kUsual = 2, kMostPixels = 40e6;
    constexpr double kMostSide = 32'000; // Qt draws nothing beyond 32,767
    return std::min({kUsual, std::sqrt(kMostPixels / (size.width() * size.height())), kMostSide / size.width(),
        kMostSide / size.height()});
}

QImage imageOf(const QSizeF& size, const QColor& background, const ImageExport::Paint& paint)
{
    const double scale = scaleOf(size);
    QImage image((size * scale).toSize().expandedTo({1, 1}), QImage::Format_RGB32);
    if (image.isNull())
        return image;
    image.fill(background);
    QPainter painter(&image);
    painter.scale(scale, scale);
    painter.setRenderHint(QPainter::TextAntialiasing);
    paint(painter, size);
    return image;
}

/// On a worker: the encoder may fail where writing does not, and then there must be no file.
QByteArray pngOf(const QImage& image)
{
    QBuffer buffer;
    QImageWriter writer(&buffer, "png");
    if (!writer.write(image))
        throw std::runtime_error("The picture cannot be made: " + writer.errorString().toStdString());
    return buffer.data();
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
        owner, path, shownFile, [image](QIODevice& file, const auto&) { file.write(pngOf(image)); },
        std::move(done));
}

void saveAs(QWidget* parent, const QString& shownFile, const QString& suggestedName, const QSizeF& size,
    const QString& title, const Paint& paint)
{
    const QString heading = QCoreApplication::translate("ImageExport", "Save Image");
    const QStringList filters{QCoreApplication::translate("ImageExport", "PNG image (*.png)"),
        QCoreApplication::translate("ImageExport", "SVG image (*.svg)")};
    askWhereToSave(*parent, heading, suggestedName, filters,
        [parent, heading, shownFile, size, title, paint](const QString& path) {
            save(*parent, path, shownFile, size, parent->palette().color(QPalette::Base), title, paint,
                [parent, heading](const QString& error) { showExportError(parent, heading, error); });
        });
}

} // namespace ImageExport
