#!/bin/sh
# SPDX-License-Identifier: MIT
# Frama-C's Eva looks at every execution of each harness at once: no access out of bounds, no overflow, no read of
# what was never written. Then that seeded bugs raise an alarm, each in the harness that is fastest at it.
#
# A proof holds when there is no alarm, every assertion is proved, no function is without its code, and as many
# statements are reached as PROOFS says: what is not reached is not proved. `tests/proof/run.sh NAME...` runs those
# alone, `--bugs` also the seeded bugs that they are to see, `--no-bugs` leaves the bugs out where no NAME is given.
# FRAMA_C names the program. Infinities are values like others here (IEEE 754), NaN is an alarm.
#
# A prover that sees the same text says the same. `--write` runs all, and when all is well writes down, in the file
# proved, a digest of what each proof and each bug has depended on. `--changed` runs those of which that file does not
# have the digest, and counts the others as what they were. `--add` does so too, and then writes the file.
set -u
cd "$(dirname "$0")/../.." || exit 1

FRAMA_C=${FRAMA_C:-frama-c}
build=build/proof
bugs=tests/proof/bugs
proved=tests/proof/proved

# name, harness, sources (see sources_of), percent of statements to reach, the harness's settings.
# W is the word: 32 bits make quash_size 16 bits wide, 64 bits make it 32.
PROOFS='
lex             lex    lex     98 W=32
frame           frame  frame   98 W=32
tape-16         tape   tape    97 W=32 ARENA=16
tape-1000       tape   tape    97 W=64 ARENA=1000
writer-64       writer writer  97 W=32 TX=64
writer-1001     writer writer  97 W=64 TX=1001
slots-2         slots  slots   96 W=32 SLOTS=2
slots-9         slots  slots   96 W=64 SLOTS=9 ID=40 TAG=36
keep-16         keep   keep    90 W=32 ARENA=16
keep-90         keep   keep    90 W=64 ARENA=90
config          config core    94 W=32
config-64       config core    94 W=64
out             out    core    70 W=32
out-lsp         out    core    70 W=32 DIALECT=quash_lsp
out-known       out    core    70 W=32 QUASH_THE_CONFIG=out_config
silent          silent core    63 W=32
cascade         cascade model  92 W=32
peer-answers    answers core   68 W=32 volatile=
answers-known   answers core  68 W=32 volatile= QUASH_THE_CONFIG=config
answers-refused answers core  70 W=32 volatile= REFUSED
states          states core    74 W=32 volatile=
params          params params  72 W=32 volatile=
fields          fields fields  90 W=32
numbers         fields fields  90 W=32 NUMBERS
tables          tables fields  80 W=32
state           state  state   90 W=32
confirm         confirm confirm 70 W=32 volatile=
input           input  input   85 W=32 volatile=
relay           relay  relay   72 W=32 volatile=
peer-least      peer   model   95 W=32
peer-acp        peer   model   92 W=32 DIALECT=quash_acp SLOTS=4 ID=24 TAG=16 STATE=8
peer-lsp        peer   model   95 W=32 DIALECT=quash_lsp SLOTS=3 ID=19 ARENA=37 TX=101 STATE=8 CALLS=2
peer-mcp        peer   model   95 W=32 DIALECT=quash_mcp SLOTS=5 ID=18 ARENA=67 TX=65 REASON=7 ITEMS KEEPS
peer-pump       peer   model   95 W=32 DIALECT=quash_mcp PUMP CALLS=2
peer-known      peer   model   95 W=32 SLOTS=1 QUASH_THE_CONFIG=config CALM
peer-refused    peer   refused 89 W=32 REFUSED CALM
'

