// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "document/document.h"

#include <memory>
#include <string>
#include <vector>

namespace gguf {

/// The one writer of a Document. Only core/parse uses it; everybody else reads.
class DocumentBuilder
{
public:
    explicit DocumentBuilder(std::uint64_t fileSize);
    explicit DocumentBuilder(Document document); ///< to add Problems to a finished one

    /// The document as it is now; a copy of it is a snapshot.
    const Document& document() const { return m_document; }

    void setStatus(Status status) { m_document.m_status = status; }
    void setReadError(IoError error) { m_document.m_readError = std::move(error); }
    void setForeign(Foreign foreign);
    void setHeader(const Header& header) { m_document.m_header = header; }
    void setParsedEnd(std::uint64_t end) { m_document.m_parsedEnd = end; }
    void setAlignment(std::uint32_t alignment) { m_document.m_alignment = alignment; }
    void setDataOffset(std::uint64_t offset) { m_document.m_dataOffset = offset; }
    void setExpectedSize(std::uint64_t size) { m_document.m_expectedSize = size; }
    void setContentEnd(std::uint64_t end) { m_document.m_contentEnd = end; }
    void setPacked() { m_document.m_packed = true; }
    void layOut(); ///< computes the data layout; the last thing, since it needs all others
    void setSum(const TensorSum& sum) { m_document.m_sum = sum; }

    // The byte image, in pieces that overlap where a string or record would else be torn.
    void addSegment(std::uint64_t offset, std::uint64_t length, std::shared_ptr<const std::byte[]> bytes);

    void addMetadata(const MetadataEntry& entry) { m_document.m_metadata.push_back(entry); }
    /// The last pair, which is incomplete, ends before what has been found to be another record.
    void endLastMetadata(std::uint64_t end);
    void setPartialElements(std::uint64_t count) { m_document.m_partialValueElements = count; }
    /// Starts the index of an array whose elements vary in size; positions are filled while it is walked.
    std::vector<std::uint64_t>& addArrayIndex(std::uint64_t valueOffset);
    void addTensor(const TensorRecord& record) { m_document.m_tensors.push_back(record); }

    /// False once a rule has been broken so often that more Problems of it are only counted: then there is no
    /// need to put its texts together.
    bool wants(Rule rule) const { return m_document.problemTotal(rule) < kMaxProblemsPerRule; }
    /// Judges and severity of the rule's row in the catalogue, unless others are given.
    void addProblem(Rule rule, ByteRange range, Subject subject, std::string found = {}, std::string expected = {});
    void addProblem(Problem problem);

    void chooseLayouts(std::uint32_t typeId, std::vector<const TensorTypeInfo*> fitting);
    void sortByOffset(); ///< computes the offset order of all tensors
    void setKeyTable(std::shared_ptr<const NameTable> table) { m_document.m_keyTable = std::move(table); }

private:
    Document m_document;
};

} // namespace gguf
