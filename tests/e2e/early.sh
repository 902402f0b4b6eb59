#!/bin/sh
# While a capture comes through a slow pipe, the tracks that are there are drawn; what is typed meanwhile works as without them.
. "$top_srcdir/tests/e2e/lib.sh"
gzip -dc "$top_srcdir/data/sample/simulated-v5e-4chip.xplane.pb.gz" >whole.pb || exit 99
some=$(($(wc -c <whole.pb) * 3 / 5))

# opening: sends the first part, without its end.
opening() {
	rm -f slow
	mkfifo slow
	run 'clear; tpuscope --no-state - <slow'
	exec 7<>slow
	wait_for 'Esc stops'
	head -c $some whole.pb >&7
	wait_for 'tracks that are there already'
	wait_for 'TPU:0 '
	wait_for 'all-reduce'
}

start 120 40
opening
shows 'TPU:3 ' && fail 'its last track cannot be there'
keys M-3 w w
tail -c +$((some + 1)) whole.pb >&7
exec 7>&-
wait_for 'TPU:3 '
shows 'there already' && fail 'the capture is open'
wait_for ' view [0-9]'
keys Q
wait_for 'shell>'
ends_with 0

# Where keys led stays when the rest is there.
opening
keys w w w j j Enter
wait_for 'Esc back'
wait_for ' 280 µs per column'
keys w
wait_for ' 200 µs per column'
at=$(screen | grep -o 'cursor .* per column *TPU:0 Name scope')
tail -c +$((some + 1)) whole.pb >&7
exec 7>&-
wait_for 'TPU:3 '
wait_for ' view [0-9]'
[ "$(screen | grep -o 'cursor .* per column *TPU:0 Name scope')" = "$at" ] || fail "it was $at"
keys Q
wait_for 'shell>'

# A place is gone to if it is there; what needs all of the capture says how far loading is; keys that have to wait are counted.
opening
text ':goto 20ms'
keys Enter
wait_for '▼20.00 ms'
text ':goto op all-reduce.999'
keys Enter
wait_for "no event named 'all-reduce.999' so far; loading"
text ':view ops'
keys Enter
wait_gone 'no event named'
keys M-4 w
wait_for '2 keys wait for the rest'
tail -c +$((some + 1)) whole.pb >&7
exec 7>&-
wait_for 'by program'
keys Q
wait_for 'shell>'

opening
keys Escape
wait_for 'stopped: showing the'
exec 7>&-
keys Q
wait_for 'shell>'

opening
keys q
wait_gone 'Esc stops'
exec 7>&-
wait_for 'shell>'
ends_with 0
