// SPDX-License-Identifier: GPL-3.0-or-later
#include "parse/problem.h"

#include <utility>

namespace gguf {

std::string problemMessage(const Problem& problem)
{
    std::string message(ruleInfo(problem.rule).title);
    const char* separator = " (";
    for (const auto& [label, text] :
        {std::pair("found: ", &problem.found), std::pair("expected: ", &problem.expected)}) {
        if (text->empty())
            continue;
        message += separator;
        message += label;
        message += *text;
        separator = "; ";
    }
    message += *separator == ';' ? ")." : ".";
    return message;
}

} // namespace gguf
