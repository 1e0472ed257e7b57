// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "document/blocklist.h"
#include "document/nametable.h"
#include "document/tensorsum.h"
#include "document/valueview.h"
#include "format/constants.h"
#include "format/tensortype.h"
#include "io/byteorder.h"
#include "io/byterange.h"
#include "io/bytesource.h"
#include "parse/problem.h"
#include "parse/sniff.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gguf {

class DataLayout;

/// How far parsing came.
enum class Status {
    Parsing, ///< a snapshot of a parse that still runs
    Ok, ///< parsed to the end of the tensor table
    Partial, ///< stopped early: what was read before is here
    Foreign, ///< not GGUF: see Document::foreign()
    Unreadable, ///< not one byte could be read: see Document::readError()
    Cancelled, ///< somebody asked to stop
};

std::string_view statusName(Status status); ///< "ok", "partial", "foreign", "unreadable", ...

/// The fixed fields at the start of the file.
struct Header
{
    std::uint32_t version = 0;
    ByteOrder byteOrder = ByteOrder::Little;
    std::uint64_t tensorCount = 0; ///< as stated
    std::uint64_t metadataCount = 0; ///< as stated
    std::uint32_t countBytes = 8; ///< width of counts and lengths: 8, or 4 in version 1
    std::uint64_t size() const { return 8 + 2 * std::uint64_t{countBytes}; } ///< 24, or 16 in version 1
};

/// One key-value pair where it lies in the file.
/// Layout: key length (Header::countBytes), key, type id (4), value.
struct MetadataEntry
{
    std::uint64_t offset = 0; ///< of the key's length
    std::uint64_t valueOffset = 0; ///< of the value, after the type id
    std::uint64_t end = 0; ///< first byte after the pair (where the file ended, if not complete)
    ValueType type = ValueType::UInt8;
    bool complete = true; ///< false for the pair in which reading stopped
    bool recovered = false; ///< found by searching after a fault; not part of the verdicts

    ByteRange range() const { return {offset, end - offset}; }
    ByteRange valueRange() const { return {valueOffset, end - valueOffset}; }
    ByteRange typeRange() const { return {valueOffset - 4, 4}; }
};

/// One record of the tensor table where it lies in the file.
/// Layout: name length (countBytes), name, number of dimensions (4), each dimension (countBytes),
/// type id (4), offset (8).
struct TensorRecord
{
    std::uint64_t offset = 0; ///< of the name's length
    std::uint32_t nameLength = 0;
    std::uint16_t dimCount = 0; ///< at most kMaxDimsRead
    bool recovered = false;
};

/// One tensor, decoded from its record. name points into the Document.
struct Tensor
{
    std::size_t index = 0; ///< in file order
    std::string_view name; ///< bytes as stored, not checked
    std::uint32_t dimCount = 0;
    std::array<std::int64_t, kMaxDimsRead> dimValues{}; ///< dims()[0] is the row length, as ggml counts
    std::uint32_t typeId = 0;
    const TensorTypeInfo* type = nullptr; ///< the layout chosen for this id; null: unknown id
    std::uint64_t offset = 0; ///< as stored, relative to the data section
    bool recovered = false;

    // What follows from the fields; nothing where it cannot be known (unknown type, overflow, partial row).
    std::optional<std::uint64_t> elements; ///< 1 for a scalar without dimensions
    std::optional<std::uint64_t> blocks;
    std::optional<std::uint64_t> rowBytes;
    std::optional<std::uint64_t> dataBytes;
    std::optional<std::uint64_t> padding; ///< bytes from the end of the data to the next aligned offset
    std::optional<std::uint64_t> fileOffset; ///< data section + offset; nothing beyond 2^64

    // Where each field of the record lies.
    ByteRange record;
    std::uint64_t dimsOffset = 0; ///< of the number of dimensions; the name ends here

    std::span<const std::int64_t> dims() const { return {dimValues.data(), dimCount}; }
    std::optional<double> bitsPerWeight() const; ///< 8 * dataBytes / elements; nothing for 0 elements
    /// The bytes of the data inside the address space, or nothing.
    std::optional<ByteRange> dataRange() const;
    std::string typeName() const; ///< "Q4_K"; for an unknown id "type 200"
};

/// How a tensor's place fits its neighbours: needs the whole table (see Document::isComplete).
struct TensorSpace
{
    std::optional<std::uint64_t> reserved; ///< bytes up to the next tensor in offset order, or the file's end
    std::optional<std::uint64_t> required; ///< dataBytes
    std::uint64_t present = 0; ///< bytes of the data that the file really has
    std::uint64_t gap = 0; ///< bytes after data and padding that belong to nobody
    std::uint64_t overlap = 0; ///< bytes of the data that the next tensor in offset order claims too
    bool missing() const { return required && *required > 0 && present == 0; } ///< wholly beyond the end
    bool cut() const { return required && present < *required; }
};

