// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "format/valuetype.h"
#include "io/byteorder.h"
#include "io/byterange.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

namespace gguf {

class Document;

/// A metadata value or array element where it lies in the document; decoded when asked.
/// Valid as long as the Document (or a copy of it) lives. Cheap to copy.
class ValueView
{
public:
    ValueView(const Document& document, ValueType type, ByteRange range, bool complete);

    ValueType type() const { return m_type; }
    /// The value's bytes in the file: a string's with its length, an array's with type and count.
    ByteRange range() const { return m_range; }
    /// False where the file ended or could not be followed inside this value; what is there is still shown.
    bool complete() const { return m_complete; }

    /// The stored scalar, widened. For types other than String and Array; 0 where bytes are missing.
    std::uint64_t asUnsigned() const; ///< integer and bool types, two's complement bits of signed ones
    std::int64_t asSigned() const; ///< integer and bool types
    double asDouble() const; ///< Float32, Float64, and integers converted

    /// The string's bytes as stored, not checked. Empty for other types. A string too long to
    /// be kept in memory is cut: then stringLength() is larger.
    std::string_view asString() const;
    std::uint64_t stringLength() const; ///< stated length in bytes

    // Arrays
    std::uint32_t elementTypeId() const; ///< as stored, perhaps no value type
    std::uint64_t count() const; ///< as stated in the file
    std::uint64_t available() const; ///< elements that are really there; at most count()
    /// Element `index` < available(). Constant time for scalars, else a walk over at most
    /// Document::kArrayStride elements from the nearest indexed one.
    ValueView element(std::uint64_t index) const;
    /// The element that follows another of this array; for walks over all of them.
    ValueView elementAfter(const ValueView& element) const;

    /// One line for people: numbers exactly, strings made visible, arrays as "[3 x str] a, b, c"; cut to
    /// about maxBytes. Safe to show and print.
    std::string text(std::size_t maxBytes = 200) const;

private:
    const std::byte* data() const;

    const Document* m_document;
    ValueType m_type;
    bool m_complete;
    ByteRange m_range;
};

} // namespace gguf
