// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/opening.h"

#include "widgets/screenfit.h"
#include "window/mainwindow.h"
#include "window/settings.h"

#include <QCoreApplication>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QFileOpenEvent>
#include <QMimeData>
#include <QUrl>

using namespace Qt::StringLiterals;

namespace {

constexpr auto kSample = ":/samples/sample.gguf"_L1;

} // namespace

DropContents dropContents(const QMimeData& data)
{
    DropContents contents;
    const QList<QUrl> urls = data.urls();
    for (const QUrl& url : urls) {
        if (url.isLocalFile())
            contents.files.append(url.toLocalFile());
        else if (url.isValid() && !url.scheme().isEmpty())
            contents.refusals.append(
                Opening::tr("%1 is on another machine. Download the file first, then drop it here.")
                    .arg(url.toDisplayString(QUrl::RemoveUserInfo)));
    }
    return contents;
}

Opening::Opening(Settings& settings, QObject* parent)
    : QObject(parent)
    , m_settings(settings)
{
    QCoreApplication::instance()->installEventFilter(this);
}

Opening::~Opening()
{
    for (const QPointer<MainWindow>& window : std::as_const(m_windows))
        delete window.data();
}

MainWindow* Opening::newWindow()
{
    m_windows.removeIf([](const QPointer<MainWindow>& window) { return window.isNull(); });
    auto* window = new MainWindow(*this, m_settings);
    window->setAttribute(Qt::WA_DeleteOnClose);
    if (!m_windows.isEmpty())
        placeBeside(*window, *m_windows.last());
    m_windows.append(window);
    return window;
}

void Opening::open(const QStringList& files, MainWindow* window)
{
    if (!window) {
        for (const QPointer<MainWindow>& candidate : std::as_const(m_windows)) {
            if (candidate && candidate->isUnused()) {
                window = candidate;
                break;
            }
        }
    }
    for (const QString& file : files) {
        MainWindow* target = window ? window : newWindow();
        window = nullptr;
        target->openFile(QFileInfo(file).absoluteFilePath());
        target->show();
    }
}

void Opening::openSample(MainWindow& window)
{
    QFile file(kSample);
    if (file.open(QIODevice::ReadOnly))
        window.openBytes(file.readAll(), tr("sample.gguf"));
}

void Opening::openWithDialog(MainWindow& window)
{
    const QStringList files = QFileDialog::getOpenFileNames(&window, tr("Open GGUF files"), m_settings.lastFolder(),
        tr("GGUF models (*.gguf);;All files (*)"));
    if (files.isEmpty())
        return;
    m_settings.setLastFolder(QFileInfo(files.first()).absolutePath());
    open(files, &window);
}

QString Opening::askForFile(QWidget* parent, const QString& title)
{
    const QString file = QFileDialog::getOpenFileName(parent, title, m_settings.lastFolder(),
        tr("GGUF models (*.gguf);;All files (*)"));
    if (!file.isEmpty())
        m_settings.setLastFolder(QFileInfo(file).absolutePath());
    return file;
}

bool Opening::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::FileOpen) {
        const auto* request = static_cast<QFileOpenEvent*>(event);
        if (!request->file().isEmpty())
            open({request->file()});
        return true;
    }
    return QObject::eventFilter(watched, event);
}
