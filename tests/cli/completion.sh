# Completions: made from the tables of options and commands, parsed by the shells that are installed, identical to the files that are installed.
. "$srcdir/tests/cli/lib.sh"
failed=0
bad() {
	echo "$1"
	failed=1
}
for shell in bash zsh fish; do
	"$tpuscope" --completion=$shell >c.$shell 2>err || bad "--completion=$shell: $(cat err)"
	if command -v $shell >/dev/null; then
		$shell -n c.$shell || bad "$shell does not read its completions"
	else
		echo "# $shell is not installed: its completions were not read by it"
	fi
done
"$tpuscope" --completion=csh >out 2>err && bad "--completion=csh should fail"
grep -q 'bash, zsh, fish' err || bad "--completion=csh: $(cat err)"
cmp c.bash "$top_builddir/man/tpuscope.bash" || bad "tpuscope.bash is not what is printed"
cmp c.zsh "$top_builddir/man/_tpuscope" || bad "_tpuscope is not what is printed"
cmp c.fish "$top_builddir/man/tpuscope.fish" || bad "tpuscope.fish is not what is printed"

# Options of a help text, in order of the alphabet.
options_in() {
	sed -n 's/^  \(-., \|    \)\(--[a-z-]*\).*/\2/p' "$1" | sort
}
"$tpuscope" --help >help
for option in $(options_in help); do
	grep -q -e "${option}\>" c.bash || bad "$option is not completed by bash"
	grep -q -e "'$option[=[]" c.zsh || bad "$option is not completed by zsh"
	grep -q -e " -l ${option#--} " c.fish || bad "$option is not completed by fish"
done
commands=$(sed -n 's/^  tpuscope \([a-z]*\) .*/\1/p' help)
tools=$(sed -n '/^TOOL/,/^$/s/^  \([a-z_]\{1,\}\) .*/\1/p' help)
for command in $commands; do
	for shell in bash zsh fish; do
		grep -q -w "$command" c.$shell || bad "$command is not completed by $shell"
	done
done
test "$(echo "$commands" | wc -l)" -gt 4 || bad "no commands in --help"

# What the shells complete: complete WORD...; the last word is the one being typed.
mkdir -p here && cd here && touch capture.pb 'z c.pb' && cp ../c.bash ../c.fish ../c.zsh .
in_bash() {
	bash -c '. ./c.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _tpuscope; printf "%s\n" "${COMPREPLY[@]}"' - tpuscope "$@"
}
in_fish() {
	fish --no-config -c 'set -l line (string join " " -- $argv); source ./c.fish; complete -C "$line"' tpuscope "$@" | sed 's/\t.*//'
}
shells=
for shell in bash fish; do
	command -v $shell >/dev/null && shells="$shells $shell"
done
offers() { # WANTED WORD...: WANTED parted by commas
	want=$1
	shift
	for shell in $shells; do
		got=$(in_$shell "$@" | sort | paste -sd, -)
		test "$got" = "$want" || bad "$shell, $*: \"$got\" should be \"$want\""
	done
}
offers 'report' rep
offers 'digest' dig
offers 'capture,capture.pb' cap
offers 'z c.pb' z
offers 'info' report inf
offers "$(echo "$tools" | sort | paste -sd, -)" report ''
offers 'timeline' snapshot tim
offers '--keymap' --keym
offers 'azerty' --keymap az
offers 'plain' --clock pl
offers 'json,jsonl' report info -f js
offers 'capture.pb' report info -o cap
offers 'capture.pb' report info cap
offers 'c.bash,c.fish,c.zsh,capture.pb,z c.pb' report info ''
offers 'c.bash,c.fish,c.zsh,capture.pb,z c.pb' triage ''
offers 'c.bash,c.fish,c.zsh,capture.pb,z c.pb' digest ''
offers '--sort' report info --so
offers '' snapshot files --so
offers '' report info --top 1
offers 'collectives_us' report pod --metric col
offers 'spans' report memory --table s
offers 'steps' report overview --table st
offers 'spaces' triage --table s
offers 'v5e' report info --device v5e
offers '0,1,2,3,4,5,6' report memory --space ''
if command -v bash >/dev/null; then
	shells=bash
	offers 'plain' --clock = pl
	offers 'device,plain' --clock =
	offers 'man,text' --list-keys =
	offers 'capture.pb' --list-keys cap
fi
if command -v fish >/dev/null; then
	shells=fish
	offers '--clock=plain' --clock=pl
	offers '--list-keys=man,--list-keys=text' --list-keys=
	offers 'capture.pb' --list-keys cap
fi

# Each command accepts the options in its help and no others; so do the completions.
same() { # WORD...
	"$tpuscope" "$@" --help >help
	options_in help >want
	test -s want || bad "$* --help: no options"
	for shell in bash fish; do
		command -v $shell >/dev/null || continue
		in_$shell "$@" -- | sed 's/=$//' | sort -u >got # fish: --option= where a value may be left out
		diff -u want got >diff || bad "$shell, $*: $(cat diff)"
	done
	for option in $(options_in ../help); do
		error=$("$tpuscope" "$@" "$option" x 2>&1 >/dev/null </dev/null)
		case $error in
		*"$option is not an option of"*) grep -q -x -e "$option" want && bad "$* $option is in its help, but: $error" ;;
		*) grep -q -x -e "$option" want || bad "$* $option is not in its help, but: $error" ;;
		esac
	done
}
for command in $commands; do
	case $command in
	report) for tool in $tools; do same report $tool; done ;;
	snapshot) same snapshot files ;;
	query) same query .tables ;;
	*) same $command ;;
	esac
done
exit $failed
