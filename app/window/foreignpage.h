// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "parse/sniff.h"
#include "window/embeddedsearch.h"

#include <QWidget>

#include <memory>
#include <vector>

class ChoiceList;
class DocumentLoader;
class HexPane;
class PlainLabel;
class QFormLayout;
class QProgressBar;
class QPushButton;
class QVBoxLayout;
class Selection;

/// A file that is not GGUF: what it is, what to do, the GGUF files found inside it, and its bytes.
class ForeignPage : public QWidget
{
    Q_OBJECT
public:
    ForeignPage(DocumentLoader& loader, Selection& selection, QWidget* parent = nullptr);

    void showForeign(const QString& name, const gguf::Foreign& foreign, std::shared_ptr<const gguf::ByteSource> source);
    HexPane& hex() { return *m_hex; }
    void stop(); ///< another file is shown

signals:
    void embeddedChosen(const gguf::EmbeddedGguf& embedded);

private:
    void showFound(const std::vector<gguf::EmbeddedGguf>& found);

    EmbeddedSearch m_search;
    std::vector<gguf::EmbeddedGguf> m_found;
    PlainLabel* m_title;
    PlainLabel* m_name;
    PlainLabel* m_remedy;
    QWidget* m_details = nullptr;
    QVBoxLayout* m_column;
    PlainLabel* m_searchText;
    QProgressBar* m_searchBar;
    QPushButton* m_cancelSearch;
    ChoiceList* m_choices;
    HexPane* m_hex; ///< hidden where there are no bytes
};