/// The verdicts of the judges over all Problems.
struct Verdicts
{
    bool specValid = true;
    bool ggmlOpens = true;
    bool ggmlReads = true;
    // The first Problem (in file order of discovery) that decided each; nothing where it is true.
    std::optional<std::size_t> specReason, ggmlOpensReason, ggmlReadsReason;
};

/// What was read of one file: a value. Copies are cheap and share their parts; a copy never changes, so
/// it may be read on any thread while the parser goes on appending to its own (see BlockList).
class Document
{
public:
    /// Elements between two indexed positions of an array whose elements vary in size.
    static constexpr std::uint64_t kArrayStride = 64;

    Status status() const { return m_status; }
    /// True once the tensor table is finished or parsing stopped: then spaces, order and sums are final.
    bool isFinished() const { return m_status != Status::Parsing; }
    std::uint64_t fileSize() const { return m_fileSize; }
    const IoError& readError() const { return m_readError; } ///< code 0: none
    const Foreign* foreign() const { return m_foreign.get(); } ///< set for Status::Foreign
    const std::optional<Header>& header() const { return m_header; }
    ByteOrder byteOrder() const { return m_header ? m_header->byteOrder : ByteOrder::Little; }
    std::string_view pronomId() const; ///< "fmt/2097" (version 2), "fmt/2098" (version 3), or empty

    /// Where reading stopped: the byte after the last thing understood.
    std::uint64_t parsedEnd() const { return m_parsedEnd; }

    // Metadata, in file order
    std::size_t metadataCount() const { return m_metadata.size(); }
    const MetadataEntry& metadata(std::size_t index) const { return m_metadata[index]; }
    std::string_view key(std::size_t index) const; ///< bytes as stored
    ValueView value(std::size_t index) const;
    /// The last pair with this key (as ggml's alignment rule takes it), or nothing. Linear while parsing,
    /// then in constant time; recovered pairs are not found.
    std::optional<std::size_t> findKey(std::string_view key) const;
    std::optional<ValueView> findValue(std::string_view key) const;
    /// The key's text where it is a string, else empty.
    std::string_view stringValue(std::string_view key) const;
    /// The key's number where it is an integer type, else nothing.
    std::optional<std::uint64_t> unsignedValue(std::string_view key) const;
    std::string_view architecture() const { return stringValue("general.architecture"); }

    // Tensors, in file order
    std::size_t tensorCount() const { return m_tensors.size(); }
    const TensorRecord& tensorRecord(std::size_t index) const { return m_tensors[index]; }
    Tensor tensor(std::size_t index) const;
    std::string_view tensorName(std::size_t index) const;
    std::uint32_t tensorTypeId(std::size_t index) const; ///< as in tensor(), without decoding the rest
    TensorSpace tensorSpace(std::size_t index) const; ///< needs isFinished()
    /// Tensor indices sorted by data offset, then by index; needs isFinished().
    std::size_t tensorInOffsetOrder(std::size_t rank) const;
    std::size_t offsetRank(std::size_t index) const; ///< the inverse
    /// True where every tensor has data, and they lie one behind the other in file order with nothing but
    /// padding between. False does not mean the opposite: nobody looked, or a type is not known for sure.
    bool isPacked() const { return m_packed; }
    std::optional<std::size_t> findTensor(std::string_view name) const; ///< linear

    // The data section
    std::uint32_t alignment() const { return m_alignment; }
    /// File offset of the data section; nothing while the tensor table is not read to its end.
    std::optional<std::uint64_t> dataOffset() const { return m_dataOffset; }
    /// First byte after the last tensor record.
    std::uint64_t tablesEnd() const { return m_parsedEnd; }
    /// The length that the specification computes (len_file): the data section plus the last tensor's
    /// expected_next_offset. Nothing where a tensor's size is unknown.
    std::optional<std::uint64_t> expectedSize() const { return m_expectedSize; }
    /// The first byte after all that belongs to the model: the furthest end of data and padding.
    std::optional<std::uint64_t> contentEnd() const { return m_contentEnd; }
    /// Who claims which bytes of it; null until all tensors are known, and for Status::Partial.
    const std::shared_ptr<const DataLayout>& dataLayout() const { return m_dataLayout; }

