// SPDX-License-Identifier: GPL-3.0-or-later
#include "load/filewriter.h"

#include "load/futurework.h"
#include "load/savefile.h"
#include "load/shownfile.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QFutureWatcher>

namespace {

QString writeFile(const QString& path, const QString& shownFile, const FileWriter::Write& write,
    const FileWriter::IsCancelled& isCancelled)
{
    if (ShownFile::isSame(path, shownFile))
        return ShownFile::refusal();
    QSaveFile file(path);
    if (file.open(QIODevice::WriteOnly)) {
        write(file, isCancelled);
        if (isCancelled() || commitWhole(file))
            return {}; // of what is given up the temporary file goes with `file`
    }
    return QCoreApplication::translate("FileWriter", "%1 could not be written: %2.")
        .arg(QFileInfo(path).fileName(), file.errorString());
}

QString asError(const QString& sentence)
{
    return sentence;
}

} // namespace

void FileWriter::start(QObject& owner, const QString& path, const QString& shownFile, Write write,
    std::function<void(const QString& error)> done)
{
    auto* watcher = new QFutureWatcher<QString>(&owner);
    QObject::connect(watcher, &QFutureWatcherBase::finished, &owner, [watcher, done = std::move(done)] {
        watcher->deleteLater();
        done(resultOf(*watcher, asError));
    });
    QFuture<QString> future = runFutureWork<QString>(
        [path, shownFile, write = std::move(write)](const QPromise<QString>& promise) {
            return writeFile(path, shownFile, write, [&promise] { return promise.isCanceled(); });
        },
        asError);
    QObject::connect(watcher, &QObject::destroyed, [future]() mutable { future.cancel(); });
    watcher->setFuture(future);
}
