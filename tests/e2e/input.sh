#!/bin/sh
# What can be opened: standard input with the keys from the terminal, damaged files, files that are not captures.
. "$top_srcdir/tests/e2e/lib.sh"
capture=$top_srcdir/tests/fuzz/corpus/xspace/two-cores.pb

start 100 30
run "cat $capture | tpuscope --view timeline -"
wait_for 'busy %'
keys v f
wait_for '1 file '
keys F5
wait_for 'standard input can be read only once'
keys q
wait_for 'shell>'
ends_with 0

# Loading that never ends: it shows that it is loading, and quits at once.
run 'clear; (sleep 60 & echo $! >sleeper; wait) | tpuscope -'
wait_for 'Esc stops'
shows 'opening *standard input' || fail "should say what is opened"
keys q
wait_gone 'Esc stops'
kill "$(cat sleeper)"
wait_for 'shell>'
ends_with 0

# Files that are gone at a reload: the capture stays open.
cp "$capture" gone.pb
run 'clear; tpuscope --no-state --view timeline gone.pb'
wait_for 'busy %'
rm gone.pb
keys F5
wait_for 'reload failed: '
keys j
wait_for 'busy %'
keys q
wait_for 'shell>'
ends_with 0

head -c $(($(wc -c <"$capture") * 2 / 3)) "$capture" >cut.pb
run 'clear; tpuscope cut.pb'
wait_for 'damaged'
keys q
wait_for 'shell>'
ends_with 3

printf '\377\376nothing\n' >nothing.pb		# neither text nor a known kind
run 'clear; tpuscope nothing.pb'
wait_for '^tpuscope: nothing.pb: '
ends_with 1

run 'clear; tpuscope --view nosuch nothing.pb'
wait_for 'views: findings'
ends_with 2

run 'clear; tpuscope --demo | cat'
wait_for '^tpuscope: '
ends_with 0			# the status of cat; the message names the command to use
shows 'tpuscope report' || fail "should say what to do instead"

# A file that changes while it is open: the screen says so once, before what it shows of it goes blank.
start_open() {
	cp "$capture" open.pb
	run 'clear; tpuscope --no-state --view timeline open.pb'
	wait_for 'busy %'
}
cols=100
says() { # a key would clear what the look after the last frame has said, so another size draws the next frame
	cols=$((cols + 1))
	tm resize-window -x $cols -y 30
	wait_for "$1"
}
start_open
: >open.pb
says 'open.pb shrank after it was opened'
keys j
wait_gone 'shrank'
keys k v f
wait_for 'damage *shrank after'
keys q
wait_for 'shell>'
ends_with 3

start_open
rm open.pb
says 'open.pb was deleted after it was opened'
keys j
wait_gone 'was deleted'
cp "$capture" open.pb
says 'open.pb was replaced after it was opened'
keys v f
wait_for 'warning *was deleted'
keys q
wait_for 'shell>'
ends_with 0
