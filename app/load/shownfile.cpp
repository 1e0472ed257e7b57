// SPDX-License-Identifier: GPL-3.0-or-later
#include "load/shownfile.h"

#include <QCoreApplication>
#include <QFileInfo>

#include <filesystem>

bool ShownFile::isSame(const QString& path, const QString& shown)
{
    if (path.isEmpty() || shown.isEmpty())
        return false;
    std::error_code error;
    return std::filesystem::equivalent(QFileInfo(path).filesystemAbsoluteFilePath(),
        QFileInfo(shown).filesystemAbsoluteFilePath(), error);
}

QString ShownFile::refusal()
{
    return QCoreApplication::translate("ShownFile", "This is the file that is shown; it is never written to.");
}
