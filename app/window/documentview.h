// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMainWindow>

class DocumentLoader;
class HexPane;
class MetadataPane;
class ProblemPane;
class Selection;
class TensorPane;

/// All panes of a document as docks, which a person may move, close and bring back.
class DocumentView : public QMainWindow
{
    Q_OBJECT
public:
    DocumentView(DocumentLoader& loader, Selection& selection, QWidget* parent = nullptr);

    MetadataPane& metadata() { return *m_metadata; }
    TensorPane& tensors() { return *m_tensors; }
    HexPane& hex() { return *m_hex; }
    ProblemPane& problems() { return *m_problems; }

    /// One action for each pane, for the View menu: brings it to the front, with the focus.
    QList<QAction*> paneActions() const { return m_paneActions; }
    /// The designed arrangement: metadata beside the tensors, below them the bytes beside everything else.
    void arrange();
    /// Brings a pane to the front, opening its dock where it was closed.
    void showPane(QWidget& pane);
    /// As QMainWindow::restoreState(), and the designed sizes are not due any more. False: it was not understood.
    bool restoreArrangement(const QByteArray& state);

protected:
    void showEvent(QShowEvent* event) override;

private:
    void addPane(int number, QWidget* pane, const QString& name, const QString& title);
    void arrangeSizes();
    void stack(); ///< all panes at one place, for low windows
    void focusPane(QWidget& pane);

    MetadataPane* m_metadata;
    TensorPane* m_tensors;
    HexPane* m_hex;
    ProblemPane* m_problems;
    QList<QDockWidget*> m_docks; ///< in the order of the View menu
    QList<QAction*> m_paneActions;
    bool m_sizesDue = true; ///< they can only be given once the view has its own size
};
