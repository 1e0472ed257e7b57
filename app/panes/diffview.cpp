// SPDX-License-Identifier: GPL-3.0-or-later
#include "panes/diffview.h"

#include "audit/linediff.h"
#include "document/text.h"

#include <QFontDatabase>
#include <QPaintEvent>
#include <QPainter>
#include <QTextBlock>

#include <algorithm>

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
}

void DiffView::paintEvent(QPaintEvent* event)
{
    // Not as extra selections: each keeps a cursor, and ten thousands of them make another text and each paint slow.
    const bool dark = palette().color(QPalette::Base).lightness() < 128;
    // Orange and blue: told apart without red and green, and the sign says it as well.
    const QColor removed = dark ? QColor(92, 58, 16) : QColor(255, 228, 190);
    const QColor added = dark ? QColor(20, 62, 102) : QColor(208, 230, 255);
    QPainter painter(viewport());
    for (QTextBlock block = firstVisibleBlock(); block.isValid(); block = block.next()) {
        const QRectF line = blockBoundingGeometry(block).translated(contentOffset());
        if (line.top() > event->rect().bottom())
            break;
        const QRectF row(0, line.top(), viewport()->width(), line.height());
        if (std::ranges::binary_search(m_removed, block.blockNumber()))
            painter.fillRect(row, removed);
        else if (std::ranges::binary_search(m_added, block.blockNumber()))
            painter.fillRect(row, added);
    }
    painter.end();
    QPlainTextEdit::paintEvent(event);
}
