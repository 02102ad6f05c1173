#!/bin/sh
# SPDX-License-Identifier: MIT
# suite.sh NAME [test|more|all|whole]
#
# One suite by its name: prints what it does and closes with `N passed, N failed, N skipped`. What of it stands on which level is
# decided here and nowhere else: `test` is what `make test` runs, `more` what `make test-more` adds, `all` what only `make test-all`
# has, `whole` (the default) the three. The lists IN_TEST, IN_MORE and IN_ALL of tests.mk name the suites that have something
# on a level.
set -u
cd "$(dirname "$0")/.." || exit 1
PATH=$PWD/build/npm/bin:$PATH # the Node that the tests have from npm
level=${2:-whole}

# Whether this level is run.
at() {
	[ "$level" = "$1" ] || [ "$level" = whole ]
}

# The words of the levels that are run: pick TEST MORE ALL.
pick() {
	words=
	! at test || words="$words $1"
	! at more || words="$words $2"
	! at all || words="$words $3"
	echo $words
}

# What a level leaves to the next ones, in words that follow on "left to make test-more:" or "left to make test-all:".
leaves() {
	case $level-$1 in
	test-more | more-all) shift && echo "left out: $*" ;;
	esac
}

# What no level has.
never() {
	[ "$level" != whole ] || echo "left out: $*"
}

has() {
	mkdir -p build/log
	case $1 in
	cmocka) printf '#include <%s.h>\n' stdarg stddef stdint setjmp cmocka | gcc -E - >/dev/null 2>&1 ;;
	sanitizers) echo 'int main(void) { return 0; }' | clang -x c -fsanitize=address,undefined -o build/log/sanitizers - 2>/dev/null ;;
	libfuzzer) echo 'int LLVMFuzzerTestOneInput(void); int LLVMFuzzerTestOneInput(void) { return 0; }' |
		clang -x c -fsanitize=fuzzer -o build/log/libfuzzer - 2>/dev/null ;;
	lwip) echo '#include <lwip/tcp.h>' | gcc -D_DEFAULT_SOURCE -I/usr/include/lwip -E - >/dev/null 2>&1 ;;
	wasi) echo 'int _start(void); int _start(void) { return 0; }' |
		clang --target=wasm32-wasi -nostartfiles -x c -o build/log/wasi - 2>/dev/null ;;
	jansson) echo '#include <jansson.h>' | clang -x c -E - >/dev/null 2>&1 ;;
	*) command -v "$1" >/dev/null ;;
	esac
}

# Ends the suite as skipped unless all of these are there.
need() {
	for tool; do
		has "$tool" && continue
		echo "skipped: $tool is missing"
		echo "0 passed, 0 failed, 1 skipped"
		exit 0
	done
}

# Passes several outputs on, with the sum of their closing lines in place of these.
sum() {
	awk '
		/^[0-9]+ passed, [0-9]+ failed/ { passed += $1; failed += $3; skipped += $5; next }
		{ print }
		END { print passed + 0 " passed, " failed + 0 " failed, " skipped + 0 " skipped"; exit failed > 0 }'
}

# The words of the first list that the second has not.
but() {
	for word in $1; do
		case " $2 " in *" $word "*) ;; *) printf '%s ' "$word" ;; esac
	done
}

# Packages whose tests have a level of their own; make test-all has the others.
packed_more='cmake arduino release install pair server'

# Unit tests that mostly wait.
waiting='test_posix_tcp test_posix_unix'

