// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/choicelist.h"

#include "widgets/plaintext.h"

#include <QListWidget>
#include <QPainter>
#include <QShortcut>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace {

constexpr int kDetailRole = Qt::UserRole;
constexpr int kPadding = 6;
constexpr int kMostVisible = 6;

/// Two lines: the title, and the detail in fainter ink.
class TwoLineDelegate final : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const override
    {
        return {200, 2 * option.fontMetrics.height() + 2 * kPadding};
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& styleOption, const QModelIndex& index) const override
    {
        QStyleOptionViewItem option = styleOption;
        initStyleOption(&option, index);
        const QString title = option.text;
        option.text.clear();
        option.widget->style()->drawControl(QStyle::CE_ItemViewItem, &option, painter, option.widget);

        const QRect area = option.rect.adjusted(2 * kPadding, kPadding, -2 * kPadding, -kPadding);
        const bool selected = option.state.testFlag(QStyle::State_Selected);
        const auto group = option.state.testFlag(QStyle::State_Enabled) ? QPalette::Active : QPalette::Disabled;
        painter->save();
        painter->setPen(option.palette.color(group, selected ? QPalette::HighlightedText : QPalette::Text));
        painter->drawText(area, Qt::AlignTop | Qt::AlignLeft | Qt::TextSingleLine,
            option.fontMetrics.elidedText(title, Qt::ElideMiddle, area.width()));
        painter->setPen(option.palette.color(selected ? QPalette::HighlightedText : QPalette::PlaceholderText));
        painter->drawText(area, Qt::AlignBottom | Qt::AlignLeft | Qt::TextSingleLine,
            option.fontMetrics.elidedText(index.data(kDetailRole).toString(), Qt::ElideMiddle, area.width()));
        painter->restore();
    }
};

} // namespace

ChoiceList::ChoiceList(const QString& heading, const QString& name, QWidget* parent)
    : QWidget(parent)
    , m_heading(new PlainLabel(heading))
    , m_list(new QListWidget)
{
    setObjectName(name);
    QFont bold = font();
    bold.setBold(true);
    m_heading->setFont(bold);
    m_list->setObjectName(name + u"View");
    m_list->setAccessibleName(heading);
    m_list->setItemDelegate(new TwoLineDelegate(m_list));
    m_list->setUniformItemSizes(true);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setMouseTracking(true);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->addWidget(m_heading);
    layout->addWidget(m_list);
    setVisible(false);

    // One click is enough. Enter is taken from the keyboard itself: what else "activates" an item is the style's
    // choice, and a click would choose twice.
    connect(m_list, &QListWidget::itemClicked, this, [this](QListWidgetItem* item) { emit chosen(m_list->row(item)); });
    for (const Qt::Key key : {Qt::Key_Return, Qt::Key_Enter}) {
        auto* enter = new QShortcut(QKeySequence(key), m_list, nullptr, nullptr, Qt::WidgetShortcut);
        connect(enter, &QShortcut::activated, this, [this] {
            const QListWidgetItem* item = m_list->currentItem();
            if (item && item->flags().testFlag(Qt::ItemIsEnabled))
                emit chosen(m_list->currentRow());
        });
    }
}

void ChoiceList::setHeading(const QString& heading)
{
    m_heading->setText(heading);
    m_list->setAccessibleName(heading);
}

void ChoiceList::setChoices(const QList<Choice>& choices)
{
    m_list->clear();
    for (const Choice& choice : choices) {
        auto* item = new QListWidgetItem(choice.title, m_list);
        item->setData(kDetailRole, choice.detail);
        item->setData(Qt::AccessibleTextRole, QString(choice.title + u", " + choice.detail));
        item->setToolTip(plainToolTip(choice.detail));
        if (!choice.isEnabled)
            item->setFlags(item->flags() & ~Qt::ItemIsEnabled);
    }
    fitHeight();
    setVisible(!choices.isEmpty());
}

int ChoiceList::count() const
{
    return m_list->count();
}

void ChoiceList::fitHeight()
{
    const int rows = qMin(m_list->count(), kMostVisible);
    const int rowHeight = 2 * fontMetrics().height() + 2 * kPadding;
    m_list->setFixedHeight(rows * rowHeight + 2 * m_list->frameWidth());
}
