#!/bin/sh
# SPDX-License-Identifier: MIT
# version.sh [VERSION]: prints the version that include/quash/version.h names. With a VERSION, MAJOR.MINOR.PATCH or the same with -dev,
# writes that there, and into each page that names the one before in an archive, a program's line or a name of the linker.
set -eu
cd "$(dirname "$0")/../.."
header=include/quash/version.h

named() {
	sed -n 's/^#define QUASH_VERSION_[A-Z]* \([0-9][0-9]*\)$/\1/p' "$header" | paste -s -d . - | sed 's/\.0$//; t; s/\.1$/-dev/'
}

# What a program asks for, MAJOR.MINOR.
minor() {
	echo "$1" | cut -d . -f 1,2
}

# How each of the two would be written in a name of the linker.
linked() {
	echo "$1" | tr .- __
}

if [ $# -eq 0 ]; then
	named
	exit
fi
numbers=${1%-dev}
if [ "$(echo "$numbers" | sed -E 's/^(0|[1-9][0-9]*)(\.(0|[1-9][0-9]*)){2}$/well/')" != well ]; then
	echo "version.sh: $1 is neither MAJOR.MINOR.PATCH nor the same with -dev" >&2
	exit 2
fi
old=$(named)
set -- "$1" $(echo "$numbers" | tr . ' ') "$([ "$1" = "$numbers" ] && echo 0 || echo 1)"
for part in MAJOR:$2 MINOR:$3 PATCH:$4 DEV:$5; do
	sed "s/^\(#define QUASH_VERSION_${part%:*}\) [0-9]*\$/\1 ${part#*:}/" "$header" >"$header.new"
	mv "$header.new" "$header"
done
for page in "$header" README.md docs/*.md port/*/README.md port/package/*/README.md boards/wasm/*.mjs; do
	sed -E "s/(find_package\(quash |dependency\('quash[a-z-]*', version: '>=)$(minor "$old" | sed 's/\./\\./')/\\1$(minor "$1")/g; s/\b(quash-([a-z-]+-)?|quash-[a-z]+ )$(echo "$old" | sed 's/\./\\./g')/\\1$1/g; s/_$(linked "$old")_size/_$(linked "$1")_size/g" "$page" >"$page.new"
	cmp -s "$page" "$page.new" && rm "$page.new" || mv "$page.new" "$page"
done
