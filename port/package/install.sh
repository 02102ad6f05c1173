#!/bin/sh
# SPDX-License-Identifier: MIT
# install.sh install|uninstall
#
# Puts what was built where it belongs, or takes the same files away again. install.mk gives the places: BINDIR, LIBDIR,
# INCLUDEDIR, MANDIR, DATADIR, all below DESTDIR; what was built: OUT, BOARD, PROGRAMS; and what programs must know: VERSION,
# SIZE_BITS (may be empty), POINTER_BYTES. The program INSTALL does the work.
set -eu
verb=$1
cd "$(dirname "$0")/../.."
made=$(mktemp -d) # not in the tree: it would be root's after an installation by root
trap 'rm -rf "$made"' EXIT

# Puts a file, with its mode: place MODE FILE PATH.
place() {
	if [ "$verb" = install ]; then
		$INSTALL -d "$DESTDIR${3%/*}"
		$INSTALL -m "$1" "$2" "$DESTDIR$3"
	else
		rm -f "$DESTDIR$3"
	fi
}

# Takes folders away that nobody else uses: those that are empty.
leave() {
	[ "$verb" = install ] || for folder; do
		rmdir "$DESTDIR$folder" 2>/dev/null || true
	done
}

# The way from one folder to another.
way() {
	awk -v from="$1" -v to="$2" 'BEGIN {
		n = split(from, f, /\/+/)
		m = split(to, t, /\/+/)
		for (i = 1; i <= n && i <= m && f[i] == t[i]; i++) {}
		for (j = i; j <= n; j++) if (f[j] != "") way = way "../"
		for (j = i; j <= m; j++) if (t[j] != "") way = way t[j] "/"
		sub(/\/$/, "", way)
		print way
	}'
}

# Fills in a file of port/package/cmake and places it: fill NAME FOLDER.
fill() {
	sed -e "s|@QUASH_VERSION@|$VERSION|g" -e "s|@QUASH_POINTER_BYTES@|$POINTER_BYTES|g" -e "s|@QUASH_SIZE_BITS@|$SIZE_BITS|g" \
		-e "s|@QUASH_DEFINES@|${SIZE_BITS:+ -DQUASH_SIZE_BITS=$SIZE_BITS}|g" \
		-e "s|@QUASH_TO_INCLUDEDIR@|$(way "$LIBDIR/pkgconfig" "$INCLUDEDIR")|g" "port/package/cmake/$1.in" >"$made/$1"
	place 644 "$made/$1" "$2/$1"
}

# Places a header of a port. It includes those of the library by their place in the tree, which is another one there.
port_header() {
	sed 's|"\(\(\.\./\)*\)\.\./include/quash/|"\1../|' "port/$1" >"$made/header"
	place 644 "$made/header" "$INCLUDEDIR/quash/port/$1"
}

programs() {
	for name in $PROGRAMS; do
		place 755 "$OUT/quash-$name" "$BINDIR/quash-$name"
		place 644 "boards/host/$name/quash-$name.1" "$MANDIR/man1/quash-$name.1"
		place 644 port/package/quash.bash "$DATADIR/bash-completion/completions/quash-$name"
	done
}

headers() {
	for header in include/quash.h include/quash_tools.h include/quash/*.h; do
		place 644 "$header" "$INCLUDEDIR/${header#include/}"
	done
	for header in port/console.h port/port_ring.h port/port_serve.h port/uart/*.h port/usb/usb.h port/http/*.h port/posix/*.h; do
		port_header "${header#port/}"
	done
	leave "$INCLUDEDIR/quash/port/uart" "$INCLUDEDIR/quash/port/usb" "$INCLUDEDIR/quash/port/http" "$INCLUDEDIR/quash/port/posix" "$INCLUDEDIR/quash/port" "$INCLUDEDIR/quash"
}

libraries() {
	for name in quash quash-port quash-posix; do
		place 644 "$OUT/lib$name.a" "$LIBDIR/lib$name.a"
		fill "$name.pc" "$LIBDIR/pkgconfig"
	done
	for name in Config ConfigVersion Targets; do
		fill "quash$name.cmake" "$LIBDIR/cmake/quash"
	done
	leave "$LIBDIR/cmake/quash"
}

# The libraries of a board, beside those of this machine.
board() {
	for name in quash quash-port; do
		place 644 "$OUT/lib$name.a" "$LIBDIR/quash/$BOARD/lib$name.a"
	done
	leave "$LIBDIR/quash/$BOARD" "$LIBDIR/quash"
}

if [ "$BOARD" = host ]; then
	programs
	headers
	libraries
	place 644 LICENSE "$DATADIR/licenses/quash/LICENSE"
	leave "$DATADIR/licenses/quash"
else
	board
fi
