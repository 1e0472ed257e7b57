// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "document/document.h"

#include <QCoreApplication>
#include <QString>

#include <utility>
#include <vector>

/// The few lines that sum a document up, as names and values in words. Text from the file is made visible.
class Summary
{
    Q_DECLARE_TR_FUNCTIONS(Summary)
public:
    /// Name, architecture, format, size, parameters, file type and so on: those that are known.
    static std::vector<std::pair<QString, QString>> facts(const gguf::Document& document);
    /// What the specification and ggml's reader say, each with its first reason.
    static std::vector<std::pair<QString, QString>> verdicts(const gguf::Document& document);
    /// "2 errors, 1 warning, 3 notes", those that are not listed included; "No problems".
    static QString problemCounts(const gguf::Document& document);
    /// "spec, doc, ggml opens": who minds, or "nobody".
    static QString judges(const gguf::Judges& judges);

    /// "1,234,567 bytes (1.18 MiB)".
    static QString bytes(quint64 count);
    /// "0x000000a0", with as many digits as the file's size needs.
    static QString hexOffset(quint64 offset, quint64 fileSize);
};
