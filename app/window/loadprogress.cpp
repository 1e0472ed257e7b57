// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/loadprogress.h"

#include "load/documentloader.h"
#include "widgets/plaintext.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLocale>
#include <QProgressBar>
#include <QToolButton>

using namespace Qt::StringLiterals;

LoadProgress::LoadProgress(DocumentLoader& loader, QWidget* parent)
    : QWidget(parent)
    , m_loader(loader)
    , m_text(new PlainLabel)
    , m_cancel(new QAction(tr("Cancel"), this))
{
    setObjectName(u"loadProgress"_s);
    setAccessibleName(tr("Reading progress"));
    m_cancel->setObjectName(u"actionCancelLoad"_s);
    auto* bar = new QProgressBar;
    bar->setRange(0, 0); // how much metadata there is shows only at its end
    bar->setTextVisible(false);
    bar->setMaximumHeight(bar->fontMetrics().height() / 2);
    bar->setAccessibleName(tr("Reading"));
    auto* button = new QToolButton;
    button->setDefaultAction(m_cancel);
    button->setObjectName(u"cancelLoad"_s);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(12, 4, 12, 4);
    layout->addWidget(m_text);
    layout->addWidget(bar, 1);
    layout->addWidget(button);
    hide();

    m_patience.setSingleShot(true);
    m_patience.setInterval(kPatienceMs);
    connect(&m_patience, &QTimer::timeout, this, [this] {
        update();
        show();
        emit lasting();
    });
    connect(m_cancel, &QAction::triggered, &m_loader, &DocumentLoader::cancel);
    connect(&m_loader, &DocumentLoader::started, this, [this] {
        hide();
        m_patience.start();
    });
    connect(&m_loader, &DocumentLoader::progressChanged, this, &LoadProgress::update);
    connect(&m_loader, &DocumentLoader::stateChanged, this, [this] {
        m_patience.stop();
        hide();
    });
}

void LoadProgress::update()
{
    const QString amount = QLocale().formattedDataSize(static_cast<qint64>(m_loader.bytesRead()));
    m_text->setText(tr("Reading metadata: %1").arg(amount));
}
