// SPDX-License-Identifier: GPL-3.0-or-later
#include "document/text.h"
#include "parse/foreignkinds.h"
#include "parse/jsonscan.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace gguf::foreign {

namespace {

constexpr std::size_t kTextProbe = 64 * 1024;
constexpr std::string_view kDownloadRemedy
    = "The address was that of a page, not of the file. On Hugging Face use the address with /resolve/ "
      "instead of "
      "/blob/; sign in or accept the licence if the page asks for it. Then fetch the file again.";

char lower(char character)
{
    return character >= 'A' && character <= 'Z' ? static_cast<char>(character - 'A' + 'a') : character;
}

bool startsWithoutCase(std::string_view text, std::string_view lowerPrefix)
{
    return text.size() >= lowerPrefix.size()
        && std::ranges::equal(text.substr(0, lowerPrefix.size()), lowerPrefix, {}, lower);
}

/// Where `needle` (lower case) first occurs; linear.
std::size_t findWithoutCase(std::string_view text, std::string_view needle)
{
    const auto found = std::search(text.begin(), text.end(), needle.begin(), needle.end(),
        [](char character, char wanted) { return lower(character) == wanted; });
    return found == text.end() ? std::string_view::npos : static_cast<std::size_t>(found - text.begin());
}

std::string_view trimmed(std::string_view text)
{
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos)
        return {};
    return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

/// The text between <element ...> and </element.
std::string_view elementText(std::string_view text, std::string_view lowerName)
{
    const std::size_t open = findWithoutCase(text, fmt::format("<{}", lowerName));
    if (open == std::string_view::npos)
        return {};
    const std::size_t begin = text.find('>', open);
    if (begin == std::string_view::npos)
        return {};
    const std::string_view rest = text.substr(begin + 1);
    const std::size_t end = findWithoutCase(rest, fmt::format("</{}", lowerName));
    return end == std::string_view::npos ? std::string_view{} : trimmed(rest.substr(0, end));
}

/// White space runs become one blank, and text between < and > goes.
std::string withoutTags(std::string_view text, std::size_t maxBytes)
{
    std::string out;
    bool inTag = false;
    for (const char character : text) {
        if (out.size() >= maxBytes)
            break;
        if (character == '<')
            inTag = true;
        else if (character == '>')
            inTag = false;
        else if (!inTag && std::string_view(" \t\r\n").find(character) == std::string_view::npos)
            out += character;
        else if (!out.empty() && out.back() != ' ')
            out += ' ';
    }
    return visibleText(trimmed(out));
}

void addFirstLines(Foreign& foreign, std::string_view text)
{
    int lines = 0;
    while (!text.empty() && lines < 3) {
        const std::size_t end = text.find('\n');
        const std::string_view line = trimmed(text.substr(0, end));
        if (!line.empty()) {
            ++lines;
            foreign.details.emplace_back(fmt::format("Line {}", lines), visibleText(line, 200));
        }
        if (end == std::string_view::npos)
            break;
        text.remove_prefix(end + 1);
    }
}

std::optional<Foreign> lfsPointer(const Head& head, std::string_view text)
{
    if (!startsWithoutCase(text, "version https://git-lfs")
        && !startsWithoutCase(text, "version https://hawser"))
        return std::nullopt;
    Foreign foreign;
    foreign.kind = ForeignKind::GitLfsPointer;
    foreign.title = "This is a Git LFS pointer: it stands for the model, which was not fetched.";
    text = text.substr(0, 4096);
    foreign.evidence = {0, std::min<std::uint64_t>(head.fileSize, text.size())};
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        const std::string_view line = trimmed(text.substr(0, end));
        if (line.substr(0, 11) == "oid sha256:") {
            foreign.details.emplace_back("SHA-256 of the real file", visibleText(line.substr(11), 100));
        } else if (line.substr(0, 5) == "size ") {
            const std::string_view digits = line.substr(5);
            std::uint64_t size = 0;
            const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), size);
            if (result.ec == std::errc{} && result.ptr == digits.data() + digits.size())
                foreign.details.emplace_back("Size of the real file",
                    fmt::format("{} bytes ({:.2f} GiB)", size,
                        static_cast<double>(size) / (1024.0 * 1024.0 * 1024.0)));
        }
        if (end == std::string_view::npos)
            break;
        text.remove_prefix(end + 1);
    }
    foreign.remedy
        = "Run \"git lfs pull\" in the clone, or download the file itself from the page of the model.";
    return foreign;
}

std::optional<Foreign> markup(std::string_view text, std::uint64_t textOffset)
{
    static constexpr std::array<std::string_view, 9> kHtml{
        "<!doctype html", "<html", "<head", "<body", "<title", "<meta", "<script", "<!--", "<div"};
    const bool xml = startsWithoutCase(text, "<?xml") || startsWithoutCase(text, "<error>");
    const bool html = std::ranges::any_of(kHtml, [text](auto tag) { return startsWithoutCase(text, tag); })
        || (xml && findWithoutCase(text.substr(0, 4096), "<html") != std::string_view::npos);
    if (!html && !xml)
        return std::nullopt;
    Foreign foreign;
    foreign.evidence = {textOffset, std::min<std::uint64_t>(text.size(), 15)};
    foreign.remedy = kDownloadRemedy;
    if (html) {
        foreign.kind = ForeignKind::Html;
        foreign.title = "This is an HTML page, not a model.";
        const std::string title = withoutTags(elementText(text, "title"), 300);
        if (!title.empty())
            foreign.details.emplace_back("Page title", title);
        std::string heading = withoutTags(elementText(text, "h1"), 300);
        if (!heading.empty() && heading != title)
            foreign.details.emplace_back("Heading", std::move(heading));
        const std::size_t body = findWithoutCase(text, "<body");
        if (title.empty() && heading.empty()) {
            std::string words = withoutTags(text.substr(body == std::string_view::npos ? 0 : body), 300);
            if (!words.empty())
                foreign.details.emplace_back("Text", std::move(words));
        }
        return foreign;
    }
    foreign.kind = ForeignKind::Xml;
    foreign.title = "This is an XML document, not a model.";
    for (const auto& [element, name] :
        {std::pair{"code", "Error code"}, std::pair{"message", "Message"}, std::pair{"title", "Title"}}) {
        std::string value = withoutTags(elementText(text, element), 300);
        if (!value.empty())
            foreign.details.emplace_back(name, std::move(value));
    }
    if (foreign.details.empty())
        addFirstLines(foreign, text.substr(0, 4096));
    return foreign;
}

