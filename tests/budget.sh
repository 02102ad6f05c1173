# shellcheck shell=sh
# SPDX-License-Identifier: MIT
# Read by run.sh: seconds of the processor that suites take, and those that they have, by the table of docs/tests.md.

# Seconds that were taken, by what `times` has written to a file.
processor() {
	awk 'NR == 2 { gsub(/[ms]/, " "); printf "%d", $1 * 60 + $2 + $3 * 60 + $4 }' "$1"
}

# The seconds that the suite $1 has for $2: test, more, all or whole. An empty cell is 0. A row of the table ends with three cells that
# are empty or figures; its head is no such row.
budget() {
	awk -F ' *[|] *' -v suite="${1%-fast}" -v level="$2" '
		NF == 7 && $4 $5 $6 !~ /[^0-9,]/ && index(", " $2 ",", ", " suite ",") {
			for (i = 4; i <= 6; i++) gsub(",", "", $i)
			seconds["test"] = $4; seconds["more"] = $5; seconds["all"] = $6; seconds["whole"] = $4 + $5 + $6
			exit
		}
		END { print seconds[level] + 0 }' docs/tests.md
}

# How many times the seconds of the table this machine takes: as many as its build took of its own, by the logs in the folders that are
# named, but not less than one. A build of which most stood there already says nothing.
slowness() {
	for folder; do
		[ ! -f "$folder/build.times" ] || processor "$folder/build.times"
	done | awk -v has="$(budget build test)" '{ if ($1 > most) most = $1 } END { print (most > has) ? most / has : 1 }'
}

# Names those of the logs in the folder $1 that have taken more than they have for $2 on a machine that takes $3 times as long.
over() {
	for counts in "$1"/*.counts; do
		[ -f "$counts" ] || continue
		suite=$(basename "$counts" .counts)
		[ "$suite" != build ] || continue # it is what the others are measured by
		took=$(processor "$1/$suite.times")
		has=$(awk -v has="$(budget "$suite" "$2")" -v times="$3" 'BEGIN { printf "%d", has * times }')
		[ "$took" -le "$has" ] || echo "over budget: $suite took $took s of processor and has $has s"
	done
}
