#!/bin/sh
# SPDX-License-Identifier: MIT
# run.sh FOLDER [UNDER]
#
# Runs the cmocka programs under FOLDER/tests/UNDER, which is unit/* by default, but for those that UNIT_BUT names, and closes with the
# sum. A test that did not come to its end failed.
set -u

run() {
	CMOCKA_MESSAGE_OUTPUT=stdout "$1" 2>&1
	echo "exit code $? of $1"
}

for program in "$1"/tests/${2:-unit/*}/test_*; do
	case " ${UNIT_BUT-} " in *" ${program##*/} "*) continue ;; esac
	[ -x "$program" ] && [ -f "tests/${program#*/tests/}.c" ] && run "$program" # what an earlier tree had stays in the build
done | awk '
	/^\[=+\] .*Running [0-9]+ test/ { sub(/.*Running /, ""); total += $1; print "Running " $0; next }
	/^\[ +OK \]/ { ok++; next }
	/^\[ RUN |^\[=+\] [0-9]+ test|^\[  PASSED  \]/ { next }
	/^\[  SKIPPED \] .*[0-9]+ test\(s\)/ { match($0, /[0-9]+ test/); skip = substr($0, RSTART) + 0 }
	/^exit code / {
		bad = total - ok - skip
		if (bad == 0 && ($3 != 0 || total == 0)) bad = 1
		passed += ok; failed += bad; skipped += skip
		total = ok = skip = 0
		if (!bad) next
	}
	{ print }
	END { print passed + 0 " passed, " failed + 0 " failed, " skipped + 0 " skipped"; exit failed > 0 }'
