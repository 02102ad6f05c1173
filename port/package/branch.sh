#!/bin/sh
# SPDX-License-Identifier: MIT
# branch.sh [NAME...]: puts what the archives hold on branches package/NAME of this repository, one commit a version, for
# package managers that want a manifest at the root of a repository. The work tree and the current branch stay as they are.
# What is not committed is not published, nor other contents under a version that a branch has.
set -eu
cd "$(dirname "$0")/../.."
version=$(sh port/package/version.sh)
files=build/packages/files
case $version in
*-dev)
	echo "branch.sh: $version stands between releases" >&2
	exit 1
	;;
esac
if [ -n "$(git status --porcelain)" ]; then
	echo "branch.sh: something is not committed" >&2
	exit 1
fi
[ $# -gt 0 ] || set -- arduino platformio esp-idf zephyr pico cmake meson
sh port/package/archives.sh build/packages "$@" >/dev/null
for name; do
	GIT_INDEX_FILE=$(mktemp -u)
	export GIT_INDEX_FILE
	git --work-tree="$files/$name/quash" add -A -f .
	tree=$(git write-tree)
	rm -f "$GIT_INDEX_FILE"
	unset GIT_INDEX_FILE
	branch=refs/heads/package/$name
	parent=$(git rev-parse -q --verify "$branch^{commit}" || true)
	if [ -n "$parent" ] && [ "$(git rev-parse "$parent^{tree}")" = "$tree" ]; then
		echo "  package/$name has $version"
		continue
	fi
	if [ -n "$parent" ] && [ "$(git show -s --format=%s "$parent")" = "quash $version for $name" ]; then
		echo "branch.sh: package/$name has other contents as $version" >&2
		exit 1
	fi
	commit=$(echo "quash $version for $name" | git commit-tree "$tree" ${parent:+-p "$parent"})
	git update-ref "$branch" "$commit"
	echo "  package/$name: $version"
done
