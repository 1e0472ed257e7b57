// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/pages.h"

#include "document/text.h"
#include "load/documentloader.h"
#include "widgets/emptystate.h"
#include "window/actions.h"
#include "window/choicelist.h"
#include "window/icons.h"

#include <QDir>
#include <QFileInfo>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace {

constexpr int kColumnWidth = 560;

/// Anything may stand in a path, too.
QString shown(const QString& path)
{
    return QString::fromStdString(gguf::visibleText(path.toStdString()));
}

QList<ChoiceList::Choice> choicesOf(const QStringList& files)
{
    QList<ChoiceList::Choice> choices;
    for (const QString& file : files) {
        const QFileInfo info(file);
        choices.append({shown(info.fileName()), shown(QDir::toNativeSeparators(info.absolutePath())), true});
    }
    return choices;
}

} // namespace

ColumnPage::ColumnPage(const QString& name, QWidget* parent)
    : QScrollArea(parent)
    , m_column(new QVBoxLayout)
{
    setObjectName(name);
    setFrameShape(NoFrame);
    setFocusPolicy(Qt::NoFocus);
    setWidgetResizable(true);
    setWidget(new QWidget);
    auto* middle = new QWidget;
    middle->setMaximumWidth(kColumnWidth);
    middle->setLayout(m_column);
    auto* across = new QHBoxLayout;
    across->addStretch(1);
    across->addWidget(middle, 8);
    across->addStretch(1);
    auto* down = new QVBoxLayout(widget());
    down->addStretch(2);
    down->addLayout(across);
    down->addStretch(3);
}

StartPage::StartPage(const Actions& actions, QWidget* parent)
    : ColumnPage(u"startPage"_s, parent)
    , m_state(new EmptyState)
    , m_recent(new ChoiceList(tr("Recent files"), u"recentFiles"_s))
{
    // The whole window takes drops; the frame says so to who has never dropped a file before.
    m_state->setFramed(true);
    m_state->setIcon(actionIcon(u"document-open"_s));
    m_state->setTitle(tr("Drop a GGUF file here"));
    m_state->setText(tr("See its metadata, tensors, quantization mix and every byte. The file is only read, never changed."));
    m_state->addButton(actions[ActionId::Open]);
    m_state->addButton(actions[ActionId::OpenSample]);
    column()->addWidget(m_state);
    column()->addSpacing(16);
    column()->addWidget(m_recent);
    connect(m_recent, &ChoiceList::chosen, this, [this](int index) { emit fileChosen(m_files.at(index)); });
}

void StartPage::setRecentFiles(const QStringList& files)
{
    m_files = files;
    m_recent->setChoices(choicesOf(files));
}

LoadingPage::LoadingPage(QAction* cancel, QWidget* parent)
    : ColumnPage(u"loadingPage"_s, parent)
    , m_state(new EmptyState)
{
    m_state->setText(tr("Waiting for the first bytes. A network or sleeping disk may take a while."));
    m_state->addButton(cancel);
    column()->addWidget(m_state);
}

void LoadingPage::setFileName(const QString& name)
{
    m_state->setTitle(tr("Reading %1").arg(name));
}

FailedPage::FailedPage(const Actions& actions, QWidget* parent)
    : ColumnPage(u"failedPage"_s, parent)
    , m_state(new EmptyState)
    , m_candidates(new ChoiceList(tr("GGUF files in this folder"), u"folderFiles"_s))
{
    m_state->setIcon(actionIcon(u"dialog-warning"_s));
    m_state->addButton(actions[ActionId::Open]);
    m_state->addButton(actions[ActionId::Reload]);
    column()->addWidget(m_state);
    column()->addWidget(m_candidates);
    connect(m_candidates, &ChoiceList::chosen, this, [this](int index) { emit fileChosen(m_files.at(index)); });
}

void FailedPage::showFailure(const DocumentLoader& loader)
{
    m_files = loader.folderFiles();
    m_candidates->setChoices(choicesOf(m_files));
    QStringList text;
    if (loader.isFolder()) {
        m_state->setTitle(tr("%1 is a folder").arg(loader.name()));
        text.append(m_files.isEmpty() ? tr("There is no GGUF file in it. Open a file instead.")
                                      : tr("Choose one of the GGUF files in it."));
    } else {
        m_state->setTitle(tr("%1 could not be read").arg(loader.name()));
        text.append(loader.error());
    }
    if (!loader.path().isEmpty())
        text.append(shown(QDir::toNativeSeparators(loader.path())));
    if (!loader.linkTarget().isEmpty())
        text.append(tr("It is a link to %1").arg(shown(QDir::toNativeSeparators(loader.linkTarget()))));
    m_state->setText(text.join(u"\n\n"_s));
}
