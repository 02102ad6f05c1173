#!/bin/sh
# SPDX-License-Identifier: MIT
# join.sh FOLDER: writes the library into FOLDER as quash.h, all public headers, and quash.c, everything else. A file that
# another one includes stands in its place, once. Every function that a header declares has QUASH_API or QUASH_PRIVATE before it.
set -eu
LC_ALL=C
export LC_ALL
folder=$1
cd "$(dirname "$0")/../.."
version=$(sh port/package/version.sh)
mkdir -p "$folder"

# The files named, with what they include; what the headers of `known` hold is left out. `linkage` stands before each function
# that a header declares.
join() {
	linkage=$1
	known=$2
	shift 2
	awk -v linkage="$linkage" -v known="$known" '
		function plain(path) {
			while (sub(/[^\/]+\/\.\.\//, "", path)) {}
			return path
		}
		function name_in(line) {
			return match(line, /"[^"]*"/) ? substr(line, RSTART + 1, RLENGTH - 2) : ""
		}
		function declares(line) {
			return line ~ /^[a-z][a-z0-9_ *]*quash_[a-z0-9_]+\(/ && line !~ /^(typedef|static|extern) /
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
				else if (show && line !~ /^\/\* SPDX-License-Identifier: MIT \*\/$/)
					print (path ~ /h$/ && declares(line) ? linkage " " : "") line
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
	cat <<'END'

/** Internal linkage, for what may be left unused. */
#ifdef __GNUC__
#define QUASH_STATIC static __attribute__((unused))
#else
#define QUASH_STATIC static
#endif

/** Stands before every function of the library. A program of one file that includes quash.h, and quash.c behind it, defines it
 * as QUASH_STATIC before: then what it does not call is never compiled, and what it calls once stands where it is called.
 * Everywhere else it is nothing. */
#ifndef QUASH_API
#ifdef QUASH_THE_CONFIG
#define QUASH_API QUASH_STATIC
#else
#define QUASH_API
#endif
#endif
END
	join QUASH_API '' include/quash.h
} >"$folder/quash.h"
{
	echo '/* SPDX-License-Identifier: MIT'
	echo " * quash $version in one file, made of src/. */"
	cat <<'END'
#include "quash.h"

/* Stands before every function that only the library itself calls. */
#ifndef QUASH_PRIVATE
#define QUASH_PRIVATE QUASH_STATIC
#endif
END
	join QUASH_PRIVATE include/quash.h src/*/*.c
} >"$folder/quash.c.new"
mv "$folder/quash.c.new" "$folder/quash.c"
