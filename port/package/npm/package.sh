#!/bin/sh
# SPDX-License-Identifier: MIT
# package.sh FOLDER
#
# Writes the package of npm into FOLDER: quash-bridge-VERSION.tgz, and what stands in it below package/. FOLDER/quash-bridge.mjs starts that.
# The engine must have been built: `make npm` does both. The same tree gives the same bytes. Other packages may stand in FOLDER.
set -eu
[ $# = 1 ] || { sed -n '3p' "$0"; exit 2; }
mkdir -p "$1"
folder=$(cd "$1" && pwd)
cd "$(dirname "$0")/../../.."
here=port/package/npm
package=$folder/package
engine=${ENGINE:-build/wasm/bridge.wasm}
version=$(sh port/package/version.sh)

fill() {
	sed "s|@VERSION@|$version|g; s|@MCP_NAME@|$(cat port/package/mcp-name)|g" "$here/$1" >"$package/$1"
}

# The files of one package, of which nothing is left from before but the packages that it needs.
lay() {
	mkdir -p "$package"
	find "$package" -mindepth 1 -maxdepth 1 ! -name node_modules -exec rm -rf {} +
	for file in package.json npm-shrinkwrap.json README.md; do
		fill "$file"
	done
	cp boards/wasm/*.mjs "$engine" "${engine%/*}/page.html" LICENSE "$here/NOTICE" "$package/"
	chmod 644 "$package"/*.* "$package/LICENSE" "$package/NOTICE"
	chmod 755 "$package/quash-bridge.mjs"
}

command -v npm >/dev/null || { echo "npm is missing; on Debian it is the package npm" >&2; exit 1; }
lay
rm -f "$folder"/quash-bridge-*.tgz
(cd "$package" && npm pack --silent --no-update-notifier --pack-destination "$folder") >/dev/null
cp boards/wasm/quash-bridge.mjs "$folder/"
sed -i "s|'\./bridge\.mjs'|'./package/bridge.mjs'|" "$folder/quash-bridge.mjs"
chmod 755 "$folder/quash-bridge.mjs"
