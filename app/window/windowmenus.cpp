// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/windowmenus.h"

#include "document/text.h"
#include "panes/hexpane.h"
#include "window/actions.h"
#include "window/documentview.h"
#include "window/mainwindow.h"
#include "window/opening.h"
#include "window/settings.h"
#include "window/theme.h"

#include <QActionGroup>
#include <QDir>
#include <QMenu>
#include <QMenuBar>
#include <QToolBar>

#include <map>

using namespace Qt::StringLiterals;

namespace {

constexpr auto kEditMenu = "menuEdit"_L1;
constexpr auto kGoMenu = "menuGo"_L1;
constexpr auto kViewMenu = "menuView"_L1;
constexpr auto kAppearanceMenu = "menuAppearance"_L1;

QMenu* addRecentMenu(QMenu& fileMenu, MainWindow& window, Settings& settings, Opening& opening)
{
    auto* menu = new QMenu(MainWindow::tr("Open &Recent"), &fileMenu);
    menu->setObjectName(u"menuRecent"_s);
    QObject::connect(menu, &QMenu::aboutToShow, &window, [menu, &window, &settings, &opening] {
        menu->clear();
        const QStringList files = settings.recentFiles();
        for (const QString& file : files) {
            QString text = QString::fromStdString(gguf::visibleText(QDir::toNativeSeparators(file).toStdString()));
            menu->addAction(text.replace(u'&', "&&"_L1), &window, [file, &window, &opening] { opening.open({file}, &window); });
        }
        if (files.isEmpty())
            menu->addAction(MainWindow::tr("No recent files"))->setEnabled(false);
        menu->addSeparator();
        menu->addAction(MainWindow::tr("&Clear List"), &window, [&settings] { settings.clearRecentFiles(); })
            ->setEnabled(!files.isEmpty());
    });
    return menu;
}

QMenu* addAppearanceMenu(QMenu& viewMenu, MainWindow& window, Settings& settings)
{
    auto* menu = new QMenu(MainWindow::tr("&Appearance"), &viewMenu);
    menu->setObjectName(kAppearanceMenu);
    auto* group = new QActionGroup(menu);
    const std::pair<Theme, QString> themes[] = {{Theme::System, MainWindow::tr("As the &Desktop")},
        {Theme::Light, MainWindow::tr("&Light")}, {Theme::Dark, MainWindow::tr("&Dark")}};
    for (const auto& [theme, text] : themes) {
        QAction* action = menu->addAction(text);
        action->setCheckable(true);
        action->setChecked(settings.theme() == theme);
        group->addAction(action);
        QObject::connect(action, &QAction::triggered, &window, [&settings, theme = theme] {
            settings.setTheme(theme);
            applyTheme(theme);
        });
    }
    return menu;
}

void addToolBar(MainWindow& window, const Actions& actions)
{
    QToolBar* bar = window.addToolBar(MainWindow::tr("Tool Bar"));
    bar->setObjectName(u"toolBar"_s);
    bar->setMovable(false);
    bar->setContextMenuPolicy(Qt::PreventContextMenu);
    bar->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    bar->setIconSize({16, 16});
    MenuId previous = MenuId::File;
    for (const ActionInfo& info : Actions::table()) {
        if (!info.inToolBar)
            continue;
        if (info.menu != previous || (info.startsGroup && !bar->actions().isEmpty()))
            bar->addSeparator();
        previous = info.menu;
        actions[info.id]->setIconText(Actions::text(info));
        bar->addAction(actions[info.id]);
    }
}

} // namespace

void buildWindowMenus(MainWindow& window, const Actions& actions, Settings& settings, Opening& opening)
{
    struct MenuTitle
    {
        MenuId id;
        QLatin1StringView name;
        QString text;
    };
    std::map<MenuId, QMenu*> menus;
    for (const auto& [id, name, text] : {MenuTitle{MenuId::File, "menuFile"_L1, MainWindow::tr("&File")},
             MenuTitle{MenuId::Edit, kEditMenu, MainWindow::tr("&Edit")}, MenuTitle{MenuId::Go, kGoMenu, MainWindow::tr("&Go")},
             MenuTitle{MenuId::View, kViewMenu, MainWindow::tr("&View")},
             MenuTitle{MenuId::Help, "menuHelp"_L1, MainWindow::tr("&Help")}}) {
        menus[id] = window.menuBar()->addMenu(text);
        menus[id]->setObjectName(name);
    }
    menus[MenuId::View]->addMenu(addAppearanceMenu(*menus[MenuId::View], window, settings));
    for (const ActionInfo& info : Actions::table()) {
        QMenu* menu = menus[info.menu];
        if (info.startsGroup && !menu->isEmpty())
            menu->addSeparator();
        menu->addAction(actions[info.id]);
        if (info.id == ActionId::Open)
            menu->addMenu(addRecentMenu(*menu, window, settings, opening));
    }
    addToolBar(window, actions);
}

void addPanesToMenus(MainWindow& window, DocumentView& view)
{
    auto* menu = window.findChild<QMenu*>(kViewMenu);
    QAction* first = menu->actions().constFirst();
    menu->insertActions(first, view.paneActions());
    menu->insertSeparator(first);
    addBytesToMenus(window, view.hex());
}

void addBytesToMenus(MainWindow& window, HexPane& pane)
{
    QAction* appearance = window.findChild<QMenu*>(kAppearanceMenu)->menuAction();
    auto* viewMenu = window.findChild<QMenu*>(kViewMenu);
    viewMenu->insertActions(appearance, pane.viewActions());
    viewMenu->insertSeparator(appearance);
    for (const auto& [name, actions] : {std::pair{kEditMenu, pane.editActions()}, std::pair{kGoMenu, pane.goActions()}}) {
        auto* menu = window.findChild<QMenu*>(name);
        menu->addSeparator();
        menu->addActions(actions);
    }
}