    /// All tensors together; nothing until the whole table is read, and for Status::Partial.
    const std::optional<TensorSum>& sum() const { return m_sum; }
    // Nothing where sum() cannot tell.
    std::optional<std::uint64_t> parameters() const { return m_sum ? m_sum->parameters() : std::nullopt; }
    std::optional<double> bitsPerWeight() const { return m_sum ? m_sum->bitsPerWeight() : std::nullopt; }

    // Problems, in the order in which they were found
    std::size_t problemCount() const { return m_problems.size(); }
    const Problem& problem(std::size_t index) const { return m_problems[index]; }
    /// How often a rule was broken, those beyond kMaxProblemsPerRule included.
    std::uint64_t problemTotal(Rule rule) const { return m_ruleTotals[static_cast<std::size_t>(rule)]; }
    /// How many Problems of a severity there are, those that are only counted included.
    std::uint64_t problemTotal(Severity severity) const
    {
        return m_severityTotals[static_cast<std::size_t>(severity)];
    }
    Verdicts verdicts() const;
    /// The pair or tensor that a Problem belongs to. Nothing where it could not be read: what was recovered has its
    /// number, but is another one.
    std::optional<std::size_t> metadataOf(const Subject& subject) const;
    std::optional<std::size_t> tensorOf(const Subject& subject) const;
    /// "blk.0.attn_q.weight", "general.alignment", "header", "file": made visible.
    std::string subjectName(const Subject& subject) const;

    /// Bytes of the metadata and tensor table image; empty where the range is not held in one piece.
    /// Each string (unless longer than ggml's limit), scalar and tensor record always is; a whole
    /// pair or array may not be.
    std::span<const std::byte> bytes(ByteRange range) const;
    /// The bytes that are held in one piece from offset on, perhaps none.
    std::span<const std::byte> bytesFrom(std::uint64_t offset) const;
    /// The end of the byte image kept in memory (the metadata and tensor table).
    std::uint64_t imageEnd() const;

    /// For a type id that is unknown or has several known layouts: those that fit the room of every tensor
    /// with that id; the first is the one chosen. Empty for all other ids, and where nothing fits.
    std::span<const TensorTypeInfo* const> fittingLayouts(std::uint32_t typeId) const;

private:
    friend class DocumentBuilder;
    friend class ValueView;

    struct Segment
    {
        std::uint64_t offset = 0;
        std::uint64_t length = 0;
        std::shared_ptr<const std::byte[]> bytes;
    };
    struct ArrayIndex
    {
        std::uint64_t valueOffset = 0; ///< of the array's element type field
        std::shared_ptr<std::vector<std::uint64_t>> positions; ///< of element 0, 64, 128, ...
    };
    struct TypeChoice
    {
        std::uint32_t typeId = 0;
        std::vector<const TensorTypeInfo*> fitting;
    };
    struct OffsetOrder
    {
        std::vector<std::uint32_t> byOffset, rank;
    };

    const std::byte* imageAt(std::uint64_t offset, std::uint64_t length) const;
    /// Bytes of the value of this type that starts at offset, found by walking it; 0 where it is not there.
    std::uint64_t valueLength(ValueType type, std::uint64_t offset) const;
    const std::vector<std::uint64_t>* arrayIndex(std::uint64_t valueOffset) const;

    Status m_status = Status::Parsing;
    std::uint64_t m_fileSize = 0;
    std::uint64_t m_parsedEnd = 0;
    IoError m_readError;
    std::shared_ptr<const Foreign> m_foreign;
    std::optional<Header> m_header;
    std::vector<Segment> m_segments;
    BlockList<MetadataEntry> m_metadata;
    BlockList<ArrayIndex, 64> m_arrayIndex; ///< sorted by valueOffset
    std::uint64_t m_partialValueElements = 0; ///< elements there in the one incomplete array, outermost
    BlockList<TensorRecord> m_tensors;
    BlockList<Problem, 64> m_problems;
    std::array<std::uint64_t, kRuleCount> m_ruleTotals{};
    std::array<std::uint64_t, kSeverityCount> m_severityTotals{};
    std::uint32_t m_alignment = kDefaultAlignment;
    std::optional<std::uint64_t> m_dataOffset, m_expectedSize, m_contentEnd;
    std::optional<TensorSum> m_sum;
    bool m_packed = false;
    std::shared_ptr<const std::vector<TypeChoice>> m_typeChoices; ///< sorted by id; null: defaults
    std::shared_ptr<const OffsetOrder> m_offsetOrder; ///< null: the offsets rise in file order
    std::shared_ptr<const DataLayout> m_dataLayout;
    std::shared_ptr<const NameTable> m_keyTable; ///< the last pair of each key; null while parsing
};

} // namespace gguf
