// SPDX-License-Identifier: GPL-3.0-or-later
#include "panes/comparedatapage.h"

#include "models/counted.h"
#include "panes/audittables.h"
#include "panes/rowtable.h"
#include "widgets/plaintext.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QProgressBar>
#include <QPushButton>
#include <QTableView>
#include <QVBoxLayout>

namespace {

/// Progress bars count in ints.
constexpr int kProgressSteps = 1000;

} // namespace

CompareDataPage::CompareDataPage(QWidget* parent)
    : QWidget(parent)
    , m_model(new ColumnTableModel(this))
    , m_table(new RowTable)
    , m_button(new QPushButton)
    , m_progress(new QProgressBar)
    , m_status(new PlainLabel)
{
    m_button->setObjectName(QStringLiteral("compareData"));
    m_progress->setObjectName(QStringLiteral("compareProgress"));
    m_progress->setAccessibleName(tr("Progress"));
    m_progress->setRange(0, kProgressSteps);
    m_status->setObjectName(QStringLiteral("compareDataStatus"));
    m_status->setElideMode(Qt::ElideRight);
    m_table->setObjectName(QStringLiteral("compareBytes"));
    m_table->setAccessibleName(tr("Bytes of the tensors in both files"));
    m_table->setModel(m_model);
    AuditTables::setUp(*m_table);

    auto* row = new QHBoxLayout;
    row->addWidget(m_button);
    row->addWidget(m_progress);
    row->addWidget(m_status, 1);
    auto* column = new QVBoxLayout(this);
    column->addLayout(row);
    column->addWidget(m_table, 1);
    connect(m_button, &QPushButton::clicked, this, &CompareDataPage::startOrCancel);
    connect(&m_data, &DataComparison::progressed, this, &CompareDataPage::showState);
    connect(&m_data, &DataComparison::finished, this, &CompareDataPage::showState);
    showState();
}

void CompareDataPage::setComparison(const CompareTables::Shared& comparison, Source a, Source b)
{
    m_data.clear();
    m_comparison = comparison;
    m_sourceA = std::move(a);
    m_sourceB = std::move(b);
    m_model->setContent(CompareTables::data(m_comparison, m_data));
    AuditTables::fitColumns(*m_table);
    showState();
}

void CompareDataPage::clear()
{
    setComparison(nullptr, nullptr, nullptr);
}

void CompareDataPage::startOrCancel()
{
    if (m_data.isRunning()) {
        m_data.cancel();
        return;
    }
    if (!m_comparison || !m_sourceA || !m_sourceB)
        return;
    m_data.start({m_comparison->a, m_sourceA}, {m_comparison->b, m_sourceB}, m_comparison->matched);
    showState();
}

void CompareDataPage::showState()
{
    const bool running = m_data.isRunning();
    m_button->setText(running ? tr("&Cancel") : tr("&Compare Tensor Bytes"));
    m_button->setEnabled(m_comparison && !m_comparison->matched.empty());
    m_progress->setVisible(running);
    const std::uint64_t total = m_data.totalBytes();
    const double share
        = total == 0 ? 0 : static_cast<double>(m_data.doneBytes()) / static_cast<double>(total);
    m_progress->setValue(static_cast<int>(share * kProgressSteps));
    if (!m_data.hasRun()) {
        m_status->setText(tr("Reads the data of all tensors that are in both files."));
    } else {
        using State = DataComparison::State;
        QStringList parts{counted(m_data.count(State::Equal), tr("1 tensor equal"), tr("%1 tensors equal")),
            tr("%1 different").arg(NumberText::count(m_data.count(State::Different)))};
        if (const auto unreadable = m_data.count(State::Unreadable))
            parts << tr("%1 could not be read").arg(NumberText::count(unreadable));
        if (const auto waiting = m_data.count(State::Waiting))
            parts << tr("%1 not compared").arg(NumberText::count(waiting));
        const QString failure = m_data.failure();
        m_status->setText(failure.isEmpty() ? parts.join(QStringLiteral(", ")) : failure);
    }
    if (m_model->rowCount() > 0)
        emit m_model->dataChanged(
            m_model->index(0, 1), m_model->index(m_model->rowCount() - 1, m_model->columnCount() - 1));
    if (m_data.hasRun() && !running)
        AuditTables::fitColumns(*m_table);
    emit changed();
}
