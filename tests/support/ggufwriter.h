// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "format/valuetype.h"
#include "io/byteorder.h"
#include "io/byterange.h"
#include "io/memorysource.h"

#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

/// Bytes as a GGUF file of one version and byte order stores them.
class GgufBytes
{
public:
    GgufBytes(gguf::ByteOrder order, std::uint32_t countBytes)
        : m_order(order)
        , m_countBytes(countBytes)
    {
    }

    template <class T>
        requires std::is_arithmetic_v<T>
    void put(T value)
    {
        std::byte raw[sizeof(T)];
        std::memcpy(raw, &value, sizeof(T));
        const bool hostIsLittle = std::endian::native == std::endian::little;
        const bool swap = hostIsLittle != (m_order == gguf::ByteOrder::Little);
        for (std::size_t i = 0; i < sizeof(T); ++i)
            m_out.push_back(raw[swap ? sizeof(T) - 1 - i : i]);
    }
    void putCount(std::uint64_t count); ///< 8 bytes, or 4 in version 1
    void putText(std::string_view bytes); ///< without a length
    void putString(std::string_view bytes); ///< length and bytes
    void fill(std::uint64_t count, std::uint8_t byte = 0) { m_out.resize(m_out.size() + count, std::byte{byte}); }

    std::uint64_t size() const { return m_out.size(); }
    std::uint32_t countBytes() const { return m_countBytes; }
    std::vector<std::byte>& out() { return m_out; }

private:
    std::vector<std::byte> m_out;
    gguf::ByteOrder m_order;
    std::uint32_t m_countBytes;
};

/// Writes GGUF files, valid ones and broken ones. Whatever is not said is right:
///
///     GgufWriter().kv("general.architecture", "llama").tensor("w", kQ4K, {256, 2}).statedOffset(7).bytes()
///
/// is a valid file but for one stored offset. Functions named stated... change what the file says of the pair
/// or tensor added last, without changing what is there.
class GgufWriter
{
public:
    explicit GgufWriter(std::uint32_t version = 3, gguf::ByteOrder order = gguf::ByteOrder::Little)
        : m_version(version)
        , m_order(order)
    {
    }

    // Header
    GgufWriter& magic(std::string_view fourBytes);
    GgufWriter& version(std::uint32_t version); ///< 1 also makes counts and lengths 4 bytes wide
    GgufWriter& byteOrder(gguf::ByteOrder order);
    GgufWriter& statedTensorCount(std::uint64_t count);
    GgufWriter& statedMetadataCount(std::uint64_t count);

    // Metadata, in this order
    /// T: any arithmetic type of a fixed width, bool, text, or vectors of these, nested at will.
    template <class T>
    GgufWriter& kv(std::string_view key, const T& value);
    /// `payload` follows the type number (for arrays: after element type and count).
    GgufWriter& raw(std::string_view key, std::uint32_t type, std::function<void(GgufBytes&)> payload);
    GgufWriter& rawArray(std::string_view key, std::uint32_t elementType, std::uint64_t count,
        std::function<void(GgufBytes&)> payload);
    GgufWriter& statedKeyLength(std::uint64_t length);
    GgufWriter& statedType(std::uint32_t type);
    GgufWriter& statedElementType(std::uint32_t type);
    GgufWriter& statedLength(std::uint64_t length); ///< of the string or array
    /// Adds general.alignment and lays the data out by it.
    GgufWriter& alignment(std::uint32_t alignment);
    GgufWriter& layoutAlignment(std::uint64_t alignment); ///< the layout alone; at least 1

    // Tensors, in this order
    /// Data: `data`, or as many bytes of a pattern as type and dimensions need (none for unknown types).
    GgufWriter& tensor(std::string_view name, std::uint32_t type, std::vector<std::uint64_t> dims,
        std::vector<std::byte> data = {});
    GgufWriter& dataBytes(std::uint64_t bytes); ///< so many bytes of the pattern instead
    GgufWriter& statedNameLength(std::uint64_t length);
    GgufWriter& statedDimCount(std::uint32_t count);
    GgufWriter& statedTensorType(std::uint32_t type);
    GgufWriter& statedOffset(std::uint64_t offset);
    GgufWriter& shiftOffsets(std::uint64_t by); ///< all stated offsets are wrong by so much
    GgufWriter& gapBefore(std::uint64_t bytes); ///< unused bytes before the last tensor's data

    // Bytes of the file
    GgufWriter& paddingByte(std::uint8_t byte);
    GgufWriter& withoutLastPadding();
    GgufWriter& trailing(std::string_view bytes);
    GgufWriter& patch(std::uint64_t offset, std::vector<std::uint8_t> bytes); ///< applied last
    GgufWriter& truncateTo(std::uint64_t size);
    GgufWriter& truncateBy(std::uint64_t bytes);

    // Results
    std::vector<std::byte> bytes() const;
    std::shared_ptr<const gguf::MemorySource> source() const;
    void write(const std::filesystem::path& path) const;
    /// Tensor data become a hole: files larger than the disk. No patches, trailing bytes or truncation.
    void writeSparse(const std::filesystem::path& path) const;

    // Where things lie in the file, by what is really there
    std::uint64_t size() const;
    std::uint64_t headerSize() const;
    gguf::ByteRange pairRange(std::string_view key) const; ///< of the last pair with this key
    std::uint64_t valueOffset(std::string_view key) const; ///< after the type number
    gguf::ByteRange recordRange(std::string_view tensor) const;
    std::uint64_t dataOffset() const; ///< of the data section
    gguf::ByteRange dataRange(std::string_view tensor) const; ///< file offsets

