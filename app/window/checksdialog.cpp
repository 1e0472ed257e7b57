// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/checksdialog.h"

#include "models/problemtext.h"
#include "parse/rules.h"
#include "widgets/filterline.h"
#include "widgets/screenfit.h"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QPlainTextEdit>
#include <QSplitter>
#include <QTreeWidget>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace {

enum Column { CodeColumn, SeverityColumn, JudgesColumn, TitleColumn, ColumnCount };

QString text(std::string_view view)
{
    return QString::fromUtf8(view.data(), static_cast<qsizetype>(view.size()));
}

QString judgesText(const gguf::Judges& judges)
{
    QStringList names;
    if (judges.spec)
        names.append(ChecksDialog::tr("specification"));
    if (judges.doc)
        names.append(ChecksDialog::tr("ggml's document"));
    if (judges.ggml == gguf::GgmlVerdict::RefusesToOpen)
        names.append(ChecksDialog::tr("ggml does not open it"));
    if (judges.ggml == gguf::GgmlVerdict::RefusesToRead)
        names.append(ChecksDialog::tr("ggml does not read its data"));
    return names.isEmpty() ? ChecksDialog::tr("nobody") : names.join(u", "_s);
}

} // namespace

ChecksDialog::ChecksDialog(QWidget* parent)
    : QDialog(parent)
    , m_filter(new FilterLine(tr("Search the checks")))
    , m_list(new QTreeWidget)
    , m_details(new QPlainTextEdit)
{
    setObjectName(u"checksDialog"_s);
    setWindowTitle(tr("Checks"));
    resizeWithinScreen(*this, {980, 640});
    m_filter->setObjectName(u"checksFilter"_s);
    m_filter->setAccessibleName(tr("Search the checks"));
    m_list->setObjectName(u"checksList"_s);
    m_list->setAccessibleName(tr("Checks"));
    m_list->setRootIsDecorated(false);
    m_list->setUniformRowHeights(true);
    m_list->setAlternatingRowColors(true);
    m_list->setHeaderLabels({tr("Code"), tr("Severity"), tr("Who minds"), tr("What is wrong")});
    m_list->setSortingEnabled(true);
    m_details->setObjectName(u"checksDetails"_s);
    m_details->setAccessibleName(tr("The chosen check"));
    m_details->setReadOnly(true);

    QList<QTreeWidgetItem*> items;
    for (const gguf::RuleInfo& rule : gguf::allRules()) {
        auto* item = new QTreeWidgetItem(
            {text(rule.code), ProblemText::severity(rule.severity), judgesText(rule.judges), text(rule.title)});
        item->setData(CodeColumn, Qt::UserRole, static_cast<int>(rule.rule));
        items.append(item);
    }
    m_list->addTopLevelItems(items);
    m_list->sortByColumn(CodeColumn, Qt::AscendingOrder);
    for (int column = 0; column < ColumnCount; ++column)
        m_list->resizeColumnToContents(column);
    m_list->setColumnWidth(JudgesColumn, qMin(m_list->columnWidth(JudgesColumn), 260));

    auto* splitter = new QSplitter(Qt::Vertical);
    splitter->addWidget(m_list);
    splitter->addWidget(m_details);
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 2);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(m_filter);
    layout->addWidget(splitter, 1);
    layout->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_filter, &FilterLine::filterChanged, this, &ChecksDialog::applyFilter);
    connect(m_list, &QTreeWidget::currentItemChanged, this,
        [this](const QTreeWidgetItem* item) { showDetails(item); });
    m_list->setCurrentItem(m_list->topLevelItem(0));
    m_filter->setFocus();
}

void ChecksDialog::choose(const QString& code)
{
    const QList<QTreeWidgetItem*> items = m_list->findItems(code, Qt::MatchExactly, CodeColumn);
    if (items.isEmpty())
        return;
    m_filter->clear();
    m_list->setCurrentItem(items.first());
    m_list->scrollToItem(items.first(), QAbstractItemView::PositionAtCenter);
}

void ChecksDialog::applyFilter(const QString& text)
{
    QTreeWidgetItem* firstShown = nullptr;
    for (int row = 0; row < m_list->topLevelItemCount(); ++row) {
        QTreeWidgetItem* item = m_list->topLevelItem(row);
        const auto& rule = gguf::ruleInfo(static_cast<gguf::Rule>(item->data(CodeColumn, Qt::UserRole).toInt()));
        const QStringList places{item->text(CodeColumn), item->text(SeverityColumn), item->text(JudgesColumn),
            item->text(TitleColumn), ::text(rule.meaning), ::text(rule.remedy)};
        const bool matches = places.join(u'\n').contains(text, Qt::CaseInsensitive);
        item->setHidden(!matches);
        if (matches && !firstShown)
            firstShown = item;
    }
    if (!m_list->currentItem() || m_list->currentItem()->isHidden())
        m_list->setCurrentItem(firstShown);
}

void ChecksDialog::showDetails(const QTreeWidgetItem* item)
{
    if (!item) {
        m_details->setPlainText(tr("No check has these words."));
        return;
    }
    const auto& rule = gguf::ruleInfo(static_cast<gguf::Rule>(item->data(CodeColumn, Qt::UserRole).toInt()));
    const auto paragraph = [](const QString& heading, std::string_view body) {
        return body.empty() ? QString() : QString(heading + u"\n"_s + text(body) + u"\n\n"_s);
    };
    m_details->setPlainText(QString(text(rule.title) + u"\n\n"_s + paragraph(tr("The rule"), rule.meaning)
        + paragraph(tr("What happens"), rule.consequence) + paragraph(tr("What to do"), rule.remedy)
        + paragraph(tr("Example"), rule.example))
                                .trimmed());
}
