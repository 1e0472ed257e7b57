// SPDX-License-Identifier: GPL-3.0-or-later
// The smallest program of this kind: a window with a menu bar, linked with Qt Charts. Ends when it has been painted.
#include <QApplication>
#include <QChartView>
#include <QMainWindow>
#include <QMenuBar>
#include <QTimer>

#include <unistd.h>

class Window : public QMainWindow
{
protected:
    bool event(QEvent* event) override
    {
        if (event->type() == QEvent::Paint)
            QTimer::singleShot(0, [] { _exit(0); });
        return QMainWindow::event(event);
    }
};

int main(int argc, char** argv)
{
    QApplication app(argc, argv);
    Window window;
    window.menuBar()->addMenu(QStringLiteral("File"))->addAction(QStringLiteral("Quit"));
    // Uses the library, so that the linker keeps it; no chart is shown.
    window.setObjectName(QString::fromLatin1(QChartView::staticMetaObject.className()));
    window.resize(1440, 900);
    window.show();
    return QApplication::exec();
}
