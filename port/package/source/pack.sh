#!/bin/sh
# SPDX-License-Identifier: MIT
# The whole tree, as a clone has it: for make, CMake and Meson, with the tests.
set -eu
if [ -e .git ]; then
	git ls-files -z >"$1.list"
else
	# What was built elsewhere in the tree would be packed.
	case $1 in
	"$PWD"/build/*) ;;
	"$PWD"/*)
		echo "pack.sh: a tree without git packs itself into build/ or outside of it" >&2
		exit 1
		;;
	esac
	find . -path ./build -prune -o -type f -print0 >"$1.list"
fi
tar -cf "$1.tar" --null -T "$1.list" # no pipe: it would hide that a file is missing
tar -xf "$1.tar" -C "$1"
rm "$1.list" "$1.tar"
