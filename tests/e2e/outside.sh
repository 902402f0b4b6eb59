#!/bin/sh
# Programs outside: `@` opens the source line of the selection in the editor, `:!` gives a command the table on the screen, `y`
# reaches tmux as it is installed. What starts them is a process of its own, which ends with the viewer.
. "$top_srcdir/tests/e2e/lib.sh"

rm -rf tmp
mkdir -p tmp/sim
i=0
while [ $((i += 1)) -le 200 ]; do echo "line $i of the source"; done >tmp/sim/mkhlo.py
cat >tmp/edit <<'END'
#!/bin/sh
printf '[%s]' "$@" >edited
printf 'the editor has the screen: '
read -r answer
END
chmod +x tmp/edit
cp tmp/edit tmp/code
first=$PWD

# confirms COMMAND: typed, and confirmed once more on the screen of the shell, whose last line asks.
confirm() {
	text ":$1"
	keys Enter
	wait_until asks 'Enter runs this' || fail "it should ask first"
}

asks() {
	screen | grep -v '^ *$' | tail -n 1 | grep -q "$1"
}

back() {
	wait_until asks 'Enter goes back' || fail "the output should stay until Enter"
	keys Enter
}

start 120 40
run "cd $first; VISUAL= EDITOR='$first/tmp/edit --two words' tpuscope --no-state --view ops --demo"
wait_for 'jit_train_step'
keys j j
wait_for 'mkhlo.py:'
text '@'
wait_for 'is not on this machine; :set source.path'
text ":set source.path /model=$first/tmp"
keys Enter
wait_for '>[0-9]* line [0-9]* of the source'
[ "$(screen | grep -c 'line [0-9]* of the source')" = 5 ] || fail "five lines of the source belong in the card"
line=$(screen | sed -n 's/.*>\([0-9]*\) line .*/\1/p')
text '@'
wait_for 'the editor has the screen'
keys C-c			# ends the editor, not the viewer
wait_for "tmp/sim/mkhlo.py:$line"
[ "$(cat edited)" = "[--two][words][+$line][$first/tmp/sim/mkhlo.py]" ] || fail "the editor got $(cat edited)"

text 'vh'
wait_for 'HLO op expression'
confirm '!cat >all.csv; tail -n +2 all.csv | wc -l'
[ ! -e all.csv ] || fail "nothing runs before it is confirmed"
keys Enter
back
wait_for 'wc -l ended'
[ "$(wc -l <all.csv)" -gt 100 ] && head -n 1 all.csv | grep -q '^rank,\|total_self_time' || fail "the command should get the table"
keys j
confirm '.!cat >row.csv; false'
keys Enter
back
wait_for 'ended with status 1'
sed -n 1,3p all.csv | sed 2d | cmp - row.csv || fail "and this one the row under the cursor"
confirm '!touch never'
keys C-c
wait_for 'not run'
confirm '!touch never'
keys x Enter
wait_for 'not run'
[ ! -e never ] || fail "it ran all the same"

[ "$(tm show-options -sv set-clipboard)" = external ] || fail "this tmux has another default"
keys y
wait_for 'name copied: '
shows 'set-clipboard' && fail "there is nothing to warn about"
[ "$(tm show-buffer)" = "$(screen | sed -n 's/.*name copied: \([^ ]*\) *$/\1/p')" ] || fail "tmux has $(tm show-buffer)"

viewer=$(pgrep -o -f 'tpuscope --no-state --view ops --demo')
helper=$(pgrep -P "$viewer")
[ -n "$helper" ] || fail "there is no helper"
kill -KILL "$viewer"
wait_until sh -c "! kill -0 $helper 2>/dev/null || grep -q 'State:.Z' /proc/$helper/status" || fail "the helper should end with the viewer"
text "stty sane"
keys C-j
run "printf '\\033[?1049l'; clear"

# No tmux to be found: that is said. No such editor: that, too, and the screen is back.
run "clear; cp $tpuscope_path tmp/tpuscope; PATH=$first/tmp EDITOR=nowhere/edit tpuscope --no-state --view ops --demo"
wait_for 'jit_train_step'
keys j j y
wait_for 'set-clipboard on'
text ":set source.path /model=$first/tmp"
keys Enter
text '@'
wait_for 'the editor nowhere/edit cannot be started; set VISUAL or EDITOR'
text Q
wait_for 'shell>'
run "clear; PATH=/bin:/usr/bin:\$PATH; VISUAL=$first/tmp/code tpuscope --no-state --view ops --demo"
wait_for 'jit_train_step'
text ":set source.path /model=$first/tmp"
keys Enter j j
wait_for 'of the source'
text '@'
wait_for 'the editor has the screen'
keys Enter
wait_for 'mkhlo.py:[0-9]* *$'
grep -q '^\[-g\]\[.*mkhlo.py:[0-9]*\]$' edited || fail "code takes lines otherwise: $(cat edited)"
text Q
wait_for 'shell>'
