// SPDX-License-Identifier: GPL-3.0-or-later
#include "parse/rules.h"

#include <algorithm>
#include <array>

namespace gguf {

namespace {

constexpr Judges kNobody{};
constexpr Judges kDoc{.doc = true};
constexpr Judges kSpecAndDoc{.spec = true, .doc = true};
constexpr Judges kGgmlOpen{.ggml = GgmlVerdict::RefusesToOpen};
constexpr Judges kSpecAndOpen{.spec = true, .ggml = GgmlVerdict::RefusesToOpen};
constexpr Judges kSpecAndRead{.spec = true, .ggml = GgmlVerdict::RefusesToRead};
constexpr Judges kAllOpen{.spec = true, .doc = true, .ggml = GgmlVerdict::RefusesToOpen};
constexpr Judges kAllRead{.spec = true, .doc = true, .ggml = GgmlVerdict::RefusesToRead};

constexpr auto kError = Severity::Error;
constexpr auto kWarning = Severity::Warning;
constexpr auto kNote = Severity::Note;

// Each row: rule, code, severity, judges, title, meaning, consequence, remedy, example.
constexpr std::array<RuleInfo, kRuleCount> kRules{{
    // What kind of file
    {Rule::FileEmpty, "file-empty", kError, kAllOpen, "The file is empty",
        "A GGUF file has at least 24 bytes: magic, version and two counts (specification: magic, gguf_body).",
        "No program can open it.",
        "Fetch or write the file again; an empty shard is often left behind by a merge that was given it as "
        "its "
        "output.",
        "a file of 0 bytes"},
    {Rule::NotGguf, "not-gguf", kError, kAllOpen, "This is not a GGUF file",
        "A GGUF file begins with the four bytes GGUF, 47 47 55 46 (specification: magic).",
        "No GGUF reader opens it.", "See what the file is instead, and fetch or choose the right one.",
        "a web page saved as model.gguf"},
    {Rule::ReadFailed, "read-failed", kError, kNobody, "The file could not be read here",
        "The system reported an error while bytes were read. It says nothing about the bytes themselves.",
        "What lies from here on is unknown.",
        "Check the disk, the network mount and the permissions, then reload the file.",
        "a failing disk (EIO)"},
    {Rule::MagicReversed, "magic-reversed", kError, kAllOpen, "The magic is written backwards",
        "The magic is GGUF byte by byte in both byte orders (specification: magic).",
        "Every GGUF reader refuses the file at its first byte.",
        "Write the file again with a writer that stores the magic as bytes, not as a number.",
        "FUGG at byte 0"},
    {Rule::TextConversion, "text-conversion", kError, kNobody, "The file went through a text conversion",
        "GGUF is binary. A program took it for text and replaced bytes: line ends, bytes above 7F, or NULs.",
        "The changed bytes cannot be told from true ones, so weights and lengths are destroyed for good.",
        "Fetch the file again, as binary (FTP: binary mode; Git: mark *.gguf as binary or use LFS).",
        "EF BF BD wherever a byte above 7F was"},
    // Header
    {Rule::HeaderTruncated, "header-truncated", kError, kAllOpen, "The file ends inside its header",
        "Magic, version, tensor count and metadata count take 24 bytes (specification: gguf_body).",
        "Nothing of the model is there.", "Fetch the file again.", "a file of 8 bytes"},
    {Rule::VersionUnsupported, "version-unsupported", kError, kAllOpen, "The format version is unknown",
        "The version is 2 or 3 (specification: version); other numbers are not defined.",
        "ggml refuses the file. What follows was not read, since its layout is unknown.",
        "A newer version needs a newer program; any other number means damage: fetch the file again.",
        "version 4"},
    {Rule::VersionObsolete, "version-obsolete", kError, kSpecAndOpen, "The file is GGUF version 1",
        "Version 1 stored counts and lengths in 32 bits; the specification and ggml begin at version 2.",
        "Current programs refuse it. It is shown here as far as it can be read.",
        "Copy or requantize it with a llama.cpp of late 2023, or fetch a newer conversion.", "version 1"},
    {Rule::ByteOrderForeign, "byte-order-foreign", kWarning, kGgmlOpen, "The file is big-endian",
        "Version 3 allows both byte orders, and the version field's upper half tells which "
        "(specification: is_big_endian). ggml reads only its host's.",
        "It loads on big-endian hosts (s390x, some PowerPC) and is refused on x86 and ARM.",
        "On a little-endian machine fetch the little-endian file, or convert it (gguf-py: "
        "gguf_convert_endian).",
        "version bytes 00 00 00 03"},
    {Rule::MetadataCountImpossible, "metadata-count-impossible", kError, kAllOpen,
        "The header states more metadata pairs than the file can hold",
        "Every pair takes at least 13 bytes (key length, type and value; specification: gguf_kv). Up to 2^20 "
        "pairs that do not fit are taken for those of a file that is cut.",
        "ggml refuses the file; pairs are shown as far as they can be read.",
        "Fetch the file again; if you write such files, correct the count.",
        "2^40 pairs in a file of 1 MiB"},
    {Rule::TensorCountImpossible, "tensor-count-impossible", kError, kAllOpen,
        "The header states more tensors than the file can hold",
        "Every tensor record takes at least 24 bytes (specification: gguf_tensor_info). Up to 2^20 records that do "
        "not fit are taken for those of a file that is cut.",
        "ggml refuses the file; records are shown as far as they can be read.",
        "Fetch the file again; if you write such files, correct the count.",
        "2^40 tensors in a file of 1 MiB"},
    {Rule::CountSuggestion, "count-suggestion", kNote, kNobody, "Another count in the header would fit",
        "With the suggested count, the records, the start of the data and the offsets agree.",
        "As it stands, a record is read as the wrong kind of thing or is taken for data.",
        "If you write such files, correct the count that the header states.",
        "3 tensors stated, 4 records there"},
    {Rule::LengthSuggestion, "length-suggestion", kNote, kNobody, "Another length of a key or name would fit",
        "With the suggested length the record can be read, and what follows it, or the end of the file, fits.",
        "As it stands, the key or name runs beyond the end of the file.",
        "If you write such files, correct the length that is stated there.",
        "a key of 100 bytes, 3 bytes before its type"},
    // Metadata
    {Rule::MetadataTruncated, "metadata-truncated", kError, kAllOpen, "The file ends inside the metadata",
        "All pairs that the header counts must be there (specification: kv_pairs).",
        "ggml refuses the file. What was read before the end is shown.",
        "The download or the writer did not finish: fetch or write the file again.",
        "a file cut after its first 100 KB"},
    {Rule::MetadataTooLarge, "metadata-too-large", kError, kNobody,
        "The metadata is larger than this program reads",
        "A limit of this program, 4 GiB of memory for metadata and tensor table; no rule of the format.",
        "What follows is not shown and not judged.", "Look for a damaged length or count before this place.",
        "5 GiB of metadata"},
    {Rule::KeyLengthImpossible, "key-length-impossible", kError, kAllOpen,
        "A key is said to be longer than the rest of the file",
        "A key is a string of the stated length (specification: gguf_str).",
        "Where the next pair begins is unknown, so ggml refuses the file and reading stops here.",
        "Look at the pair before: often its length or type is wrong. Otherwise fetch the file again.",
        "length 2^63"},
    {Rule::KeyEmpty, "key-empty", kError, kAllOpen, "A key is empty",
        "A key must not be empty (specification: gguf_kv.key).", "ggml refuses the whole file.",
        "Remove the pair or name it in the program that writes the file.", "key length 0"},
    {Rule::KeyTooLong, "key-too-long", kWarning, kDoc, "A key is longer than 65,535 bytes",
        "gguf.md allows keys of at most 2^16 - 1 bytes; the specification and ggml set no such limit.",
        "Readers that follow the document may refuse the file.", "Use a shorter key.",
        "a key of 70,000 bytes"},
    {Rule::KeyDuplicate, "key-duplicate", kError, kSpecAndOpen, "A key occurs twice",
        "Keys are unique (specification, prose of kv_pairs, after ggml's check).",
        "ggml refuses the file; other readers take the first or the last value.",
        "Remove one of the two pairs in the program that writes the file.", "general.name stored twice"},
    {Rule::KeyNotUtf8, "key-not-utf8", kWarning, kSpecAndDoc, "A key is not valid UTF-8",
        "Strings are UTF-8 (specification: gguf_str); gguf.md asks for ASCII in keys. ggml does not look.",
        "Readers that decode strictly, such as Python's, fail on the file.", "Rename the key.",
        "a key with the byte FF"},
    {Rule::KeyStyle, "key-style", kWarning, kDoc, "A key is not in lower_snake_case",
        "gguf.md: a key is ASCII, its segments are lower_snake_case and joined by dots. "
        "The specification and ggml do not look.",
        "Programs that expect the usual spelling do not find the value.", "Rename the key, if you write it.",
        "General.Name"},
    {Rule::ValueTypeUnknown, "value-type-unknown", kError, kAllOpen, "The value's type is not defined",
        "Value types are the numbers 0 to 12 (specification: enum gguf_type).",
        "The value's length is unknown, so ggml refuses the file and reading stops here.",
        "Look at the pair before: often its length is wrong. Otherwise fetch the file again.", "type 13"},
    {Rule::ElementTypeUnknown, "element-type-unknown", kError, kAllOpen,
        "The array's element type is not defined",
        "Element types are the numbers 0 to 12 (specification: gguf_array.type).",
        "The array's length is unknown, so ggml refuses the file and reading stops here.",
        "Look at the pair before: often its length is wrong. Otherwise fetch the file again.",
        "an array of type 255"},
    {Rule::StringLengthImpossible, "string-length-impossible", kError, kAllOpen,
        "A string is said to be longer than the rest of the file",
        "A string has the stated number of bytes (specification: gguf_str.len_value).",
        "Where the next value begins is unknown, so ggml refuses the file and reading stops here.",
        "Often the field before is to blame. Otherwise the file is cut or damaged: fetch it again.",
        "length 2^63 in a file of 1 GiB"},
    {Rule::StringTooLong, "string-too-long", kError, kGgmlOpen, "A string is longer than ggml reads",
        "ggml refuses strings over 2^30 bytes (gguf.cpp, GGUF_MAX_STRING_LENGTH); the specification and "
        "gguf.md "
        "set no limit.",
        "ggml refuses the file.", "Store the text elsewhere, or in parts.", "a string of 2 GiB"},
    {Rule::StringNotUtf8, "string-not-utf8", kWarning, kSpecAndDoc, "A string is not valid UTF-8",
        "Strings are UTF-8 (specification: gguf_str.value; gguf.md: string). ggml does not look.",
        "Readers that decode strictly, such as Python's, fail on the file; others show wrong letters.",
        "Convert the text to UTF-8 in the program that writes it; raw bytes belong in an array of u8.",
        "Latin-1 text: 47 72 FC DF"},
    {Rule::ArrayLengthImpossible, "array-length-impossible", kError, kAllOpen,
        "An array is said to have more elements than the rest of the file can hold",
        "An array has the stated number of elements (specification: gguf_array.num_elems).",
        "Where the next value begins is unknown, so ggml refuses the file and reading stops here.",
        "Often the field before is to blame. Otherwise the file is cut or damaged: fetch it again.",
        "2^61 elements of f32"},
    {Rule::ArrayTooLong, "array-too-long", kError, kGgmlOpen, "An array is longer than ggml reads",
        "ggml refuses arrays of more than 2^30 elements (gguf.cpp, GGUF_MAX_ARRAY_ELEMENTS); the "
        "specification "
        "and gguf.md set no limit.",
        "ggml refuses the file.", "Store the data as a tensor.", "an array of 2^30 + 1 bytes"},
    {Rule::ArrayNested, "array-nested", kError, kGgmlOpen, "An array has arrays as elements",
        "The specification (gguf_array) and gguf.md allow arrays of arrays; ggml does not read them.",
        "ggml, and so llama.cpp, refuses the whole file.",
        "Use one flat array and a second one with the lengths.", "an array of two arrays of u32"},
    {Rule::NestingTooDeep, "nesting-too-deep", kError, kNobody, "Arrays are nested too deeply",
        "A limit of this program, 256 levels; the specification and gguf.md set none.",
        "Reading stops here; what follows is not shown.",
        "No known program writes such a thing: the file is damaged or made to do harm.",
        "300 arrays in each other"},
    {Rule::BoolInvalid, "bool-invalid", kWarning, kSpecAndDoc, "A bool is neither 0 nor 1",
        "A bool is one byte, 0 or 1 (specification: gguf_bool; gguf.md says that all else is invalid). "
        "ggml takes everything but 0 as true.",
        "Readers disagree about its value, or refuse the file.", "Store 0 or 1.", "the byte 02"},
    {Rule::AlignmentType, "alignment-type", kError, kAllOpen, "general.alignment is not a u32",
        "general.alignment must be a u32 (specification: gguf_kv.value; gguf.md; ggml).",
        "ggml refuses the file; others may not find the tensor data.", "Store the alignment as a u32.",
        "a u64 with the value 32"},
    {Rule::AlignmentInvalid, "alignment-invalid", kError, kSpecAndOpen,
        "general.alignment is not a power of two",
        "The specification (gguf_kv.value) and ggml ask for a power of two other than 0; gguf.md asks for a "
        "multiple of 8.",
        "ggml refuses the file; readers disagree about where the tensor data begins.",
        "Write the file with alignment 32, or another power of two.", "24"},
    {Rule::AlignmentStyle, "alignment-style", kWarning, kDoc, "general.alignment is not a multiple of 8",
        "gguf.md asks for a multiple of 8; the specification and ggml take every power of two.",
        "Readers that follow the document may refuse the file.", "Write the file with alignment 32.", "4"},
    {Rule::AlignmentUnusual, "alignment-unusual", kNote, kNobody,
        "A reader that assumes alignment 32 would look for the data in the wrong place",
        "The alignment is what general.alignment says (specification: alignment); 32 only where it is not "
        "stored.",
        "A program that ignores the key reads wrong weights without noticing.",
        "Nothing, if your program honours the key; else write the file with alignment 32.", "4096"},
    {Rule::MetadataRecovered, "metadata-recovered", kNote, kNobody,
        "Metadata was found again after the place where reading stopped",
        "This program searched for a run of bytes that reads as key-value pairs.",
        "These pairs are a guess. They are marked and play no part in the verdicts.",
        "Use them to see what the file was; do not rely on them.", "12 pairs found 40 bytes further on"},
    // Tensor table
    {Rule::TensorTableTruncated, "tensor-table-truncated", kError, kAllOpen,
        "The file ends inside the tensor table",
        "All tensor records that the header counts must be there (specification: tensor_infos).",
        "ggml refuses the file. What was read before the end is shown.",
        "The download or the writer did not finish: fetch or write the file again.",
        "a file cut after the tokens"},
    {Rule::TensorNameLengthImpossible, "tensor-name-length-impossible", kError, kAllOpen,
        "A tensor name is said to be longer than the rest of the file",
        "A name is a string of the stated length, below 64 bytes (specification: gguf_tensor_info.name).",
        "Where the next record begins is unknown, so ggml refuses the file and reading stops here.",
        "Perhaps a count in the header is wrong and this is no tensor record. Otherwise fetch the file "
        "again.",
        "length 2^63"},
    {Rule::TensorNameTooLong, "tensor-name-too-long", kError, kSpecAndOpen,
        "A tensor name has 64 bytes or more",
        "The specification (gguf_tensor_info.name) and ggml ask for less than 64 bytes; gguf.md allows 64.",
        "ggml refuses the file.", "Shorten the name in the converter.", "a name of 64 bytes"},
    {Rule::TensorNameDuplicate, "tensor-name-duplicate", kError, kSpecAndOpen, "A tensor name occurs twice",
        "Names are unique (specification, prose of tensor_infos, after ggml's check).",
        "ggml refuses the file; other readers show one of the two.",
        "Remove or rename one of them in the program that writes the file.", "token_embd.weight twice"},
    {Rule::TensorNameDuplicateForGgml, "tensor-name-duplicate-for-ggml", kError, kGgmlOpen,
        "Two tensor names are one name for ggml",
        "ggml compares names up to the first NUL byte; the specification compares all bytes.",
        "ggml refuses the file.", "Write names without NUL bytes.", "a\\0b and a\\0c"},
    {Rule::TensorNameNotUtf8, "tensor-name-not-utf8", kWarning, kSpecAndDoc,
        "A tensor name is not valid UTF-8",
        "Strings are UTF-8 (specification: gguf_str.value; gguf.md). ggml does not look.",
        "Readers that decode strictly, such as Python's, fail on the file.", "Rename the tensor.",
        "a name with the byte FF"},
    {Rule::TensorDimsTooMany, "tensor-dims-too-many", kError, kAllOpen, "A tensor has more than 4 dimensions",
        "At most 4 dimensions (specification: gguf_tensor_info.num_dims; gguf.md; ggml's GGML_MAX_DIMS).",
        "ggml refuses the file. Some image and video models of other programs have 5.",
        "Convert the model with a tool that reshapes the tensor.", "5 dimensions"},
    {Rule::TensorDimsUnreadable, "tensor-dims-unreadable", kError, kAllOpen,
        "A tensor record states too many dimensions to be followed",
        "At most 4 dimensions (specification: gguf_tensor_info.num_dims); this program reads up to 16.",
        "Where the next record begins is unknown, so reading stops here.",
        "Perhaps a count in the header is wrong and this is no tensor record. Otherwise fetch the file "
        "again.",
        "2^31 dimensions"},
    {Rule::TensorDimNegative, "tensor-dim-negative", kError, kSpecAndOpen, "A dimension is negative",
        "Dimensions are signed and not below 0 (specification: gguf_tensor_info.dims; ggml). "
        "gguf.md reads the same bytes as an unsigned number, absurdly large.",
        "ggml refuses the file; the tensor's size is unknown.", "Write the file again.", "-1"},
    {Rule::TensorTypeUnknown, "tensor-type-unknown", kError, kSpecAndOpen, "The tensor's type is unknown",
        "The specification knows the types that ggml v0.27 reads, below 43 (gguf_tensor_info.type).",
        "ggml refuses the file. The tensor's size is unknown here, so completeness cannot be decided; the "
        "data "
        "may be in order.",
        "If a newer runtime or a fork made the file, use that. Else fetch the file again.", "type 200"},
    {Rule::TensorTypeRemoved, "tensor-type-removed", kError, kSpecAndOpen,
        "The tensor's type was removed from ggml",
        "ggml v0.27 no longer reads it (specification: gguf_tensor_info.type, enum ggml_type).",
        "Current programs refuse the file; old ones read it.",
        "Fetch a newer quantization, such as Q4_0, which is repacked when it is loaded.",
        "Q4_0_4_4 (type 31)"},
    {Rule::TensorTypeFork, "tensor-type-fork", kError, kSpecAndOpen,
        "The tensor's type belongs to another program",
        "ggml v0.27 does not know the number (specification: gguf_tensor_info.type); a fork defines it.",
        "Only that fork loads the file. The sizes shown follow the fork's layout.",
        "Use the program named here, or fetch a file in one of ggml's types.",
        "IQ4_K (type 139, ik_llama.cpp)"},
    {Rule::TensorTypeLayout, "tensor-type-layout", kNote, kNobody,
        "The type number does not tell the layout by itself",
        "Some numbers are used by two programs, and some by none that is known here. This program tests "
        "which "
        "known layouts fit the room of all tensors of the type.",
        "Sizes and values are shown for the layout named here; a wrong guess shows wrong values.",
        "Compare with the program that made the file.", "type 42: ggml's Q2_0 or a fork's"},
    {Rule::TensorRowPartial, "tensor-row-partial", kError, kSpecAndOpen,
        "A row does not consist of whole blocks",
        "The first dimension is a multiple of the type's block length (specification: gguf_tensor_info.type; "
        "ggml).",
        "ggml refuses the file; the tensor's size is undefined.",
        "Quantize this tensor to a type whose block fits (often 32), or to F16.",
        "Q4_K with rows of 320 elements"},
    {Rule::TensorSizeOverflow, "tensor-size-overflow", kError, kSpecAndOpen,
        "The tensor's size is beyond all limits",
        "Elements and bytes are counted in signed 64 bits (specification: num_elements, len_data).",
        "ggml refuses the file, or wraps around and computes a wrong size.", "Write the file again.",
        "dimensions 2^32 x 2^32"},
    {Rule::DataSizeOverflow, "data-size-overflow", kError, kSpecAndOpen,
        "The tensor data together is beyond all limits",
        "Offsets and lengths are counted in 64 bits (specification: expected_next_offset, len_file).",
        "ggml refuses the file.", "Write the file again.", "two tensors of 2^63 bytes"},
    {Rule::TensorOffsetUnaligned, "tensor-offset-unaligned", kError, kAllOpen,
        "The tensor's offset is not a multiple of the alignment",
        "Each tensor begins where the padded data before it ends (specification: gguf_tensor_info.offset); "
        "gguf.md asks for a multiple of the alignment.",
        "ggml refuses the file; other programs may read the data slowly or not at all.",
        "Write the file again with padded tensors.", "offset 33 with alignment 32"},
    {Rule::TensorOffsetUnexpected, "tensor-offset-unexpected", kError, kSpecAndOpen,
        "The tensor does not begin where the one before it ends",
        "Each tensor begins where the padded data before it in the table ends, the first at 0 "
        "(specification: "
        "gguf_tensor_info.offset; ggml). gguf.md allows any order and room between tensors.",
        "ggml refuses the file; readers that follow the offsets load it.",
        "Write the file again with packed tensors; if a type is wrong, that is the cause.",
        "offset 160 where 128 is expected"},
    {Rule::OffsetsShifted, "offsets-shifted", kNote, kNobody,
        "All offsets are wrong by the same number of bytes",
        "Subtracting one constant from every offset makes all of them right.",
        "The tables changed after the offsets were computed, or an offset counts from the wrong place.",
        "Write the offsets again, counted from the start of the tensor data.",
        "every offset 4,096 too large"},
    {Rule::TensorOverlap, "tensor-overlap", kError, kSpecAndOpen, "Two tensors claim the same bytes",
        "Each tensor begins where the padded data before it ends (specification: gguf_tensor_info.offset; ggml). "
        "gguf.md does not speak of it.",
        "ggml refuses the file; at least one of the two tensors has wrong values.",
        "Check the type and the offset of both; write the file again.",
        "144 bytes needed, 64 bytes up to the next tensor"},
    {Rule::TensorGap, "tensor-gap", kError, kSpecAndOpen, "Bytes in the tensor data belong to no tensor",
        "Each tensor begins where the padded data before it ends (specification: gguf_tensor_info.offset; "
        "ggml). "
        "gguf.md allows room between tensors.",
        "ggml refuses the file; readers that follow the offsets load it.",
        "Write the file again with packed tensors; if a type or a dimension is wrong, that is the cause.",
        "32 unused bytes between two tensors"},
    {Rule::TensorsRecovered, "tensors-recovered", kNote, kNobody,
        "Tensor records were found again after the place where reading stopped",
        "This program searched for a run of bytes that reads as tensor records.",
        "These tensors are a guess. They are marked and play no part in the verdicts.",
        "Use them to see what the file was; do not rely on them.", "290 records found 64 bytes further on"},
    // Tensor data and length
    {Rule::DataStartMissing, "data-start-missing", kError, kAllOpen,
        "The file ends before the tensor data begins",
        "The tensor data begins at the next aligned byte after the table (specification: padding of "
        "gguf_body).",
        "ggml refuses the file. Metadata and tensor table are complete.",
        "The download did not finish, or somebody kept only the head: fetch the rest.",
        "a file cut right after the table"},
    {Rule::DataTruncated, "data-truncated", kError, kAllRead, "The file ends inside the tensor data",
        "The file is at least as long as its header says (specification: len_file; gguf.md: each tensor's data "
        "must be stored within tensor_data).",
        "Metadata and tensors can be listed, but the model cannot be loaded.",
        "The download did not finish: resume it or fetch the file again.", "68.4 % of the bytes are there"},
    {Rule::LastPaddingMissing, "last-padding-missing", kError, kSpecAndRead,
        "The padding after the last tensor is missing",
        "The last tensor's data is padded too (specification: len_file; ggml counts it when it reads the "
        "data). "
        "gguf.md does not say so clearly.",
        "ggml refuses to read the data at once; programs that read tensor by tensor, llama.cpp among them, "
        "notice "
        "nothing. All weights are there.",
        "Append zero bytes up to the alignment.", "a file that ends 20 bytes early"},
    {Rule::TrailingBytes, "trailing-bytes", kNote, kNobody, "Bytes follow the end of the model",
        "The file may be longer than its header says; nobody forbids it (specification: len_file).",
        "Readers ignore them.",
        "Look at them: a second model, a failed download or a signature may be there.",
        "8 bytes after the data"},
    {Rule::TrailingContent, "trailing-content", kNote, kNobody,
        "What the bytes after the end of the model look like",
        "Nobody says what may follow; this program looks at the first bytes.",
        "Zeros are further padding; text or binary data came from another program.",
        "Cut them off if nothing needs them.", "zeros"},
    {Rule::EmbeddedGguf, "embedded-gguf", kNote, kNobody, "Another GGUF file begins inside this one",
        "The magic with a plausible version and counts was found where no model needs it.",
        "Readers see only the first model.",
        "Shards that were joined end to end must be cut apart again; after an interrupted download the later "
        "copy "
        "is the good one. Open it at the place shown.",
        "a second header at byte 4,096"},
    {Rule::SizeLimit, "size-limit", kNote, kNobody,
        "The file ends where old file systems and 32-bit programs end",
        "2^31 and 2^32 bytes, or one less, are limits of FAT32 and of 32-bit counters.",
        "The missing bytes were probably never written.",
        "Copy or fetch the file again to a file system, and with a program, that allows larger files.",
        "4,294,967,295 bytes"},
    {Rule::PaddingNotZero, "padding-not-zero", kWarning, kDoc, "Padding is not zero",
        "gguf.md asks for 00 in padding; the specification and ggml do not look.",
        "Nobody reads these bytes. They may be left from memory of the program that wrote the file.",
        "Nothing, unless the bytes are secret.", "FF between two tensors"},
    // Meaning
    {Rule::ArchitectureMissing, "architecture-missing", kWarning, kDoc, "general.architecture is missing",
        "gguf.md requires it; it tells what the other keys and the tensors mean. The specification and "
        "ggml's "
        "reader do not look.",
        "llama.cpp refuses the file as a model. Image models and old imatrix files often lack it.",
        "Use the program that the file was made for, or convert the model again.", "no such key"},
    {Rule::QuantizationVersionMissing, "quantization-version-missing", kWarning, kDoc,
        "general.quantization_version is missing", "gguf.md requires it where a tensor is quantized.",
        "A program cannot tell whether it reads the blocks as they were written; today's assume version 2.",
        "Quantize again with a current program.", "Q4_K tensors without the key"},
    {Rule::KeyWrongType, "key-wrong-type", kWarning, kDoc, "A well-known key has a value of another type",
        "gguf.md states a type for each standard key; ggml's reader does not look.",
        "A program that asks for the key by its type stops or uses a default.",
        "Write the value with the expected type.", "general.architecture as u32"},
    {Rule::BlockCountMismatch, "block-count-mismatch", kWarning, kNobody,
        "The block count and the layers present disagree",
        "The architecture's block_count tells how many layers blk.0, blk.1, ... there are.",
        "A program that expects the missing layers refuses to load; surplus ones are ignored.",
        "Convert the model again, or correct the key if you pruned layers.",
        "block_count 32, layers 0 to 30 present"},
    {Rule::VocabularySizeMismatch, "vocabulary-size-mismatch", kWarning, kNobody,
        "The vocabulary's size and the embedding's rows disagree",
        "The token list, vocab_size and the rows of token_embd.weight and output.weight count the same "
        "tokens.",
        "llama.cpp reports a wrong shape and refuses to load, or ids point nowhere.",
        "Convert again from a folder whose token files and weights belong together.",
        "32,001 tokens, 32,000 embedding rows"},
    {Rule::TokenArrayLength, "token-array-length", kWarning, kNobody,
        "Two token lists have different lengths",
        "tokenizer.ggml.scores and tokenizer.ggml.token_type have one element for each token.",
        "Programs read beyond the list, stop, or treat tokens wrongly.", "Convert the model again.",
        "100 tokens, 99 scores"},
    {Rule::TokenIdOutOfRange, "token-id-out-of-range", kWarning, kNobody,
        "A special token's id is beyond the vocabulary",
        "Ids count the token list from 0; 4,294,967,295 means that there is no such token.",
        "Programs ignore the id, stop, or read beyond the list.",
        "Correct the id (llama.cpp can override it when it loads).", "id 32,000 of 32,000 tokens"},
    {Rule::TokenDuplicate, "token-duplicate", kNote, kNobody, "A token occurs twice in the vocabulary",
        "Each text should have one id, but official models with double tokens exist.",
        "Looking a text up gives one of the ids; the other is never produced by the tokenizer.",
        "Nothing, unless you made the vocabulary.", "the text <pad> at ids 0 and 32,000"},
    {Rule::MergesMissing, "merges-missing", kWarning, kNobody, "The tokenizer's merges are missing",
        "A tokenizer of the model gpt2 (byte-pair encoding) needs tokenizer.ggml.merges.",
        "llama.cpp refuses to load: cannot find tokenizer merges in model file.",
        "Convert the model again with a newer converter; fetching the same file again does not help.",
        "tokenizer.ggml.model gpt2 without merges"},
    {Rule::PreTokenizerMissing, "pre-tokenizer-missing", kWarning, kNobody,
        "The tokenizer does not say how text is cut before merging",
        "A tokenizer of the model gpt2 needs tokenizer.ggml.pre with a name other than default.",
        "llama.cpp falls back to a default, and answers get worse.",
        "Convert the model again with a newer converter.", "tokenizer.ggml.pre absent"},
    {Rule::FloatNotFinite, "float-not-finite", kNote, kNobody, "A metadata number is not finite",
        "Nobody forbids NaN and infinity in f32 and f64 values, but no known key has a use for them.",
        "Programs that compute with it produce nonsense, and JSON cannot hold it.",
        "Check the converter that wrote it.", "rope.freq_base = NaN"},
    {Rule::FileTypeMismatch, "file-type-mismatch", kWarning, kNobody,
        "general.file_type does not describe the tensors",
        "general.file_type names the mix that the quantizer was asked for; the tensors tell what is there.",
        "The file is labelled as something that it is not. It loads all the same.",
        "Go by the tensor types. Quantize again if you need the label to be true.",
        "labelled Q4_K_M, no Q4_K tensor inside"},
    {Rule::ImatrixMissing, "imatrix-missing", kNote, kNobody,
        "Very small types were made without a recorded importance matrix",
        "llama.cpp demands an importance matrix for these types and records it in quantize.imatrix.* keys.",
        "The quality may be poor, or the keys were dropped.",
        "Ask the author, or choose a quantization that states its matrix.",
        "IQ2_XXS without quantize.imatrix.file"},
    {Rule::CompanionFile, "companion-file", kNote, kNobody, "This file is no model by itself",
        "Projectors, adapters, control vectors, importance matrices and vocabularies are stored as GGUF too.",
        "A program that wants a model refuses it.", "Use it together with the model it was made for.",
        "general.type = adapter"},
    {Rule::SplitShard, "split-shard", kNote, kNobody, "This file is one shard of a model",
        "split.no counts from 0, split.count tells how many files the model has.",
        "The other tensors lie in the other shards; keys are usually in the first only.",
        "Open the first shard with all others beside it, or merge them (llama-gguf-split --merge).",
        "shard 2 of 3"},
    {Rule::SplitMismatch, "split-mismatch", kWarning, kNobody, "The split keys do not fit the file",
        "Shards are named NAME-00001-of-00003.gguf; split.no is that number less 1, split.count the total.",
        "llama.cpp does not find the other shards, or refuses the set.",
        "Give the file the name that its keys tell, or split the model again.",
        "split.no 1 in a file named 00003-of-00003"},
    // Tensor contents
    {Rule::DataNotFinite, "data-not-finite", kWarning, kNobody, "A tensor holds NaN or infinity",
        "Nobody forbids it in the file; llama.cpp refuses such data when it is told to check tensors.",
        "The model's output becomes NaN.",
        "Compare the SHA-256 with the publisher's; fetch the file again, or report it to the author.",
        "a Q4_K block whose scale is 7E00"},
    {Rule::DataZeroRun, "data-zero-run", kNote, kNobody, "A long run of the tensor data is zero",
        "Downloaders fill a file with zeros before its bytes arrive; some tensors are rightly zero.",
        "If the bytes never arrived, the model loads and answers nonsense.",
        "Compare the SHA-256 with the publisher's. Biases and unused rows may be zero for good reason.",
        "4 MiB of zeros in blk.17.ffn_down.weight"},
}};

constexpr bool eachRowIsItsRule()
{
    for (std::size_t i = 0; i < kRules.size(); ++i) {
        if (static_cast<std::size_t>(kRules[i].rule) != i || kRules[i].code.empty() || kRules[i].title.empty()
            || kRules[i].title.back() == '.' || kRules[i].meaning.empty() || kRules[i].consequence.empty()
            || kRules[i].remedy.empty() || kRules[i].example.empty())
            return false;
    }
    return true;
}
static_assert(eachRowIsItsRule(), "row i of the catalogue must be rule i, with all its texts");

} // namespace

const RuleInfo& ruleInfo(Rule rule)
{
    return kRules[static_cast<std::size_t>(rule)];
}

const RuleInfo* findRule(std::string_view code)
{
    const auto row = std::ranges::find(kRules, code, &RuleInfo::code);
    return row == kRules.end() ? nullptr : &*row;
}

std::span<const RuleInfo> allRules()
{
    return kRules;
}

std::string_view severityName(Severity severity)
{
    switch (severity) {
    case Severity::Error:
        return "error";
    case Severity::Warning:
        return "warning";
    case Severity::Note:
        return "note";
    }
    return {};
}

} // namespace gguf
