// SPDX-License-Identifier: GPL-3.0-or-later
#include "parse/problem.h"

namespace gguf {

std::string problemMessage(const Problem& problem)
{
    std::string message(ruleInfo(problem.rule).title);
    const char* separator = ": ";
    if (!problem.found.empty()) {
        message += separator;
        message += "found ";
        message += problem.found;
        separator = ", ";
    }
    if (!problem.expected.empty()) {
        message += separator;
        message += "expected ";
        message += problem.expected;
    }
    message += '.';
    return message;
}

} // namespace gguf
