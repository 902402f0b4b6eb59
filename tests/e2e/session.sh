#!/bin/sh
# A capture opened again shows the last position; nothing is saved if nothing changed, or with --no-state.
. "$top_srcdir/tests/e2e/lib.sh"
rm -f copy.pb
capture=$top_srcdir/tests/fuzz/corpus/xspace/two-cores.pb

start 100 30
run "tpuscope --view timeline $capture"
wait_for 'busy %'
keys '?'
wait_for 'Whole trace'
keys q
wait_for 'busy %'
text Q
wait_gone 'busy %'
ends_with 0
[ ! -e state ] || fail "something was written, and nothing had changed"

run "clear; tpuscope --no-state --view timeline $capture"
wait_for 'busy %'
keys w w j Q
wait_gone 'busy %'
ends_with 0
[ ! -e state ] || fail "something was written with --no-state"

run "clear; tpuscope --no-state --view timeline $capture"
wait_for 'busy %'
text ':set state on'
keys Enter
wait_for 'position will be saved on quitting'
keys w w j Q
wait_gone 'busy %'
ends_with 0
[ "$(ls state/tpuscope | wc -l)" = 1 ] || fail "it was said to be saved"
rm -rf state

run "clear; tpuscope --view timeline $capture"
wait_for 'busy %'
keys w w w j
text :nosuch
keys Enter
wait_for 'unknown command'
keys z Z Q
wait_gone 'busy %'
ends_with 0
set -- state/tpuscope/*
[ $# = 1 ] && [ -f "$1" ] || fail "one file should be there: $*"
state=$1
[ "$(stat -c %a "$state")" = 600 ] || fail "for the user alone"

cp "$capture" copy.pb			# the content counts, not the name
run 'clear; tpuscope copy.pb'
wait_for 'position restored (0 shows the whole trace)'
wait_for '  view [0-9.]* of'
keys :
keys Up
wait_for ':nosuch'
keys Escape
wait_gone ":nosuch"
keys 0
wait_gone '  view [0-9.]* of'
keys v f
wait_for '1 file '
text Q
wait_gone '1 file '
ends_with 0
run 'clear; tpuscope copy.pb'			# a change of view alone is a change
wait_for '1 file '
keys M-3
wait_for 'busy %'
text Q
wait_gone 'busy %'
ends_with 0
run 'clear; tpuscope copy.pb'
wait_for 'busy %'
text Q
wait_gone 'busy %'
ends_with 0

sed -i '1s/.*/tpuscope-state 999/' "$state"
run 'clear; tpuscope copy.pb'
wait_for 'saved position ignored: it is from another capture or version'
keys Q
wait_gone 'busy %'
ends_with 0
run 'clear; tpuscope --no-state --view timeline copy.pb'
wait_for 'busy %'
shows 'saved state' && fail "--no-state should not look"
keys Q
wait_gone 'busy %'
ends_with 0
[ "$(ls state/tpuscope | wc -l)" = 1 ] || fail "there should be one file still"

# The chart of the memory view keeps its zoom: the lifetime below it has the same length.
live_is() { [ "$(tm capture-pane -p | grep '^ live')" = "$1" ]; }
live_is_not() { ! live_is "$1"; }
run 'clear; tpuscope --view memory --demo'
wait_for '^ live  '
whole=$(tm capture-pane -p | grep '^ live')
keys w
wait_until live_is_not "$whole"
zoomed=$(tm capture-pane -p | grep '^ live')
keys Q
wait_gone 'live  '
ends_with 0
run 'clear; tpuscope --view memory --demo'
wait_until live_is "$zoomed" || fail "the chart should be zoomed as it was"
keys Q
wait_gone 'live  '
ends_with 0

host=$top_srcdir/tests/fuzz/corpus/xspace/host-only.pb		# the host chosen
run "clear; tpuscope --view timeline $capture $host"
wait_for 'busy %'
keys H
wait_for 'host-0'
keys Down Enter
wait_for 'host host-0'
keys Q
wait_gone 'busy %'
ends_with 0
run "clear; tpuscope $capture $host"
wait_for 'host host-0'
keys H a
wait_gone 'host host-0'
keys Q
wait_gone 'busy %'
ends_with 0

# A search goes on after a reload, at the same hit; one that was ended does not come back.  The message covers the
# hit until the reload.
reload_at_hit() {
	keys n
	wait_for 'hit 2 of'
	text :nosuch
	keys Enter
	wait_for 'unknown command'
	keys F5
	wait_for 'hit 2 of'
}
run "clear; tpuscope --no-state --view timeline $capture"
wait_for 'busy %'
text /fusion
keys Enter
wait_for 'hit 1 of'
reload_at_hit
keys Escape
wait_gone 'hit 2 of'
text :nosuch
keys Enter
wait_for 'unknown command'
keys F5
wait_gone 'unknown command'
wait_for 'per column'
shows 'hit 2 of' && fail "the search was ended before"
keys Q
wait_gone 'busy %'
ends_with 0

run 'clear; tpuscope --no-state --view hlo_stats --demo'	# a table, when it is computed again
wait_for 'by self'
text /fusion
keys Enter
wait_for 'hit 1 of'
reload_at_hit
keys Q
wait_gone 'hit 2 of'
ends_with 0