    template <class T>
    static constexpr std::uint32_t typeId();

private:
    struct Pair
    {
        std::string key;
        std::optional<std::uint64_t> keyLength;
        std::uint32_t type = 0;
        std::optional<std::uint32_t> statedType;
        std::uint32_t elementType = 0;
        std::uint64_t length = 0; ///< of strings and arrays
        std::function<void(GgufBytes&)> payload;
    };
    struct TensorPart
    {
        std::string name;
        std::optional<std::uint64_t> nameLength;
        std::optional<std::uint32_t> dimCount;
        std::vector<std::uint64_t> dims;
        std::uint32_t type = 0;
        std::uint32_t statedType = 0;
        std::optional<std::uint64_t> offset;
        std::uint64_t gap = 0;
        std::vector<std::byte> data;
        std::uint64_t dataBytes = 0; ///< where data is empty: so much of the pattern
        std::uint64_t size() const { return data.empty() ? dataBytes : data.size(); }
    };
    struct Layout
    {
        std::vector<std::byte> bytes; ///< up to the data section
        std::vector<gguf::ByteRange> pairs, records, data;
        std::vector<std::uint64_t> values;
        std::uint64_t end = 0; ///< of the file, before trailing bytes and truncation
    };

    template <class T>
    static void putValue(GgufBytes& bytes, const T& value);

    Layout layout() const;
    std::uint64_t padded(std::uint64_t size) const;
    std::size_t pairIndex(std::string_view key) const;
    std::size_t tensorIndex(std::string_view name) const;

    std::string m_magic = "GGUF";
    std::uint32_t m_version;
    gguf::ByteOrder m_order;
    std::optional<std::uint64_t> m_tensorCount, m_metadataCount;
    std::uint64_t m_alignment = 32;
    std::vector<Pair> m_pairs;
    std::vector<TensorPart> m_tensors;
    std::uint64_t m_shift = 0;
    std::uint8_t m_paddingByte = 0;
    bool m_lastPadding = true;
    std::string m_trailing;
    std::vector<std::pair<std::uint64_t, std::vector<std::uint8_t>>> m_patches;
    std::optional<std::uint64_t> m_truncateTo;
    std::uint64_t m_truncateBy = 0;
};

// Type ids of GGML types that tests use often.
inline constexpr std::uint32_t kF32 = 0, kF16 = 1, kQ4_0 = 2, kQ8_0 = 8, kQ4K = 12, kQ6K = 14, kI8 = 24, kBF16 = 30;

namespace ggufwriterdetail {

template <class T>
struct IsVector : std::false_type
{
};
template <class T>
struct IsVector<std::vector<T>> : std::true_type
{
};

template <class T>
inline constexpr bool isText = std::is_convertible_v<const T&, std::string_view>;

} // namespace ggufwriterdetail

template <class T>
constexpr std::uint32_t GgufWriter::typeId()
{
    using gguf::ValueType;
    if constexpr (ggufwriterdetail::IsVector<T>::value)
        return static_cast<std::uint32_t>(ValueType::Array);
    else if constexpr (ggufwriterdetail::isText<T>)
        return static_cast<std::uint32_t>(ValueType::String);
    else if constexpr (std::is_same_v<T, bool>)
        return static_cast<std::uint32_t>(ValueType::Bool);
    else if constexpr (std::is_floating_point_v<T>)
        return static_cast<std::uint32_t>(sizeof(T) == 4 ? ValueType::Float32 : ValueType::Float64);
    else {
        static_assert(std::is_integral_v<T>);
        constexpr ValueType kUnsigned[] = {ValueType::UInt8, ValueType::UInt16, ValueType::UInt32, ValueType::UInt64};
        constexpr ValueType kSigned[] = {ValueType::Int8, ValueType::Int16, ValueType::Int32, ValueType::Int64};
        constexpr int kIndex = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3;
        return static_cast<std::uint32_t>(std::is_signed_v<T> ? kSigned[kIndex] : kUnsigned[kIndex]);
    }
}

template <class T>
void GgufWriter::putValue(GgufBytes& bytes, const T& value)
{
    if constexpr (ggufwriterdetail::IsVector<T>::value) {
        using Element = typename T::value_type;
        bytes.put(typeId<Element>());
        bytes.putCount(value.size());
        for (std::size_t i = 0; i < value.size(); ++i)
            putValue<Element>(bytes, value[i]);
    } else if constexpr (ggufwriterdetail::isText<T>) {
        bytes.putString(value);
    } else if constexpr (std::is_same_v<T, bool>) {
        bytes.put(static_cast<std::uint8_t>(value ? 1 : 0));
    } else {
        bytes.put(value);
    }
}

template <class T>
GgufWriter& GgufWriter::kv(std::string_view key, const T& value)
{
    if constexpr (ggufwriterdetail::IsVector<T>::value) {
        using Element = typename T::value_type;
        return rawArray(key, typeId<Element>(), value.size(), [value](GgufBytes& bytes) {
            for (std::size_t i = 0; i < value.size(); ++i)
                putValue<Element>(bytes, value[i]);
        });
    } else if constexpr (ggufwriterdetail::isText<T>) {
        const std::string text{std::string_view(value)};
        raw(key, typeId<T>(), [text](GgufBytes& bytes) { bytes.putText(text); });
        return statedLength(text.size());
    } else {
        return raw(key, typeId<T>(), [value](GgufBytes& bytes) { putValue<T>(bytes, value); });
    }
}

/// The data of an F32 tensor, in the byte order of the host.
inline std::vector<std::byte> floats(const std::vector<float>& values)
{
    std::vector<std::byte> bytes(values.size() * sizeof(float));
    std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
}
