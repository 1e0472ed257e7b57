// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QScrollArea>
#include <QStringList>

class Actions;
class ChoiceList;
class DocumentLoader;
class EmptyState;
class QAction;
class QVBoxLayout;

/// A page whose contents stand in one readable column in the middle.
class ColumnPage : public QScrollArea
{
    Q_OBJECT
public:
    explicit ColumnPage(const QString& name, QWidget* parent = nullptr);
    QSize minimumSizeHint() const override { return {120, 48}; } ///< on small screens it scrolls

protected:
    QVBoxLayout* column() const { return m_column; }

private:
    QVBoxLayout* m_column;
};

/// The empty window: drop a file, open one, a recent one, or the sample.
class StartPage : public ColumnPage
{
    Q_OBJECT
public:
    explicit StartPage(const Actions& actions, QWidget* parent = nullptr);

    void setRecentFiles(const QStringList& files); ///< newest first

signals:
    void fileChosen(const QString& path);

private:
    QStringList m_files;
    EmptyState* m_state;
    ChoiceList* m_recent;
};

/// Reading takes long and there is nothing to show yet.
class LoadingPage : public ColumnPage
{
    Q_OBJECT
public:
    explicit LoadingPage(QAction* cancel, QWidget* parent = nullptr);

    void setFileName(const QString& name);

private:
    EmptyState* m_state;
};

/// The file could not be opened or read: what, why, and what to do.
class FailedPage : public ColumnPage
{
    Q_OBJECT
public:
    explicit FailedPage(const Actions& actions, QWidget* parent = nullptr);

    void showFailure(const DocumentLoader& loader); ///< for a folder the GGUF files in it are offered

signals:
    void fileChosen(const QString& path);

private:
    QStringList m_files;
    EmptyState* m_state;
    ChoiceList* m_candidates;
};
