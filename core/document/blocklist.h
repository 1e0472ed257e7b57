// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <memory>
#include <vector>

namespace gguf {

/// An append-only list whose copies are cheap and share their elements.
///
/// Elements live in blocks that never move. A copy sees the elements there were when it was
/// made; the one writer may go on appending, since it only touches slots beyond every copy's
/// size. So a copy can be handed to another thread and read there without a lock.
template <class T, std::size_t BlockLength = 1024>
class BlockList
{
public:
    std::size_t size() const { return m_size; }
    bool empty() const { return m_size == 0; }

    const T& operator[](std::size_t index) const
    {
        assert(index < m_size);
        return m_blocks[index / BlockLength][index % BlockLength];
    }
    const T& back() const { return (*this)[m_size - 1]; }

    /// For the writer alone, and only before the element was shown to a reader.
    T& lastForWriting() { return m_blocks[(m_size - 1) / BlockLength][(m_size - 1) % BlockLength]; }

    /// For the writer alone: another value for the last element, which readers of older copies do not see.
    void replaceLast(T value)
    {
        const std::size_t before = (m_size - 1) % BlockLength;
        const std::shared_ptr<T[]> block(new T[BlockLength]);
        std::copy_n(m_blocks.back().get(), before, block.get());
        block.get()[before] = std::move(value);
        m_blocks.back() = block;
    }

    void push_back(T value)
    {
        if (m_size % BlockLength == 0)
            m_blocks.push_back(std::shared_ptr<T[]>(new T[BlockLength]));
        m_blocks[m_size / BlockLength][m_size % BlockLength] = std::move(value);
        ++m_size;
    }

private:
    std::vector<std::shared_ptr<T[]>> m_blocks;
    std::size_t m_size = 0;
};

} // namespace gguf
