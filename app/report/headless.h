// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "report/commandline.h"
#include "report/htmlreport.h"

class Output;

/// Exit statuses of the headless modes; over several files the largest counts.
enum ExitStatus
{
    ExitOk = 0, ///< no errors
    ExitErrors = 1, ///< errors were found, or the two files differ
    ExitTrouble = 2, ///< a file could not be read or is not GGUF, or the arguments make no sense
};

/// Does what any mode but Window asks for, and returns the exit status. Reports go to `out`, complaints to
/// `err`. `color` paints the page of --audit-html.
int runHeadless(
    const CommandLine& line, Output& out, Output& err, const HtmlReport::TypeColor& color = {});
