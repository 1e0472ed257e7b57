// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "load/bytesearch.h"

#include <QWidget>

#include <functional>

class PlainLabel;
class QComboBox;
class QLineEdit;
class QProgressBar;
class QToolButton;

/// A bar that looks for bytes or text in the whole file, in the background.
class FindBar : public QWidget
{
    Q_OBJECT
public:
    /// `source` gives the file of the moment; `from` the offset to go on from (forwards or not).
    FindBar(std::function<std::shared_ptr<const gguf::ByteSource>()> source, std::function<quint64(bool)> from,
        QWidget* parent = nullptr);

    void open(); ///< shows it and takes the focus
    void findNext() { find(true); }
    void findPrevious() { find(false); }
    void cancel(); ///< of a new file too
    bool isSearching() const { return m_search.isRunning(); }

signals:
    void found(quint64 offset, quint64 length);
    void skipped(const QString& sentence); ///< what a search could not read; plain text
    void closed();

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void find(bool forwards);
    void showState(const QString& text, bool searching);

    std::function<std::shared_ptr<const gguf::ByteSource>()> m_source;
    std::function<quint64(bool)> m_from;
    ByteSearch m_search;
    QComboBox* m_kind;
    QLineEdit* m_text;
    QToolButton* m_previous;
    QToolButton* m_next;
    QProgressBar* m_progress;
    QToolButton* m_cancel;
    PlainLabel* m_state;
    bool m_skippedSome = false; ///< some bytes could not be read
};
