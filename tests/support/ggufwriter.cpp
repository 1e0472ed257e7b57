// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/ggufwriter.h"

#include "format/tensortype.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>

namespace {

[[noreturn]] void fail(const char* what, std::string_view name)
{
    std::fprintf(stderr, "GgufWriter: %s: %.*s\n", what, static_cast<int>(name.size()), name.data());
    std::abort();
}

/// Never zero, so that data and padding are told apart; the same for the same tensor and place.
std::byte pattern(std::size_t tensor, std::uint64_t index)
{
    return std::byte{static_cast<unsigned char>(1 + (index * 7 + tensor * 31) % 255)};
}

const std::uint32_t kString = static_cast<std::uint32_t>(gguf::ValueType::String);
const std::uint32_t kArray = static_cast<std::uint32_t>(gguf::ValueType::Array);

} // namespace

void GgufBytes::putCount(std::uint64_t count)
{
    if (m_countBytes == 4)
        put(static_cast<std::uint32_t>(count));
    else
        put(count);
}

void GgufBytes::putText(std::string_view bytes)
{
    const auto* first = reinterpret_cast<const std::byte*>(bytes.data());
    m_out.insert(m_out.end(), first, first + bytes.size());
}

void GgufBytes::putString(std::string_view bytes)
{
    putCount(bytes.size());
    putText(bytes);
}

GgufWriter& GgufWriter::magic(std::string_view fourBytes)
{
    m_magic = fourBytes;
    return *this;
}

GgufWriter& GgufWriter::version(std::uint32_t version)
{
    m_version = version;
    return *this;
}

GgufWriter& GgufWriter::byteOrder(gguf::ByteOrder order)
{
    m_order = order;
    return *this;
}

GgufWriter& GgufWriter::statedTensorCount(std::uint64_t count)
{
    m_tensorCount = count;
    return *this;
}

GgufWriter& GgufWriter::statedMetadataCount(std::uint64_t count)
{
    m_metadataCount = count;
    return *this;
}

GgufWriter& GgufWriter::raw(std::string_view key, std::uint32_t type, std::function<void(GgufBytes&)> payload)
{
    Pair pair;
    pair.key = key;
    pair.type = type;
    pair.payload = std::move(payload);
    m_pairs.push_back(std::move(pair));
    return *this;
}

GgufWriter& GgufWriter::rawArray(
    std::string_view key, std::uint32_t elementType, std::uint64_t count, std::function<void(GgufBytes&)> payload)
{
    raw(key, kArray, std::move(payload));
    m_pairs.back().elementType = elementType;
    m_pairs.back().length = count;
    return *this;
}

GgufWriter& GgufWriter::statedKeyLength(std::uint64_t length)
{
    m_pairs.back().keyLength = length;
    return *this;
}

GgufWriter& GgufWriter::statedType(std::uint32_t type)
{
    m_pairs.back().statedType = type;
    return *this;
}

GgufWriter& GgufWriter::statedElementType(std::uint32_t type)
{
    m_pairs.back().elementType = type;
    return *this;
}

GgufWriter& GgufWriter::statedLength(std::uint64_t length)
{
    m_pairs.back().length = length;
    return *this;
}

GgufWriter& GgufWriter::alignment(std::uint32_t alignment)
{
    layoutAlignment(alignment);
    return kv("general.alignment", alignment);
}

GgufWriter& GgufWriter::layoutAlignment(std::uint64_t alignment)
{
    m_alignment = std::max<std::uint64_t>(alignment, 1);
    return *this;
}

GgufWriter& GgufWriter::tensor(
    std::string_view name, std::uint32_t type, std::vector<std::uint64_t> dims, std::vector<std::byte> data)
{
    TensorPart part;
    part.name = name;
    part.type = part.statedType = type;
    part.data = std::move(data);
    const std::vector<std::int64_t> signedDims(dims.begin(), dims.end());
    if (const gguf::TensorTypeInfo* info = gguf::findTensorType(type)) {
        if (const auto size = gguf::tensorSize(*info, signedDims))
            part.dataBytes = size->dataBytes;
    }
    part.dims = std::move(dims);
    m_tensors.push_back(std::move(part));
    return *this;
}

GgufWriter& GgufWriter::dataBytes(std::uint64_t bytes)
{
    m_tensors.back().data.clear();
    m_tensors.back().dataBytes = bytes;
    return *this;
}

GgufWriter& GgufWriter::statedNameLength(std::uint64_t length)
{
    m_tensors.back().nameLength = length;
    return *this;
}

GgufWriter& GgufWriter::statedDimCount(std::uint32_t count)
{
    m_tensors.back().dimCount = count;
    return *this;
}

GgufWriter& GgufWriter::statedTensorType(std::uint32_t type)
{
    m_tensors.back().statedType = type;
    return *this;
}

GgufWriter& GgufWriter::statedOffset(std::uint64_t offset)
{
    m_tensors.back().offset = offset;
    return *this;
}

GgufWriter& GgufWriter::shiftOffsets(std::uint64_t by)
{
    m_shift = by;
    return *this;
}

GgufWriter& GgufWriter::gapBefore(std::uint64_t bytes)
{
    m_tensors.back().gap = bytes;
    return *this;
}

GgufWriter& GgufWriter::paddingByte(std::uint8_t byte)
{
    m_paddingByte = byte;
    return *this;
}

GgufWriter& GgufWriter::withoutLastPadding()
{
    m_lastPadding = false;
    return *this;
}

GgufWriter& GgufWriter::trailing(std::string_view bytes)
{
    m_trailing += bytes;
    return *this;
}

GgufWriter& GgufWriter::patch(std::uint64_t offset, std::vector<std::uint8_t> bytes)
{
    m_patches.push_back({offset, std::move(bytes)});
    return *this;
}