# The packages that have tests.
packed() {
	for test in tests/packages/*.test.mjs; do
		basename "$test" .test.mjs
	done | tr '\n' ' '
}

# One test that passes when the command does.
one() {
	"$@" && echo "1 passed, 0 failed, 0 skipped" || echo "0 passed, 1 failed, 0 skipped"
}

# The planted defects that tests of the host find mostly wait.
planted() {
	node tests/mutate/planted.mjs --host >build/log/planted-host.log 2>&1 &
	node tests/mutate/planted.mjs --quick || one false
	node tests/mutate/planted.mjs --rest || one false
	wait $! || one false
	cat build/log/planted-host.log
}

# Transcripts in some modes: talked PROGRAM MODE...
talked() {
	program=$1
	shift
	for mode; do
		$program --mode "$mode" tests/talk/*.talk || one false
	done
}

case $1 in
build)
	if has cmocka; then one make -j2 all unit talk; else one make -j2 all talk; fi
	;;
unit)
	need cmocka
	make unit && tests/unit/run.sh build/host
	;;
unit-fast)
	need cmocka
	make unit && UNIT_BUT="$waiting" tests/unit/run.sh build/host
	;;
talk)
	leaves more "each cut and each size in each dialect"
	make talk && {
		! at test || build/host/tests/talk/talk --shared tests/talk/*.talk || one false
		! at more || build/host/tests/talk/talk tests/talk/*.talk || one false
	} | sum
	;;
talk-bridge)
	leaves more "scenes of quash-bridge that are cut, or whose memory is refused"
	make talk-bridge && {
		! at test || build/host/tests/talk/talk-bridge --some 0 tests/talk/bridge/*.talk || one false
		! at more || build/host/tests/talk/talk-bridge --some 300 tests/talk/bridge/*.talk || one false
	} | sum
	;;
talk-fast) make talk && talked build/host/tests/talk/talk whole bytes | sum ;;
sanitized)
	need cmocka clang sanitizers
	# Cuts in all places are tried without sanitizers, too, and by fuzzing with them.
	cut_everywhere='cancel batch calls framing-headers framing-lines'
	leaves more "under sanitizers, transcripts, and scenes of quash-bridge"
	never "under sanitizers, transcripts cut everywhere and starved but $cut_everywhere"
	talk=build/sanitized/host/tests/talk/talk
	{
		! at test || { make sanitized-unit && tests/unit/run.sh build/sanitized/host; } || one false
		! at more || make sanitized-talk sanitized-talk-bridge || one false
		! at more || build/sanitized/host/tests/talk/talk-bridge --some 3 tests/talk/bridge/*.talk || one false
		! at more || talked $talk whole bytes drip=64 stalling=64
		! at more || for name in $cut_everywhere; do
			$talk "tests/talk/$name.talk" || one false
		done
	} | sum
	;;
checked)
	need cmocka
	make checked-talk checked-unit && {
		# Those two have a put function that puts something else each time, which ends the program here.
		for mode in whole drip=64; do
			# shellcheck disable=SC2046
			build/checked/host/tests/talk/talk --mode "$mode" $(but "$(echo tests/talk/*.talk)" 'tests/talk/long-replies.talk tests/talk/trace.talk') || one false
		done
		for test in json/test_writer mcp/test_mcp; do
			tests/unit/run.sh build/checked/host "unit/${test%/*}" || one false
		done
	} | sum
	;;
mutants)
	need cmocka lwip clang sanitizers libfuzzer jansson
	make all unit talk lwip rtos-early sim-program fuzzers rtos-wakes ptys && {
		planted
		node tests/mutate/tool.test.mjs || one false
	} | sum
	;;
sim)
	need clang sanitizers arm-none-eabi-gcc qemu-system-arm
	leaves more "more of the simulator's seeds, and a planted defect that it shrinks"
	leaves all "ten times as many of the simulator's seeds"
	make sim-program sanitized-sim && {
		! at test || node tests/sim/sim.mjs 2000 1 || one false
		! at more || node tests/sim/sim.mjs 8000 100001 --defect || one false
		! at all || node tests/sim/sim.mjs 100000 1000001 || one false
	} | sum
	;;
layers)
	leaves more "that each rule of the tree sees a violation"
	{
		! at test || node tests/layers/layers.mjs --rules || one false
		! at test || node tests/layers/interface.mjs || one false
		! at test || node tests/layers/engine-links.mjs || one false
		! at more || node tests/layers/layers.mjs || one false
		! at more || make house-program || one false
		! at more || node tests/layers/house.mjs || one false
	} | sum
	;;
format | format-fast)
	need clang-format
	node tests/layers/format.mjs
	;;
layers-fast) node tests/layers/layers.mjs --rules ;;
headers)
	leaves more "headers and sources with other compilers and standards, fields, formats, names of globals, programs in C++"
	{
		! at test || tests/builds/headers.sh some || one false
		! at more || tests/builds/headers.sh others || one false
		! at more || tests/builds/fields.sh || one false
		! at more || tests/builds/formats.sh || one false
		! at more || node tests/builds/cxx.mjs || one false
		! at more || node tests/builds/wrong.mjs || one false
		! at more || node tests/builds/names.mjs || one false
	} | sum
	;;
check)
	need arm-none-eabi-gcc
	{ node tests/check/check.mjs || one false; node tests/check/recipes.mjs || one false; } | sum
	;;
one-file)
	need cmocka
	{ tests/builds/one-file.sh || one false; } | sum
	;;
readme) node tests/readme/readme.mjs ;;
host)
	make uno-toolbox gallery examples motor ptys hosts-programs && {
		{ node tests/host/run.mjs inspect || one false; } &
		node tests/host/run.mjs others || one false
		wait
	} | sum
	;;
bridge)
	leaves all "a thousand pulled cables, the requests of a day, and clients that vanish or read nothing for half a minute"
	make ptys teller examples gallery && {
		! at test || node tests/host/bridge.mjs || one false
		! at test || node tests/host/bridge-plugs.mjs quick || one false
		! at all || node tests/host/bridge-plugs.mjs rest || one false
		! at all || node tests/host/bridge-whose.mjs rest || one false
		! at all || node tests/host/bridge-vanish.mjs || one false
	} | sum
	;;
wasm)
	need wasi
	make wasm && {
		node tests/wasm/shell.mjs || one false
		node tests/wasm/ports.mjs || one false
		node tests/wasm/hosts-on-windows.mjs || one false
		{ make talk-wasm && node tests/wasm/talk-bridge.mjs --some 60 tests/talk/bridge/*.talk; } || one false
	} | sum
	;;
npm)
	need wasi npm zip
	leaves all "texts of hosts' settings with the package of npm"
	# They start the program again and again, and need of it only that it reads and writes files, which 'install' shows.
	of_hosts='hosts install-texts'
	# Tests of the bridge with the program of a folder in build/npm: in_package FOLDER [NAME...].
	in_package() {
		in=$PWD/build/npm/$1
		shift
		BRIDGE=$in/quash-bridge.mjs WITHOUT=$(node tests/wasm/left-out.mjs) node tests/host/bridge.mjs "$@" || one false
	}
	# As on Windows, where the addon opens serial devices: the file that does without it is not there.
	without_stty() {
		rm -rf build/npm/addon
		cp -R build/npm/package build/npm/addon
		rm build/npm/addon/kind-tty.mjs
	}
	# shellcheck disable=SC2086
	make mcpb && make ptys teller examples gallery && {
		! at more || node tests/npm/package.mjs || one false
		! at more || node tests/npm/bundle.mjs || one false
		! at more || in_package . --but $of_hosts
		! at more || BRIDGE=$PWD/build/npm/quash-bridge.mjs node tests/host/bridge-plugs.mjs quick || one false
		! at more || { without_stty && in_package addon line devices; }
		! at all || in_package . $of_hosts
	} | sum
	;;
page)
	need wasi chromium arm-none-eabi-gcc qemu-system-arm
	tests/common/npm/install.sh || true
	make all page ptys examples && make BOARD=lm3s6965evb build/lm3s6965evb/toolbox.elf && {
		for test in modules join worker run; do
			node "tests/page/$test.mjs" || one false
		done
	} | sum
	;;
systems)
	need musl-gcc cmocka
	leaves all "the other tests of quash-bridge with musl, and with stand-ins for what is Linux's own"
	# Sessions and ends say whether another C library will do; sockets and waiting, whether the stand-ins do.
	with_musl='session end'
	with_stand_ins='clients devices end ports strangers'
	# Ports are played by a library for this machine's own C library.
	not_with_musl=ports
	# Files of hosts and of systemd are the same with each of them, and so are answers.
	alike='hosts install service doors'
	# Tests of the bridge that a build has: bridge_of BUILD [[--but] NAME...].
	bridge_of() {
		built=$PWD/build/$1/host
		shift
		BRIDGE=$built/quash-bridge TOOLBOX=$built/toolbox node tests/host/bridge.mjs "$@" || one false
	}
	# shellcheck disable=SC2086
	make musl stand-ins ptys teller examples && {
		! at more || tests/unit/run.sh build/stand-ins/host || one false
		! at more || node tests/host/report.mjs || one false
		! at more || bridge_of musl $with_musl
		! at more || WITHOUT=linux bridge_of stand-ins $with_stand_ins
		! at all || bridge_of musl --but $with_musl $not_with_musl $alike
		! at all || WITHOUT=linux bridge_of stand-ins --but $with_stand_ins $alike
	} | sum
	;;
packages)
	# For the archives and the release. What else a test runs stands in its testWith.
	need zip unzip wasi npm
	leaves all "packages but those for $packed_more"
	tests/common/npm/install.sh || true
	make wasm >/dev/null || true # a release has it
	# shellcheck disable=SC2046,SC2086
	node tests/packages/run.mjs $(pick '' "$packed_more" "$(but "$(packed)" "$packed_more")")
	;;
suite) node tests/host/jsontestsuite.mjs ;;
interop)
	leaves more "official clients in other modes, over a bridge and behind nginx, programs between client and bridge, sizes of devices"
	# A board for the blocks of docs/connect.md, where it can be built and emulated.
	if at test && has arm-none-eabi-gcc && has qemu-system-arm; then make BOARD=lm3s6965evb; fi
	# shellcheck disable=SC2046
	make gallery ptys hosts-programs && tests/interop/run.sh run $(pick some others '')
	;;
conformance)
	need npm
	leaves all "the official conformance suite on boards"
	! at all || need arm-none-eabi-gcc riscv64-unknown-elf-gcc qemu-system-arm qemu-system-riscv32
	make conformance CONFORMING="$(pick '' host 'mps2-an385 riscv-virt')"
	;;
big-endian)
	need powerpc-linux-gnu-gcc qemu-ppc
	# Thousands of random messages, or of losses of memory.
	long='json/test_writer_random mcp/test_mcp_keep'
	leaves all "on a PowerPC, transcripts but whole, and unit tests of anything at random"
	units=build/big-endian/host/tests/unit
	make big-endian-talk big-endian-portable-unit && {
		for program in "$units"/*/test_*; do
			[ -x "$program" ] || continue
			case " $long " in *" ${program#"$units/"} "*) at all ;; *) at more ;; esac || continue
			qemu-ppc "$program" || one false
		done
		# shellcheck disable=SC2046
		talked 'qemu-ppc build/big-endian/host/tests/talk/talk' $(pick '' whole 'bytes drip=64 stalling=64')
	} | sum
	;;
