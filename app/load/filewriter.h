// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <functional>

class QIODevice;
class QObject;

/// Writes a file in the background. Nothing here waits.
namespace FileWriter {

using IsCancelled = std::function<bool()>;
using Write = std::function<void(QIODevice& file, const IsCancelled& isCancelled)>;

/// Lets `write` fill the file at `path` on a worker. The file appears, or is replaced, only when all is written, and
/// never is it the one that is shown, by whatever name. `done` hears then on the thread of `owner`, in one sentence, what
/// went wrong, or nothing. Where `owner` dies before, the file is given up and `done` is not called.
void start(QObject& owner, const QString& path, const QString& shownFile, Write write,
    std::function<void(const QString& error)> done);

} // namespace FileWriter
