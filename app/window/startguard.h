// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

/// While it lives, a fatal message of Qt ends the program with one line and ExitTrouble instead of an abort: so a
/// display that cannot be reached is no crash. Other messages of Qt wait until it ends. To be around the making of the
/// QApplication. Where programs with windows have no error output (Windows, macOS), does nothing.
class StartGuard
{
public:
    StartGuard();
    ~StartGuard();
    StartGuard(const StartGuard&) = delete;
    StartGuard& operator=(const StartGuard&) = delete;
};