boards)
	need arm-none-eabi-gcc riscv64-unknown-elf-gcc avr-gcc qemu-system-arm qemu-system-riscv32 qemu-system-avr
	# The Mega has the instructions of the Uno, the microbit those of the Pico, and mps2-an385 those of lm3s6965evb. QEMU does not let an AVR
	# sleep, so there a test that waits takes a whole processor.
	leaves more "boards but lm3s6965evb, riscv-virt and uno; clients at the pace of the wire"
	leaves all "boards with a processor that another one has; clients but one at each board, boards but lm3s6965evb at the pace of the wire, and what porting asks of uno"
	never "clients at the pace of the wire at uno, pico and mps2-an385"
	BOARDS=$(pick 'lm3s6965evb riscv-virt uno' 'mega2560 microbit pico' mps2-an385)
	WHOLE=$(pick 'lm3s6965evb riscv-virt uno' 'mega2560 microbit' 'mps2-an385 pico')
	CONFORM=$(pick 'lm3s6965evb riscv-virt' 'mega2560 microbit' 'mps2-an385 pico uno')
	CLIENTS=$(pick '' '' 'uno mps2-an385 pico')
	PACED=$(pick '' lm3s6965evb 'riscv-virt mega2560 microbit')
	WIRE=$(pick lm3s6965evb '' 'riscv-virt mega2560 microbit')
	FORGETFUL=$(pick 'lm3s6965evb riscv-virt' mega2560 '')
	case $level in more | whole) UNDER_MAKE= ;; *) UNDER_MAKE=one ;; esac
	export BOARDS WHOLE CONFORM CLIENTS PACED WIRE FORGETFUL UNDER_MAKE
	{ tests/boards/run.sh || one false; } | sum
	;;
