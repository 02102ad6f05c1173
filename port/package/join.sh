#!/bin/sh
# SPDX-License-Identifier: MIT
# join.sh FOLDER: writes the library into FOLDER as quash.h, all public headers, and quash.c, everything else. Beside them stands
# quash_tools.h, and as quash_rest.h what quash.h has besides that: who packs both headers packs the rest as quash.h. A file that
# another one includes stands in its place, once. Every function that a header declares has QUASH_API or QUASH_PRIVATE before it,
# every constant QUASH_CONSTANT.
# What is static in a FILE of src/ is named quash_own_FILE_... in quash.c, as are enumerators, tags and macros there.
# So a program that includes quash.c may name things as it likes.
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
			return line ~ /^([a-z][a-z0-9_ *]*quash_[a-z0-9_]+\(|quash_[a-z_]+ quash_[a-z0-9_]+[,;])/ && line !~ /^(typedef|static|extern) /
		}
		function linked(path, line) {
			if (path ~ /h$/ && sub(/^extern const /, "const ", line)) return (line ~ /QUASH_THE_CONFIG/ ? "extern " : "QUASH_CONSTANT ") line
			if (path ~ /c$/ && line ~ /^const .* = [{"]/) return "QUASH_CONSTANT_IS " line
			return (path ~ /h$/ && declares(line) ? linkage " " : "") line
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
					print linked(path, line)
			}
			if (got < 0) exit 1
			close(path)
		}
		BEGIN {
			if (known != "") put(known, 0)
			for (i = 1; i < ARGC; i++) put(ARGV[i], 1)
		}' "$@"
}

# What only the one file knows: static functions and constants, enumerators, tags and macros of each source, and enumerators and
# macros of headers. File and name, one a line.
own_names() {
	awk '
		function own(name) {
			if (name !~ /^(quash_|QUASH_)/ && (!header || name ~ /^[A-Z]/)) print header ? "any" : FILENAME, name
		}
		function enumerators(list,    n, i, words) {
			gsub(/\/\*.*/, "", list)
			n = split(list, words, ",")
			for (i = 1; i <= n; i++)
				if (match(words[i], /^[ \t]*[A-Z][A-Z0-9_]*/)) {
					gsub(/[ \t]/, "", words[i])
					sub(/=.*/, "", words[i])
					own(words[i])
				}
		}
		FNR == 1 {
			open = 0
			header = FILENAME ~ /h$/
		}
		/^(QUASH_NOINLINE )?static / {
			line = $0
			sub(/[=;{].*/, "", line)
			sub(/[(\[].*/, "", line)
			n = split(line, words, /[ *]+/)
			while (n > 0 && words[n] == "") n--
			own(words[n])
		}
		/^#define / {
			sub(/\(.*/, "", $2)
			own($2)
		}
		/^(struct|union|enum) [a-z0-9_]+ \{/ { own($2) }
		open { enumerators($0) }
		/^enum .*\{/ {
			list = $0
			sub(/^[^{]*\{/, "", list)
			enumerators(list)
			open = 1
		}
		/\}/ { open = 0 }' src/*/*.[ch]
}

# Puts quash_own_FILE_ before these names, or quash_own_ before those of headers, but in texts, comments and members. Reads the names, an empty line, and the source.
own() {
	awk '
		function renamed(name, before) {
			if (before ~ /(\.|->|\(\*|offsetof\([a-z_ ]*, )$/) return name
			return (file, name) in names ? prefix name : ("any", name) in names ? "quash_own_" name : name
		}
		names_read != 1 { if ($0 == "") names_read = 1; else names[$1, $2] = 1; next }
		/^\/\* === .*\.c / {
			file = $3
			prefix = "quash_own_" file "_"
			gsub(/[a-z]+\/|\.c/, "", prefix)
		}
		{
			rest = $0
			line = ""
			while (rest != "") {
				if (inside) found = match(rest, /\*\//)
				else found = match(rest, /"([^"\\]|\\.)*"|'\''([^'\''\\]|\\.)+'\''|\/\*|[A-Za-z_][A-Za-z0-9_]*/)
				if (!found) break
				line = line substr(rest, 1, RSTART - 1)
				token = substr(rest, RSTART, RLENGTH)
				rest = substr(rest, RSTART + RLENGTH)
				if (token == "/*" || token == "*/") inside = !inside
				else token = renamed(token, line)
				line = line token
			}
			print line rest
		}'
}

# What stands before the declarations of a header that begins the library.
linkage() {
	cat <<'END'

#ifndef QUASH_STATIC
/** Stands before every function of the library. A program of one file that includes quash.h, and quash.c behind it, defines it
 * as QUASH_STATIC before: then what it does not call is never compiled, and what it calls once stands where it is called.
 * Where QUASH_THE_CONFIG names the config, C has that by itself. Everywhere else it is nothing. */
#if !defined QUASH_API && defined QUASH_THE_CONFIG && !defined __cplusplus
#define QUASH_API QUASH_STATIC
#elif !defined QUASH_API
#define QUASH_API
#endif

/* The same before constants, where a compiler takes one whose type it learns later; with what they name they are left out. */
#define QUASH_STATIC 1
#if QUASH_API - 0 == 1 && defined __GNUC__ && !defined __clang__ && !defined __cplusplus
#define QUASH_CONSTANT __extension__ static __attribute__((unused))
#define QUASH_CONSTANT_IS static
#else
#define QUASH_CONSTANT extern
#define QUASH_CONSTANT_IS
#endif
#undef QUASH_STATIC

/** Internal linkage, for what may be left unused. */
#ifdef __GNUC__
#define QUASH_STATIC static __attribute__((unused))
#else
#define QUASH_STATIC static
#endif
#endif
END
}

titled() {
	echo '/* SPDX-License-Identifier: MIT'
	echo " * quash $version$1. */"
}

{
	titled ' in one header, made of include/'
	linkage
	join QUASH_API '' include/quash.h
} >"$folder/quash.h.$$"
{
	titled ': a server of tools, made of include/'
	linkage
	join QUASH_API '' include/quash_tools.h
} >"$folder/quash_tools.h.$$"
{
	titled ': all but what quash_tools.h has, made of include/'
	echo '#include "quash_tools.h"'
	join QUASH_API include/quash_tools.h include/quash.h
} >"$folder/quash_rest.h.$$"
{
	titled ' in one file, made of src/'
	cat <<'END'
#include "quash.h"

/* Stands before every function that only the library itself calls. */
#ifndef QUASH_PRIVATE
#define QUASH_PRIVATE QUASH_API
#endif
END
	cat <<'END'

/* A program that includes this may name things as variables are named here. Where the config is known, so is what functions
 * that it never calls would find there: nothing. */
#ifdef __GNUC__
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#ifdef QUASH_THE_CONFIG
#pragma GCC diagnostic ignored "-Warray-bounds"
#endif
#endif
END
	{ own_names; echo; join QUASH_PRIVATE include/quash.h src/*/*.c; } | own
	cat <<'END'

#ifdef __GNUC__
#pragma GCC diagnostic pop
#endif
END
} >"$folder/quash.c.$$"
for name in quash.h quash_tools.h quash_rest.h quash.c; do
	mv "$folder/$name.$$" "$folder/$name"
done
