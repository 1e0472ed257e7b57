// SPDX-License-Identifier: GPL-3.0-or-later
#include "panes/diffview.h"

#include "audit/linediff.h"
#include "document/text.h"

#include <QEvent>
#include <QFontDatabase>
#include <QTextBlock>

DiffView::DiffView(QWidget* parent)
    : QPlainTextEdit(parent)
{
    setReadOnly(true);
    setUndoRedoEnabled(false);
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    setTabChangesFocus(true);
    setLineWrapMode(NoWrap);
    setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
}

DiffView::Content DiffView::Content::of(std::string_view a, std::string_view b)
{
    Content content;
    QStringList& lines = content.lines;
    const gguf::LineDiff diff = gguf::lineDiff(a, b);
    if (diff.skipped > 0)
        lines << tr("(%1 equal lines before)").arg(diff.skipped);
    for (const gguf::DiffLine& line : diff.lines) {
        QString sign = QStringLiteral("  ");
        if (line.kind == gguf::DiffLine::Kind::Removed) {
            sign = QStringLiteral("− ");
            content.removed << static_cast<int>(lines.size());
        } else if (line.kind == gguf::DiffLine::Kind::Added) {
            sign = QStringLiteral("+ ");
            content.added << static_cast<int>(lines.size());
        }
        lines << QString(
            sign + QString::fromStdString(gguf::visibleMultiline(line.text, 4000)).remove(u'\n'));
    }
    if (diff.cut)
        lines << tr("(the texts are longer; only this part was compared)");
    return content;
}

void DiffView::setContent(const Content& content)
{
    m_removed = content.removed;
    m_added = content.added;
    setPlainText(content.lines.join(u'\n'));
    tint();
}

void DiffView::tint()
{
    const bool dark = palette().color(QPalette::Base).lightness() < 128;
    // Orange and blue: told apart without red and green, and the sign says it as well.
    const QColor removed = dark ? QColor(92, 58, 16) : QColor(255, 228, 190);
    const QColor added = dark ? QColor(20, 62, 102) : QColor(208, 230, 255);
    QList<QTextEdit::ExtraSelection> selections;
    const auto add = [&](const QList<int>& lines, const QColor& color) {
        for (const int line : lines) {
            QTextEdit::ExtraSelection selection;
            selection.format.setBackground(color);
            selection.format.setProperty(QTextFormat::FullWidthSelection, true);
            selection.cursor = QTextCursor(document()->findBlockByNumber(line));
            selections.append(selection);
        }
    };
    add(m_removed, removed);
    add(m_added, added);
    setExtraSelections(selections);
}

void DiffView::changeEvent(QEvent* event)
{
    QPlainTextEdit::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        tint();
}
