// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QObject>
#include <QPointer>
#include <QString>
#include <QStringList>

class MainWindow;
class QMimeData;
class QWidget;
class Settings;

/// What somebody dropped or pasted: files to open, and sentences about the rest.
struct DropContents
{
    QStringList files; ///< local paths
    QStringList refusals; ///< one sentence for each thing that cannot be opened
    bool isEmpty() const { return files.isEmpty() && refusals.isEmpty(); }
};

DropContents dropContents(const QMimeData& data);

/// The one way by which files come into the program: drop, arguments, dialog, recent files, and the system's
/// "open with". Owns the windows. The first file goes into the window that was asked; each further one gets its own.
class Opening : public QObject
{
    Q_OBJECT
public:
    explicit Opening(Settings& settings, QObject* parent = nullptr);
    ~Opening() override;

    MainWindow* newWindow();
    const QList<QPointer<MainWindow>>& windows() const { return m_windows; }

    /// Opens the files; `window` null means the first window that shows nothing yet, or a new one.
    void open(const QStringList& files, MainWindow* window = nullptr);
    void openSample(MainWindow& window);
    void openWithDialog(MainWindow& window);

    /// Asks for one file. Returns an empty string where the person thought better of it.
    QString askForFile(QWidget* parent, const QString& title);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override; ///< QFileOpenEvent of macOS

private:
    Settings& m_settings;
    QList<QPointer<MainWindow>> m_windows;
};
