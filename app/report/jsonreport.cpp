// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/jsonreport.h"

#include "document/text.h"
#include "report/jsonwriter.h"
#include "report/output.h"
#include "report/typetotals.h"

#include <algorithm>

using gguf::Document;
using gguf::ValueType;
using gguf::ValueView;

namespace {

bool isUtf8(std::string_view bytes)
{
    return gguf::firstInvalidUtf8(bytes) == bytes.size();
}

std::string hexDigits(std::string_view bytes)
{
    static constexpr char kDigits[] = "0123456789abcdef";
    std::string text;
    text.reserve(2 * bytes.size());
    for (const char character : bytes) {
        const auto byte = static_cast<unsigned char>(character);
        text += kDigits[byte >> 4];
        text += kDigits[byte & 0xF];
    }
    return text;
}

/// `name`, and where it is not UTF-8 its bytes too.
void writeText(JsonWriter& json, std::string_view member, std::string_view bytesMember, std::string_view text)
{
    json.member(member, text);
    if (!isUtf8(text))
        json.member(bytesMember, hexDigits(text));
}

template <class Visit> void forEachElement(const ValueView& array, std::uint64_t count, Visit visit)
{
    if (count == 0)
        return;
    ValueView element = array.element(0);
    visit(element);
    for (std::uint64_t i = 1; i < count; ++i) {
        element = array.elementAfter(element);
        visit(element);
    }
}

void writeValue(JsonWriter& json, const ValueView& value, std::uint64_t mostElements);

void writeArray(JsonWriter& json, const ValueView& array, std::uint64_t mostElements)
{
    json.beginObject();
    const std::optional<ValueType> elementType = gguf::valueTypeFromId(array.elementTypeId());
    json.key("element_type");
    if (elementType)
        json.value(gguf::valueTypeName(*elementType));
    else
        json.value("type " + std::to_string(array.elementTypeId()));
    json.member("count", array.count());

    const std::uint64_t shown = std::min(array.available(), mostElements);
    bool allUtf8 = true;
    json.key("elements");
    json.beginArray();
    forEachElement(array, shown, [&](const ValueView& element) {
        writeValue(json, element, mostElements);
        allUtf8 = allUtf8 && isUtf8(element.asString());
    });
    json.endArray();

    if (!allUtf8) {
        json.key("bytes");
        json.beginArray();
        forEachElement(array, shown, [&](const ValueView& element) {
            if (isUtf8(element.asString()))
                json.value(nullptr);
            else
                json.value(hexDigits(element.asString()));
        });
        json.endArray();
    }
    json.endObject();
}

void writeValue(JsonWriter& json, const ValueView& value, std::uint64_t mostElements)
{
    const bool isScalar = value.type() != ValueType::String && value.type() != ValueType::Array;
    if (isScalar && !value.complete())
        return json.value(nullptr);
    switch (value.type()) {
    case ValueType::UInt8:
    case ValueType::UInt16:
    case ValueType::UInt32:
    case ValueType::UInt64:
        return json.value(value.asUnsigned());
    case ValueType::Int8:
    case ValueType::Int16:
    case ValueType::Int32:
    case ValueType::Int64:
        return json.value(value.asSigned());
    case ValueType::Float32:
    case ValueType::Float64:
        return json.value(value.asDouble());
    case ValueType::Bool:
        return json.value(value.asUnsigned() != 0);
    case ValueType::String:
        return json.value(value.asString());
    case ValueType::Array:
        return writeArray(json, value, mostElements);
    }
    json.value(nullptr); // a type that nobody knows
}

void writeMetadata(JsonWriter& json, const Document& document, std::uint64_t mostElements)
{
    json.beginArray();
    for (std::size_t i = 0; i < document.metadataCount(); ++i) {
        const gguf::MetadataEntry& entry = document.metadata(i);
        const ValueView value = document.value(i);
        json.beginObject();
        writeText(json, "key", "key_bytes", document.key(i));
        json.member("type", gguf::valueTypeName(entry.type));
        json.member("offset", entry.range().offset);
        json.member("size", entry.range().length);
        json.key("value");
        writeValue(json, value, mostElements);
        if (entry.type == ValueType::String && !isUtf8(value.asString()))
            json.member("bytes", hexDigits(value.asString()));
        if (!entry.complete)
            json.member("complete", false);
        if (entry.recovered)
            json.member("recovered", true);
        json.endObject();
    }
    json.endArray();
}

void writeTensors(JsonWriter& json, const Document& document)
{
    json.beginArray();
    for (std::size_t i = 0; i < document.tensorCount(); ++i) {
        const gguf::Tensor tensor = document.tensor(i);
        json.beginObject();
        writeText(json, "name", "name_bytes", tensor.name);
        json.member("type", tensor.typeName());
        json.member("type_id", tensor.typeId);
        json.key("dims");
        json.beginArray();
        for (const std::int64_t dim : tensor.dims())
            json.value(dim);
        json.endArray();
        json.member("elements", tensor.elements);
        json.member("offset", tensor.offset);
        json.member("file_offset", tensor.fileOffset);
        json.member("size", tensor.dataBytes);
        json.member("padding", tensor.padding);
        if (tensor.recovered)
            json.member("recovered", true);
        json.endObject();
    }
    json.endArray();
}

void writeTypes(JsonWriter& json, const Document& document)
{
    json.beginArray();
    for (const TypeTotal& total : typeTotals(document)) {
        json.beginObject();
        json.member("type", total.name);
        json.member("type_id", total.typeId);
        json.member("tensors", total.sum.tensors);
        json.member("elements", total.sum.parameters());
        json.member("bytes", total.sum.knownBytes());
        json.endObject();
    }
    json.endArray();
}

void writeProblem(JsonWriter& json, const gguf::Problem& problem, const std::string& subject)
{
    json.beginObject();
    json.member("code", gguf::ruleInfo(problem.rule).code);
    json.member("severity", gguf::severityName(problem.severity));
    json.member("spec", problem.judges.spec);
    json.member("doc", problem.judges.doc);
    json.member("ggml", problem.judges.ggml != gguf::GgmlVerdict::Accepts);
    json.member("offset", problem.range.offset);
    json.member("length", problem.range.length);
    json.member("message", gguf::problemMessage(problem));
    json.member("subject", subject);
    json.member("found", problem.found);
    json.member("expected", problem.expected);
    json.member("consequence", gguf::ruleInfo(problem.rule).consequence);
    json.member("remedy", gguf::ruleInfo(problem.rule).remedy);
    json.endObject();
}

/// How many Problems of a rule there are beyond those that are kept, for rules where some are not.
void writeOmitted(JsonWriter& json, const Document& document)
{
    std::array<std::uint64_t, gguf::kRuleCount> listed{};
    for (std::size_t i = 0; i < document.problemCount(); ++i)
        ++listed[static_cast<std::size_t>(document.problem(i).rule)];

    bool any = false;
    for (const gguf::RuleInfo& info : gguf::allRules()) {
        const std::uint64_t total = document.problemTotal(info.rule);
        const std::uint64_t here = listed[static_cast<std::size_t>(info.rule)];
        if (total <= here)
            continue;
        if (!any) {
            json.key("problems_omitted");
            json.beginObject();
        }
        any = true;
        json.member(info.code, total - here);
    }
    if (any)
        json.endObject();
}

void writeForeign(JsonWriter& json, const gguf::Foreign& foreign)
{
    json.key("foreign");
    json.beginObject();
    json.member("title", foreign.title);
    json.key("details");
    json.beginObject();
    for (const auto& [name, content] : foreign.details)
        json.member(name, content);
    json.endObject();
    json.member("remedy", foreign.remedy);
    json.endObject();
}

std::optional<std::uint64_t> fileType(const Document& document)
{
    return document.unsignedValue("general.file_type");
}

std::string_view byteOrderName(gguf::ByteOrder order)
{
    return order == gguf::ByteOrder::Little ? "little" : "big";
}

} // namespace

