// SPDX-License-Identifier: GPL-3.0-or-later
#include "panes/savedialog.h"

#include <QFileDialog>
#include <QRegularExpression>

void askWhereToSave(QWidget& parent, const QString& title, const QString& suggestedName, const QStringList& filters,
    std::function<void(const QString& path)> chosen)
{
    auto* dialog = new QFileDialog(&parent, title);
    dialog->setObjectName(QStringLiteral("saveDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    const auto useSuffixOf = [dialog](const QString& filter) {
        static const QRegularExpression pattern(QStringLiteral("\\*\\.(\\w+)"));
        dialog->setDefaultSuffix(pattern.match(filter).captured(1));
    };
    if (!filters.isEmpty()) {
        dialog->setNameFilters(filters);
        useSuffixOf(filters.first());
        QObject::connect(dialog, &QFileDialog::filterSelected, dialog, useSuffixOf);
    }
    dialog->selectFile(suggestedName);
    QObject::connect(dialog, &QFileDialog::fileSelected, &parent, std::move(chosen));
    dialog->open();
}
