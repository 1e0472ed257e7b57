// SPDX-License-Identifier: GPL-3.0-or-later
#include "io/largememory.h"

#include <new>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace gguf {

namespace {

constexpr std::align_val_t kHugePage{std::size_t{2} << 20};

bool isLarge(std::size_t size)
{
#ifdef __linux__
    // Whole pages only: a part of one would be memory that nobody uses.
    return size != 0 && size % static_cast<std::size_t>(kHugePage) == 0;
#else
    static_cast<void>(size);
    return false;
#endif
}

} // namespace

void* allocateLarge(std::size_t size)
{
    if (!isLarge(size))
        return ::operator new(size);
    void* const memory = ::operator new(size, kHugePage);
#ifdef __linux__
    ::madvise(memory, size, MADV_HUGEPAGE); // a wish: small pages serve as well
#endif
    return memory;
}

void freeLarge(void* memory, std::size_t size) noexcept
{
    if (isLarge(size))
        ::operator delete(memory, kHugePage);
    else
        ::operator delete(memory);
}

std::shared_ptr<std::byte[]> allocateLargeBytes(std::size_t size)
{
    return {static_cast<std::byte*>(allocateLarge(size)), [size](std::byte* memory) { freeLarge(memory, size); }};
}

} // namespace gguf
