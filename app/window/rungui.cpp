// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/rungui.h"

#include "window/mainwindow.h"
#include "window/opening.h"
#include "window/settings.h"
#include "window/theme.h"

#include <QApplication>

using namespace Qt::StringLiterals;

int runGui(int& argc, char** argv, const QStringList& files)
{
    QApplication app(argc, argv);
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
