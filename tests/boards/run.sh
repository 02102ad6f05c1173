#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds the firmwares of boards and runs the tests that speak with them over their emulated UARTs: what docs/porting.md has a
# new target do, and real clients, whole and byte by byte at the pace of the wire, and behind quash-bridge. Several boards at a
# time, for most of it is waiting. Each part closes with `N passed, N failed, N skipped`. What is done where, each a list of
# boards, that is all or none of them if the variable is not set:
#
#     BOARDS     (all) one client under make run, and a reset in the middle of a motion; those that sleep are timed
#     WHOLE      (all) the runner, hosts and the console
#     CONFORM    (those of WHOLE) what docs/porting.md asks
#     CLIENTS    (none) real clients, whole
#     PACED      (none) real clients, at the pace of the wire
#     WIRE       (none) the same pace: what docs/porting.md asks, and clients behind quash-bridge
#     FORGETFUL  (none) a host that forgets its call
#
# UNDER_MAKE is one or others: which clients under make run, see tests/interop/make-run.test.mjs.
set -eu
cd "$(dirname "$0")/../.."
. tests/budget.sh
logs=build/log/boards-parts

boards=${BOARDS-$(grep -l '^EMULATOR = ' boards/*/board.mk | cut -d/ -f2)}
whole=${WHOLE-$boards} wire=${WIRE-} clients=${CLIENTS-} paced=${PACED-} forgetful=${FORGETFUL-}
conforming=${CONFORM-$whole}

emulator() {
	sed -n 's/^EMULATOR = //p' "boards/$1/board.mk"
}

# Says whether a board has a program: not each of them fits into the least.
has() {
	grep -q "^PROGRAMS = .*$2" "boards/$1/board.mk"
}

conform() {
	node tests/boards/conformance.mjs "$@"
}

# One part. What fails there is said with the name of the part.
part() {
	case $1 in
	host)
		conform -- build/host/toolbox
		conform --dialect lsp -- build/host/testee --dialect lsp
		;;
	runner) BOARDS="$whole" node tests/boards/emulate.mjs ;;
	make-run) BOARDS="$boards" CLIENTS=${UNDER_MAKE-} node tests/interop/make-run.test.mjs ;;
	toolbox | testee) conform -- make -s --no-print-directory run BOARD="$2" APP="$1" ;;
	wire)
		# The words of the emulator are words.
		# shellcheck disable=SC2046
		conform --dialect lsp -- build/host/emulate --baud 115200 $(emulator "$2") "build/$2/tests/testee-lsp.elf"
		;;
	console)
		# shellcheck disable=SC2046
		node tests/boards/console.mjs build/host/emulate $(emulator "$2") "build/$2/tests/boards/console/console.elf"
		;;
	hosts) BOARDS=$2 node tests/boards/served-hosts.mjs ;;
	clients) BOARDS=$2 MODES=$3 node tests/interop/boards.test.mjs ;;
	resets) BOARDS=$boards node tests/boards/resets.mjs ;;
	asleep) node tests/boards/asleep.mjs ;;
	forgetful) BOARDS=$forgetful node tests/boards/forgetful.mjs ;;
	bridged) BOARDS=$2 node tests/interop/bridge-boards.test.mjs ;;
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

for board in $(printf '%s\n' $boards $whole $conforming $clients $paced $wire $forgetful | sort -u); do
	make BOARD="$board"
	case " $(echo $whole $wire $conforming $clients $paced) " in *" $board "*) ;; *) continue ;; esac
	# shellcheck disable=SC2046
	! has "$board" testee || make BOARD="$board" board-console $(printf "build/$board/tests/testee-%s.elf " acp jsonrpc lsp mcp)
done
make build/host/emulate build/host/toolbox build/host/testee build/host/quash-bridge ptys
tests/common/npm/install.sh || true
rm -rf "$logs"
mkdir -p "$logs"

# The longest first.
{
	[ -z "$boards" ] || printf '%s\n' make-run resets
	[ -z "$whole" ] || echo runner
	[ -z "$forgetful" ] || echo forgetful
	case " $(echo $boards) " in *" pico "*) echo asleep ;; esac
	for board in $clients; do
		echo "clients $board whole"
	done
	for board in $paced; do
		echo "clients $board wire"
	done
	for board in $wire; do
		echo "bridged $board"
		! has "$board" testee || echo "wire $board"
	done
	for board in $conforming; do
		for app in toolbox testee; do
			! has "$board" $app || echo "$app $board"
		done
	done
	for board in $whole; do
		echo "hosts $board"
		! has "$board" testee || echo "console $board"
	done
	[ -z "$whole" ] || echo host
} | xargs -P "${PARTS:-3}" -L 1 tests/boards/run.sh --part
