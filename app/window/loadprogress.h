// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <QWidget>

class DocumentLoader;
class PlainLabel;
class QAction;

/// A thin row that says how much was read and offers to cancel; it appears only when a load lasts.
class LoadProgress : public QWidget
{
    Q_OBJECT
public:
    static constexpr int kPatienceMs = 300; ///< shorter loads show nothing, so that nothing flickers

    explicit LoadProgress(DocumentLoader& loader, QWidget* parent = nullptr);

    QAction* cancelAction() const { return m_cancel; }

signals:
    void lasting(); ///< the load goes on for longer than kPatienceMs

private:
    void update();

    DocumentLoader& m_loader;
    PlainLabel* m_text;
    QAction* m_cancel;
    QTimer m_patience;
};