/// The messages of an error object, nested ones included ({"error": {"message": ...}}).
void addMessages(Foreign& foreign, JsonScan scan, int depth)
{
    if (!scan.take('{'))
        return;
    while (scan.peek() == '"' && foreign.details.size() < 8) {
        const auto name = scan.string();
        if (!name || !scan.take(':'))
            return;
        const bool told = *name == "error" || *name == "message" || *name == "detail" || *name == "code"
            || *name == "status" || *name == "error_description" || *name == "reason";
        const auto raw = scan.rawValue();
        if (!raw)
            return;
        if (told && raw->substr(0, 1) == "{" && depth < 3) {
            addMessages(foreign, JsonScan(*raw), depth + 1);
        } else if (told) {
            const auto text = JsonScan(*raw).string();
            foreign.details.emplace_back(
                visibleText(*name, 40), visibleText(text ? *text : std::string(*raw), 300));
        }
        scan.take(',');
    }
}

std::optional<Foreign> json(std::string_view text, std::uint64_t textOffset)
{
    if (text[0] != '{' && text[0] != '[')
        return std::nullopt;
    const char next = JsonScan(text.substr(1)).peek();
    if (text[0] == '{' ? (next != '"' && next != '}')
                       : std::string_view("{[\"0123456789-]tfn").find(next) == std::string_view::npos)
        return std::nullopt;
    Foreign foreign;
    foreign.kind = ForeignKind::Json;
    foreign.title = "This is JSON text, not a model.";
    foreign.evidence = {textOffset, 1};
    addMessages(foreign, JsonScan(text), 0);
    if (!foreign.details.empty()) {
        foreign.title = "This is an error message of a server (JSON), not a model.";
        foreign.remedy = kDownloadRemedy;
        return foreign;
    }
    if (text.find("\"schemaVersion\"") != std::string_view::npos
        && text.find("\"layers\"") != std::string_view::npos) {
        foreign.title = "This is a manifest (JSON) that lists the model's files, not the model.";
        foreign.remedy = "Open the blob that the manifest names as the model; its name is a SHA-256.";
    } else {
        foreign.remedy = "This may be the configuration that belongs to a model. Open the .gguf file itself.";
    }
    addFirstLines(foreign, text.substr(0, 4096));
    return foreign;
}

bool looksLikeText(std::string_view text)
{
    text = text.substr(0, kTextProbe);
    const std::size_t valid = firstInvalidUtf8(text);
    // A character that the probe cuts is no fault.
    if (valid + 4 < text.size() || (valid < text.size() && text.size() < kTextProbe))
        return false;
    return std::ranges::none_of(text, [](char character) {
        return (character >= 0 && character < 0x20
                   && std::string_view("\t\n\r\f\x1b").find(character) == std::string_view::npos)
            || character == 0x7F;
    });
}

} // namespace

std::optional<Foreign> identifyText(const Head& head)
{
    std::string_view text = head.bytes;
    if (text.substr(0, 3) == "\xEF\xBB\xBF")
        text.remove_prefix(3);
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos)
        return std::nullopt;
    text.remove_prefix(first);
    const std::uint64_t textOffset = head.bytes.size() - text.size();

    if (auto foreign = lfsPointer(head, text))
        return foreign;
    if (auto foreign = markup(text, textOffset))
        return foreign;
    if (!looksLikeText(text))
        return std::nullopt;
    if (auto foreign = json(text, textOffset))
        return foreign;

    Foreign foreign;
    foreign.kind = ForeignKind::Text;
    foreign.title = "This is plain text, not a model.";
    foreign.evidence = {textOffset, std::min<std::uint64_t>(text.size(), 64)};
    addFirstLines(foreign, text.substr(0, 4096));
    const bool message = head.fileSize < 1000
        && (findWithoutCase(text, "not found") != std::string_view::npos
            || findWithoutCase(text, "denied") != std::string_view::npos
            || findWithoutCase(text, "restricted") != std::string_view::npos
            || findWithoutCase(text, "unauthorized") != std::string_view::npos
            || findWithoutCase(text, "invalid") != std::string_view::npos);
    if (message) {
        foreign.title = "This is a message of a server, not a model.";
        foreign.remedy = kDownloadRemedy;
    } else if (startsWithoutCase(text, "from ")
        || findWithoutCase(text.substr(0, 4096), "\nfrom ") != std::string_view::npos) {
        foreign.title = "This is text, perhaps a Modelfile, not a model.";
        foreign.remedy = "Open the .gguf file that it names.";
    } else {
        foreign.remedy = "Open the .gguf file itself.";
    }
    return foreign;
}

} // namespace gguf::foreign
