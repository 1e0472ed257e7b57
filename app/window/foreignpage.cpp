// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/foreignpage.h"

#include "models/counted.h"
#include "panes/hexpane.h"
#include "widgets/plaintext.h"
#include "window/choicelist.h"

#include <QFormLayout>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

ForeignPage::ForeignPage(DocumentLoader& loader, Selection& selection, QWidget* parent)
    : QWidget(parent)
    , m_title(new PlainLabel)
    , m_name(new PlainLabel)
    , m_remedy(new PlainLabel)
    , m_column(new QVBoxLayout)
    , m_searchText(new PlainLabel)
    , m_searchBar(new QProgressBar)
    , m_cancelSearch(new QPushButton(tr("Stop Searching")))
    , m_choices(new ChoiceList(tr("GGUF files found inside"), u"embeddedFiles"_s))
    , m_hex(new HexPane(loader, selection))
{
    setObjectName(u"foreignPage"_s);
    m_title->setObjectName(u"foreignTitle"_s);
    m_remedy->setObjectName(u"foreignRemedy"_s);
    m_cancelSearch->setObjectName(u"cancelSearch"_s);
    QFont font = m_title->font();
    font.setPointSizeF(font.pointSizeF() * 1.5);
    m_title->setFont(font);
    m_title->setWordWrap(true);
    m_remedy->setWordWrap(true);
    m_name->setElideMode(Qt::ElideMiddle);
    m_name->setForegroundRole(QPalette::PlaceholderText);
    m_searchBar->setTextVisible(false);
    m_searchBar->setMaximumHeight(m_searchBar->fontMetrics().height() / 2);

    auto* search = new QHBoxLayout;
    search->addWidget(m_searchText);
    search->addWidget(m_searchBar, 1);
    search->addWidget(m_cancelSearch);

    auto* text = new QWidget;
    text->setLayout(m_column);
    m_column->setContentsMargins(24, 20, 24, 12);
    m_column->setSpacing(10);
    m_column->addWidget(m_title);
    m_column->addWidget(m_name);
    m_column->addWidget(m_remedy);
    m_column->addLayout(search);
    m_column->addWidget(m_choices);
    m_column->addStretch(1);

    auto* scroll = new QScrollArea;
    scroll->setWidget(text);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    auto* splitter = new QSplitter(Qt::Vertical);
    splitter->addWidget(scroll);
    splitter->addWidget(m_hex);
    splitter->setChildrenCollapsible(false);
    splitter->setSizes({1, 1});
    layout->addWidget(splitter);

    connect(m_cancelSearch, &QPushButton::clicked, this, [this] {
        stop();
        m_searchText->setText(tr("The search for GGUF files inside was stopped."));
        m_searchBar->hide();
        m_cancelSearch->hide();
    });
    connect(&m_search, &EmbeddedSearch::progress, this, [this](quint64 searched, quint64 total) {
        m_searchBar->setRange(0, 1000);
        m_searchBar->setValue(total == 0 ? 0 : static_cast<int>(1000.0 * static_cast<double>(searched) / static_cast<double>(total)));
    });
    connect(&m_search, &EmbeddedSearch::finished, this, &ForeignPage::showFound);
    connect(&m_search, &EmbeddedSearch::failed, this, [this](const QString& sentence) {
        showFound({});
        m_searchText->setText(sentence);
    });
    connect(m_choices, &ChoiceList::chosen, this, [this](int index) {
        emit embeddedChosen(m_found.at(static_cast<std::size_t>(index)));
    });
}

void ForeignPage::showForeign(
    const QString& name, const gguf::Foreign& foreign, std::shared_ptr<const gguf::ByteSource> source)
{
    m_title->setText(QString::fromStdString(foreign.title));
    m_name->setText(name);
    m_remedy->setText(QString::fromStdString(foreign.remedy));
    delete m_details;
    m_details = new QWidget;
    auto* form = new QFormLayout(m_details);
    form->setContentsMargins({});
    for (const auto& [label, value] : foreign.details) {
        auto* text = new PlainLabel(QString::fromStdString(value));
        text->setSelectable(true);
        text->setWordWrap(true);
        auto* heading = new PlainLabel(QString::fromStdString(label));
        heading->setForegroundRole(QPalette::PlaceholderText);
        form->addRow(heading, text);
    }
    m_column->insertWidget(m_column->indexOf(m_remedy), m_details);

    m_choices->setChoices({});
    const bool worthSearching = source && source->size() > 0;
    m_hex->setVisible(worthSearching);
    m_searchText->setVisible(worthSearching);
    m_searchBar->setVisible(worthSearching);
    m_cancelSearch->setVisible(worthSearching);
    if (worthSearching) {
        m_searchText->setText(tr("Searching for GGUF files inside"));
        m_searchBar->setRange(0, 0);
        m_search.start(std::move(source));
    }
}

void ForeignPage::stop()
{
    m_search.cancel();
}

void ForeignPage::showFound(const std::vector<gguf::EmbeddedGguf>& found)
{
    m_found = found;
    m_searchBar->hide();
    m_cancelSearch->hide();
    m_searchText->setVisible(found.empty());
    m_searchText->setText(tr("No GGUF file was found inside."));
    QList<ChoiceList::Choice> choices;
    for (const gguf::EmbeddedGguf& embedded : found) {
        choices.append({tr("Open the embedded GGUF at offset %1").arg(QString::number(embedded.offset)),
            tr("offset 0x%1, version %2, %3, %4, %5")
                .arg(QString::number(embedded.offset, 16).toUpper(), QString::number(embedded.version),
                    embedded.bigEndian ? tr("big endian") : tr("little endian"),
                    counted(embedded.metadataCount, tr("1 key"), tr("%1 keys")),
                    counted(embedded.tensorCount, tr("1 tensor"), tr("%1 tensors"))),
            true});
    }
    m_choices->setChoices(choices);
}
