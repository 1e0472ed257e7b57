// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

/// The program never writes to the file that it shows, by whatever name.
namespace ShownFile {

/// Whether `path` names the file `shown`, also by another link to it. Asks the disk.
bool isSame(const QString& path, const QString& shown);

/// What is said instead of writing to it.
QString refusal();

} // namespace ShownFile
