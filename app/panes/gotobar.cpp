// SPDX-License-Identifier: GPL-3.0-or-later
#include "panes/gotobar.h"

#include "document/text.h"
#include "format/arithmetic.h"
#include "models/numbertext.h"
#include "widgets/plaintext.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QStyle>
#include <QToolButton>

#include <optional>
#include <string>

namespace {

std::optional<gguf::ByteRange> findByName(const gguf::Document& document, const std::string& name)
{
    const auto dataOf = [&document](std::size_t index) {
        const gguf::Tensor tensor = document.tensor(index);
        return tensor.dataRange().value_or(tensor.record);
    };
    if (const std::optional<std::size_t> tensor = document.findTensor(name))
        return dataOf(*tensor);
    if (const std::optional<std::size_t> key = document.findKey(name))
        return document.metadata(*key).range();
    for (std::size_t i = 0; i < document.tensorCount(); ++i) {
        if (document.tensorName(i).find(name) != std::string_view::npos)
            return dataOf(i);
    }
    for (std::size_t i = 0; i < document.metadataCount(); ++i) {
        if (document.key(i).find(name) != std::string_view::npos)
            return document.metadata(i).range();
    }
    return {};
}

} // namespace

GoToResult resolveGoTo(
    const gguf::Document& document, const QString& text, bool fromData, quint64 caret, quint64 size)
{
    QString number = text.trimmed().remove(u'_').remove(u',').remove(u' ');
    if (number.isEmpty())
        return GoToBar::tr("Type an offset or a name.");
    const QChar sign = number.front() == u'+' || number.front() == u'-' ? number.front() : QChar();
    if (!sign.isNull())
        number.remove(0, 1);
    bool isNumber = false;
    const bool hex = number.startsWith(u"0x", Qt::CaseInsensitive);
    quint64 value = hex ? number.mid(2).toULongLong(&isNumber, 16) : number.toULongLong(&isNumber, 10);
    if (!isNumber) {
        const std::optional<gguf::ByteRange> place = findByName(document, text.trimmed().toStdString());
        if (place && place->offset < size)
            return *place;
        return place ? GoToBar::tr("This lies beyond the end of the file, at %1.").arg(NumberText::hex(place->offset))
                     : GoToBar::tr("There is no tensor or key of this name.");
    }
    quint64 base = 0;
    if (sign == u'-') {
        if (value > caret)
            return GoToBar::tr("This would lie before the start of the file.");
        value = caret - value;
    } else {
        if (sign == u'+') {
            base = caret;
        } else if (fromData) {
            if (!document.dataOffset())
                return GoToBar::tr("The data section of this file is not known.");
            base = *document.dataOffset();
        }
        value = gguf::saturatingAdd(value, base);
    }
    if (value >= size)
        return GoToBar::tr("The file ends at %1.").arg(NumberText::hex(size));
    return gguf::ByteRange{value, 0};
}

GoToBar::GoToBar(std::function<Context()> context, QWidget* parent)
    : QWidget(parent)
    , m_context(std::move(context))
    , m_text(new QLineEdit)
    , m_base(new QComboBox)
    , m_error(new PlainLabel)
    , m_search(
          this, [this](const GoToResult& place) { take(place); }, [this](const QString& sentence) { take(sentence); })
{
    setObjectName(QStringLiteral("goToBar"));
    m_text->setObjectName(QStringLiteral("goToText"));
    m_text->setAccessibleName(tr("Where to go"));
    m_text->setPlaceholderText(tr("Offset (123 or 0x7B, +16 from the caret), tensor, or key"));
    m_text->setClearButtonEnabled(true);
    m_base->setObjectName(QStringLiteral("goToBase"));
    m_base->setAccessibleName(tr("What offsets count from"));
    m_base->addItems({tr("From the file's start"), tr("From the data section")});
    m_error->setObjectName(QStringLiteral("goToError"));
    m_error->setElideMode(Qt::ElideRight);
    auto* button = new QToolButton;
    button->setObjectName(QStringLiteral("goToButton"));
    button->setText(tr("Go"));
    auto* close = new QToolButton;
    close->setObjectName(QStringLiteral("goToClose"));
    close->setAutoRaise(true);
    close->setIcon(style()->standardIcon(QStyle::SP_TitleBarCloseButton));
    close->setToolTip(tr("Close (Esc)"));
    close->setAccessibleName(tr("Close the bar"));

    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(8, 4, 4, 4);
    row->setSpacing(6);
    row->addWidget(m_text, 3);
    row->addWidget(m_base);
    row->addWidget(button);
    row->addWidget(m_error, 2);
    row->addWidget(close);

    connect(m_text, &QLineEdit::textChanged, this, [this] {
        m_search.cancel();
        m_error->setText({});
    });
    connect(button, &QToolButton::clicked, this, &GoToBar::go);
    connect(close, &QToolButton::clicked, this, &GoToBar::leave);
    hide();
}

void GoToBar::open()
{
    show();
    m_text->setFocus(Qt::ShortcutFocusReason);
    m_text->selectAll();
}

void GoToBar::go()
{
    m_error->setText({});
    m_search.start([context = m_context(), text = m_text->text(), fromData = m_base->currentIndex() == 1](
                       const std::stop_token&) {
        return resolveGoTo(context.document, text, fromData, context.caret, context.size);
    });
}

void GoToBar::take(const GoToResult& place)
{
    if (const auto* error = std::get_if<QString>(&place)) {
        m_error->setText(*error);
        return;
    }
    const auto& range = std::get<gguf::ByteRange>(place);
    hide();
    emit chosen(range.offset, range.length);
    emit closed();
}

void GoToBar::leave()
{
    hide();
    emit closed();
}

void GoToBar::hideEvent(QHideEvent* event)
{
    QWidget::hideEvent(event);
    m_search.cancel();
}

void GoToBar::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        go();
    } else if (event->key() == Qt::Key_Escape) {
        leave();
    } else {
        QWidget::keyPressEvent(event);
    }
}
