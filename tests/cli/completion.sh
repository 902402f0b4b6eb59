# Completions: made from the table of options, read by the shells that are here, the same as those to be installed.
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
"$tpuscope" --help >help
for option in $(sed -n 's/^ .. *--\([a-z-]*\).*/\1/p' help); do
	grep -q -e "--$option\>" c.bash || bad "--$option is not completed by bash"
	grep -q -e "'--$option[=[]" c.zsh || bad "--$option is not completed by zsh"
	grep -q -e " -l $option " c.fish || bad "--$option is not completed by fish"
done

# What bash offers: complete WORD... takes the last word for the one being typed.
command -v bash >/dev/null || exit $failed
complete() {
	bash -c '. ./c.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _tpuscope; echo "${COMPREPLY[*]}"' - tpuscope "$@"
}
offers() { # WANTED WORD...
	want=$1
	shift
	got=$(complete "$@")
	test "$got" = "$want" || bad "$*: \"$got\" should be \"$want\""
}
mkdir -p here && cd here && touch capture.pb && cp ../c.bash .
offers 'report' rep
offers 'capture.pb' cap
offers 'info' report inf
offers 'timeline' snapshot tim
offers '--keymap' --keym
offers 'azerty' --keymap az
offers 'plain' --clock pl
offers 'plain' --clock = pl
offers 'device plain' --clock =
offers 'json' report info -f js
offers 'capture.pb' report info -o cap
offers 'capture.pb' report info cap
offers '--sort' report info --so
offers '' snapshot files --so
offers '' report info --top 1
exit $failed
