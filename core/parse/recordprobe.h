// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "document/document.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace gguf {

/// Tells whether bytes at any place read as a key-value pair or as a tensor record that a real writer could
/// have written. Stricter than the parser, which believes what it is told to be a record.
class RecordProbe
{
public:
    /// `bytes` lie at `offset` of the file.
    RecordProbe(std::span<const std::byte> bytes, std::uint64_t offset, const Document& document);

    std::uint64_t begin() const { return m_offset; }
    std::uint64_t end() const { return m_offset + m_bytes.size(); }
    static constexpr std::uint64_t kLongestKey = 256;
    static constexpr std::uint64_t kLongestName = 127;

    struct Pair
    {
        MetadataEntry entry;
        std::vector<std::uint64_t> positions; ///< for Document's array index; empty: none needed
    };
    struct Record
    {
        TensorRecord record;
        std::uint64_t end = 0; ///< file offset after the record
        std::uint64_t dataOffset = 0; ///< as stored
        std::optional<std::uint64_t> dataBytes;
    };

    /// `keyLength` and `nameLength` stand for what is stated there.
    std::optional<Pair> pairAt(std::uint64_t at, std::optional<std::uint64_t> keyLength = {});
    std::optional<Record> recordAt(std::uint64_t at, std::optional<std::uint64_t> nameLength = {});
    std::vector<Pair> pairsAt(std::uint64_t at, std::uint64_t most); ///< a run of pairs without a hole
    std::vector<Record> recordsAt(std::uint64_t at, std::uint64_t most);
    /// The first place from `at` on where a run begins that is no chance; nothing where there is none.
    std::optional<std::uint64_t> findRun(std::uint64_t at);

private:
    template <class T> std::optional<T> load(std::uint64_t at) const;
    std::optional<std::uint64_t> loadCount(std::uint64_t at) const;
    std::optional<std::string_view> stringAt(
        std::uint64_t at, std::uint64_t most, std::optional<std::uint64_t> instead = {}) const;
    std::optional<std::uint64_t> valueEnd(
        ValueType type, std::uint64_t at, std::vector<std::uint64_t>& positions);

    std::span<const std::byte> m_bytes;
    std::uint64_t m_offset;
    Header m_header;
    std::uint32_t m_alignment;
    std::uint64_t m_fileSize;
    /// Array elements that may still be walked: bounds the time that a hostile file can cost.
    std::uint64_t m_budget = std::uint64_t{1} << 26;
};

} // namespace gguf
