// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "document/document.h"

#include <QCoreApplication>

#include <string>

class Output;

/// What the program says of a file on a terminal: a summary, then each Problem, the gravest first, and what
/// to do. Text from the file is made visible; nothing reaches the terminal raw.
class TextReport
{
    Q_DECLARE_TR_FUNCTIONS(TextReport)
public:
    /// `file` is the name as the person gave it.
    static void write(Output& output, const std::string& file, const gguf::Document& document);
    static void writeUnreadable(Output& output, const std::string& file, const gguf::IoError& error);

    /// The catalogue of everything that is checked, for people.
    static void writeChecks(Output& output);

private:
    static void writeProblems(Output& output, const gguf::Document& document, gguf::Severity severity);
    static void writeAdvice(Output& output, const gguf::Document& document);
};
