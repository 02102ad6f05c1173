#!/bin/sh
# SPDX-License-Identifier: MIT
# run.sh test|more|all|whole [build] SUITE...
#
# Runs the named suites of tests/suite.sh and adds up their counts: what they have on that level, or all three. Three run at a
# time, as some of them mostly wait. What a suite says it leaves to the next level is told at the end.
#
# A suite closes with a line `N passed, N failed, N skipped`. One that ends without it, is ended from outside, says that nothing
# failed and yet exits with an error, or has no test at all, counts as a failure. Its hours are the only limit of time that there is.
# `build` runs first and alone; without it nothing runs. Who has taken more seconds of the processor than docs/tests.md gives it is
# told; that is no failure. A machine that was slow at the build may be as slow at the rest. With TIMED the last line tells how long
# it has all taken. Logs stand in build/log/LEVEL/.
set -u
cd "$(dirname "$0")/.." || exit 1
unset MAKEFLAGS MFLAGS MAKELEVEL # a make that a test starts is no part of the one that runs the tests
. tests/budget.sh

# What does not end by itself is ended; a whole run of all suites takes less.
hours=4

# Prints "passed failed skipped" for a log and the exit code that came with it.
counts() {
	awk -v code="$2" '
		/^[0-9]+ passed, [0-9]+ failed(, [0-9]+ skipped)?$/ { passed = $1; failed = $3; skipped = $5 + 0 }
		END {
			if (failed == 0 && (code != 0 || passed + skipped == 0)) failed = 1
			print passed + 0, failed + 0, skipped + 0
		}' "$1"
}

indented() {
	cut -c -160 | sed 's/^/    /'
}

# The line of a suite; what it skipped; the log's end, and the lines of the log that speak of failures.
report() {
	printf '%-12s %5d passed %3d failed %3d skipped %5d s, %5d s of processor\n' "$@"
	[ "$4" = 0 ] || grep -E '^(skip|SKIP|MISSING)' "$log/$1.log" | head -n 10 | indented
	[ "$3" = 0 ] || {
		echo "    the end of $log/$1.log:"
		tail -n 12 "$log/$1.log" | indented
		echo "    what failed:"
		grep -E '^ *(FAIL|not ok)|\[  (FAILED|ERROR )  \]|error:|Error:' "$log/$1.log" | head -n 20 | indented
	}
}

run_one() {
	start=$(date +%s)
	timeout -k 10 "${hours}h" sh tests/suite.sh "$1" "$level" >"$log/$1.log" 2>&1 </dev/null
	code=$?
	[ "$code" != 124 ] || echo "stopped: it took more than $hours hours" >>"$log/$1.log"
	counts "$log/$1.log" "$code" >"$log/$1.counts"
	read -r passed failed skipped <"$log/$1.counts"
	times >"$log/$1.times" # not in a pipe: its end would be told its own
	text=$(report "$1" "$passed" "$failed" "$skipped" "$(($(date +%s) - start))" "$(processor "$log/$1.times")")
	printf '%s\n' "$text"
	[ "$failed" = 0 ]
}

# The parts of what the suites leave out, on one line.
left_out() {
	case $level in
	test) who='left to make test-more' ;;
	more) who='left to make test-all' ;;
	*) who='left out (nothing runs them)' ;;
	esac
	for counts in "$log"/*.counts; do
		[ ! -f "$counts" ] || sed -n 's/^left out: //p' "${counts%.counts}.log"
	done | awk -v who="$who" '
		{ text = text (NR > 1 ? "; " : "") $0 }
		END { if (NR) print who ": " text "." }'
}

begun=$(date +%s)
level=$1 lanes=3
shift
log=build/log/$level
if [ "${1-}" = --one ]; then
	run_one "$2"
	exit 0
fi

mkdir -p "$log"
rm -f "$log"/*.counts
if [ "${1-}" = build ]; then
	shift
	run_one build || set --
fi
[ $# = 0 ] || printf '%s\n' "$@" | xargs -P "$lanes" -n 1 sh tests/run.sh "$level" --one

left_out
over "$log" "$level" "$(slowness build/log/*)"
cat "$log"/*.counts 2>/dev/null | awk '
	{ passed += $1; failed += $2; skipped += $3 }
	END { print passed + 0 " passed, " failed + 0 " failed, " skipped + 0 " skipped"; exit failed > 0 }'
code=$?
[ -z "${TIMED-}" ] || echo "in $(($(date +%s) - begun)) s"
exit $code
