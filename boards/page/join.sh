#!/bin/sh
# SPDX-License-Identifier: MIT
# join.sh served FILE          writes the page that the bridge serves
# join.sh file FILE ENGINE     writes the page that stands alone, with the worker and ENGINE, a module of WebAssembly, both gzipped, in base64
#
# A line of page.html that is `@policy@`, `@style@`, `@script@`, `@worker@`, `@engine@` or `@licenses@` gives way to what it names. Lines between
# `@served@` or `@file@` and `@end@` are those of one of both pages alone. `order` names the modules of the page, one a line, in the order
# in which they are joined, and worker/order those of the worker. Behind a name may stand `served` or `file`.
# A module imports by lines as `import { a, b } from './c.mjs';`, of modules that stand above it. Names are unique in what is
# joined: as it is one module, whatever reads it refuses others. Lines that are comments alone are left out.
set -eu
LC_ALL=C
export LC_ALL

refuse() {
	echo "join.sh: $*" >&2
	exit 1
}

absolute() {
	case $1 in
	/*) echo "$1" ;;
	*) echo "$PWD/$1" ;;
	esac
}

if [ $# = 2 ] && [ "$1" = served ]; then
	engine=
elif [ $# = 3 ] && [ "$1" = file ]; then
	engine=$(absolute "$3")
	[ -r "$engine" ] || refuse "$3 is not there: \`make wasm\` builds it"
else
	refuse 'served FILE, or file FILE ENGINE'
fi
page=$1
out=$(absolute "$2")
cd "$(dirname "$0")"
mkdir -p "$(dirname "$out")"
made=$out.$$
trap 'rm -rf "$made"' EXIT
trap 'exit 1' HUP INT TERM
mkdir "$made"

# The modules that FOLDER/order names, as one.
join() {
	awk -v page="$page" -v folder="$1" '
		function refuse(words) {
			print "join.sh: " words | "cat >&2"
			refused = 1
			exit 1
		}
		function named(path) {
			sub(/.*\//, "", path)
			return path
		}
		function imports(path, line,    from) {
			if (line !~ /^import \{ [A-Za-z0-9_$, ]+ \} from \047\.[^\047]*\047;$/ || line ~ / as /)
				refuse(path ": not as imports are written here: " line)
			from = line
			sub(/.* from \047/, "", from)
			sub(/\047;$/, "", from)
			if (!(named(from) in known)) refuse(path ": " named(from) " does not stand above it in " folder "/order")
		}
		# Of lines that are comments and nothing else.
		function is_comment(line) {
			if (!inside && line !~ /^[\t ]*\/\*/) return 0
			inside = !index(line, "*/")
			sub(/^[^*]*(\*+[^*\/][^*]*)*\*+\//, "", line)
			return inside || line ~ /^[\t ]*$/
		}
		function put(path,    line, got, count) {
			inside = 0
			while ((got = (getline line < path)) > 0) {
				count++
				if (index(line, "\r")) refuse(path ": lines end with a carriage return")
				if (tolower(line) ~ /<\/script|<!--/) refuse(path ": a script in a page may not have this: " line)
				if (line ~ /^import[^A-Za-z0-9_$]/) {
					imports(path, line)
					continue
				}
				if (line ~ /^export[^A-Za-z0-9_$]/ && line !~ /^export (async function|function|class|const|let)[ *]/)
					refuse(path ": not as exports are written here: " line)
				sub(/^export /, "", line)
				if (!is_comment(line)) print line
			}
			if (got < 0 || count == 0) refuse(path " is not there, or empty")
			close(path)
		}
		BEGIN {
			print "/* SPDX-License-Identifier: MIT */"
			list = folder "/order"
			while ((got = (getline entry < list)) > 0) {
				if (entry ~ /^(#|$)/) continue
				n = split(entry, words, " ")
				if (n > 2 || (n == 2 && words[2] != "served" && words[2] != "file")) refuse(list ": a name, and `served` or `file`: " entry)
				if (n == 1 || words[2] == page) put(folder "/" words[1])
				known[named(words[1])] = 1
			}
			if (got < 0) refuse(list " is not there")
			exit
		}
		END { exit refused }'
}

# Bytes as hexadecimal numbers, in base64.
in_base64() {
	awk '
		BEGIN {
			letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
			for (i = 0; i < 256; i++) value[sprintf("%02x", i)] = i
		}
		# Three bytes, the last of which may be there to fill up alone.
		function put(count,    i, four) {
			for (i = 3; i >= 0; i--) {
				four = (i <= count ? substr(letters, held % 64 + 1, 1) : "=") four
				held = int(held / 64)
			}
			text = text four
			have = 0
			if (length(text) < 1024) return
			print text
			text = ""
		}
		{
			for (i = 1; i <= NF; i++) {
				held = held * 256 + value[$i]
				if (++have == 3) put(3)
			}
		}
		END {
			count = have
			for (; have > 0 && have < 3; have++) held *= 256
			if (have == 3) put(count)
			if (text != "") print text
		}'
}

packed() {
	gzip -9nc "$1" | od -An -v -tx1 | in_base64
}

sha256() {
	if command -v sha256sum >/dev/null; then
		sha256sum
	elif command -v shasum >/dev/null; then
		shasum -a 256
	else
		openssl dgst -sha256 -r
	fi
}

# What allows the text of a file between its tags, in which a line ends behind the opening one.
source_of() {
	echo "'sha256-$({ echo && cat "$1"; } | sha256 | sed 's/ .*//; s/../& /g' | in_base64)'"
}

policy() {
	script=$(source_of "$made/script")
	style=$(source_of "$made/style")
	case $page in
	served) more="script-src $script; connect-src 'self'" ;;
	file) more="script-src $script 'wasm-unsafe-eval'; worker-src blob:; connect-src 'none'" ;;
	esac
	echo "default-src 'none'; $more; style-src $style; img-src data:; base-uri 'none'; form-action 'none'"
}

