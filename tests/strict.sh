# SPDX-License-Identifier: MIT
# To be read by scripts that count: what compiles with all warnings, what holds, and what closes with a sum of its own.
strict='-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wvla -Werror -fsyntax-only'
passed=0 failed=0 skipped=0

count() {
	if "$@"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAILED: $*"
	fi
}

# Says whether a compiler is there; what it would have compiled is skipped.
there() {
	command -v "$1" >/dev/null && return
	skipped=$((skipped + 1))
	echo "skipped: $1 is missing"
	return 1
}

# The line that a script, or a part of it, closes with.
closes() {
	echo "$passed passed, $failed failed, $skipped skipped"
	[ "$failed" = 0 ]
}

# What has no sum of its own, and why.
fails() {
	echo "FAILED: $*"
	echo "0 passed, 1 failed, 0 skipped"
}

skips() {
	echo "skipped: $*"
	echo "0 passed, 0 failed, 1 skipped"
}

# What closes with its own sum, if it comes to its end.
part() {
	"$@" || [ $? = 1 ] || fails "$* did not come to its end"
}