void JsonReport::write(Output& output, const std::string& file, const Document& document) const
{
    const gguf::Verdicts verdicts = document.verdicts();
    const std::optional<gguf::Header>& header = document.header();
    const std::uint64_t mostElements = full ? UINT64_MAX : kShortArray;

    JsonWriter json(output);
    json.beginObject();
    json.member("file", file);
    json.member("size", document.fileSize());
    json.member("status", gguf::statusName(document.status()));
    json.member("spec_valid", verdicts.specValid);
    json.member("ggml_opens", verdicts.ggmlOpens);
    json.member("ggml_reads", verdicts.ggmlReads);
    json.member("version", header ? std::optional(header->version) : std::nullopt);
    json.member("byte_order", header ? std::optional(byteOrderName(header->byteOrder)) : std::nullopt);
    json.member("alignment", header ? std::optional(document.alignment()) : std::nullopt);
    json.member("data_offset", document.dataOffset());
    json.member("expected_size", document.expectedSize());
    json.key("pronom");
    if (document.pronomId().empty())
        json.value(nullptr);
    else
        json.value(document.pronomId());
    json.member("parameters", document.parameters());
    json.member("bits_per_weight", document.bitsPerWeight());
    json.member("file_type", fileType(document));
    json.key("metadata");
    writeMetadata(json, document, mostElements);
    json.key("tensors");
    writeTensors(json, document);
    json.key("types");
    writeTypes(json, document);
    json.key("problems");
    json.beginArray();
    for (std::size_t i = 0; i < document.problemCount(); ++i)
        writeProblem(json, document.problem(i), document.subjectName(document.problem(i).subject));
    json.endArray();
    writeOmitted(json, document);
    if (document.foreign())
        writeForeign(json, *document.foreign());
    if (document.readError())
        json.member("error", document.readError().message);
    json.endObject();
    json.endLine();
}

