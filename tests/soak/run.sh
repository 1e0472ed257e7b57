#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Opens 500 files in one process and sees that memory does not grow: with a plain build, then under AddressSanitizer.
# usage: tests/soak/run.sh [FOLDER...]     (default: the bundled samples, and $GGUF_CORPUS_DIR and $GGUF_MODELS_DIR)
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
"$root/tools/packages.sh" tests
cd "$root"
[ $# -gt 0 ] || set -- resources/samples ${GGUF_CORPUS_DIR:+"$GGUF_CORPUS_DIR"} ${GGUF_MODELS_DIR:+"$GGUF_MODELS_DIR"}
export QT_QPA_PLATFORM=offscreen LC_ALL=C.UTF-8
# One arena: what glibc keeps in those of threads that have ended is not held by the program.
export MALLOC_ARENA_MAX=1
export LSAN_OPTIONS="suppressions=$root/tests/support/leaks.supp:print_suppressions=0"
for preset in debug asan; do
    cmake --preset "$preset" && cmake --build --preset "$preset" --target soak
    echo "== $preset"
    "build/$preset/tests/soak/soak" 500 "$@"
done
