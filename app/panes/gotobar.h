// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "document/document.h"
#include "io/byterange.h"

#include <QString>
#include <QWidget>

#include <optional>
#include <variant>

class PlainLabel;
class QComboBox;
class QLineEdit;

/// Where a text that a person typed leads: a range of the file, or a sentence that says why nowhere.
/// Numbers are decimal, or hex with 0x; with + or - in front they count from the caret, else from the file's start or
/// (`fromData`) from the data section. Anything else is the name of a tensor or key, or a part of one.
std::variant<gguf::ByteRange, QString> resolveGoTo(
    const gguf::Document& document, const QString& text, bool fromData, quint64 caret, quint64 size);

/// A bar in which a person types where to go.
class GoToBar : public QWidget
{
    Q_OBJECT
public:
    explicit GoToBar(QWidget* parent = nullptr);

    void open(const gguf::Document& document, quint64 caret, quint64 size); ///< shows it and takes the focus

signals:
    void chosen(quint64 offset, quint64 length);
    void closed();

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void go();

    gguf::Document m_document;
    quint64 m_caret = 0;
    quint64 m_size = 0;
    QLineEdit* m_text;
    QComboBox* m_base;
    PlainLabel* m_error;
};
