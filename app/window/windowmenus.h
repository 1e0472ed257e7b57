// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class Actions;
class DocumentView;
class HexPane;
class MainWindow;
class Opening;
class Settings;

/// Fills a window's menu bar and tool bar from the table of actions, and adds what is no fixed command: recent files,
/// the appearance.
void buildWindowMenus(MainWindow& window, const Actions& actions, Settings& settings, Opening& opening);
/// Adds the panes, and what their hex pane offers.
void addPanesToMenus(MainWindow& window, DocumentView& view);
/// Adds what a hex pane offers: only the commands of the one that is active are seen.
void addBytesToMenus(MainWindow& window, HexPane& pane);
