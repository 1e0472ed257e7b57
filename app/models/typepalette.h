// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "document/bytemap.h"
#include "format/tensortype.h"
#include "parse/rules.h"

#include <QColor>

class QPalette;

/// The colours of the program: one for each tensor type, the same in every pane.
///
/// Hue tells the family of a type; lightness tells its bits per weight: the more bits, the more it stands out from
/// the background. Families differ for people who lack one kind of cone too. Every colour is opaque. A value: make one when the palette of the application changes.
class TypePalette
{
public:
    explicit TypePalette(bool dark = false)
        : m_dark(dark)
    {
    }
    /// Dark where the text is lighter than the background.
    static TypePalette forPalette(const QPalette& palette);

    bool isDark() const { return m_dark; }

    /// The colour of a tensor type id; grey where nobody is known to use the id.
    QColor color(quint32 typeId) const;
    /// Black or white, whichever reads better on `background`.
    static QColor textOn(const QColor& background);
    /// The colour of a family as a whole, for legends.
    QColor familyColor(gguf::TypeFamily family) const;
    /// The type's colour mixed into the background: behind text in the normal text colour.
    QColor tint(quint32 typeId) const;

    /// A quiet tint behind text in the normal text colour. TensorData has a neutral one: see tint().
    QColor regionTint(gguf::RegionKind kind) const;
    /// The same region in a strong colour, for strips and outlines.
    QColor regionColor(gguf::RegionKind kind) const;

    /// Marks and icons of Problems, readable on the background.
    QColor severityColor(gguf::Severity severity) const;

    /// Text that matters less than the rest and can still be read on the palette's lists.
    static QColor faintText(const QPalette& palette);

    /// The backgrounds that the colours are made for: white and a dark grey.
    QColor background() const;
    QColor foreground() const;

private:
    bool m_dark;
};
