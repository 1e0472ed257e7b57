// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/output.h"

#include <cerrno>

void Output::flush()
{
    if (m_text) {
        m_text->append(m_buffer);
    } else if (!failed()) {
        errno = 0;
        const bool written = std::fwrite(m_buffer.data(), 1, m_buffer.size(), m_stream) == m_buffer.size()
            && std::fflush(m_stream) == 0;
        if (!written)
            m_errno = errno != 0 ? errno : EIO;
    }
    m_buffer.clear();
}
