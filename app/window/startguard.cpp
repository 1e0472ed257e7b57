// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/startguard.h"

#include <QtGlobal>

#if defined(Q_OS_UNIX) && !defined(Q_OS_DARWIN)

#include "document/text.h"
#include "report/headless.h"

#include <QByteArray>
#include <QList>
#include <QString>

#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <utility>

using namespace Qt::StringLiterals;

namespace {

struct Held
{
    QtMsgType type;
    QByteArray category;
    QString text;
};

QtMessageHandler g_before = nullptr;
std::mutex g_mutex; // guards g_held: plugins may start threads
QList<Held> g_held;

[[noreturn]] void end(const QString& fatal)
{
    // What went wrong was said before; the last message only tells that it is the end.
    QString reason = (g_held.isEmpty() ? fatal : g_held.first().text).section(u'\n', 0, 0).trimmed();
    if (reason.endsWith(u'.'))
        reason.chop(1);
    if (qEnvironmentVariableIsEmpty("DISPLAY") && qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY"))
        reason += " (neither DISPLAY nor WAYLAND_DISPLAY is set)"_L1;
    const QString sentence = u"gguf-inspector: No window can be opened: "_s + reason
        + u". --check, --json and the other options of --help work without one."_s;
    std::fprintf(stderr, "%s\n", gguf::visibleText(sentence.toStdString()).c_str());
    std::_Exit(ExitTrouble); // nothing may be taken down that is half made
}

void handle(QtMsgType type, const QMessageLogContext& context, const QString& text)
{
    const std::lock_guard lock(g_mutex);
    if (type == QtFatalMsg)
        end(text);
    g_held.append({type, context.category, text});
}

} // namespace

StartGuard::StartGuard()
{
    g_before = qInstallMessageHandler(&handle);
}

StartGuard::~StartGuard()
{
    qInstallMessageHandler(g_before);
    const std::lock_guard lock(g_mutex);
    for (const Held& held : std::exchange(g_held, {}))
        qt_message_output(held.type, QMessageLogContext(nullptr, 0, nullptr, held.category.constData()), held.text);
}

#else

StartGuard::StartGuard() = default;
StartGuard::~StartGuard() = default;

#endif
