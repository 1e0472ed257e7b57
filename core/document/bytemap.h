// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "document/document.h"
#include "io/byterange.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gguf {

/// The kinds of stretches that a file is made of, from 0 to its end without a hole.
enum class RegionKind
{
    Header, ///< magic, version, counts
    MetadataPair, ///< one key-value pair; second level of the metadata
    TensorRecord, ///< one record of the tensor table; second level of the table
    HeaderPadding, ///< between the tensor table and the data section
    TensorData,
    TensorPadding, ///< after a tensor's data, up to the next aligned offset
    Gap, ///< bytes inside the data section that belong to no tensor
    Trailing, ///< after all that belongs to the model
    Unread, ///< what could not be followed after a fault, or is not GGUF at all
    Missing, ///< beyond the file's end: bytes that the tensors need and the file does not have
};

std::string_view regionKindName(
    RegionKind kind); ///< "header", "metadata", "tensor_record", "header_padding", ...

/// One leaf region. Where tensors overlap, `owners` holds every tensor that claims these bytes.
struct Region
{
    RegionKind kind = RegionKind::Unread;
    ByteRange range;
    std::optional<std::size_t> metadata; ///< index of the pair
    std::optional<std::size_t> tensor; ///< index of the tensor (the first owner)
    std::vector<std::size_t> owners; ///< tensors that claim the range; more than one where they overlap
    bool moreOwners = false; ///< there are more than DataLayout::kMostOwners
};

/// What lies at one byte, down to the field.
struct Location
{
    std::uint64_t offset = 0;
    Region region;
    std::vector<std::string> path; ///< outermost first; text from the file is made visible
    ByteRange range; ///< of the innermost field
    std::string type; ///< "u32", "str", "u8[16]", "Q4_K block", empty where it has none
    std::string value; ///< decoded, as text for people; empty where the bytes were not given
    std::optional<std::uint64_t> element; ///< array element, or tensor element of the block's first weight
    std::optional<std::uint64_t> row, block; ///< inside tensor data; block counts within the row
    std::string field; ///< "d", "scales[3]", "dims[1]", "key", "value", ...

    std::string pathText() const; ///< the path joined with " > "
};

/// Answers what lies where, in a finished document or a snapshot of one; in logarithmic time, and without an
/// entry for each byte. Tensor data needs no bytes to be located.
///
/// The regions of a small file, with the second tensor's end cut off:
///
///     0     24           60          96    128           160   192          200      256
///     Header|MetadataPair|TensorRecord|  *  |TensorData  |TensorPadding|TensorData|Missing|
///                                      * HeaderPadding
///
/// All of them follow from the document's own records: a pair or record is found by binary search over their
/// offsets, data by binary search over the tensors in offset order (see DataLayout). Missing begins where
/// the file ends, and ends with the last padding.
///
/// Making one and copying it is cheap: what takes time was computed with the document.
class ByteMap
{
public:
    explicit ByteMap(Document document);

    const Document& document() const { return m_document; }

    /// The leaf region at an offset; beyond the file's end Missing, or nothing where nothing is claimed.
    std::optional<Region> regionAt(std::uint64_t offset) const;
    /// The region that begins where this one ends, or before it; nothing at the ends.
    std::optional<Region> next(const Region& region) const;
    std::optional<Region> previous(const Region& region) const;
    /// The leaf regions that a range touches, in file order; at most `most`.
    std::vector<Region> regionsIn(ByteRange range, std::size_t most) const;

    /// The path of a region without its fields: {"Metadata", "general.name"}, {"Padding after
    /// output.weight"}.
    std::vector<std::string> path(const Region& region) const;

    /// Down to the field. `bytes` are the file's bytes from bytesOffset on, if the caller has them, and serve
    /// to decode values in tensor data and padding; the metadata and tensor table need none.
    Location locate(
        std::uint64_t offset, std::span<const std::byte> bytes = {}, std::uint64_t bytesOffset = 0) const;

private:
    /// `nearRank`: a tensor shortly before the offset, or SIZE_MAX.
    std::optional<Region> regionAt(std::uint64_t offset, std::size_t nearRank) const;
    Region tableRegion(std::uint64_t offset) const;

    Document m_document;
    std::uint64_t m_tablesEnd = 0; ///< after the last record or pair, or the header
};

} // namespace gguf
