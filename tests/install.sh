#!/bin/sh
# SPDX-License-Identifier: MIT
# install.sh [--list] LEVEL|PACKAGE...
#
# Installs what a level of the tests needs: test, more or all, as `make test`, `make test-more` and `make test-all` are. These are
# Debian packages, when root or sudo without a password allows, and those of npm, the tests' Node among them. Of what stays missing
# it says so; the tests that need it are counted as skipped. With names of Debian packages it installs those alone. --list
# prints the Debian packages of a level.
set -u
cd "$(dirname "$0")/.." || exit 1

listed=no
[ "${1-}" != --list ] || { listed=yes && shift; }
level=${1:-test}

of_test="npm g++ clang libclang-rt-dev clang-format libcmocka-dev libjansson-dev gcc-arm-none-eabi libnewlib-arm-none-eabi
	gcc-avr avr-libc gcc-riscv64-unknown-elf qemu-system-arm qemu-system-misc iproute2 groff-base systemd"
of_more="frama-c-base valgrind liblwip-dev musl-tools gcc-powerpc-linux-gnu libc6-dev-powerpc-cross qemu-user
	wasi-libc libclang-rt-dev-wasm32 lld zip unzip cmake ninja-build pkgconf arduino-core-avr arduino-builder simavr libsimavr-dev chromium"
of_all="meson gcc-xtensa-lx106 python3-yaml python3-kconfiglib device-tree-compiler gcc-11 clang-13"

case $level in
test) packages=$of_test ;;
more) packages="$of_test $of_more" ;;
all) packages="$of_test $of_more $of_all" ;;
*) packages=$* ;;
esac

if [ $listed = yes ]; then
	# shellcheck disable=SC2086
	echo $packages
	exit 0
fi
log=build/log/install.log
mkdir -p build/log

# Another npm than Debian's will do.
missing() {
	for package in $packages; do
		[ "$package" != npm ] || ! command -v npm >/dev/null || continue
		dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || printf '%s ' "$package"
	done
}

apt() {
	$as_root env DEBIAN_FRONTEND=noninteractive apt-get -o Acquire::Retries=3 -o DPkg::Lock::Timeout=120 \
		"$@" >>"$log" 2>&1 </dev/null
}

install() {
	echo "installing $*"
	apt update
	apt install -y --no-install-recommends "$@" && return
	for package in "$@"; do
		apt install -y --no-install-recommends "$package"
	done
}

debian() {
	as_root='sudo -n'
	[ "$(id -u)" != 0 ] || as_root=
	wanted=$(missing)
	# shellcheck disable=SC2086
	[ -z "$wanted" ] || ! $as_root true 2>/dev/null || install $wanted
	wanted=$(missing)
	[ -z "$wanted" ] || echo "MISSING, so that tests are skipped: $wanted(apt-get install $wanted; see $log)"
}

npm_packages() {
	tests/common/npm/install.sh 2>>"$log" || echo "MISSING, so that tests are skipped: the packages of npm (see $log)"
	version=$(PATH=$PWD/build/npm/bin:$PATH node --version 2>/dev/null)
	case $version in
	v22.*) ;;
	v2[0-9].* | v[3-9][0-9].*) echo "Node is that of the system, $version" ;;
	*) echo "MISSING: Node 20 or newer; here is ${version:-none}" ;;
	esac
}

if command -v dpkg-query >/dev/null; then
	debian
else
	echo "not a Debian system: install yourself what these packages hold: $packages"
fi
case $level in
test | more | all) npm_packages ;;
esac
exit 0
