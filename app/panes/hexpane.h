// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "document/bytemap.h"
#include "load/blockcache.h"
#include "load/latestjob.h"
#include "load/rangesaver.h"
#include "models/selection.h"
#include "panes/bookmarks.h"
#include "panes/documenthexdata.h"
#include "panes/hexcopy.h"
#include "widgets/statusmessage.h"

#include <QList>
#include <QString>
#include <QWidget>

#include <functional>
#include <optional>

class DataInspector;
class DocumentLoader;
class FindBar;
class GoToBar;
class HexView;
class PlainLabel;
class QAction;
class QMenu;
class QSplitter;
class QToolButton;

/// The bytes of the document: hex view, path of the caret, data inspector, find and go-to bars.
///
/// Follows the Selection and feeds it, without echo. All bytes come through a BlockCache, so nothing here reads.
class HexPane : public QWidget
{
    Q_OBJECT
public:
    /// Selections up to this size can be copied; larger ones can be saved to a file.
    static constexpr quint64 kCopyLimit = 4 * 1024 * 1024;

    HexPane(DocumentLoader& loader, Selection& selection, QWidget* parent = nullptr);
    ~HexPane() override;

    HexView* view() const { return m_view; }
    BlockCache& cache() { return m_cache; }
    const gguf::ByteMap& map() const { return m_data.map(); }
    /// The place of one byte: what it belongs to, and an empty range there.
    Place placeAt(quint64 offset) const;

    /// Commands for menus, with shortcuts that work while the pane has the focus; enabled while there is a file.
    QList<QAction*> goActions() const { return m_goActions; } ///< find next, regions, padding, tensors, bookmarks
    QList<QAction*> editActions() const { return m_editActions; } ///< copy as, save
    QList<QAction*> viewActions() const { return m_viewActions; } ///< bytes a row, offsets, text, columns

    /// For a window that shows one of several hex panes at a time: the others have no commands in the menus, follow
    /// nothing and hold nothing of the file.
    void setActive(bool active);

    QString locationPath() const { return m_path; } ///< of the caret; plain text
    QString locationOffset() const { return m_offsetText; }

public slots:
    void showGoTo();
    void showFind();
    void findNext();
    void findPrevious();
    void copy(); ///< the selection as hex
    void goTo(quint64 offset, quint64 length = 0); ///< a person chose this place: into the Selection too

signals:
    void locationChanged(const QString& path, const QString& offset); ///< plain text for the status bar
    void caretChanged(quint64 offset);
    void windowChanged(quint64 offset, quint64 length); ///< the bytes in sight
    void mapChanged(); ///< map() is a new one

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    using Kind = StatusMessage::Kind;
    enum class Target { Region, Padding, Tensor, Problem };

    void makeActions();
    QAction* makeAction(const QString& name, const QString& text, const QString& shortcut, std::function<void()> run);
    void makeViewActions();
    void clear();
    void takeDocument();
    void onCaretMoved();
    void follow(QObject* origin);
    void describe();
    void describeBlock(const gguf::Location& place);
    /// In the pane's own bar, with at most one button.
    void say(Kind kind, const QString& text, QAction* action = nullptr);
    void step(Target target, bool forwards);
    void finishStep(const std::optional<gguf::Region>& region);
    void stepProblem(bool forwards);
    void copyAs(HexCopyFormat format);
    void finishCopy();
    void saveRange(gguf::ByteRange range, const QString& suggestedName);
    void toggleBookmark();
    void stepBookmark(bool forwards);
    void fillBookmarks();
    void updateEnabled();
    QString toolTipAt(quint64 offset);

    DocumentLoader& m_loader;
    Selection& m_selection;
    BlockCache m_cache;
    DocumentHexData m_data;
    RangeSaver m_saver;
    std::shared_ptr<const gguf::ByteSource> m_source;
    HexView* m_view;
    PlainLabel* m_pathLabel;
    DataInspector* m_inspector;
    FindBar* m_findBar;
    GoToBar* m_goToBar;
    StatusMessage* m_message;
    QMenu* m_bookmarkMenu;
    QToolButton* m_viewButton;
    QSplitter* m_splitter;
    bool m_isDividedByHand = false; ///< between bytes and inspector
    bool m_isActive = true;
    QAction* m_cancelSave = nullptr;
    QAction* m_saveSelection = nullptr;
    QAction* m_showInspector = nullptr;
    QList<QAction*> m_goActions, m_editActions, m_viewActions;
    Bookmarks m_bookmarks;
    QString m_path, m_offsetText;
    struct PendingCopy
    {
        gguf::ByteRange range;
        HexCopyFormat format;
    };
    std::optional<PendingCopy> m_pendingCopy; ///< waits for its bytes
    LatestJob<std::optional<gguf::Region>> m_step; ///< looks for a region that lies many others away
    Target m_stepTarget = Target::Region;
};
