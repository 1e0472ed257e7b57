// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAction>
#include <QFlags>
#include <QObject>
#include <QString>

#include <array>
#include <span>

class QWidget;

/// Every command of the main window.
enum class ActionId {
    Open,
    OpenSample,
    CompareWith,
    Reload,
    CopyReport,
    ExportTensors,
    ExportAudit,
    CloseWindow,
    Quit,
    Copy,
    Filter,
    Find,
    GoTo,
    Back,
    Forward,
    NextProblem,
    PreviousProblem,
    ResetLayout,
    ShowShortcuts,
    ShowChecks,
    ShowAbout,
};
inline constexpr std::size_t kActionCount = static_cast<std::size_t>(ActionId::ShowAbout) + 1;

enum class MenuId { File, Edit, Go, View, Help };

/// What a window has; an action is enabled where all that it needs is there.
enum class Need {
    Nothing = 0,
    File = 1, ///< something was opened, even in vain
    Document = 2, ///< there is a document to look at
    Tensors = 4,
    Problems = 8,
    BackPlaces = 16,
    ForwardPlaces = 32,
    Report = 64, ///< there is something to report of, even if it is no GGUF file
    Bytes = 256, ///< there are bytes to look at, even if they are no GGUF file
    Path = 128, ///< the document is a file that can be opened again, not bytes or a part of a file
};
Q_DECLARE_FLAGS(Needs, Need)
Q_DECLARE_OPERATORS_FOR_FLAGS(Needs)

/// One row of the table of actions.
struct ActionInfo
{
    ActionId id;
    const char* name; ///< object name
    const char* text; ///< to be translated in context "Actions"
    const char* shortcut; ///< portable form; several are separated by "; "
    const char* icon; ///< freedesktop name, which is the fallback's name too; empty: none
    Need need;
    MenuId menu;
    bool startsGroup; ///< a separator stands before it
    bool inToolBar;
};

/// The actions of one window, built from the table that menus, tool bar and shortcut help read.
class Actions : public QObject
{
    Q_OBJECT
public:
    explicit Actions(QWidget* window);

    static std::span<const ActionInfo> table();
    static QString text(const ActionInfo& info); ///< translated, without mnemonic and ellipsis

    QAction* operator[](ActionId id) const { return m_actions[static_cast<std::size_t>(id)]; }
    void update(Needs present); ///< the one place that enables and disables

private:
    std::array<QAction*, kActionCount> m_actions{};
};
