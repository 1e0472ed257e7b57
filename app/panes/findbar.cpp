// SPDX-License-Identifier: GPL-3.0-or-later
#include "panes/findbar.h"

#include "models/numbertext.h"
#include "widgets/plaintext.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QProgressBar>
#include <QStyle>
#include <QToolButton>

FindBar::FindBar(std::function<std::shared_ptr<const gguf::ByteSource>()> source, std::function<quint64(bool)> from,
    QWidget* parent)
    : QWidget(parent)
    , m_source(std::move(source))
    , m_from(std::move(from))
    , m_kind(new QComboBox)
    , m_text(new QLineEdit)
    , m_previous(new QToolButton)
    , m_next(new QToolButton)
    , m_progress(new QProgressBar)
    , m_cancel(new QToolButton)
    , m_state(new PlainLabel)
{
    setObjectName(QStringLiteral("findBar"));
    m_kind->setObjectName(QStringLiteral("findKind"));
    m_kind->setAccessibleName(tr("What to find"));
    m_kind->addItems({tr("Text"), tr("Hex")});
    m_text->setObjectName(QStringLiteral("findText"));
    m_text->setAccessibleName(tr("Bytes or text to find"));
    m_text->setClearButtonEnabled(true);
    const auto setHint = [this] {
        m_text->setPlaceholderText(m_kind->currentIndex() == 0 ? tr("Find text in the whole file (UTF-8)")
                                                              : tr("Find bytes, such as 47 47 ?? 46"));
    };
    setHint();
    connect(m_kind, &QComboBox::currentIndexChanged, this, setHint);
    m_previous->setObjectName(QStringLiteral("findPrevious"));
    m_previous->setText(tr("Previous"));
    m_next->setObjectName(QStringLiteral("findNext"));
    m_next->setText(tr("Next"));
    m_progress->setObjectName(QStringLiteral("findProgress"));
    m_progress->setRange(0, 1000);
    m_progress->setMaximumWidth(120);
    m_progress->setAccessibleName(tr("How much of the file was searched"));
    m_cancel->setObjectName(QStringLiteral("findCancel"));
    m_cancel->setText(tr("Cancel"));
    m_state->setObjectName(QStringLiteral("findState"));
    m_state->setElideMode(Qt::ElideRight);
    auto* close = new QToolButton;
    close->setObjectName(QStringLiteral("findClose"));
    close->setAutoRaise(true);
    close->setIcon(style()->standardIcon(QStyle::SP_TitleBarCloseButton));
    close->setToolTip(tr("Close (Esc)"));
    close->setAccessibleName(tr("Close the find bar"));

    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(8, 4, 4, 4);
    row->setSpacing(6);
    row->addWidget(m_kind);
    row->addWidget(m_text, 3);
    row->addWidget(m_previous);
    row->addWidget(m_next);
    row->addWidget(m_progress);
    row->addWidget(m_cancel);
    row->addWidget(m_state, 2);
    row->addWidget(close);

    connect(m_previous, &QToolButton::clicked, this, &FindBar::findPrevious);
    connect(m_next, &QToolButton::clicked, this, &FindBar::findNext);
    connect(m_cancel, &QToolButton::clicked, this, [this] {
        cancel();
        showState(tr("Search cancelled."), false);
    });
    connect(close, &QToolButton::clicked, this, [this] {
        hide();
        emit closed();
    });
    connect(&m_search, &ByteSearch::progress, this, [this](quint64 searched, quint64 total) {
        const double share = total > 0 ? static_cast<double>(searched) / static_cast<double>(total) : 0;
        m_progress->setValue(static_cast<int>(1000 * share));
    });
    connect(&m_search, &ByteSearch::found, this, [this](quint64 offset, quint64 length, bool wrapped) {
        const QString at = NumberText::hex(offset);
        showState(wrapped ? tr("Found at %1, wrapped around.").arg(at) : tr("Found at %1.").arg(at), false);
        emit found(offset, length);
    });
    connect(&m_search, &ByteSearch::notFound, this, [this] {
        showState(m_skippedSome ? tr("Not found in what can be read.") : tr("Not found in the whole file."), false);
    });
    connect(&m_search, &ByteSearch::failed, this, [this](const QString& sentence) { showState(sentence, false); });
    connect(&m_search, &ByteSearch::skipped, this, [this](quint64 bytes, quint64 offset, const QString& reason) {
        m_skippedSome = true;
        emit skipped(tr("The search passed over %1 that could not be read, from %2 on. %3")
                         .arg(NumberText::bytes(bytes), NumberText::hex(offset), reason));
    });
    showState({}, false);
    hide();
}

void FindBar::open()
{
    show();
    m_text->setFocus(Qt::ShortcutFocusReason);
    m_text->selectAll();
}

void FindBar::cancel()
{
    m_search.cancel();
    showState({}, false);
}

void FindBar::find(bool forwards)
{
    if (m_text->text().isEmpty()) {
        open();
        return;
    }
    const QByteArray text = m_text->text().toUtf8();
    const std::string_view view(text.constData(), static_cast<std::size_t>(text.size()));
    const std::optional<BytePattern> pattern
        = m_kind->currentIndex() == 0 ? BytePattern::fromBytes(view) : BytePattern::fromHex(view);
    if (!pattern) {
        show();
        showState(m_kind->currentIndex() == 0
                ? tr("The text is too long to search for.")
                : tr("Write pairs of hex digits, with ?? for any byte; at least one byte must be given."),
            false);
        return;
    }
    m_skippedSome = false;
    m_progress->setValue(0);
    showState({}, true);
    m_search.start(m_source(), *pattern, m_from(forwards), forwards);
    if (!m_search.isRunning())
        showState(tr("There is no file to search."), false);
}

void FindBar::showState(const QString& text, bool searching)
{
    m_state->setText(text);
    m_state->setVisible(!searching);
    m_progress->setVisible(searching);
    m_cancel->setVisible(searching);
}

void FindBar::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        find(!event->modifiers().testFlag(Qt::ShiftModifier));
    } else if (event->key() == Qt::Key_Escape) {
        if (m_search.isRunning()) {
            m_cancel->click();
        } else {
            hide();
            emit closed();
        }
    } else {
        QWidget::keyPressEvent(event);
    }
}
