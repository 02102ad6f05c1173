#!/bin/sh
# SPDX-License-Identifier: MIT
# day.sh: prints the day of the newest release that CHANGELOG.md has, 2000-01-01 before the first.
set -eu
changes=$(dirname "$0")/../../CHANGELOG.md
sed -n 's/^## \[.*\] - \([0-9]\{4\}-[0-9][0-9]-[0-9][0-9]\)$/\1/p; $s/.*/2000-01-01/p' "$changes" | head -n 1
