// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

#include <functional>

class QWidget;

/// Asks where to save, without blocking; `chosen` hears the path, if one is chosen while `parent` lives. A name without
/// a suffix gets that of the filter ("CSV table (*.csv)") before the dialog asks whether a file may be replaced.
void askWhereToSave(QWidget& parent, const QString& title, const QString& suggestedName, const QStringList& filters,
    std::function<void(const QString& path)> chosen);
