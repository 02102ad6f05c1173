# SPDX-License-Identifier: MIT
# Completes quash-bridge and quash-inspect in bash. Options and their values are those of --help, read when they are needed.

# Prints what may stand for the value of the option $1, whose kind in the help $2 is $3; $4 begins it.
_quash_values() {
	case $3 in
	*\|*) compgen -W "${3//|/ }" -- "$4" ;;
	HOST) compgen -W "$(sed -n 's/^HOST is one of \(.*\)\.$/\1/p' <<<"$2")" -- "$4" ;;
	PORT)
		compgen -W auto -- "$4"
		if [[ -z $4 ]]; then compgen -G '/dev/serial/by-id/*'; else compgen -f -- "$4"; fi
		;;
	PATH | FILE) compgen -f -- "$4" ;;
	esac
}

_quash() {
	local program=${1/#\~\//$HOME/} word=$2 option=$3 help kind i
	COMPREPLY=()
	for ((i = 1; i < COMP_CWORD; i++)); do
		if [[ ${COMP_WORDS[i]} == -- ]]; then
			compopt -o filenames 2>/dev/null
			if ((i + 1 == COMP_CWORD)); then mapfile -t COMPREPLY < <(compgen -c -- "$word"); fi
			if ((${#COMPREPLY[@]} == 0)); then mapfile -t COMPREPLY < <(compgen -f -- "$word"); fi
			return
		fi
	done
	help=$("$program" --help 2>/dev/null | sed 's/quash-[a-z]* --[a-z]*//g')
	kind=
	[[ $option != --* ]] || kind=$(sed -n "s/^\(.*[^a-z-]\)*$option \([^] ]*\).*/\2/p" <<<"$help" | head -n 1)
	if [[ -n $kind ]]; then
		[[ $kind != PATH && $kind != PORT && $kind != FILE ]] || compopt -o filenames 2>/dev/null
		mapfile -t COMPREPLY < <(_quash_values "$option" "$help" "$kind" "$word")
	else
		mapfile -t COMPREPLY < <(compgen -W "-- $(grep -o -- '--[a-z][a-z-]*' <<<"$help" | sort -u)" -- "$word")
	fi
}

complete -F _quash quash-bridge quash-inspect
