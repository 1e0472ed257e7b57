#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what is missing to build the program, test it, or run the whole pipeline. Debian and Ubuntu.
# usage: tools/packages.sh app|tests|bench|ci
# With everything there already, nothing is called and no rights are needed.
set -eu

app='g++ cmake ninja-build qt6-base-dev qt6-charts-dev libqt6opengl6-dev libgl1-mesa-dev qt6-svg-dev libfmt-dev'
tests="$app desktop-file-utils appstream shared-mime-info libxml2-utils"
case "${1-}" in
app) packages=$app ;;
tests) packages=$tests ;;
bench) packages="$app libbenchmark-dev" ;;
ci) packages="$tests libbenchmark-dev clang-14 libclang-rt-14-dev xvfb xauth x11-utils" ;;
*) echo "usage: $0 app|tests|bench|ci" >&2; exit 2 ;;
esac

like=
[ -r /etc/os-release ] && like=$(. /etc/os-release && echo "${ID-} ${ID_LIKE-}")
case " $like " in
*' debian '* | *' ubuntu '*) ;;
*)
    echo "This is neither Debian nor Ubuntu, so nothing is installed. Needed: a C++20 compiler, CMake 3.25," >&2
    echo "Ninja, fmt 9, and Qt 6.4 or newer with Widgets, Charts, Svg and Test. Going on in the hope that they are there." >&2
    exit 0
    ;;
esac

missing=
for package in $packages; do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing="$missing $package"
done
[ -z "$missing" ] && exit 0

if [ "$(id -u)" = 0 ]; then
    as_root=env
elif command -v sudo >/dev/null; then
    as_root='sudo env'
else
    echo "These packages are missing, and there is no sudo to install them. As root:" >&2
    echo "    apt-get install$missing" >&2
    exit 1
fi
echo "Installing:$missing"
$as_root apt-get update -q
# shellcheck disable=SC2086
$as_root DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $missing
