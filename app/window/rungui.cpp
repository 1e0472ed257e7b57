// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/rungui.h"

#include "load/workers.h"
#include "window/mainwindow.h"
#include "window/opening.h"
#include "window/settings.h"
#include "window/startguard.h"
#include "window/theme.h"

#include <QApplication>

#include <cstdlib>
#include <optional>

using namespace Qt::StringLiterals;

namespace {

/// Long enough for a report that is being written, short enough for who closes a window on a dead disk.
constexpr std::chrono::seconds kLastWait{2};

int runApplication(int& argc, char** argv, const QStringList& files)
{
    std::optional<StartGuard> guard(std::in_place);
    QApplication app(argc, argv);
    guard.reset();
    QApplication::setApplicationName(u"gguf-inspector"_s);
    QApplication::setApplicationDisplayName(QApplication::translate("MainWindow", "GGUF Inspector"));
    QApplication::setApplicationVersion(QStringLiteral(GGUF_VERSION));
    QGuiApplication::setDesktopFileName(QStringLiteral(GGUF_APP_ID));

    Settings settings;
    applyTheme(settings.theme());
    Opening opening(settings);
    if (files.isEmpty())
        opening.newWindow()->show();
    else
        opening.open(files);
    return QApplication::exec();
}

} // namespace

int runGui(int& argc, char** argv, const QStringList& files)
{
    const int status = runApplication(argc, argv, files);
    // A worker in a read that does not return still uses what exit() would take down.
    if (!Workers::waitForAll(kLastWait))
        std::_Exit(status);
    return status;
}
