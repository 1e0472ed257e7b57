// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/verdictbadge.h"

#include "models/typepalette.h"
#include "panes/severityicon.h"
#include "widgets/plaintext.h"
#include "window/icons.h"

#include <QPainter>
#include <QStyle>
#include <QStyleOptionFocusRect>
#include <QTextLayout>

using namespace Qt::StringLiterals;

namespace {

constexpr int kPadding = 8;
constexpr int kIconSide = 18;
constexpr int kMostWidth = 290;
constexpr int kLeastWidth = 190;
constexpr int kReasonLines = 2;

QFont boldOf(QFont font)
{
    font.setBold(true);
    return font;
}

/// The text in at most kReasonLines lines; what does not fit in the last is elided.
QStringList wrapped(const QString& text, const QFont& font, int width)
{
    QTextLayout layout(text, font);
    layout.beginLayout();
    QStringList lines;
    for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
        line.setLineWidth(width);
        if (lines.size() == kReasonLines - 1) {
            lines.append(QFontMetrics(font).elidedText(text.mid(line.textStart()), Qt::ElideRight, width));
            break;
        }
        lines.append(text.mid(line.textStart(), line.textLength()));
    }
    layout.endLayout();
    return lines;
}

} // namespace

VerdictBadge::VerdictBadge(QWidget* parent)
    : QAbstractButton(parent)
{
    setFocusPolicy(Qt::TabFocus);
    setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
}

void VerdictBadge::setVerdict(std::optional<gguf::Severity> severity, const QString& text, const QString& reason,
    std::optional<std::size_t> problem)
{
    m_severity = severity;
    m_reason = reason;
    m_problem = problem;
    setText(text);
    setEnabled(problem.has_value());
    setCursor(problem ? Qt::PointingHandCursor : Qt::ArrowCursor);
    setAccessibleName(reason.isEmpty() ? text : tr("%1: %2").arg(text, reason));
    setToolTip(plainToolTip(problem ? tr("%1\n%2\n\nPress to go to this problem.").arg(text, reason) : text));
    updateGeometry();
    update();
}

QSize VerdictBadge::sizeHint() const
{
    const int title = QFontMetrics(boldOf(font())).horizontalAdvance(text());
    const int reason = fontMetrics().horizontalAdvance(m_reason);
    const int frame = kIconSide + 3 * kPadding;
    const int lines = frame + reason <= kMostWidth ? 1 : kReasonLines;
    return {qBound(kLeastWidth, frame + qMax(title, reason), kMostWidth),
        (1 + lines) * fontMetrics().height() + kPadding + 2};
}

QSize VerdictBadge::minimumSizeHint() const
{
    return {kLeastWidth, sizeHint().height()};
}

void VerdictBadge::enterEvent(QEnterEvent* event)
{
    QAbstractButton::enterEvent(event);
    update();
}

void VerdictBadge::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const TypePalette colors = TypePalette::forPalette(palette());
    const QColor ink = m_severity ? colors.severityColor(*m_severity) : palette().color(QPalette::Active, QPalette::WindowText);
    QColor fill = ink;
    fill.setAlphaF(!m_severity ? 0.03F : underMouse() && isEnabled() ? 0.20F : 0.10F);
    painter.setBrush(fill);
    QColor line = ink;
    line.setAlphaF(m_severity ? 0.55F : 0.25F);
    painter.setPen(line);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);

    const QRect icon(kPadding, (height() - kIconSide) / 2, kIconSide, kIconSide);
    const QIcon mark = m_severity ? severityIcon(*m_severity, palette()) : actionIcon(u"dialog-ok"_s);
    mark.paint(&painter, icon);

    const QRect area(icon.right() + kPadding, 0, width() - icon.right() - 2 * kPadding, height());
    const int lineHeight = fontMetrics().height();
    const QStringList reason = m_reason.isEmpty() ? QStringList() : wrapped(m_reason, font(), area.width());
    const int lines = 1 + static_cast<int>(reason.size());
    QRect row(area.left(), (height() - lines * lineHeight) / 2, area.width(), lineHeight);
    painter.setPen(palette().color(QPalette::Active, QPalette::WindowText));
    painter.setFont(boldOf(font()));
    painter.drawText(row, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
        painter.fontMetrics().elidedText(text(), Qt::ElideRight, row.width()));
    painter.setFont(font());
    for (const QString& part : reason) {
        row.translate(0, lineHeight);
        painter.drawText(row, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, part);
    }
    if (hasFocus()) {
        QStyleOptionFocusRect option;
        option.initFrom(this);
        option.rect = rect().adjusted(2, 2, -2, -2);
        style()->drawPrimitive(QStyle::PE_FrameFocusRect, &option, &painter, this);
    }
}
