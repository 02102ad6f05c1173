#!/bin/sh
# SPDX-License-Identifier: MIT
# Fuzzes: run.sh [TARGET...], each for FUZZ_SECONDS over a corpus that grows in build/fuzz/corpus; or with
# FUZZ_RUNS=fixed each as often as `runs` below has it, from the same seed, over a copy of the tree's corpus; with FUZZ_RUNS=more
# from another seed; with FUZZ_RUNS=most twenty times as often.
# run.sh --options TARGET prints the options that every run has.
#
# What fails is shown with its bytes, and stays in build/fuzz/failed: `build/fuzz/host/tests/fuzz/fuzz_TARGET FILE` plays it again,
# with FUZZ_LOUD=1 loudly.
set -u
cd "$(dirname "$0")/../.." || exit 1

programs=build/fuzz/host/tests/fuzz
failed=build/fuzz/failed
passed=0
failures=0

# So many as take about five seconds of a core, but for what reading the corpus takes; those of the bridge take longer.
runs() {
	case $1 in
	json | http) echo 40000 ;;
	known) echo 20000 ;;
	config) echo 2000 ;;
	stream) echo 1200 ;;
	profiles) echo 700 ;;
	bridge) echo 400 ;;
	quash_bridge | http_bridge) echo 250 ;;
	*) echo 700 ;;
	esac
}

longest() {
	case $1 in
	json | stream) echo 2000 ;;
	config) echo 32 ;;
	*) echo 1000 ;;
	esac
}

words() {
	case $1 in
	json | known | stream) echo -dict=tests/fuzz/words.dict ;;
	esac
}

# How every run goes. What takes 1,200 s ends never: a machine may stand still for some.
options() {
	echo -max_len="$(longest "$1")" "$(words "$1")" -timeout=1200 -rss_limit_mb=1000 -detect_leaks=1 -print_final_stats=1
}

# The corpus that is worked with: never the tree's own.
corpus() {
	if [ -n "${FUZZ_RUNS:-}" ]; then
		work=build/fuzz/copy/$1
		rm -rf "$work" && mkdir -p "$work" && cp "tests/fuzz/corpus/$1"/* "$work" && echo "$work"
	else
		mkdir -p "build/fuzz/corpus/$1" && echo "build/fuzz/corpus/$1"
	fi
}

# What else it begins with.
seeds() {
	[ -n "${FUZZ_RUNS:-}" ] || echo "tests/fuzz/corpus/$1"
}

how_long() {
	case ${FUZZ_RUNS:-} in
	fixed) echo "-runs=$(runs "$1") -seed=1" ;;
	more) echo "-runs=$(runs "$1") -seed=2" ;;
	most) echo "-runs=$((20 * $(runs "$1"))) -seed=3" ;;
	*) echo "-max_total_time=${FUZZ_SECONDS:-60}" ;;
	esac
}

show_failure() {
	grep -aE 'FAIL|ERROR|runtime error|SUMMARY|^replay' "$2" | head -n 8
	for file in "$failed/$1"-*; do
		[ -f "$file" ] || continue
		echo "its bytes:"
		od -An -v -tx1 "$file" | tr -d '\n ' | cut -c -4000
		echo "to replay it: FUZZ_LOUD=1 $programs/fuzz_$1 $file"
	done
}

# Speed and coverage, from the last line that tells them.
figures() {
	awk '/^stat::number_of_executed_units/ { runs = $2 } /^stat::average_exec_per_sec/ { speed = $2 }
		/ cov: / { for (i = 1; i < NF; i++) if ($i == "cov:") cover = $(i + 1) }
		END { printf "%d runs, %d each second, %d edges covered", runs, speed, cover }' "$1"
}

fuzz() {
	log=build/log/fuzz-$1.log
	work=$(corpus "$1")
	rm -f "$failed/$1"-*
	# shellcheck disable=SC2046
	nice -n 5 "$programs/fuzz_$1" $(how_long "$1") $(options "$1") -artifact_prefix="$failed/$1-" "$work" $(seeds "$1") >"$log" 2>&1 </dev/null
	code=$?
	if [ $code = 0 ]; then
		passed=$((passed + 1))
		echo "$1: $(figures "$log")"
	else
		failures=$((failures + 1))
		echo "FAIL $1, see $log"
		show_failure "$1" "$log"
	fi
}

[ "${1-}" != --options ] || {
	options "$2"
	exit 0
}

mkdir -p build/log "$failed"
[ $# -gt 0 ] || set -- $(ls tests/fuzz/fuzz_*.c | sed 's|.*/fuzz_\(.*\)\.c|\1|')
make -s fuzzers FUZZ_TARGETS="$*" || exit 1
for target; do
	fuzz "$target"
done
echo "$passed passed, $failures failed, 0 skipped"
[ $failures = 0 ]
