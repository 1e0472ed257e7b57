// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/verdictbadge.h"

#include "panes/severityicon.h"
#include "models/typepalette.h"
#include "widgets/plaintext.h"
#include "window/icons.h"

#include <QPainter>
#include <QStyle>
#include <QStyleOptionFocusRect>

using namespace Qt::StringLiterals;

namespace {

constexpr int kPadding = 8;
constexpr int kIconSide = 18;
constexpr int kMostWidth = 290;
constexpr int kLeastWidth = 190;

QFont boldOf(QFont font)
{
    font.setBold(true);
    return font;
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
    setToolTip(plainToolTip(problem ? tr("%1\n\nPress to go to this problem.").arg(reason) : text));
    updateGeometry();
    update();
}

QSize VerdictBadge::sizeHint() const
{
    const int title = QFontMetrics(boldOf(font())).horizontalAdvance(text());
    const int width = kIconSide + 3 * kPadding + qMax(title, fontMetrics().horizontalAdvance(m_reason));
    return {qBound(kLeastWidth, width, kMostWidth), 2 * fontMetrics().height() + kPadding + 2};
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
    const int lines = m_reason.isEmpty() ? 1 : 2;
    QRect row(area.left(), (height() - lines * lineHeight) / 2, area.width(), lineHeight);
    painter.setPen(palette().color(QPalette::Active, QPalette::WindowText));
    painter.setFont(boldOf(font()));
    painter.drawText(row, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
        painter.fontMetrics().elidedText(text(), Qt::ElideRight, row.width()));
    painter.setFont(font());
    row.translate(0, lineHeight);
    if (lines == 2)
        painter.drawText(row, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
            painter.fontMetrics().elidedText(m_reason, Qt::ElideRight, row.width()));
    if (hasFocus()) {
        QStyleOptionFocusRect option;
        option.initFrom(this);
        option.rect = rect().adjusted(2, 2, -2, -2);
        style()->drawPrimitive(QStyle::PE_FrameFocusRect, &option, &painter, this);
    }
}
