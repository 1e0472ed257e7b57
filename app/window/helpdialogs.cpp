// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/helpdialogs.h"

#include "widgets/screenfit.h"
#include "window/actions.h"
#include "window/checksdialog.h"

#include <QAction>
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QKeySequence>
#include <QMessageBox>
#include <QTreeWidget>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace {

QString menuText(MenuId menu)
{
    switch (menu) {
    case MenuId::File:
        return QDialog::tr("File");
    case MenuId::Edit:
        return QDialog::tr("Edit");
    case MenuId::Go:
        return QDialog::tr("Go");
    case MenuId::View:
        return QDialog::tr("View");
    case MenuId::Help:
        return QDialog::tr("Help");
    }
    return {};
}

void addGroup(QTreeWidget& tree, const QString& heading, const QList<QStringList>& rows)
{
    auto* group = new QTreeWidgetItem(&tree, {heading});
    group->setFlags(Qt::ItemIsEnabled);
    QFont bold = tree.font();
    bold.setBold(true);
    group->setFont(0, bold);
    for (const QStringList& row : rows)
        new QTreeWidgetItem(group, row);
    group->setExpanded(true);
}

QDialog* makeShortcutDialog(QWidget* parent, const QList<QAction*>& paneActions)
{
    auto* dialog = new QDialog(parent);
    dialog->setObjectName(u"shortcutDialog"_s);
    dialog->setWindowTitle(QDialog::tr("Keyboard Shortcuts"));
    resizeWithinScreen(*dialog, {520, 640});
    auto* tree = new QTreeWidget;
    tree->setObjectName(u"shortcutList"_s);
    tree->setAccessibleName(dialog->windowTitle());
    tree->setHeaderLabels({QDialog::tr("Command"), QDialog::tr("Keys")});
    tree->setRootIsDecorated(false);
    for (MenuId menu : {MenuId::File, MenuId::Edit, MenuId::Go, MenuId::View, MenuId::Help}) {
        QList<QStringList> rows;
        for (const ActionInfo& info : Actions::table()) {
            const QKeySequence keys = QKeySequence(QString::fromLatin1(info.shortcut));
            if (info.menu == menu && !keys.isEmpty())
                rows.append({Actions::text(info), keys.toString(QKeySequence::NativeText)});
        }
        if (!rows.isEmpty())
            addGroup(*tree, menuText(menu), rows);
    }
    QList<QStringList> paneRows;
    for (const QAction* action : paneActions) {
        if (!action->shortcut().isEmpty())
            paneRows.append({action->text(), action->shortcut().toString(QKeySequence::NativeText)});
    }
    addGroup(*tree, QDialog::tr("Panes, and in the bytes"), paneRows);
    addGroup(*tree, QDialog::tr("Everywhere"),
        {{QDialog::tr("Next and previous field, list or pane"), QDialog::tr("Tab, Shift+Tab")}});
    addGroup(*tree, QDialog::tr("In lists and tables"),
        {{QDialog::tr("Show the bytes of the row"), QKeySequence(Qt::Key_Return).toString(QKeySequence::NativeText)},
            {QDialog::tr("Select everything"), QKeySequence(QKeySequence::SelectAll).toString(QKeySequence::NativeText)},
            {QDialog::tr("Clear the filter"), QKeySequence(Qt::Key_Escape).toString(QKeySequence::NativeText)}});
    addGroup(*tree, QDialog::tr("In the bytes"),
        {{QDialog::tr("Start and end of the file"), QDialog::tr("Ctrl+Home, Ctrl+End")},
            {QDialog::tr("Select"), QDialog::tr("Shift with the arrow keys")}});
    addGroup(*tree, QDialog::tr("Mouse"),
        {{QDialog::tr("Back and Forward"), QDialog::tr("Buttons 4 and 5")},
            {QDialog::tr("Larger and smaller bytes"), QDialog::tr("Ctrl+Wheel")}});
    tree->resizeColumnToContents(0);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
    auto* layout = new QVBoxLayout(dialog);
    layout->addWidget(tree);
    layout->addWidget(buttons);
    return dialog;
}

/// The parent's dialog of this name, brought to the front, or null.
QDialog* openDialog(QWidget* parent, const QString& name)
{
    auto* dialog = parent->findChild<QDialog*>(name);
    if (dialog) {
        dialog->raise();
        dialog->activateWindow();
    }
    return dialog;
}

void present(QDialog* dialog)
{
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->show();
}

} // namespace

void showShortcuts(QWidget* parent, const QList<QAction*>& paneActions)
{
    if (!openDialog(parent, u"shortcutDialog"_s))
        present(makeShortcutDialog(parent, paneActions));
}

void showChecks(QWidget* parent, const QString& code)
{
    auto* dialog = qobject_cast<ChecksDialog*>(openDialog(parent, u"checksDialog"_s));
    if (!dialog) {
        dialog = new ChecksDialog(parent);
        present(dialog);
    }
    if (!code.isEmpty())
        dialog->choose(code);
}

void showAbout(QWidget* parent)
{
    if (openDialog(parent, u"aboutDialog"_s))
        return;
    auto* box = new QMessageBox(parent);
    box->setObjectName(u"aboutDialog"_s);
    box->setWindowTitle(QDialog::tr("About GGUF Inspector"));
    box->setTextFormat(Qt::PlainText);
    box->setIconPixmap(QIcon(u":/icons/app.svg"_s).pixmap(64));
    box->setText(QDialog::tr("GGUF Inspector %1").arg(QStringLiteral(GGUF_VERSION)));
    box->setInformativeText(
        QDialog::tr("Shows what is inside a GGUF model file. It only reads.\n\n"
                    "Qt %1. Free software under the GNU General Public License, version 3 or later; "
                    "without any warranty.")
            .arg(QString::fromLatin1(qVersion())));
    box->setStandardButtons(QMessageBox::Close);
    box->setModal(false);
    present(box);
}