# The file `script`, `style`, ... of an element, between its tags.
element() {
	{
		echo "<$2>"
		cat "$made/$1"
		echo "</${2%% *}>"
	} >"$made/@$1@"
}

join . >"$made/script"
cp page.css "$made/style"
! grep -qi '</style\|<!--' "$made/style" || refuse 'page.css: a style in a page may not end its element'
element script 'script type="module"'
element style style
echo "<meta http-equiv=\"Content-Security-Policy\" content=\"$(policy)\">" >"$made/@policy@"
: >"$made/@worker@"
: >"$made/@engine@"
: >"$made/@licenses@"
if [ "$page" = file ]; then
	join worker >"$made/source"
	packed "$made/source" >"$made/worker"
	element worker 'script type="text/plain" id="worker"'
	packed "$engine" >"$made/engine"
	element engine 'script type="text/plain" id="engine"'
	cat ../../LICENSE ../../port/package/npm/NOTICE >"$made/licenses"
	! grep -q -e '--' "$made/licenses" || refuse 'a comment of the page may not have two hyphens, and a license has'
	{ echo '<!--' && cat "$made/licenses" && echo '-->'; } >"$made/@licenses@"
fi

awk -v page="$page" -v made="$made" '
	/^@(served|file)@$/ {
		left_out = $0 != "@" page "@"
		next
	}
	/^@end@$/ {
		left_out = 0
		next
	}
	left_out { next }
	/^@(policy|style|script|worker|engine|licenses)@$/ {
		done[$0] = 1
		while ((getline line < (made "/" $0)) > 0) print line
		next
	}
	{ print }
	END {
		count = split("@policy@ @style@ @script@" (page == "file" ? " @worker@ @engine@ @licenses@" : ""), needed, " ")
		for (i = 1; i <= count; i++)
			if (!(needed[i] in done)) {
				print "join.sh: page.html has no line " needed[i] | "cat >&2"
				missing = 1
			}
		exit missing
	}' page.html >"$made/page"
mv "$made/page" "$out"
