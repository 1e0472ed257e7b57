// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "document/document.h"
#include "models/selection.h"

#include <QWidget>

#include <optional>
#include <vector>

class DocumentLoader;
class FilterLine;
class PlainLabel;
class ProblemModel;
class QCheckBox;
class QModelIndex;
class QSplitter;
class QStackedLayout;
class QToolButton;
class QTreeView;

/// The Problems, grouped by who minds and by severity, and the chosen one in full: what was found, what is expected,
/// what comes of it and what to do.
class ProblemPane : public QWidget
{
    Q_OBJECT
public:
    ProblemPane(DocumentLoader& loader, Selection& selection, QWidget* parent = nullptr);

    void goTo(std::size_t problem); ///< chooses it, as if by hand
    QString title() const; ///< "Problems (3)"
    /// What a check of the tensor data found until now.
    void setDataProblems(std::vector<gguf::Problem> problems);

public slots:
    void copy(); ///< the chosen rows
    void copyReport(); ///< puts a Markdown report of the file, for a bug tracker, on the clipboard once it is made
    void focusFilter();
    void nextProblem();
    void previousProblem();

signals:
    void titleChanged();
    void reportCopied();
    void reportFailed(const QString& sentence); ///< instead, for want of memory
    void embeddedAsked(quint64 offset); ///< a person wants to open the GGUF file that begins there
    void checkAsked(const QString& code); ///< a person wants the catalogue's page of this check

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void update();
    void step(bool forwards);
    void showBytes(const QModelIndex& index, Selection::Kind kind);
    void follow(QObject* origin);
    void showDetails();
    void showGroups();
    void showCounts();
    void showMenu(const QPoint& position);
    std::optional<quint64> embeddedAt(const QModelIndex& index) const;
    std::optional<std::size_t> current() const;

    DocumentLoader& m_loader;
    Selection& m_selection;
    ProblemModel* m_model;
    QStackedLayout* m_pages;
    FilterLine* m_filter;
    QCheckBox* m_grouped;
    QSplitter* m_splitter;
    QTreeView* m_view;
    PlainLabel* m_counts; ///< why there are more rows than problems
    PlainLabel* m_unlisted;
    PlainLabel* m_headline;
    QToolButton* m_openEmbedded;
    /// A heading and the text below it. No QFormLayout: in Qt 6.4 it writes out of bounds when wrapped rows are hidden.
    struct Detail
    {
        PlainLabel* heading;
        PlainLabel* text;
        int role;
    };
    std::vector<Detail> m_details;
    bool m_following = false;
};