on-boards)
	need arm-none-eabi-gcc riscv64-unknown-elf-gcc avr-gcc qemu-system-arm qemu-system-riscv32 qemu-system-avr
	# The Mega's int has 16 bits, and its double 32. The Pico has a slow emulator: its unit.mk names some.
	leaves all "unit tests on lm3s6965evb, riscv-virt and microbit, and some on pico"
	never "unit tests on uno and mps2-an385, and most on pico"
	# shellcheck disable=SC2046
	tests/common/npm/install.sh && node tests/boards/unit.mjs $(pick '' mega2560 'lm3s6965evb riscv-virt microbit pico')
	;;
talk-boards)
	need arm-none-eabi-gcc riscv64-unknown-elf-gcc avr-gcc qemu-system-arm qemu-system-riscv32 qemu-system-avr
	leaves more "transcripts on boards but lm3s6965evb"
	leaves all "transcripts on microbit, most on mega2560, some on pico; byte by byte on mega2560"
	never "most transcripts on pico and all on uno and mps2-an385; byte by byte, all but mega2560"
	# QEMU's AVR is slow, and the Pico's emulator slower: some scenes of each kind.
	some_on() {
		TALK_MODE=whole TALK_SCENES="$(printf 'tests/talk/%s.talk ' first-look cancel batch framing-lines scarce)" tests/talk/boards.sh "$1" || one false
	}
	{
		! at test || TALK_MODE=whole tests/talk/boards.sh lm3s6965evb || one false
		! at more || TALK_MODE=whole tests/talk/boards.sh riscv-virt || one false
		! at more || some_on mega2560
		! at all || TALK_MODE=whole tests/talk/boards.sh mega2560 || one false
		! at all || TALK_MODE=bytes tests/talk/boards.sh mega2560 || one false
		! at all || TALK_MODE=whole tests/talk/boards.sh microbit || one false
		! at all || tests/common/npm/install.sh || one false
		! at all || some_on pico
	} | sum
	;;
