// SPDX-License-Identifier: GPL-3.0-or-later
#include "panes/filterchips.h"

#include "widgets/plaintext.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QStyle>

using namespace Qt::StringLiterals;

namespace {

constexpr int kMostCharacters = 60;

} // namespace

FilterChips::FilterChips(QWidget* parent)
    : QWidget(parent)
    , m_layout(new QHBoxLayout(this))
{
    m_layout->setContentsMargins({});
    m_layout->addStretch(1);
    hide();
}

void FilterChips::setChip(const QString& id, const QString& text)
{
    auto* chip = findChild<QPushButton*>(id, Qt::FindDirectChildrenOnly);
    if (text.isEmpty()) {
        delete chip;
        setVisible(m_layout->count() > 1);
        return;
    }
    if (!chip) {
        chip = new QPushButton(this);
        chip->setObjectName(id);
        chip->setIcon(style()->standardIcon(QStyle::SP_LineEditClearButton));
        chip->setLayoutDirection(Qt::RightToLeft); // the cross stands behind the text
        m_layout->insertWidget(m_layout->count() - 1, chip);
        connect(chip, &QPushButton::clicked, this, [this, id, chip] {
            chip->setObjectName(QString());
            chip->hide();
            chip->deleteLater();
            m_layout->removeWidget(chip);
            setVisible(m_layout->count() > 1);
            emit removed(id);
        });
    }
    // No mnemonic may come out of a name, and a long list of types may not make the window wider.
    QString label = text.size() > kMostCharacters ? QString(text.left(kMostCharacters) + u'…') : text;
    chip->setText(label.replace(u'&', "&&"_L1));
    chip->setToolTip(plainToolTip(tr("Remove this filter: %1").arg(text)));
    chip->setAccessibleName(tr("Remove filter: %1").arg(text));
    show();
}

bool FilterChips::hasChip(const QString& id) const
{
    return findChild<QPushButton*>(id, Qt::FindDirectChildrenOnly) != nullptr;
}
