// SPDX-License-Identifier: GPL-3.0-or-later
#include "io/filesource.h"

#include <algorithm>
#include <system_error>

#ifdef _WIN32
#define NOMINMAX
#include <windows.h>
#else
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace gguf {

namespace {

IoError systemError(int code)
{
    return {code, std::system_category().message(code)};
}

} // namespace

#ifdef _WIN32

std::variant<std::shared_ptr<const FileSource>, IoError> FileSource::open(const std::filesystem::path& path)
{
    const HANDLE handle = CreateFileW(path.c_str(), GENERIC_READ,
        FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr, OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr);
    if (handle == INVALID_HANDLE_VALUE)
        return systemError(static_cast<int>(GetLastError()));
    if (GetFileType(handle) != FILE_TYPE_DISK) {
        CloseHandle(handle);
        return IoError{-1, "This is a device, not a file."};
    }
    LARGE_INTEGER size;
    if (!GetFileSizeEx(handle, &size)) {
        const int code = static_cast<int>(GetLastError());
        CloseHandle(handle);
        return systemError(code);
    }
    std::shared_ptr<FileSource> source(new FileSource);
    source->m_handle = handle;
    source->m_size = static_cast<std::uint64_t>(size.QuadPart);
    return source;
}

FileSource::~FileSource()
{
    CloseHandle(m_handle);
}

ReadResult FileSource::read(std::uint64_t offset, std::span<std::byte> into) const
{
    ReadResult result;
    while (result.bytes < into.size()) {
        const std::uint64_t at = offset + result.bytes;
        OVERLAPPED place{};
        place.Offset = static_cast<DWORD>(at);
        place.OffsetHigh = static_cast<DWORD>(at >> 32);
        const DWORD wanted = static_cast<DWORD>(std::min<std::size_t>(into.size() - result.bytes, 1u << 30));
        DWORD got = 0;
        if (!ReadFile(m_handle, into.data() + result.bytes, wanted, &got, &place)) {
            const DWORD code = GetLastError();
            if (code != ERROR_HANDLE_EOF)
                result.error = systemError(static_cast<int>(code));
            break;
        }
        if (got == 0)
            break;
        result.bytes += got;
    }
    return result;
}

std::uint64_t FileSource::currentSize() const
{
    LARGE_INTEGER size;
    return GetFileSizeEx(m_handle, &size) ? static_cast<std::uint64_t>(size.QuadPart) : m_size;
}

#else

std::variant<std::shared_ptr<const FileSource>, IoError> FileSource::open(const std::filesystem::path& path)
{
    // O_NONBLOCK: opening a FIFO without a writer must not wait; it has no effect on regular files.
    int descriptor = -1;
    do {
        descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    } while (descriptor < 0 && errno == EINTR);
    if (descriptor < 0)
        return systemError(errno);

    struct stat info;
    if (::fstat(descriptor, &info) != 0) {
        const int code = errno;
        ::close(descriptor);
        return systemError(code);
    }
    if (!S_ISREG(info.st_mode)) {
        ::close(descriptor);
        if (S_ISDIR(info.st_mode))
            return IoError{EISDIR, "This is a folder, not a file."};
        if (S_ISFIFO(info.st_mode))
            return IoError{-1, "This is a named pipe, which cannot be read at positions. Save it to a file first."};
        return IoError{-1, "This is a device or socket, not a file."};
    }
    std::shared_ptr<FileSource> source(new FileSource);
    source->m_descriptor = descriptor;
    source->m_size = static_cast<std::uint64_t>(info.st_size);
    return source;
}

FileSource::~FileSource()
{
    ::close(m_descriptor);
}

ReadResult FileSource::read(std::uint64_t offset, std::span<std::byte> into) const
{
    ReadResult result;
    if (offset > static_cast<std::uint64_t>(INT64_MAX) - into.size())
        return result; // no file is that long
    while (result.bytes < into.size()) {
        const ssize_t got = ::pread(m_descriptor, into.data() + result.bytes, into.size() - result.bytes,
            static_cast<off_t>(offset + result.bytes));
        if (got < 0) {
            if (errno == EINTR)
                continue;
            result.error = systemError(errno);
            break;
        }
        if (got == 0)
            break;
        result.bytes += static_cast<std::size_t>(got);
    }
    return result;
}

std::uint64_t FileSource::currentSize() const
{
    struct stat info;
    return ::fstat(m_descriptor, &info) == 0 ? static_cast<std::uint64_t>(info.st_size) : m_size;
}

#endif

} // namespace gguf
