// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "document/document.h"

#include <QString>

#include <optional>

/// What a document is, in the words of the summary line at the top of the window. All texts are plain and safe to show; empty: not known.
struct Overview
{
    /// One judge's opinion.
    struct Verdict
    {
        bool good = true;
        QString text; ///< "ggml opens it", "ggml refuses to open it"
        QString reason; ///< first reason where not good
        std::optional<std::size_t> problem; ///< its number
    };

    QString title; ///< general.name, or the file's name
    QString architecture;
    QString parameters; ///< "8.03 B parameters", or why they are unknown
    QString size; ///< of the file, with exact digits
    QString bitsPerWeight; ///< "4.85 bits per weight", or why they are unknown
    QString fileType; ///< "Q4_K_M (15)", as labelled
    QString format; ///< "GGUF version 3, little-endian"
    QString tensors; ///< "291 tensors"
    QString metadata; ///< "29 keys"

    Verdict spec, ggmlOpens, ggmlReads;

    // Completeness
    bool complete = true;
    std::uint64_t missingBytes = 0; ///< up to the expected size
    QString completeness; ///< "Complete", or what is missing in one or two sentences
    std::optional<std::size_t> firstCutTensor;
    std::size_t missingTensors = 0; ///< wholly beyond the end

    /// fileName: without folders, stands in where the document has no name.
    static Overview of(const gguf::Document& document, const QString& fileName = {});
};