void JsonReport::writeUnreadable(Output& output, const std::string& file, const gguf::IoError& error) const
{
    const gguf::RuleInfo& rule = gguf::ruleInfo(gguf::Rule::ReadFailed);
    const gguf::Problem problem{
        gguf::Rule::ReadFailed, rule.judges, rule.severity, {}, {}, error.message, {}};

    JsonWriter json(output);
    json.beginObject();
    json.member("file", file);
    json.member("size", nullptr);
    json.member("status", gguf::statusName(gguf::Status::Unreadable));
    for (const char* verdict : {"spec_valid", "ggml_opens", "ggml_reads"})
        json.member(verdict, false);
    for (const char* unknown : {"version", "byte_order", "alignment", "data_offset", "expected_size",
             "pronom", "parameters", "bits_per_weight", "file_type"})
        json.member(unknown, nullptr);
    for (const char* list : {"metadata", "tensors", "types"}) {
        json.key(list);
        json.beginArray();
        json.endArray();
    }
    json.key("problems");
    json.beginArray();
    writeProblem(json, problem, "file");
    json.endArray();
    json.member("error", error.message);
    json.endObject();
    json.endLine();
}

void writeChecksAsJson(Output& output)
{
    JsonWriter json(output);
    for (const gguf::RuleInfo& rule : gguf::allRules()) {
        json.beginObject();
        json.member("code", rule.code);
        json.member("severity", gguf::severityName(rule.severity));
        json.member("spec", rule.judges.spec);
        json.member("doc", rule.judges.doc);
        json.member("ggml", rule.judges.ggml != gguf::GgmlVerdict::Accepts);
        json.member("title", rule.title);
        json.member("meaning", rule.meaning);
        json.member("consequence", rule.consequence);
        json.member("remedy", rule.remedy);
        json.member("example", rule.example);
        json.endObject();
        json.endLine();
    }
}
