#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds GGUF Inspector and opens it on the files given, or on the bundled sample model.
# Without a display it prints the report instead.
# usage: app/run.sh [FILE...]
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
if [ $# -eq 0 ]; then
    set -- "$root/resources/samples/sample-llama-q4_k_m.gguf"
fi

"$root/tools/packages.sh" app
( cd "$root" && cmake --preset release && cmake --build --preset release ) >&2

program="$root/build/release/app/gguf-inspector"
if [ -n "${DISPLAY-}${WAYLAND_DISPLAY-}" ]; then
    exec "$program" "$@"
fi
echo 'There is no display (neither DISPLAY nor WAYLAND_DISPLAY is set): here is the report instead.' >&2
exec "$program" --check "$@"
