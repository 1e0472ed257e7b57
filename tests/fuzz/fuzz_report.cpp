// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes: the reports hold no raw control characters, and the JSON is JSON.
#include "fuzz.h"

#include "parse/parser.h"
#include "report/jsonreport.h"
#include "report/markdownreport.h"
#include "report/output.h"
#include "report/textreport.h"

#include <QJsonDocument>
#include <QJsonObject>

static void requireTame(const std::string& text, const char* what)
{
    for (const char character : text) {
        const auto byte = static_cast<unsigned char>(character);
        require((byte >= 0x20 && byte != 0x7F) || character == '\n' || character == '\t', what);
    }
}

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const gguf::MemorySource source = fuzzSource(data, size);
    const gguf::Document document = gguf::inspectData(gguf::parse(source), source);

    std::string json;
    {
        Output output(json);
        JsonReport().write(output, "some file", document);
    }
    requireTame(json, "the JSON report is tame");
    const QJsonDocument parsed = QJsonDocument::fromJson(QByteArray::fromStdString(json));
    require(parsed.isObject(), "the JSON report is an object");
    require(parsed.object().contains(QStringLiteral("problems")), "the JSON report has its problems");

    std::string text;
    {
        Output output(text);
        TextReport::write(output, "some file", document);
    }
    requireTame(text, "the text report is tame");
    requireTame(MarkdownReport::text(QStringLiteral("some file"), document, &source).toStdString(),
        "the Markdown report is tame");
    return 0;
}
