// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "document/documentbuilder.h"

#include <string>

namespace gguf {

/// What a complete header and tensor table say that does not fit together, though every byte is well-formed:
/// warnings and notes, never errors. Needs the table read to its end and sizes judged; takes linear time.
/// fileName is without folders, and serves the split.* keys only; empty: unknown.
void checkMeaning(DocumentBuilder& builder, const std::string& fileName);

namespace meaning {

/// What kind of file it is; most checks make sense for some kinds only.
enum class FileKind
{
    Model,
    LaterShard,
    VocabularyOnly,
    Projector,
    Adapter,
    ControlVector,
    ImportanceMatrix
};
FileKind fileKind(const Document& document);

// The parts of checkMeaning(), one file for each.
void checkFileKind(DocumentBuilder& builder, FileKind kind); ///< meaningchecks.cpp
void checkKeys(DocumentBuilder& builder, FileKind kind);
void checkSplit(DocumentBuilder& builder, const std::string& fileName);
void checkTokenizer(DocumentBuilder& builder, FileKind kind); ///< tokenizerchecks.cpp
void checkLayers(DocumentBuilder& builder, FileKind kind); ///< tensorchecks.cpp
void checkTypes(DocumentBuilder& builder, FileKind kind);

/// A Problem's place: the value of a metadata pair.
inline Subject metadataSubject(std::size_t index)
{
    return {Subject::Kind::Metadata, index};
}

} // namespace meaning

} // namespace gguf
