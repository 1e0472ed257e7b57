#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what is missing, builds, and runs all tests.
# usage: tests/run.sh [PRESET]     (debug, asan, tsan; default debug)
# GGUF_CORPUS_DIR and GGUF_MODELS_DIR name folders of judged and real files, if there are any.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
preset=${1-debug}
jobs=$(nproc 2>/dev/null || echo 2)

"$root/tools/packages.sh" tests
cd "$root"
cmake --preset "$preset" -DGGUF_CORPUS_DIR="${GGUF_CORPUS_DIR-}" -DGGUF_MODELS_DIR="${GGUF_MODELS_DIR-}"
cmake --build --preset "$preset"
ctest --preset "$preset" -j "$jobs"
