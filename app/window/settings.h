// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QSettings>
#include <QString>
#include <QStringList>

#include <memory>

class QWidget;

/// Which colours the program uses.
enum class Theme { System, Light, Dark };

/// What the program remembers between runs: keys and defaults in one place. Passed to whoever needs it, so that
/// tests work on a file of their own.
class Settings
{
public:
    /// Raised when docks are added, renamed or laid out anew: an older layout is then forgotten, not misread.
    static constexpr int kLayoutVersion = 1;
    static constexpr int kMaxRecentFiles = 10;

    Settings(); ///< the person's own settings
    explicit Settings(std::unique_ptr<QSettings> store);

    QByteArray geometry() const;
    void setGeometry(const QByteArray& geometry);
    /// The arrangement of the docks; empty where none of this version was stored.
    QByteArray layout() const;
    void setLayout(const QByteArray& layout);
    void forgetLayout(); ///< docks and columns

    /// Stores or brings back the columns of every table and tree under `root` that has an object name.
    void saveColumns(const QWidget& root);
    void restoreColumns(const QWidget& root) const;

    QStringList recentFiles() const; ///< absolute paths, newest first
    void addRecentFile(const QString& path);
    void clearRecentFiles();

    QString lastFolder() const; ///< where the file dialog starts
    void setLastFolder(const QString& folder);

    Theme theme() const;
    void setTheme(Theme theme);

    bool flatMetadata() const;
    void setFlatMetadata(bool flat);

private:
    std::unique_ptr<QSettings> m_store;
};
