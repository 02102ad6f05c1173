#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds the firmwares of all boards and runs the tests that speak with them over their emulated UARTs: what
# docs/porting.md has a new target do, and real clients, whole and byte by byte at the pace of the wire, and behind
# quash-bridge. Several boards at a time, for most of it is waiting. Each part closes with `N passed, N failed, N
# skipped`. BOARDS, WHOLE, WIRE and CONFORM name boards: those that are built, and which of them are spoken with whole, and which
# at the pace of the wire, and which do what docs/porting.md asks, those of WHOLE if it says nothing. At boards of PACED
# clients are not tried whole, since they are at the pace of the wire. FORGETFUL: at which boards a host forgets its call; if at
# any, all boards are reset in the middle of a motion, and those that sleep are timed. CLIENTS is one or others: see
# tests/interop/make-run.test.mjs.
set -eu
cd "$(dirname "$0")/../.."
. tests/budget.sh
logs=build/log/boards-parts

# Those of BOARDS, or all that have an emulator.
boards=${BOARDS:-$(grep -l '^EMULATOR = ' boards/*/board.mk | cut -d/ -f2)}
whole=${WHOLE-$boards} wire=${WIRE-$boards}
conforming=${CONFORM-$whole}
forgetful=${FORGETFUL-}
paced=${PACED-}

emulator() {
	sed -n 's/^EMULATOR = //p' "boards/$1/board.mk"
}

# Says whether a board has a program: not each of them fits into the least.
has() {
	grep -q "^PROGRAMS = .*$2" "boards/$1/board.mk"
}

conform() {
	timeout -k 10 1500 node tests/boards/conformance.mjs "$@"
}

# One part. What fails there is said with the name of the part.
part() {
	case $1 in
	host)
		conform -- build/host/toolbox
		conform --dialect lsp -- build/host/testee --dialect lsp
		;;
	runner) BOARDS="$whole" timeout -k 10 1500 node tests/boards/emulate.mjs ;;
	make-run) BOARDS="$boards" timeout -k 10 1500 node tests/interop/make-run.test.mjs ;;
	toolbox | testee) conform -- make -s --no-print-directory run BOARD="$2" APP="$1" ;;
	wire)
		# The words of the emulator are words.
		# shellcheck disable=SC2046
		conform --dialect lsp -- build/host/emulate --baud 115200 $(emulator "$2") "build/$2/tests/testee-lsp.elf"
		;;
	console)
		# shellcheck disable=SC2046
		timeout -k 10 1500 node tests/boards/console.mjs build/host/emulate $(emulator "$2") "build/$2/tests/boards/console/console.elf"
		;;
	hosts) BOARDS=$2 timeout -k 10 1500 node tests/boards/served-hosts.mjs ;;
	clients) BOARDS=$2 MODES=$3 timeout -k 10 1500 node tests/interop/boards.test.mjs ;;
	resets) BOARDS=$boards timeout -k 10 600 node tests/boards/resets.mjs ;;
	asleep) timeout -k 10 600 node tests/boards/asleep.mjs ;;
	forgetful) BOARDS=$forgetful timeout -k 10 600 node tests/boards/forgetful.mjs ;;
	bridged) BOARDS=$2 timeout -k 10 1500 node tests/interop/bridge-boards.test.mjs ;;
	esac
}

if [ "${1:-}" = --part ]; then
	shift
	log=$logs/$(echo "$*" | tr ' ' -)
	code=0
	begun=$(date +%s)
	part "$@" >"$log" 2>&1 || code=1
	sed "s/^FAIL  */&$*: /" "$log"
	times >"$log.times" # not in a pipe: its end would be told its own
	echo "$*: in $(($(date +%s) - begun)) s, $(processor "$log.times") s of processor"
	exit $code
fi

for board in $boards; do
	make BOARD="$board"
	# shellcheck disable=SC2086
	case " $(echo $whole $wire $conforming) " in *" $board "*) ;; *) continue ;; esac
	! has "$board" testee || make BOARD="$board" board-console $(printf "build/$board/tests/testee-%s.elf " acp jsonrpc lsp mcp)
done
make build/host/emulate build/host/toolbox build/host/testee build/host/quash-bridge ptys
tests/common/npm/install.sh || true
rm -rf "$logs"
mkdir -p "$logs"

# The longest first.
{
	echo make-run
	[ -z "$whole" ] || echo runner
	[ -z "$forgetful" ] || printf '%s\n' forgetful resets asleep
	for board in $wire; do
		echo "clients $board wire"
		echo "bridged $board"
		! has "$board" testee || echo "wire $board"
	done
	for board in $conforming; do
		for app in toolbox testee; do
			! has "$board" $app || echo "$app $board"
		done
	done
	for board in $whole; do
		case " $paced " in *" $board "*) ;; *) echo "clients $board whole" ;; esac
		echo "hosts $board"
		! has "$board" testee || echo "console $board"
	done
	[ -z "$whole" ] || echo host
} | xargs -P "${PARTS:-3}" -L 1 tests/boards/run.sh --part
