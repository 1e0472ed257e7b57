// SPDX-License-Identifier: GPL-3.0-or-later
#include "panes/auditexport.h"
#include "report/commandline.h"
#include "report/headless.h"
#include "report/output.h"
#include "window/rungui.h"

#include <QFile>

/// The arguments as text, before any application object exists: headless modes create none, so that they need
/// neither a display nor a locale.
static QStringList argumentList(int argc, char** argv)
{
    QStringList arguments;
    for (int i = 0; i < argc; ++i)
        arguments.append(QFile::decodeName(argv[i]));
    return arguments;
}

int main(int argc, char** argv)
{
    const CommandLine line = CommandLine::parse(argumentList(argc, argv));
    if (line.mode == CommandLine::Mode::Window)
        return runGui(argc, argv, line.files);

    Output out(stdout);
    Output err(stderr);
    return runHeadless(line, out, err, AuditExport::pageColor);
}
