#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds the benchmarks and prints one line for each measure, tab-separated: name, ratio, target, input;
# then the machine and the build. Generated inputs go to $GGUF_BENCH_DIR (about 500 MB on disk).
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
"$root/tools/packages.sh" bench
cd "$root"
( cmake --preset bench && cmake --build --preset bench ) >&2
build/bench/tests/bench/ratios
build/bench/tests/bench/bench_datascan --ratios
if [ -x build/bench/tests/bench/ratios_gui ]; then
    QT_QPA_PLATFORM=offscreen build/bench/tests/bench/ratios_gui build/bench/tests/bench/smallest
fi
printf 'machine\t%s\t%s cores\t%s\n' "$(uname -srm)" "$(nproc)" \
    "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1)"
printf 'build\t%s\t%s\t%s\n' "$(git describe --always --dirty 2>/dev/null || echo unknown)" \
    "$(sed -n 's/^CMAKE_BUILD_TYPE:[^=]*=//p' build/bench/CMakeCache.txt)" "$(c++ --version | head -1)"
