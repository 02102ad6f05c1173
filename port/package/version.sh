#!/bin/sh
# SPDX-License-Identifier: MIT
# version.sh: prints the version that include/quash/version.h names.
set -eu
header=$(dirname "$0")/../../include/quash/version.h
sed -n 's/^#define QUASH_VERSION_[A-Z]* \([0-9][0-9]*\)$/\1/p' "$header" | paste -s -d . -
