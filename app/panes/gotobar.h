// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "document/document.h"
#include "io/byterange.h"
#include "load/latestjob.h"

#include <QString>
#include <QWidget>

#include <functional>
#include <variant>

class PlainLabel;
class QComboBox;
class QLineEdit;

/// Where a text that a person typed leads: a range of the file, or a sentence that says why nowhere.
/// Numbers are decimal, or hex with 0x; with + or - in front they count from the caret, else from the file's start or
/// (`fromData`) from the data section. Anything else is the name of a tensor or key, or a part of one: all names are
/// looked through.
using GoToResult = std::variant<gguf::ByteRange, QString>;
GoToResult resolveGoTo(
    const gguf::Document& document, const QString& text, bool fromData, quint64 caret, quint64 size);

/// A bar in which a person types where to go. The place is looked for in the background.
class GoToBar : public QWidget
{
    Q_OBJECT
public:
    /// What a text is about.
    struct Context
    {
        gguf::Document document;
        quint64 caret = 0;
        quint64 size = 0;
    };

    /// `context` gives that of the moment.
    explicit GoToBar(std::function<Context()> context, QWidget* parent = nullptr);

    void open(); ///< shows it and takes the focus

signals:
    void chosen(quint64 offset, quint64 length);
    void closed();

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void go();
    void take(const GoToResult& place);
    void leave();

    std::function<Context()> m_context;
    QLineEdit* m_text;
    QComboBox* m_base;
    PlainLabel* m_error;
    LatestJob<GoToResult> m_search;
};