sources_of() {
	case $1 in
	lex) echo src/json/lex.c src/json/utf8.c ;;
	frame) echo src/wire/frame.c ;;
	slots) echo src/core/slots.c ;;
	keep) echo src/core/keep.c src/core/envelope.c src/core/slots.c src/json/tape.c ;;
	tape) ls src/json/*.c | grep -v /lex ;;
	writer) ls src/wire/*.c src/json/*.c | grep -v /lex ;;
	core) ls src/json/*.c src/wire/*.c src/core/*.c src/call/*.c ;;
	model) sources_of core | grep -v /lex ;;
	refused) sources_of model | grep -v -e /faults -e /fault_text ;;
	params) sources_of core && ls src/params/*.c | grep -v number ;;
	fields) sources_of writer && ls src/params/*.c ;;
	state) sources_of writer && echo src/core/request.c src/core/slots.c src/params/params.c src/mcp/mcp_ticket.c src/mcp/mcp_read.c src/mcp/mcp_target.c ;;
	confirm)
		sources_of core && ls src/params/*.c src/profile/*.c | grep -v number
		echo src/mcp/mcp.c src/mcp/mcp_ask.c src/mcp/mcp_check.c src/mcp/mcp_confirm.c src/mcp/mcp_part.c src/mcp/mcp_ticket.c
		echo src/mcp/mcp_target.c src/mcp/mcp_tools.c
		;;
	input)
		sources_of core && ls src/params/*.c src/profile/*.c | grep -v number
		echo src/mcp/mcp.c src/mcp/mcp_ask.c src/mcp/mcp_check.c src/mcp/mcp_input.c src/mcp/mcp_modern.c src/mcp/mcp_part.c
		echo src/mcp/mcp_read.c src/mcp/mcp_target.c src/mcp/mcp_ticket.c src/mcp/mcp_tools.c
		;;
	relay) sources_of core && ls src/profile/*.c src/forward/*.c ;;
	esac
}

# Functions with the number that splits them; one that is not in the sources any more is left out.
known() {
	for of; do
		! grep -q "[* ]${of%:*}(" src/*/*.c || printf '%s,' "$of"
	done | sed 's/,$//'
}

PRECISE='quash_next_node:20 element:20 member:20 quash_get:20 quash_decimal:20 magnitude:20 quash_int64:20 quash_int32:20 quash_value_int32:20 skip_digits:100
	exponent:100'
STORES='quash_next_node:0 element:0 member:0 quash_get:0 quash_next:0 quash_decimal:0 magnitude:1 quash_int64:0 quash_int32:0 quash_value_int32:0
	quash_next_live:0'

# How a config is refused.
REFUSED='is_wrong_size:40 is_wrong_extent:40 are_good_cancels:40 word_for:300 quash_same_text:300'
REFUSES='quash_check_config:0'

# Precision where it is needed: functions whose result says whether what they store was stored.
options_of() {
	case $1 in
	lex) echo -eva-slevel 200 ;;
	tape) echo -eva-auto-loop-unroll 8 -eva-split-return auto -eva-split-return-function quash_next_node:0,quash_next:0 -eva-slevel 20 ;;
	writer) echo -eva-auto-loop-unroll 10 ;;
	peer) echo -eva-unroll-recursive-calls 2 -eva-split-return-function "$(known $STORES $REFUSES)" -eva-slevel-function "look:10,$(known $PRECISE $REFUSED)" ;;
	config) echo -eva-split-return auto -eva-slevel 40 -eva-slevel-function word_for:300,quash_same_text:300 ;;
	fields)
		echo -eva-slevel 300 -eva-auto-loop-unroll 30 -eva-slevel-function "leading_digits:0,scale:0,put_magnitude:0,put_plain_number:0"
		echo -eva-slevel-function quash_put_escaped:10,put_value_bytes:10,quash_put_string_text:50,copy_text:100,mantissa:40
		echo -eva-split-return-function quash_decimal:0,magnitude:1,quash_value_int32:0,quash_next_node:0,quash_next:0
		;;
	tables) echo -eva-slevel 100000 -eva-split-return auto ;;
	state) echo -eva-slevel 300 -eva-slevel-function sip_take:60,sip_length:60,take_members:60,member:20 -eva-split-return-function quash_next_node:0,quash_next:0,quash_mcp_ticket_answer:full ;;
	answers | states | relay | confirm) echo -eva-slevel 100000 ;;
	input)
		echo -eva-slevel 10000 -eva-slevel-function sip_take:60,sip_length:60,take_members:2000,member:200
		echo -eva-split-return-function quash_next_node:0,quash_next:0,quash_mcp_ticket_answer:full,answer_to:full,ask_modern:full
		echo -eva-split-return-function quash_mcp_ask:full,ask:full,ask_all:full,handle:full,end_rounds:full,end_round:full,end_questions:full
		;;
	params) echo -eva-slevel 100000 -eva-split-return-function quash_text_length:full,quash_bind_all:full,quash_read_all:full ;;
	cascade) echo -eva-split-return-function "$(known $STORES)" -eva-slevel-function "$(known $PRECISE quash_same_text:300 quash_put_string_text:300)" ;;
	esac
}

