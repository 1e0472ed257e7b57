// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/mapreport.h"

#include "document/bytemap.h"
#include "report/jsonwriter.h"
#include "report/output.h"

namespace {

/// Bytes read around an offset, so that the field there can be decoded: the widest block is far smaller.
constexpr std::uint64_t kReach = 1024;

void writeList(JsonWriter& json, std::string_view name, const std::vector<std::string>& strings)
{
    json.key(name);
    json.beginArray();
    for (const std::string& string : strings)
        json.value(string);
    json.endArray();
}

void writeOwners(JsonWriter& json, const gguf::Document& document, const gguf::Region& region)
{
    if (region.owners.size() < 2)
        return;
    json.key("owners");
    json.beginArray();
    for (const std::size_t owner : region.owners)
        json.value(document.tensorName(owner));
    json.endArray();
    if (region.moreOwners)
        json.member("more_owners", true);
}

void writeLocation(JsonWriter& json, const gguf::Document& document, const gguf::Location& location)
{
    const auto orNull = [](const std::string& text) {
        return text.empty() ? std::nullopt : std::optional<std::string_view>(text);
    };
    const bool exists = location.range.length != 0;
    json.beginObject();
    json.member("offset", location.offset);
    writeList(json, "path", location.path);
    json.key("kind");
    if (exists)
        json.value(gguf::regionKindName(location.region.kind));
    else
        json.value(nullptr);
    json.member("range_offset", exists ? std::optional(location.range.offset) : std::nullopt);
    json.member("range_length", exists ? std::optional(location.range.length) : std::nullopt);
    json.member("type", orNull(location.type));
    json.member("value", orNull(location.value));
    if (location.region.tensor)
        json.member("tensor", document.tensorName(*location.region.tensor));
    if (location.row)
        json.member("row", *location.row);
    if (location.block)
        json.member("block", *location.block);
    if (!location.field.empty())
        json.member("field", location.field);
    if (location.element)
        json.member("element", *location.element);
    writeOwners(json, document, location.region);
    json.endObject();
    json.endLine();
}

} // namespace

void MapReport::writeMap(Output& output, const gguf::Document& document)
{
    const gguf::ByteMap map(document);
    JsonWriter json(output);
    std::optional<gguf::Region> region = map.regionAt(0);
    for (; region && region->range.offset < document.fileSize() && !output.failed();
         region = map.next(*region)) {
        json.beginObject();
        json.member("kind", gguf::regionKindName(region->kind));
        writeList(json, "path", map.path(*region));
        json.member("offset", region->range.offset);
        json.member("length", region->range.length);
        writeOwners(json, document, *region);
        json.endObject();
        json.endLine();
    }
}

void MapReport::writeLocations(Output& output, const gguf::Document& document, const gguf::ByteSource& source,
    const QList<quint64>& offsets)
{
    const gguf::ByteMap map(document);
    JsonWriter json(output);
    std::vector<std::byte> buffer(2 * kReach);
    for (const quint64 offset : offsets) {
        const std::uint64_t start = offset - std::min<std::uint64_t>(offset, kReach);
        const gguf::ReadResult read = source.read(start, buffer);
        writeLocation(json, document, map.locate(offset, std::span(buffer).first(read.bytes), start));
    }
}
