#!/bin/sh
# SPDX-License-Identifier: MIT
# install.sh [PACKAGE...]
#
# Installs the Debian packages that the tests need, or those that are named, when root or sudo without a password allows;
# else says what is missing. The tests of what stays missing are counted as skipped. (The npm packages: tests/common/npm/install.sh.)
set -u
cd "$(dirname "$0")/.." || exit 1

case ${1-} in test | more | all) shift ;; esac # all of them, on every level
packages="libcmocka-dev libjansson-dev valgrind clang clang-format libclang-rt-dev g++ gcc-arm-none-eabi libnewlib-arm-none-eabi gcc-avr avr-libc frama-c-base
	gcc-riscv64-unknown-elf qemu-system-arm qemu-system-misc gcc-powerpc-linux-gnu libc6-dev-powerpc-cross qemu-user
	zip unzip iproute2 cmake pkgconf meson arduino-core-avr arduino-builder simavr libsimavr-dev gcc-xtensa-lx106 python3-yaml python3-kconfiglib liblwip-dev gcc-11 clang-13 device-tree-compiler musl-tools"
command -v npm >/dev/null || packages="$packages npm"
[ $# = 0 ] || packages=$*
log=build/log/install.log

missing() {
	for package in $packages; do
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

command -v dpkg-query >/dev/null || {
	echo "not a Debian system: install yourself what these packages hold: $packages"
	exit 0
}
mkdir -p build/log

if [ "$(id -u)" = 0 ]; then
	as_root=
elif sudo -n true 2>/dev/null; then
	as_root='sudo -n'
else
	as_root=none
fi

wanted=$(missing)
[ -z "$wanted" ] || [ "$as_root" = none ] || install $wanted
wanted=$(missing)
[ -z "$wanted" ] || echo "MISSING, so that tests are skipped: $wanted(apt-get install $wanted; see $log)"
exit 0
