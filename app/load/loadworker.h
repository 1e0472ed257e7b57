// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "document/document.h"
#include "load/filestamp.h"
#include "load/mailbox.h"
#include "load/pathnote.h"

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

/// What the worker has to tell since it was last listened to. Standard C++ only.
struct LoadNews
{
    std::shared_ptr<const gguf::ByteSource> source; ///< once the file is open
    FileStamp stamp; ///< of the file just before it was opened; goes with `source`
    std::optional<PathNote> note; ///< of the path, whether it can be opened or not
    std::optional<gguf::Document> document; ///< the newest snapshot
    std::uint64_t bytesRead = 0;
    bool parsed = false; ///< `document` is finished but for the Problems of inspectData
    bool inspected = false; ///< the last news
    std::optional<gguf::IoError> failure; ///< the last news: could not be opened, parsed, or inspected
};

using LoadMailbox = Mailbox<LoadNews>;

/// One load: what the worker owns or shares. Nothing in it belongs to the window.
struct LoadOrder
{
    std::filesystem::path path; ///< opened by the worker, since an open may hang; unused where a source is given
    std::shared_ptr<const gguf::ByteSource> source;
    std::string fileName; ///< see ParseOptions
    std::stop_token stop;
    std::shared_ptr<LoadMailbox> mailbox;
    std::shared_ptr<std::atomic<std::uint64_t>> refused; ///< counts news that the closed mailbox refused
};

/// Opens, parses and inspects on the calling thread, and posts news until it is done or stopped.
void runLoad(const LoadOrder& order);

/// Posts that a load came to no end.
void failLoad(const LoadOrder& order, const std::string& sentence);