rtos)
	need clang sanitizers arm-none-eabi-gcc riscv64-unknown-elf-gcc qemu-system-arm
	leaves all "ten times as many cancels and wakes between two harts"
	{
		{ ! at more || tests/rtos/kernel/run.sh || one false; } &
		! at more || tests/rtos/run.sh || one false
		! at more || tests/rtos/cores/run.sh 10 || one false
		! at all || tests/rtos/cores/run.sh 1 || one false
		wait
	} | sum
	;;
lwip)
	need cmocka clang sanitizers lwip
	{ tests/lwip/run.sh || one false; } | sum
	;;
bench)
	tests/common/npm/install.sh || true
	make bench-quick && node tests/bench/host/quick.mjs
	;;
safe)
	! at all || need arm-none-eabi-gcc qemu-system-arm
	leaves all "2,400 more faults while a motor moves, and those on boards"
	for extent in $(pick quick '' rest); do
		node tests/safe/suite.mjs "$extent" || one false
	done | sum
	;;
demo) one make demo ;;
examples)
	need arm-none-eabi-gcc qemu-system-arm
	node tests/readme/examples.mjs
	;;
size)
	need arm-none-eabi-gcc
	# The processor that has goals, and the one whose int has 16 bits; boards with little room; what counts instructions quickly.
	library='cortex-m0plus atmega2560' boards='microbit riscv-virt uno' rest='lm3s6965evb mega2560 mps2-an385 pico'
	slow='lm3s6965evb microbit pico mega2560 uno'
	leaves all "the library on cortex-m3 and rv32imac, programs on $rest, and instructions on $slow"
	# shellcheck disable=SC2086
	{
		! at more || node tests/size/size.mjs $library || one false
		! at more || node tests/size/boards.mjs $boards || one false
		! at more || node tests/bench/count.mjs --but $slow || one false
		! at all || node tests/size/size.mjs cortex-m3 rv32imac || one false
		! at all || node tests/size/boards.mjs $rest || one false
		! at all || tests/interop/run.sh ../bench/count $slow || one false
	} | sum
	;;
fuzz)
	need clang sanitizers libfuzzer jansson
	# Bytes, and the JSON and HTTP in them.
	some='stream json http'
	leaves more "targets but $some, and as many runs of each from another seed"
	leaves all "twenty times as many"
	# shellcheck disable=SC2086
	{
		! at test || FUZZ_RUNS=fixed tests/fuzz/run.sh $some || one false
		! at more || FUZZ_RUNS=more tests/fuzz/run.sh || one false
		! at all || FUZZ_RUNS=most tests/fuzz/run.sh || one false
	} | sum
	;;
cost)
	leaves all "the cost of more than 16 KiB in pieces, of more than 8 KiB byte by byte, and of pieces of 16 bytes"
	make cost-program turns-program && {
		! at more || build/turns/host/tests/bench/turns/turns || one false
		! at more || node tests/layers/house-bridge.mjs || one false
		! at more || node tests/bench/turns/memory.mjs || one false
		for extent in $(pick '' short --full); do
			build/cost/host/tests/bench/cost/cost ${extent#short} || one false
		done
	} | sum
	;;
prove)
	need frama-c
	leaves all "proofs and seeded bugs of which nothing has changed since they were run"
	{
		! at more || tests/proof/run.sh --changed || one false
		! at more || node tests/proof/changed.mjs || one false
		! at all || tests/proof/run.sh || one false
	} | sum
	;;
*)
	echo "no suite is named $1"
	exit 2
	;;
esac