# The words of a proof's settings, as options of the preprocessor.
defines_of() {
	for setting; do
		case $setting in W=*) ;; *) printf ' -D%s' "$setting" ;; esac
	done
}

# A folder gets a copy of the sources. In those where the lexer writes anything, a name and a refusal do not stand in the same
# place, nor do a number and a text of an answer: which of them stands there is taken for granted. Folder, sources.
copy_to() {
	rm -rf "$1"
	mkdir -p "$1"
	cp -r src include "$1"
	case $2 in
	model | refused | keep) sed -i -e 's/^typedef union quash_word/typedef struct quash_word/' \
		-e '/^\tunion {$/{N;/number;/{s/union/struct/;s/$/\n\t\tunion {/;};}' -e 's/^\t} content;/\t\t};\n&/' "$1/include/quash/objects.h" ;;
	esac
}

# Runs a harness on the sources under a folder: folder, further options, harness, sources, W=, the line of PROOFS.
analyse() {
	root=$1 extra=$2 harness=$3 sources=$4 word=${5#W=} here=$PWD
	shift 10
	(cd "$root" && exec "$FRAMA_C" -eva -eva-precision 0 -eva-widening-period 1 -eva-no-print -machdep "gcc_x86_$word" \
		-warn-special-float nan -eva-warn-key loop-unroll=inactive $(options_of "$harness") $extra \
		-cpp-extra-args="-Iinclude -Isrc -I$here/tests/proof$(defines_of "$@")" \
		"$here/tests/proof/$harness.c" $(sources_of "$sources"))
}

# What a log says: alarms and assertions not proved; percent of statements reached; what went wrong besides.
alarms_in() {
	grep -c -e '^\[eva:alarm\]' "$1" || :
}

reached_in() {
	sed -n 's/.*statements reached (out of .*): \([0-9]*\)% coverage.*/\1/p' "$1"
}

trouble_in() {
	grep -h -o -e 'User Error.*' -e 'Neither code nor specification for function [a-z_0-9]*' \
		-e 'Recursive call to [a-z_0-9]* without' -e 'non-terminating function' "$1" | head -n 3
}

# Seconds of the processor, out of what `times` has said: its second line is of the shell's children.
seconds_in() {
	awk -F '[ms ]+' 'NR == 2 { printf "%.0f", 60 * $1 + $2 + 60 * $3 + $4 }' "$1"
}

# One proof: a line of PROOFS, split into words. So many alarms are enough: behind them it goes on for ever.
proof() {
	log=$build/$1.log
	copy_to "$build/sources/$1" "$3"
	analyse "$build/sources/$1" "-metrics -metrics-eva-cover -eva-stop-at-nth-alarm 20" "$2" "$3" "$5" "$@" >"$log" 2>&1 || echo "User Error: no end" >>"$log"
	alarms=$(alarms_in "$log") reached=$(reached_in "$log") trouble=$(trouble_in "$log")
	times >"$log.times"
	verdict=ok
	if [ "$alarms" != 0 ] || [ -n "$trouble" ] || [ "${reached:-0}" -lt "$4" ]; then verdict=FAIL; fi
	printf '%-4s %-14s %3d alarms %3d %% of statements reached %4d s\n' "$verdict" "$1" "$alarms" "${reached:-0}" \
		"$(seconds_in "$log.times")"
	[ -z "$trouble" ] || printf '%s\n' "$trouble" | sed 's/^/     /'
	[ "$alarms" = 0 ] || grep -A 1 -e '^\[eva:alarm\]' "$log" | head -n 12 | sed 's/^/     /'
}

# One bug: a copy of the sources with it, and the proof that its patch names, up to the first alarm.
bug() {
	name=$(basename "$1" .patch)
	copy=$build/bugs/$name log=$build/bugs/$name.log
	set -- "$1" $(line_of "$(sed -n 's/^proof: //p' "$1")")
	copy_to "$copy" "${4:-}"
	alarms=0 verdict=FAIL
	if [ $# -lt 6 ]; then
		echo "it names no proof" >"$log"
	elif git apply -C1 --directory="$copy" "$1" >"$log" 2>&1; then
		shift
		analyse "$copy" "-eva-stop-at-nth-alarm 1" "$2" "$3" "$5" "$@" >"$log" 2>&1
		alarms=$(alarms_in "$log")
		[ "$alarms" = 0 ] || verdict=ok
	fi
	times >"$log.times"
	printf '%-4s bug %-24s %3d alarms in %-12s %4d s\n' "$verdict" "$name" "$alarms" "${1:-}" \
		"$(seconds_in "$log.times")"
	[ "$verdict" = ok ] || tail -n 3 "$log" | sed 's/^/     /'
}

# In the sources only hints may stand, and what is to be proved: nothing that the prover takes for granted.
hints_only() {
	if grep -n -e '/\*@' -e '//@' src/*/*.[ch] include/*.h include/*/*.h |
		grep -v -E '/\*@ (loop unroll [0-9]+|split [a-z]+|dynamic_split [a-z]+|assert .*); \*/$'; then
		echo 'FAIL the annotations above are neither hints nor assertions'
	else
		echo 'ok   no annotation in the sources but hints and assertions'
	fi
}

# Functions of the peer that no run of it has reached.
all_reached() {
	for log in "$build"/peer-*.log; do
		sed -n '/Unreached functions/,/^\[/p' "$log" | tr -d '\n' | tr '<' '\n' | sed -n 's/^\(src[^>]*\)>: */\1 /p' |
			awk -F '[ ;]+' '{ for (i = 2; i <= NF; i++) if ($i ~ /^[a-z]/) print $1, $i }'
	done | sort | uniq -c | awk -v runs="$(ls "$build"/peer-*.log | wc -l)" '
		$1 == runs { print "     never reached: " $3 " of " $2; n++ }
		END { print n ? "FAIL some functions of the peer are never reached" : "ok   every function of the peer is reached" }'
}

line_of() {
	printf '%s' "$PROOFS" | awk -v name="$1" '$1 == name'
}

# The text of files without comments that the prover does not read, blank lines and indentation.
code_of() {
	awk '
		{
			text = ""
			for (line = $0;;) {
				if (inside) {
					if (!(at = index(line, "*/"))) { line = ""; break }
					line = substr(line, at + 2)
					inside = 0
				}
				if (!(at = index(line, "/*"))) break
				if (substr(line, at + 2, 1) == "@") {
					text = text substr(line, 1, at + 2)
					line = substr(line, at + 3)
				} else {
					text = text substr(line, 1, at - 1)
					line = substr(line, at + 2)
					inside = 1
				}
			}
			text = text line
			gsub(/[ \t]+/, " ", text)
			if (text !~ /^ ?$/) print text
		}' "$@"
}

# What a proof depends on but for the prover: its line and options, this file but for those of others, the code of its harness and
# sources, and of what these include.
input_of() {
	set -- $(line_of "$1")
	[ $# = 0 ] || {
		echo "$*" $(options_of "$2") $(sources_of "$3")
		sed -e "/^PROOFS='/,/^'/d" -e '/^sources_of() {/,/^}/d' -e '/^options_of() {/,/^}/d' tests/proof/run.sh
		code_of tests/proof/*.h "tests/proof/$2.c" $(sources_of "$3") src/*/*.h include/*.h include/*/*.h
	}
}

# A digest of that and of the prover, for a proof's name, or with the patch of a bug. Whether every function is reached is
# said by the proofs of the peer together, so they change together.
digest_of() {
	patch=${2-}
	set -- "$1" $(line_of "$1")
	case ${3-}$patch in
	peer) set -- $(printf '%s' "$PROOFS" | awk '$2 == "peer" { print $1 }') ;;
	*) set -- "$1" ;;
	esac
	{
		echo "$version"
		[ -z "$patch" ] || cat "$patch"
		for name; do input_of "$name"; done
	} | sha256sum | cut -d ' ' -f 1
}

