#!/bin/sh
# SPDX-License-Identifier: MIT
# archives.sh FOLDER [NAME...]
#
# Writes an archive of each package, or of those named, into FOLDER. Each is made by port/package/NAME/pack.sh, which gets an empty
# folder and a folder with the pair quash.c, quash.h ($PAIR), and fills the first from the tree. In what it wrote `@VERSION@`
# becomes the version and `@HOME@` the address in port/package/home, and links of pages to docs/, which no package has,
# lead to that address (but in `source`, which is the tree). While that file is empty, lines with `@HOME@` are left out, and
# such links become the names of files of the source archive. The same tree gives the same bytes: files
# are sorted, belong to nobody, have modes of their own, and are as old as $SOURCE_DATE_EPOCH, or as the day of the newest
# release in CHANGELOG.md.
set -eu
LC_ALL=C
TZ=UTC
export LC_ALL TZ
unset GZIP TAR_OPTIONS ZIPOPT
here=$(cd "$(dirname "$0")" && pwd)
[ $# -ge 1 ] || { sed -n '3,4p' "$0"; exit 2; }
mkdir -p "$1"
folder=$(cd "$1" && pwd)
shift
cd "$here/../.."
version=$(sh port/package/version.sh)
home=$(cat port/package/home)
PAIR=$folder/files/.pair
export PAIR

epoch=${SOURCE_DATE_EPOCH:-$(date -u -d "$(sh port/package/day.sh)" +%s)}

# zip and tar.gz of the one folder that stands in $1.
zipped() {
	command -v zip >/dev/null || { echo "zip is missing; on Debian it is the package zip" >&2; exit 1; }
	(cd "$1" && find . -type f | sed 's|^\./||' | sort | zip -q -X -9 - -@) >"$2"
}

tarred() {
	(cd "$1" && tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$epoch" -cf "$2.tar" -- *)
	gzip -n -9 <"$2.tar" >"$2"
	rm "$2.tar"
}

# The file with what it leaves open.
filled() {
	if [ -n "$home" ]; then
		sed "s|@VERSION@|$version|g; s|@HOME@|$home|g; s|](\(\.\./\)*docs/|]($home/docs/|g" "$1"
	else
		sed "s|@VERSION@|$version|g; /@HOME@/d" "$1" |
			sed -z -E -e 's,\[([a-z-]+\.md)\]\((\.\./)*docs/\1(#[^)]*)?\),docs/\1 of the source archive,g' \
				-e 's,\[([^]]+)\]\((\.\./)*(docs/[^)#]*)(#[^)]*)?\),\1 (\3 of the source archive),g'
	fi
}

# Fills in what the files in $1 leave open.
fill() {
	(cd "$1" && { grep -rIlE '@(VERSION|HOME)@|]\((\.\./)*docs/' . || true; } | while read -r file; do
		filled "$file" >"$file.new"
		cat "$file.new" >"$file"
		rm "$file.new"
	done)
}

pack() {
	name=$1
	case $name in
	source) top=quash-$version archive=quash-$version.tar.gz ;;
	arduino | pair) top=quash archive=quash-$name-$version.zip ;;
	*) top=quash archive=quash-$name-$version.tar.gz ;;
	esac
	rm -rf "$folder/files/$name"
	mkdir -p "$folder/files/$name/$top"
	sh "port/package/$name/pack.sh" "$folder/files/$name/$top"
	cp LICENSE "$folder/files/$name/$top/"
	[ "$name" = source ] || fill "$folder/files/$name/$top"
	chmod -R u=rwX,go=rX "$folder/files/$name"
	find "$folder/files/$name" -exec touch -h -d "@$epoch" {} +
	case $archive in
	*.zip) zipped "$folder/files/$name" "$folder/$archive" ;;
	*) tarred "$folder/files/$name" "$folder/$archive" ;;
	esac
	echo "  $archive"
}

[ $# -gt 0 ] || set -- $(for script in port/package/*/pack.sh; do dirname "${script#port/package/}"; done)
rm -rf "$PAIR"
sh port/package/join.sh "$PAIR"
for name; do
	pack "$name"
done
