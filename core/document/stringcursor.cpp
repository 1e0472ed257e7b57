// SPDX-License-Identifier: GPL-3.0-or-later
#include "document/stringcursor.h"

namespace gguf {

StringCursor::StringCursor(const Document& document, const ValueView& array)
    : m_document(&document)
    , m_offset(array.available() > 0 ? array.element(0).range().offset : 0)
{
}

std::string_view StringCursor::next()
{
    const std::uint32_t head = m_document->header()->countBytes;
    const auto length = [&]() -> std::uint64_t {
        if (m_bytes.size() < head)
            return UINT64_MAX;
        return head == 4 ? loadAs<std::uint32_t>(m_bytes.data(), m_document->byteOrder())
                         : loadAs<std::uint64_t>(m_bytes.data(), m_document->byteOrder());
    };
    std::uint64_t bytes = length();
    if (m_bytes.size() < head || bytes > m_bytes.size() - head) {
        m_bytes = m_document->bytesFrom(m_offset); // the next piece of the image
        bytes = length();
        if (m_bytes.size() < head)
            return {};
        if (bytes > m_bytes.size() - head) {
            m_bytes = {};
            m_offset += head + bytes;
            return {};
        }
    }
    const std::string_view text{reinterpret_cast<const char*>(m_bytes.data()) + head, static_cast<std::size_t>(bytes)};
    m_bytes = m_bytes.subspan(head + static_cast<std::size_t>(bytes));
    m_offset += head + bytes;
    return text;
}

} // namespace gguf
