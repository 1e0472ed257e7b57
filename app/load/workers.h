// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <exception>
#include <functional>
#include <string>

/// Threads that nobody waits for. Standard C++ only.
///
/// A worker may hang in a read on a dead disk for ever, so it is never joined. It may hold only what it owns itself
/// or shares by a shared_ptr.
namespace Workers {

/// Where `work` throws, as it does for want of memory, the program goes on: `failed` is then told why, in one sentence,
/// on the worker's thread. So it is, at once and here, where no thread can be started.
void run(std::function<void()> work, std::function<void(const std::string& sentence)> failed);

/// What is said of work that threw `error`: one sentence.
std::string failureSentence(const std::exception& error);

/// Waits until no worker runs any more, at most so long. For the end of the program alone: where it is false, the
/// program must end by std::_Exit, since the worker still uses what exit() would take down.
bool waitForAll(std::chrono::milliseconds most);

} // namespace Workers
