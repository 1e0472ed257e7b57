// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QString>

/// The entries of manifest.json in a folder of judged files; empty where the folder was not given.
inline QJsonArray readManifest(const char* folder)
{
    QFile file(QDir(QString::fromLocal8Bit(folder)).filePath(QStringLiteral("manifest.json")));
    if (!*folder || !file.open(QIODevice::ReadOnly))
        return {};
    return QJsonDocument::fromJson(file.readAll()).array();
}
