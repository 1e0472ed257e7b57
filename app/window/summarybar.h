// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <optional>

class DocumentLoader;
class PlainLabel;
class VerdictBadge;

/// The top of the window: what the model is, and what the judges say of the file.
class SummaryBar : public QWidget
{
    Q_OBJECT
public:
    explicit SummaryBar(DocumentLoader& loader, QWidget* parent = nullptr);

signals:
    void problemChosen(std::size_t problem); ///< the reason of a verdict was clicked

private:
    void update();

    DocumentLoader& m_loader;
    PlainLabel* m_title;
    PlainLabel* m_facts; ///< of the model
    PlainLabel* m_fileFacts; ///< of the file
    VerdictBadge* m_spec;
    VerdictBadge* m_ggml;
};