GgufWriter& GgufWriter::truncateTo(std::uint64_t size)
{
    m_truncateTo = size;
    return *this;
}

GgufWriter& GgufWriter::truncateBy(std::uint64_t bytes)
{
    m_truncateBy = bytes;
    return *this;
}

std::uint64_t GgufWriter::padded(std::uint64_t size) const
{
    return (size + m_alignment - 1) / m_alignment * m_alignment;
}

GgufWriter::Layout GgufWriter::layout() const
{
    Layout layout;
    GgufBytes out(m_order, m_version == 1 ? 4 : 8);
    out.putText(m_magic);
    out.put(m_version);
    out.putCount(m_tensorCount.value_or(m_tensors.size()));
    out.putCount(m_metadataCount.value_or(m_pairs.size()));

    for (const Pair& pair : m_pairs) {
        const std::uint64_t start = out.size();
        out.putCount(pair.keyLength.value_or(pair.key.size()));
        out.putText(pair.key);
        out.put(pair.statedType.value_or(pair.type));
        layout.values.push_back(out.size());
        if (pair.type == kArray)
            out.put(pair.elementType);
        if (pair.type == kArray || pair.type == kString)
            out.putCount(pair.length);
        pair.payload(out);
        layout.pairs.push_back({start, out.size() - start});
    }

    std::uint64_t position = 0;
    for (const TensorPart& tensor : m_tensors) {
        position += tensor.gap;
        const std::uint64_t start = out.size();
        out.putCount(tensor.nameLength.value_or(tensor.name.size()));
        out.putText(tensor.name);
        out.put(tensor.dimCount.value_or(static_cast<std::uint32_t>(tensor.dims.size())));
        for (const std::uint64_t dim : tensor.dims)
            out.putCount(dim);
        out.put(tensor.statedType);
        out.put(tensor.offset.value_or(position) + m_shift);
        layout.records.push_back({start, out.size() - start});
        layout.data.push_back({position, tensor.size()});
        position += padded(tensor.size());
    }

    // ggml and gguf-py pad the tables even where no tensor follows.
    out.fill(padded(out.size()) - out.size(), m_paddingByte);
    for (gguf::ByteRange& range : layout.data)
        range.offset += out.size();
    layout.end = out.size() + position;
    if (!m_lastPadding && !m_tensors.empty())
        layout.end = layout.data.back().end();
    layout.bytes = std::move(out.out());
    return layout;
}

std::vector<std::byte> GgufWriter::bytes() const
{
    Layout layout = this->layout();
    std::vector<std::byte> bytes = std::move(layout.bytes);
    bytes.resize(layout.end, std::byte{m_paddingByte});
    for (std::size_t i = 0; i < m_tensors.size(); ++i) {
        const gguf::ByteRange range = layout.data[i];
        for (std::uint64_t k = 0; k < range.length; ++k)
            bytes[range.offset + k] = m_tensors[i].data.empty() ? pattern(i, k) : m_tensors[i].data[k];
    }
    const auto* extra = reinterpret_cast<const std::byte*>(m_trailing.data());
    bytes.insert(bytes.end(), extra, extra + m_trailing.size());
    for (const auto& [offset, patch] : m_patches) {
        for (std::size_t i = 0; i < patch.size() && offset + i < bytes.size(); ++i)
            bytes[offset + i] = std::byte{patch[i]};
    }
    bytes.resize(std::min<std::uint64_t>(m_truncateTo.value_or(bytes.size()), bytes.size()));
    bytes.resize(bytes.size() - std::min<std::uint64_t>(m_truncateBy, bytes.size()));
    return bytes;
}

std::shared_ptr<const gguf::MemorySource> GgufWriter::source() const
{
    return std::make_shared<gguf::MemorySource>(bytes());
}

void GgufWriter::write(const std::filesystem::path& path) const
{
    const std::vector<std::byte> bytes = this->bytes();
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    if (!file.flush())
        fail("cannot write", path.string());
}

void GgufWriter::writeSparse(const std::filesystem::path& path) const
{
    const Layout layout = this->layout();
    {
        std::ofstream file(path, std::ios::binary | std::ios::trunc);
        file.write(reinterpret_cast<const char*>(layout.bytes.data()), static_cast<std::streamsize>(layout.bytes.size()));
        if (!file.flush())
            fail("cannot write", path.string());
    }
    std::filesystem::resize_file(path, layout.end);
}

std::size_t GgufWriter::pairIndex(std::string_view key) const
{
    for (std::size_t i = m_pairs.size(); i-- > 0;) {
        if (m_pairs[i].key == key)
            return i;
    }
    fail("no such key", key);
}

std::size_t GgufWriter::tensorIndex(std::string_view name) const
{
    for (std::size_t i = m_tensors.size(); i-- > 0;) {
        if (m_tensors[i].name == name)
            return i;
    }
    fail("no such tensor", name);
}

std::uint64_t GgufWriter::size() const { return bytes().size(); }

std::uint64_t GgufWriter::headerSize() const { return m_version == 1 ? 16 : 24; }

gguf::ByteRange GgufWriter::pairRange(std::string_view key) const { return layout().pairs[pairIndex(key)]; }

std::uint64_t GgufWriter::valueOffset(std::string_view key) const { return layout().values[pairIndex(key)]; }

gguf::ByteRange GgufWriter::recordRange(std::string_view tensor) const
{
    return layout().records[tensorIndex(tensor)];
}

std::uint64_t GgufWriter::dataOffset() const { return layout().bytes.size(); }

gguf::ByteRange GgufWriter::dataRange(std::string_view tensor) const { return layout().data[tensorIndex(tensor)]; }
