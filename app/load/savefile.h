// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSaveFile>

/// QSaveFile::commit() for files of any size: that alone loses the error of the last bytes, which lie in the buffer
/// until then, and on a full disk puts an empty or cut file in the place of a good one.
inline bool commitWhole(QSaveFile& file)
{
    return file.flush() && file.commit();
}
