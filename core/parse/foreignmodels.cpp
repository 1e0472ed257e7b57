// SPDX-License-Identifier: GPL-3.0-or-later
#include "document/text.h"
#include "io/byteorder.h"
#include "parse/foreignkinds.h"
#include "parse/jsonscan.h"

#include <fmt/format.h>

#include <array>
#include <map>

namespace gguf::foreign {

namespace {

constexpr std::size_t kListedTensors = 200;

void addNumbers(
    Foreign& foreign, const Head& head, std::size_t offset, std::span<const std::string_view> names)
{
    for (std::size_t i = 0; i < names.size() && offset + 4 * i + 4 <= head.bytes.size(); ++i)
        foreign.details.emplace_back(std::string(names[i]), fmt::format("{}", head.u32(offset + 4 * i)));
}

Foreign whisper(const Head& head)
{
    static constexpr std::array<std::string_view, 11> kNames{"Vocabulary (n_vocab)",
        "Audio context (n_audio_ctx)", "Audio width (n_audio_state)", "Audio heads (n_audio_head)",
        "Audio layers (n_audio_layer)", "Text context (n_text_ctx)", "Text width (n_text_state)",
        "Text heads (n_text_head)", "Text layers (n_text_layer)", "Mel bands (n_mels)", "File type (ftype)"};
    Foreign foreign;
    foreign.kind = ForeignKind::Whisper;
    foreign.title = "This is a whisper.cpp speech model in the old ggml format, not GGUF.";
    addNumbers(foreign, head, 4, kNames);
    foreign.remedy = "The file is in order: use it with whisper.cpp, which still reads this format.";
    foreign.evidence = {0, 48};
    return foreign;
}

std::string_view ggjtHistory(std::uint32_t version)
{
    switch (version) {
    case 1:
        return "1 (April 2023: the first quantization blocks)";
    case 2:
        return "2 (May 2023: changed Q4 and Q5 blocks)";
    case 3:
        return "3 (May 2023: scales as half floats, later K-quants)";
    default:
        return {};
    }
}

std::optional<Foreign> legacyGgml(const Head& head)
{
    struct Family
    {
        std::string_view stored, spelled, name;
        bool hasVersion;
    };
    // The magic is a number, so that the file shows its letters backwards; some writers stored them forwards.
    static constexpr std::array<Family, 3> kFamilies{
        {{"lmgg", "ggml", "GGML", false}, {"fmgg", "ggmf", "GGMF", true}, {"tjgg", "ggjt", "GGJT", true}}};
    static constexpr std::array<std::string_view, 7> kNames{"Vocabulary (n_vocab)",
        "Embedding length (n_embd)", "Feed-forward multiple (n_mult)", "Attention heads (n_head)",
        "Layers (n_layer)", "Rotary dimensions (n_rot)", "File type (ftype)"};

    for (const Family& family : kFamilies) {
        const bool forwards = head.startsWith(family.spelled) || head.startsWith(family.name);
        if (!forwards && !head.startsWith(family.stored))
            continue;
        if (!family.hasVersion && !forwards && head.bytes.size() >= 48 && head.u32(8) == 1500)
            return whisper(head);
        Foreign foreign;
        foreign.kind = ForeignKind::LegacyGgml;
        foreign.title = fmt::format(
            "This is a model in the {} format, which GGUF replaced in August 2023.", family.name);
        foreign.details.emplace_back("Format", std::string(family.name));
        if (forwards)
            foreign.details.emplace_back(
                "Magic", "stored forwards, which the programs of the time did not read");
        std::size_t numbers = 4;
        if (family.hasVersion && head.bytes.size() >= 8) {
            const std::uint32_t version = head.u32(4);
            const std::string_view history
                = family.name == "GGJT" ? ggjtHistory(version) : std::string_view{};
            foreign.details.emplace_back(
                "Version", history.empty() ? fmt::format("{}", version) : std::string(history));
            numbers = 8;
        }
        addNumbers(foreign, head, numbers, kNames);
        foreign.remedy
            = "Fetch the model as GGUF. llama.cpp's convert_llama_ggml_to_gguf.py can convert some of "
              "these files, but not all. The header numbers are named as LLaMA files order them.";
        foreign.evidence = {0, 4};
        return foreign;
    }
    return std::nullopt;
}

std::optional<Foreign> legacyLora(const Head& head)
{
    if (!head.startsWith("algg") && !head.startsWith("ggla"))
        return std::nullopt;
    Foreign foreign;
    foreign.kind = ForeignKind::LegacyLora;
    foreign.title = "This is a LoRA adapter in the old ggla format, not GGUF.";
    static constexpr std::array<std::string_view, 3> kNames{"Version", "Rank (r)", "Alpha"};
    addNumbers(foreign, head, 4, kNames);
    foreign.remedy
        = "An adapter needs its base model, and current programs no longer read this format. Convert the "
          "original adapter with llama.cpp's convert_lora_to_gguf.py.";
    foreign.evidence = {0, 4};
    return foreign;
}

std::optional<Foreign> llamaSession(const Head& head)
{
    const bool session = head.startsWith("nsgg") || head.startsWith("ggsn");
    if (!session && !head.startsWith("qsgg") && !head.startsWith("ggsq"))
        return std::nullopt;
    Foreign foreign;
    foreign.kind = ForeignKind::LlamaSession;
    foreign.title = session ? "This is a saved llama.cpp session, not a model."
                            : "This is the saved state of a llama.cpp sequence, not a model.";
    static constexpr std::array<std::string_view, 1> kNames{"Version"};
    addNumbers(foreign, head, 4, kNames);
    foreign.remedy
        = "Load it with the program and the model that saved it (prompt cache); open the model itself here.";
    foreign.evidence = {0, 4};
    return foreign;
}

/// The tensors of a safetensors header: an object of objects with dtype and shape.
void listSafetensors(Foreign& foreign, std::string_view json)
{
    std::vector<std::pair<std::string, std::string>> tensors;
    std::map<std::string, std::uint64_t> types;
    std::uint64_t count = 0;
    JsonScan scan(json);
    if (!scan.take('{'))
        return;
    while (scan.peek() == '"') {
        const auto name = scan.string();
        if (!name || !scan.take(':'))
            break;
        const auto value = scan.rawValue();
        if (!value)
            break;
        if (*name == "__metadata__") {
            foreign.details.emplace_back("Metadata", visibleText(*value, 400));
        } else {
            std::string type, shape;
            JsonScan fields(*value);
            fields.take('{');
            while (fields.peek() == '"') {
                const auto field = fields.string();
                if (!field || !fields.take(':'))
                    break;
                if (*field == "dtype") {
                    const auto text = fields.string();
                    if (!text)
                        break;
                    type = visibleText(*text, 40);
                } else if (const auto raw = fields.rawValue()) {
                    if (*field == "shape")
                        shape = visibleText(*raw, 100);
                } else {
                    break;
                }
                fields.take(',');
            }
            ++count;
            // A hostile header cannot make this list long.
            if (types.size() < kListedTensors || types.contains(type))
                ++types[type];
            if (tensors.size() < kListedTensors)
                tensors.emplace_back(visibleText(*name, 200), fmt::format("{} {}", type, shape));
        }
        scan.take(',');
    }
    const bool complete = scan.take('}');
    foreign.details.emplace_back("Tensors",
        complete ? fmt::format("{}", count)
                 : fmt::format("{} in the part of the header that was read", count));
    std::string summary;
    for (const auto& [type, number] : types)
        summary += fmt::format("{}{} x {}", summary.empty() ? "" : ", ", number, type);
    if (!summary.empty())
        foreign.details.emplace_back("Types", summary);
    for (auto& tensor : tensors)
        foreign.details.push_back(std::move(tensor));
    if (count > tensors.size())
        foreign.details.emplace_back("Further tensors", fmt::format("{} not listed", count - tensors.size()));
}

std::optional<Foreign> safetensors(const Head& head)
{
    if (head.bytes.size() < 10 || head.bytes[8] != '{')
        return std::nullopt;
    const std::uint64_t length = head.u64(0);
    // The format's own limit is 100 MB of header.
    if (length < 2 || length > 100'000'000)
        return std::nullopt;
    JsonScan probe(head.bytes.substr(8));
    probe.take('{');
    if (probe.peek() != '"' && probe.peek() != '}')
        return std::nullopt;
    Foreign foreign;
    foreign.kind = ForeignKind::Safetensors;
    foreign.title = "This is a safetensors file, not GGUF.";
    foreign.details.emplace_back("Header length", fmt::format("{} bytes", length));
    if (8 + length > head.fileSize)
        foreign.details.emplace_back("Completeness", "the file ends inside its header");
    listSafetensors(foreign, head.bytes.substr(8, static_cast<std::size_t>(length)));
    foreign.remedy
        = "Use it with a program for safetensors (PyTorch, ComfyUI), or convert the whole model folder "
          "with llama.cpp's convert_hf_to_gguf.py.";
    foreign.evidence = {0, 9};
    return foreign;
}

std::optional<Foreign> onnx(const Head& head)
{
    // A protobuf message: field 1 (ir_version) as a small number, then field 2 (producer_name) as text.
    if (head.bytes.size() < 8 || head.bytes[0] != 0x08)
        return std::nullopt;
    const auto byte = [&head](std::size_t i) { return static_cast<unsigned char>(head.bytes[i]); };
    const unsigned version = byte(1);
    const unsigned length = byte(3);
    if (version == 0 || version > 30 || byte(2) != 0x12 || length == 0 || length > 60
        || 4 + length > head.bytes.size())
        return std::nullopt;
    const std::string_view producer = head.bytes.substr(4, length);
    for (const char character : producer) {
        if (character < 0x20 || character > 0x7E)
            return std::nullopt;
    }
    Foreign foreign;
    foreign.kind = ForeignKind::Onnx;
    foreign.title = "This looks like an ONNX model, not GGUF.";
    foreign.details.emplace_back("IR version", fmt::format("{}", version));
    foreign.details.emplace_back("Producer", std::string(producer));
    foreign.remedy = "Use it with ONNX Runtime, or fetch the model as GGUF.";
    foreign.evidence = {0, 4 + std::uint64_t{length}};
    return foreign;
}

std::optional<Foreign> pickle(const Head& head)
{
    if (head.bytes.size() < 3 || static_cast<unsigned char>(head.bytes[0]) != 0x80)
        return std::nullopt;
    const auto protocol = static_cast<unsigned char>(head.bytes[1]);
    const std::string_view opcodes = "}](\x8a\x95"
                                     "cX";
    if (protocol < 2 || protocol > 5 || opcodes.find(head.bytes[2]) == std::string_view::npos)
        return std::nullopt;
    Foreign foreign;
    foreign.kind = ForeignKind::Pickle;
    foreign.title = "This is a Python pickle, such as an old PyTorch checkpoint, not GGUF.";
    foreign.details.emplace_back("Protocol", fmt::format("{}", protocol));
    foreign.remedy
        = "Do not load a pickle that you do not trust: it can run programs. Fetch the model as GGUF.";
    foreign.evidence = {0, 3};
    return foreign;
}

std::optional<Foreign> hdf5(const Head& head)
{
    if (!head.startsWith("\x89HDF\r\n\x1a\n"))
        return std::nullopt;
    Foreign foreign;
    foreign.kind = ForeignKind::Hdf5;
    foreign.title = "This is an HDF5 file, such as a Keras model, not GGUF.";
    foreign.remedy = "Use it with the program that made it, or fetch the model as GGUF.";
    foreign.evidence = {0, 8};
    return foreign;
}

} // namespace

std::uint32_t Head::u32(std::size_t offset) const
{
    if (offset > bytes.size() || bytes.size() - offset < 4)
        return 0;
    return loadAs<std::uint32_t>(
        reinterpret_cast<const std::byte*>(bytes.data()) + offset, ByteOrder::Little);
}

std::uint64_t Head::u64(std::size_t offset) const
{
    if (offset > bytes.size() || bytes.size() - offset < 8)
        return 0;
    return loadAs<std::uint64_t>(
        reinterpret_cast<const std::byte*>(bytes.data()) + offset, ByteOrder::Little);
}

std::optional<Foreign> identifyModel(const Head& head)
{
    for (const auto recognise : {legacyGgml, legacyLora, llamaSession, safetensors, hdf5, pickle, onnx}) {
        if (auto foreign = recognise(head))
            return foreign;
    }
    return std::nullopt;
}

} // namespace gguf::foreign
