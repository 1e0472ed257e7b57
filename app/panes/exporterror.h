// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMessageBox>

/// Says in a box that does not block why a file could not be written; nothing where there is no error.
inline void showExportError(QWidget* parent, const QString& title, const QString& error)
{
    if (error.isEmpty())
        return;
    auto* box = new QMessageBox(QMessageBox::Warning, title, error, QMessageBox::Ok, parent);
    box->setTextFormat(Qt::PlainText);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->open();
}
