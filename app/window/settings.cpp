// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/settings.h"

#include <QFileInfo>
#include <QHeaderView>
#include <QTableView>
#include <QTreeView>

#include <array>
#include <utility>

using namespace Qt::StringLiterals;

namespace {

constexpr auto kGeometry = "window/geometry"_L1;
constexpr auto kLayout = "window/layout"_L1;
constexpr auto kLayoutVersionKey = "window/layoutVersion"_L1;
constexpr auto kColumns = "columns"_L1;
constexpr auto kRecentFiles = "files/recent"_L1;
constexpr auto kLastFolder = "files/lastFolder"_L1;
constexpr auto kTheme = "appearance/theme"_L1;
constexpr auto kFlatMetadata = "metadata/flat"_L1;

constexpr std::array<std::pair<Theme, QLatin1StringView>, 3> kThemeNames{{
    {Theme::System, "system"_L1}, {Theme::Light, "light"_L1}, {Theme::Dark, "dark"_L1}}};

/// Calls visit(name, header) for each named table and tree. The number of columns is part of the name: widths of
/// another set of columns are worse than none.
template <class Visit>
void forEachHeader(const QWidget& root, Visit visit)
{
    const auto views = root.findChildren<QAbstractItemView*>();
    for (QAbstractItemView* view : views) {
        QHeaderView* header = nullptr;
        if (auto* tree = qobject_cast<QTreeView*>(view))
            header = tree->header();
        else if (auto* table = qobject_cast<QTableView*>(view))
            header = table->horizontalHeader();
        if (header && header->count() > 0 && !view->objectName().isEmpty())
            visit(QString(view->objectName() + u'-' + QString::number(header->count())), header);
    }
}

} // namespace

Settings::Settings()
    : Settings(std::make_unique<QSettings>(QSettings::IniFormat, QSettings::UserScope, u"gguf-inspector"_s,
        u"gguf-inspector"_s))
{
}

Settings::Settings(std::unique_ptr<QSettings> store)
    : m_store(std::move(store))
{
}

QByteArray Settings::geometry() const
{
    return m_store->value(kGeometry).toByteArray();
}

void Settings::setGeometry(const QByteArray& geometry)
{
    m_store->setValue(kGeometry, geometry);
}

QByteArray Settings::layout() const
{
    if (m_store->value(kLayoutVersionKey).toInt() != kLayoutVersion)
        return {};
    return m_store->value(kLayout).toByteArray();
}

void Settings::setLayout(const QByteArray& layout)
{
    m_store->setValue(kLayoutVersionKey, kLayoutVersion);
    m_store->setValue(kLayout, layout);
}

void Settings::forgetLayout()
{
    m_store->remove(kLayout);
    m_store->remove(kColumns);
}

void Settings::saveColumns(const QWidget& root)
{
    m_store->beginGroup(kColumns);
    forEachHeader(root, [this](const QString& name, QHeaderView* header) {
        m_store->setValue(name, header->saveState());
    });
    m_store->endGroup();
}

void Settings::restoreColumns(const QWidget& root) const
{
    m_store->beginGroup(kColumns);
    forEachHeader(root, [this](const QString& name, QHeaderView* header) {
        const QByteArray state = m_store->value(name).toByteArray();
        if (!state.isEmpty())
            header->restoreState(state);
    });
    m_store->endGroup();
}

QStringList Settings::recentFiles() const
{
    return m_store->value(kRecentFiles).toStringList();
}

void Settings::addRecentFile(const QString& path)
{
    const QString absolute = QFileInfo(path).absoluteFilePath();
    QStringList files = recentFiles();
    files.removeAll(absolute);
    files.prepend(absolute);
    if (files.size() > kMaxRecentFiles)
        files.resize(kMaxRecentFiles);
    m_store->setValue(kRecentFiles, files);
}

void Settings::clearRecentFiles()
{
    m_store->remove(kRecentFiles);
}

QString Settings::lastFolder() const
{
    return m_store->value(kLastFolder).toString();
}

void Settings::setLastFolder(const QString& folder)
{
    m_store->setValue(kLastFolder, folder);
}

Theme Settings::theme() const
{
    const QString stored = m_store->value(kTheme).toString();
    for (const auto& [theme, name] : kThemeNames) {
        if (stored == name)
            return theme;
    }
    return Theme::System;
}

void Settings::setTheme(Theme theme)
{
    for (const auto& [known, name] : kThemeNames) {
        if (known == theme)
            m_store->setValue(kTheme, QString(name));
    }
}

bool Settings::flatMetadata() const
{
    return m_store->value(kFlatMetadata, false).toBool();
}

void Settings::setFlatMetadata(bool flat)
{
    m_store->setValue(kFlatMetadata, flat);
}
