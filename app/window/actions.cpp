// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/actions.h"

#include "window/icons.h"

#include <QWidget>

using namespace Qt::StringLiterals;

namespace {

using enum ActionId;

constexpr std::array<ActionInfo, kActionCount> kTable{{
    {Open, "actionOpen", QT_TRANSLATE_NOOP("Actions", "&Open…"), "Ctrl+O", "document-open", Need::Nothing,
        MenuId::File, false, true},
    {OpenSample, "actionOpenSample", QT_TRANSLATE_NOOP("Actions", "Open &Sample Model"), "", "", Need::Nothing,
        MenuId::File, false, false},
    {CompareWith, "actionCompareWith", QT_TRANSLATE_NOOP("Actions", "Compare &With…"), "Ctrl+D", "compare",
        Need::Path, MenuId::File, true, true},
    {Reload, "actionReload", QT_TRANSLATE_NOOP("Actions", "&Reload"), "F5", "view-refresh", Need::File,
        MenuId::File, false, true},
    {CopyReport, "actionCopyReport", QT_TRANSLATE_NOOP("Actions", "Copy Re&port"), "Ctrl+Shift+C", "edit-copy",
        Need::Report, MenuId::File, true, true},
    {ExportTensors, "actionExportTensors", QT_TRANSLATE_NOOP("Actions", "&Export Tensor Table…"), "Ctrl+E",
        "document-save", Need::Tensors, MenuId::File, false, false},
    {ExportAudit, "actionExportAudit", QT_TRANSLATE_NOOP("Actions", "Export &Audit Report…"), "", "",
        Need::Tensors, MenuId::File, false, false},
    {CloseWindow, "actionCloseWindow", QT_TRANSLATE_NOOP("Actions", "&Close Window"), "Ctrl+W", "window-close",
        Need::Nothing, MenuId::File, true, false},
    {Quit, "actionQuit", QT_TRANSLATE_NOOP("Actions", "&Quit"), "Ctrl+Q", "application-exit", Need::Nothing,
        MenuId::File, false, false},
    {Copy, "actionCopy", QT_TRANSLATE_NOOP("Actions", "&Copy"), "Ctrl+C", "edit-copy", Need::Bytes,
        MenuId::Edit, false, false},
    {Filter, "actionFilter", QT_TRANSLATE_NOOP("Actions", "&Filter Pane"), "Ctrl+F", "view-filter",
        Need::Document, MenuId::Edit, true, false},
    {Find, "actionFind", QT_TRANSLATE_NOOP("Actions", "Find &Bytes or Text…"), "Ctrl+Shift+F", "edit-find",
        Need::Bytes, MenuId::Edit, false, false},
    {Back, "actionBack", QT_TRANSLATE_NOOP("Actions", "&Back"), "Alt+Left", "go-previous", Need::BackPlaces,
        MenuId::Go, false, true},
    {Forward, "actionForward", QT_TRANSLATE_NOOP("Actions", "&Forward"), "Alt+Right", "go-next",
        Need::ForwardPlaces, MenuId::Go, false, true},
    {GoTo, "actionGoTo", QT_TRANSLATE_NOOP("Actions", "&Go to Offset…"), "Ctrl+G", "go-jump", Need::Bytes,
        MenuId::Go, true, true},
    {NextProblem, "actionNextProblem", QT_TRANSLATE_NOOP("Actions", "&Next Problem"), "F8", "go-down",
        Need::Problems, MenuId::Go, true, true},
    {PreviousProblem, "actionPreviousProblem", QT_TRANSLATE_NOOP("Actions", "&Previous Problem"), "Shift+F8",
        "go-up", Need::Problems, MenuId::Go, false, true},
    {ResetLayout, "actionResetLayout", QT_TRANSLATE_NOOP("Actions", "&Reset Layout"), "", "", Need::Nothing,
        MenuId::View, true, false},
    {ShowShortcuts, "actionShortcuts", QT_TRANSLATE_NOOP("Actions", "&Keyboard Shortcuts"), "F1", "",
        Need::Nothing, MenuId::Help, false, false},
    {ShowChecks, "actionChecks", QT_TRANSLATE_NOOP("Actions", "&Checks"), "", "", Need::Nothing, MenuId::Help,
        false, false},
    {ShowAbout, "actionAbout", QT_TRANSLATE_NOOP("Actions", "&About GGUF Inspector"), "", "help-about",
        Need::Nothing, MenuId::Help, true, false},
}};

} // namespace

Actions::Actions(QWidget* window)
    : QObject(window)
{
    for (const ActionInfo& info : kTable) {
        auto* action = new QAction(tr(info.text), window);
        action->setObjectName(QLatin1StringView(info.name));
        action->setShortcuts(QKeySequence::listFromString(QString::fromLatin1(info.shortcut)));
        if (*info.icon)
            action->setIcon(actionIcon(QString::fromLatin1(info.icon)));
        QString hint = text(info);
        if (!action->shortcut().isEmpty())
            hint = tr("%1 (%2)").arg(hint, action->shortcut().toString(QKeySequence::NativeText));
        action->setToolTip(hint);
        // Reached by its shortcut even while it is in no visible menu.
        window->addAction(action);
        m_actions[static_cast<std::size_t>(info.id)] = action;
    }
    (*this)[Quit]->setMenuRole(QAction::QuitRole);
    (*this)[ShowAbout]->setMenuRole(QAction::AboutRole);
    update({});
}

std::span<const ActionInfo> Actions::table()
{
    return kTable;
}

QString Actions::text(const ActionInfo& info)
{
    return tr(info.text).remove(u'&').remove(u'…');
}

void Actions::update(Needs present)
{
    for (const ActionInfo& info : kTable)
        (*this)[info.id]->setEnabled(info.need == Need::Nothing || present.testFlag(info.need));
}
