// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <functional>

class QColor;
class QObject;
class QPainter;
class QSizeF;
class QWidget;

/// Drawings as files.
namespace ImageExport {

using Paint = std::function<void(QPainter& painter, const QSizeF& size)>;

/// Writes what `paint` draws, which it does at once: as SVG where the path ends in .svg, else as PNG at twice the size, or
/// less where that would be more than 40 million pixels. The file is written in the background, never over the one that
/// is shown. `done` hears why it could not be written, as one sentence, or nothing.
void save(QObject& owner, const QString& path, const QString& shownFile, const QSizeF& size, const QColor& background,
    const QString& title, const Paint& paint, std::function<void(const QString& error)> done);

/// Asks for a path and saves there; says in a message box where that failed.
void saveAs(QWidget* parent, const QString& shownFile, const QString& suggestedName, const QSizeF& size,
    const QString& title, const Paint& paint);

} // namespace ImageExport
