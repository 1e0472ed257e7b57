// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class Actions;
class DocumentView;
class MainWindow;
class Opening;
class Settings;

/// Fills a window's menu bar and tool bar from the table of actions, and adds what is no fixed command: recent files,
/// the appearance.
void buildWindowMenus(MainWindow& window, const Actions& actions, Settings& settings, Opening& opening);
/// Adds the panes and what the hex pane offers.
void addPanesToMenus(MainWindow& window, DocumentView& view);