# The lines of the file for names of proofs and patches of bugs.
digests_of() {
	for of; do
		case $of in
		*.patch) echo "$(basename "$of" .patch) $(digest_of "$(sed -n 's/^proof: //p' "$of")" "$of")" ;;
		*) echo "$of $(digest_of "$of")" ;;
		esac
	done
}

# Those names and patches that the file has not; those that it has are said to the file $1.
changed_of() {
	said=$1
	shift
	for of; do
		if grep -q -s -x "$(digests_of "$of")" $proved; then
			echo "ok   $(basename "$of" .patch): nothing has changed since it was run" >>"$said"
		else
			echo "$of"
		fi
	done
}

case ${1:-} in
--proof)
	proof $(line_of "$2")
	exit 0
	;;
--bug)
	bug "$2"
	exit 0
	;;
esac

# The patches of the bugs that these proofs are to see.
bugs_of() {
	for name; do
		grep -l -x "proof: $name" $bugs/*.patch
	done
}

with_bugs='' of_all=''
case ${1:-} in
--bugs) with_bugs=yes && shift ;;
--no-bugs) with_bugs=no && shift ;;
--write | --changed | --add) of_all=$1 && shift ;;
esac
mkdir -p "$build/bugs"
all=$(printf '%s' "$PROOFS" | awk 'NF { print $1 }')
names=${*:-$all} patches=
for name in $names; do
	[ -n "$(line_of "$name")" ] || { echo "there is no proof $name; there are: "$all >&2 && exit 2; }
done
case $with_bugs$# in
yes*) patches=$(bugs_of $names) ;;
0) patches=$(ls $bugs/*.patch) ;;
esac
if ! command -v "$FRAMA_C" >/dev/null; then
	echo "skip $(echo $names | wc -w) proofs and $(echo $patches | wc -w) bugs: frama-c is not here (package frama-c-base)"
	echo "0 passed, 0 failed, $(echo $names $patches | wc -w) skipped"
	exit 0
fi
rm -f "$build"/*.log "$build"/*.times "$build/unchanged"
version=$("$FRAMA_C" -version)
: >"$build/unchanged"
all_of_it="$names $patches"
case $of_all in
--changed | --add)
	names=$(changed_of "$build/unchanged" $names)
	patches=$(changed_of "$build/unchanged" $patches)
	;;
esac
{
	hints_only
	cat "$build/unchanged"
	# The longest ones stand last, so they begin first.
	[ -z "$names" ] || printf '%s\n' $names | tac | xargs -P 2 -n 1 sh tests/proof/run.sh --proof
	case $#$names in 0*peer-least*) all_reached ;; 0*) echo 'ok   every function of the peer is reached: nothing has changed' ;; esac
	[ -z "$patches" ] || printf '%s\n' $patches | xargs -P 2 -n 1 sh tests/proof/run.sh --bug
} | tee "$build/summary"
if { [ "$of_all" = --write ] || [ "$of_all" = --add ]; } && ! grep -q '^FAIL' "$build/summary"; then
	{
		echo '# SPDX-License-Identifier: MIT'
		echo '# Proofs and seeded bugs that were run, with a digest of what each depends on. run.sh --write writes this.'
		digests_of $all_of_it
	} >$proved
fi
awk '
	/^ok / { passed++ }
	/^FAIL/ { failed++ }
	END { print passed + 0 " passed, " failed + 0 " failed, 0 skipped"; exit failed > 0 }' "$build/summary"
