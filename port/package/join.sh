#!/bin/sh
# SPDX-License-Identifier: MIT
# join.sh FOLDER: writes the library into FOLDER as quash.h, all public headers, and quash.c, everything else. A file that
# another one includes stands in its place, once.
set -eu
LC_ALL=C
export LC_ALL
folder=$1
cd "$(dirname "$0")/../.."
version=$(sh port/package/version.sh)
mkdir -p "$folder"

# The files named, with what they include; what the headers of `known` hold is left out.
join() {
	known=$1
	shift
	awk -v known="$known" '
		function plain(path) {
			while (sub(/[^\/]+\/\.\.\//, "", path)) {}
			return path
		}
		function name_in(line) {
			return match(line, /"[^"]*"/) ? substr(line, RSTART + 1, RLENGTH - 2) : ""
		}
		function put(path, show,    line, folder, name) {
			if (path in seen) return
			seen[path] = 1
			folder = path
			sub(/[^\/]*$/, "", folder)
			if (show) print "\n/* === " path " */\n"
			while ((got = getline line < path) > 0) {
				name = line ~ /^[ \t]*#[ \t]*include/ ? name_in(line) : ""
				if (name != "") put(plain(folder name), show)
				else if (show && line !~ /^\/\* SPDX-License-Identifier: MIT \*\/$/) print line
			}
			if (got < 0) exit 1
			close(path)
		}
		BEGIN {
			if (known != "") put(known, 0)
			for (i = 1; i < ARGC; i++) put(ARGV[i], 1)
		}' "$@"
}

{
	echo '/* SPDX-License-Identifier: MIT'
	echo " * quash $version in one header, made of include/. */"
	join '' include/quash.h
} >"$folder/quash.h"
{
	echo '/* SPDX-License-Identifier: MIT'
	echo " * quash $version in one file, made of src/. */"
	echo '#include "quash.h"'
	join include/quash.h src/*/*.c
} >"$folder/quash.c.new"
mv "$folder/quash.c.new" "$folder/quash.c"
