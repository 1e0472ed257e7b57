// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "document/document.h"
#include "io/bytesource.h"

#include <QCoreApplication>
#include <QString>

/// A report to paste into a bug tracker, as Markdown: file, size, verdicts, summary, types, and the problems
/// with the bytes at them. It holds no token lists and no folder names, and text from the file cannot act as
/// Markdown or HTML.
class MarkdownReport
{
    Q_DECLARE_TR_FUNCTIONS(MarkdownReport)
public:
    static constexpr std::size_t kExcerptBytes = 32;
    /// Problems listed; bug trackers limit the length of a text.
    static constexpr std::size_t kMostProblems = 100;

    /// `name` is the file's name for the heading, without folders. The bytes at the problems come from the
    /// document where it holds them, else from `source`, so this may take as long as a disk; where it is null
    /// or cannot be read, those have no excerpt.
    static QString text(const QString& name, const gguf::Document& document, const gguf::ByteSource* source);
};
