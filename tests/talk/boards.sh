#!/bin/sh
# SPDX-License-Identifier: MIT
# Plays the scenes with a peer on each of the boards named, over its emulated UART, whole and byte by byte, two boards at
# a time. Each part closes with `N passed, N failed, N skipped`. TALK_SCENES names other files than all, TALK_MODE one of
# both ways.
set -u
cd "$(dirname "$0")/../.." || exit 1

. tests/strict.sh

one() {
	board=$1
	emulator=$(sed -n 's/^EMULATOR = //p' "boards/$board/board.mk")
	if ! make BOARD="$board" talk-stub >"build/talk-$board.log" 2>&1; then
		tail -n 5 "build/talk-$board.log"
		fails "$board: its peer was not built"
		return
	fi
	begun=$(date +%s)
	# shellcheck disable=SC2086
	build/host/tests/talk/talk ${TALK_MODE:+--mode "$TALK_MODE"} \
		${TALK_SCENES:-tests/talk/*.talk} --board $emulator "build/$board/tests/talk/board/stub.elf" >"build/talk-$board.log" 2>&1
	sed -E "s/^/$board: /; s/^$board: ([0-9]+ passed, )/\1/" "build/talk-$board.log"
	echo "$board: in $(($(date +%s) - begun)) s"
	grep -qE '^[0-9]+ passed, ' "build/talk-$board.log" || fails "$board: the player did not come to its end"
}

if [ "${1-}" = --one ]; then
	text=$(one "$2")
	printf '%s\n' "$text"
	exit 0
fi

make talk || exit 1
printf '%s\n' "$@" | xargs -P 2 -L 1 sh tests/talk/boards.sh --one
