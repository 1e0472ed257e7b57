// SPDX-License-Identifier: GPL-3.0-or-later
#include "io/byteorder.h"
#include "parse/sniff.h"

#include <algorithm>
#include <string_view>

namespace gguf {

namespace {

constexpr std::size_t kWindow = std::size_t{4} << 20;
constexpr std::size_t kHeaderBytes = 24;
constexpr std::size_t kHeaderBytesV1 = 16;
// Far above all real models, far below what four random bytes would state.
constexpr std::uint64_t kPlausibleMetadata = std::uint64_t{1} << 20;
constexpr std::uint64_t kPlausibleTensors = std::uint64_t{1} << 24;

std::optional<EmbeddedGguf> headerAt(const std::byte* bytes, std::size_t available, std::uint64_t offset)
{
    if (available < kHeaderBytesV1)
        return std::nullopt;
    EmbeddedGguf found;
    found.offset = offset;
    auto order = ByteOrder::Little;
    found.version = loadAs<std::uint32_t>(bytes + 4, order);
    if ((found.version & 0xFFFF) == 0) {
        order = ByteOrder::Big;
        found.version = loadAs<std::uint32_t>(bytes + 4, order);
        found.bigEndian = true;
    }
    if (found.version == 1) {
        found.tensorCount = loadAs<std::uint32_t>(bytes + 8, order);
        found.metadataCount = loadAs<std::uint32_t>(bytes + 12, order);
    } else if ((found.version == 2 || found.version == 3) && available >= kHeaderBytes) {
        found.tensorCount = loadAs<std::uint64_t>(bytes + 8, order);
        found.metadataCount = loadAs<std::uint64_t>(bytes + 16, order);
    } else {
        return std::nullopt;
    }
    if (found.tensorCount > kPlausibleTensors || found.metadataCount > kPlausibleMetadata)
        return std::nullopt;
    return found;
}

} // namespace

std::vector<EmbeddedGguf> findEmbeddedGguf(const ByteSource& source, ByteRange range, std::size_t most,
    std::stop_token stop, const std::function<void(std::uint64_t)>& progress)
{
    std::vector<EmbeddedGguf> found;
    const std::uint64_t end = std::min(range.end(), source.size());
    if (range.offset >= end || most == 0)
        return found;

    std::vector<std::byte> window(
        static_cast<std::size_t>(std::min<std::uint64_t>(kWindow, end - range.offset)));
    for (std::uint64_t begin = range.offset; begin < end && !stop.stop_requested();) {
        const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(window.size(), end - begin));
        const ReadResult read = source.read(begin, std::span(window).first(wanted));
        const std::string_view text(reinterpret_cast<const char*>(window.data()), read.bytes);
        for (std::size_t at = text.find("GGUF"); at != std::string_view::npos;
             at = text.find("GGUF", at + 1)) {
            // A header that the window cuts is found again at the front of the next one.
            if (read.bytes == wanted && begin + wanted < end && text.size() - at < kHeaderBytes)
                break;
            if (const auto header = headerAt(window.data() + at, text.size() - at, begin + at)) {
                found.push_back(*header);
                if (found.size() == most)
                    return found;
            }
        }
        if (read.bytes < wanted || begin + wanted >= end) {
            if (progress)
                progress(begin + read.bytes - range.offset);
            return found;
        }
        begin += wanted - (kHeaderBytes - 1);
        if (progress)
            progress(begin - range.offset);
    }
    return found;
}

} // namespace gguf
