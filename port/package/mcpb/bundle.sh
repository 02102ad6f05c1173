#!/bin/sh
# SPDX-License-Identifier: MIT
# bundle.sh FOLDER PACKAGE
#
# Writes FOLDER/quash-bridge.mcpb, an extension for hosts that come with Node, and what stands in it below FOLDER/bundle. PACKAGE is the package
# of npm with what it needs, as `make npm` lays it out. Of the addon for serial devices it has what Windows loads: elsewhere Node's own streams
# do, and on macOS a host refuses addons. The same tree gives the same bytes.
set -eu
LC_ALL=C
TZ=UTC
export LC_ALL TZ
unset ZIPOPT
[ $# = 2 ] || { sed -n '3p' "$0"; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
package=$(cd "$2" && pwd)
mkdir -p "$1"
folder=$(cd "$1" && pwd)
bundle=$folder/bundle
addon=node_modules/@serialport/bindings-cpp
[ -d "$package/$addon" ] || { echo "make mcpb: the addon for serial devices is missing, which \`make npm\` fetches" >&2; exit 1; }
command -v zip >/dev/null || { echo "zip is missing; on Debian it is the package zip" >&2; exit 1; }

# What of the packages is for their builders.
lean() {
	find "$1" -type f \( -name '*.d.ts' -o -name '*.map' -o -name '*.gyp' -o -name '*.cpp' -o -name '*.h' -o -iname 'readme.md' -o -iname 'changelog.md' \) -delete
	rm -rf "$1/node-addon-api" "$1/.package-lock.json" "$1/.fetched" "$1/.bin"
	find "$1/${addon#node_modules/}/prebuilds" -mindepth 1 -maxdepth 1 ! -name 'win32-*' -exec rm -rf {} +
	find "$1" -type d -empty -delete
}

rm -rf "$bundle" "$folder/quash-bridge.mcpb"
mkdir -p "$bundle/server"
cp -R "$package"/*.mjs "$package/bridge.wasm" "$package/page.html" "$package/node_modules" "$here/extension.mjs" "$bundle/server/"
lean "$bundle/server/node_modules"
sed -i "s|'\./bridge\.mjs'|'./extension.mjs'|" "$bundle/server/quash-bridge.mjs"
sed "s|@VERSION@|$(sh "$here/../version.sh")|g" "$here/manifest.json" >"$bundle/manifest.json"
cp "$here/icon.png" "$package/LICENSE" "$package/NOTICE" "$bundle/"
chmod -R u=rwX,go=rX "$bundle"
find "$bundle" -exec touch -h -d "$(sh "$here/../day.sh")" {} +
(cd "$bundle" && find . -type f | sed 's|^\./||' | sort | zip -q -X -9 - -@) >"$folder/quash-bridge.mcpb"
