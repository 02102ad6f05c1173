# SPDX-License-Identifier: MIT
# To be read by scripts that compile with all warnings and count what compiles.
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
