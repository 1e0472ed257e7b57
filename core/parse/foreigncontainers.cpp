// SPDX-License-Identifier: GPL-3.0-or-later
#include "document/text.h"
#include "parse/foreignkinds.h"

#include <fmt/format.h>

#include <charconv>

namespace gguf::foreign {

namespace {

using namespace std::string_view_literals;

std::uint32_t u16(const Head& head, std::size_t offset)
{
    return head.u32(offset) & 0xFFFF;
}

Foreign make(ForeignKind kind, std::string title, std::string remedy, std::uint64_t evidence)
{
    Foreign foreign;
    foreign.kind = kind;
    foreign.title = std::move(title);
    foreign.remedy = std::move(remedy);
    foreign.evidence = {0, evidence};
    return foreign;
}

std::string unpack(std::string_view tool)
{
    return fmt::format("Unpack it ({}) and open the GGUF file that comes out.", tool);
}

std::string_view zipMethod(std::uint32_t method)
{
    switch (method) {
    case 0:
        return "stored, not compressed";
    case 8:
        return "deflate";
    case 93:
        return "zstd";
    default:
        return "other";
    }
}

Foreign zip(const Head& head)
{
    Foreign foreign = make(ForeignKind::Zip, "This is a ZIP archive, not a GGUF file.",
        "Unpack it and open the GGUF file inside. A GGUF file that is stored without compression can be "
        "opened "
        "where it lies.",
        4);
    const std::string_view first
        = head.bytes.substr(std::min<std::size_t>(30, head.bytes.size()), u16(head, 26));
    if (!first.empty()) {
        foreign.details.emplace_back("First entry", visibleText(first, 200));
        foreign.details.emplace_back("Compression", std::string(zipMethod(u16(head, 8))));
    }
    if (first.find("data.pkl") != std::string_view::npos
        || first.find(".data/serialization_id") != std::string_view::npos) {
        foreign.title = "This is a PyTorch checkpoint (a ZIP archive), not GGUF.";
        foreign.remedy = "Fetch the model as GGUF, or convert the whole model folder with llama.cpp's "
                         "convert_hf_to_gguf.py.";
    }
    return foreign;
}

Foreign gzip(const Head& head)
{
    Foreign foreign = make(ForeignKind::Gzip, "This is a gzip file, not GGUF.", unpack("gunzip"), 2);
    const bool hasName = head.bytes.size() > 10 && (head.bytes[3] & 0x0C) == 0x08;
    if (hasName) {
        const std::string_view rest = head.bytes.substr(10, 256);
        const std::string_view name = rest.substr(0, rest.find('\0'));
        if (!name.empty())
            foreign.details.emplace_back("Original name", visibleText(name, 200));
    }
    return foreign;
}

Foreign tar(const Head& head)
{
    Foreign foreign = make(ForeignKind::Tar, "This is a tar archive, not a GGUF file.",
        "Unpack it (tar -x). A GGUF file in it can be opened where it lies.", 0);
    foreign.evidence = {257, 5};
    const std::string_view name = head.bytes.substr(0, 100);
    foreign.details.emplace_back("First entry", visibleText(name.substr(0, name.find('\0')), 100));
    std::uint64_t size = 0;
    const std::string_view octal = head.bytes.substr(124, 11);
    if (std::from_chars(octal.data(), octal.data() + octal.size(), size, 8).ec == std::errc{})
        foreign.details.emplace_back("Size of the first entry", countText(size, "byte"));
    return foreign;
}

constexpr std::string_view kProgramRemedy
    = "If it is a llamafile, run it, or open the GGUF file that it contains where it lies. "
      "Never run a program that you did not expect to get.";

} // namespace

std::optional<Foreign> identifyContainer(const Head& head)
{
    if (head.startsWith("PK\x03\x04") || head.startsWith("PK\x05\x06"))
        return zip(head);
    if (head.startsWith("\x1f\x8b"))
        return gzip(head);
    if (head.startsWith("\x28\xb5\x2f\xfd"))
        return make(ForeignKind::Zstd, "This is a zstd file, not GGUF.", unpack("zstd -d"), 4);
    if (head.startsWith("\xfd"
                        "7zXZ\0"sv))
        return make(ForeignKind::Xz, "This is an xz file, not GGUF.", unpack("xz -d"), 6);
    if (head.startsWith("BZh"))
        return make(ForeignKind::Unknown, "This is a bzip2 file, not GGUF.", unpack("bunzip2"), 3);
    if (head.startsWith("7z\xbc\xaf\x27\x1c"))
        return make(ForeignKind::Unknown, "This is a 7-Zip archive, not a GGUF file.", unpack("7z x"), 6);
    if (head.startsWith("Rar!\x1a\x07"))
        return make(ForeignKind::Unknown, "This is a RAR archive, not a GGUF file.", unpack("unrar x"), 6);
    if (head.bytes.size() >= 263 && head.bytes.substr(257, 5) == "ustar")
        return tar(head);
    if (head.startsWith("\x7f"
                        "ELF"))
        return make(
            ForeignKind::Elf, "This is a Linux program (ELF), not a model.", std::string(kProgramRemedy), 4);
    if (head.startsWith("MZ")) {
        const bool portable = head.startsWith("MZqFpD");
        return make(ForeignKind::Pe,
            portable ? "This is a program for several systems (as llamafiles are), not a model."
                     : "This is a Windows program, not a model.",
            std::string(kProgramRemedy), portable ? 6 : 2);
    }
    return std::nullopt;
}

} // namespace gguf::foreign
