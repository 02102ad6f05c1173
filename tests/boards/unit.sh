#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds the host's unit tests for the boards named (all that can run them, when none is) and runs them under the
# boards' emulators, two at a time. A test that does not fit into a board's memory is skipped and counted.
# Closes with `N passed, N failed, N skipped`.
set -u
cd "$(dirname "$0")/../.."
seconds=90

# Runs one firmware until it has said its closing line; the emulator is ended then.
run() {
	board=$1 elf=$2
	emulator=$(sed -n 's/^EMULATOR = //p' "boards/$board/board.mk")
	rm -f "$elf.out" && mkfifo "$elf.out" || return
	# shellcheck disable=SC2086
	timeout -k 2 "$seconds" $emulator "$elf" </dev/null >"$elf.out" 2>&1 &
	pid=$!
	sed '/^[0-9]* passed, [0-9]* failed, [0-9]* skipped$/q' <"$elf.out" >"$elf.log"
	kill "$pid" 2>/dev/null
	wait "$pid" 2>/dev/null
	rm -f "$elf.out"
}

tests_in() {
	grep -c '^[[:space:]]*cmocka_unit_test' "$1"
}

# What the linker says when a firmware was not made: skipped for want of room, failed for all else.
not_made() {
	board=$1 name=$2 elf=$3
	count=$(tests_in "tests/unit/$name.c")
	if make BOARD="$board" "$elf" 2>&1 | tee "$elf.log" | grep -qE 'overflowed|will not fit|no room for the stack'; then
		echo "skipped: $board $name: $count tests do not fit into the memory"
		echo "0 passed, 0 failed, $count skipped"
	else
		tail -n 5 "$elf.log"
		echo "FAILED: $board $name was not built"
		echo "0 passed, $count failed, 0 skipped"
	fi
}

# What one test file said; one that did not come to its end failed.
one() {
	board=$1 name=$2
	elf=build/$board/tests/unit/$name.elf
	if [ ! -f "$elf" ]; then
		not_made "$board" "$name" "$elf"
		return
	fi
	run "$board" "$elf"
	sed -E "s/^(FAILED|skipped): /\\1: $board $name /" "$elf.log"
	grep -qE '^[0-9]+ passed, [0-9]+ failed' "$elf.log" && return
	echo "FAILED: $board $name did not come to its end within $seconds s"
	echo "0 passed, $(tests_in "tests/unit/$name.c") failed, 0 skipped"
}

if [ "${1-}" = --one ]; then
	text=$(one "$2" "$3")
	printf '%s\n' "$text"
	exit 0
fi

mkdir -p build
[ $# -gt 0 ] || set -- mps2-an385 riscv-virt microbit
for board; do
	make -k -j 2 BOARD="$board" board-unit >"build/unit-$board.log" 2>&1
	for source in tests/unit/test_*.c; do
		name=$(basename "$source" .c)
		case $name in
		test_posix_*) ;; # a board has no processes
		*) echo "$board $name" ;;
		esac
	done
done | xargs -P 2 -L 1 sh tests/boards/unit.sh --one | awk '
	/^[0-9]+ passed, [0-9]+ failed/ { passed += $1; failed += $3; skipped += $5; next }
	{ print }
	END { print passed + 0 " passed, " failed + 0 " failed, " skipped + 0 " skipped"; exit failed > 0 }'
