#!/bin/sh
# The mouse: nothing is reported unless it is turned on; then clicks, wheel and drags; off again on quitting.  There are keys for all of it.
. "$top_srcdir/tests/e2e/lib.sh"

modes() {
	tm display-message -p '#{mouse_standard_flag}#{mouse_button_flag}#{mouse_all_flag}#{mouse_sgr_flag}'
}

modes_are() {
	[ "$(modes)" = "$1" ]
}

wait_modes() {
	wait_until modes_are "$1" || fail "mouse modes are $(modes), should be $1"
}

# report BUTTONS COLUMN ROW [m]: what a terminal sends, from 1.
report() {
	text "$(printf '\033[<%d;%d;%d%s' "$1" "$2" "$3" "${4:-M}")"
}

start 100 30
run 'tpuscope --no-state --view timeline --demo'
wait_for 'busy %'
wait_modes 0000
report 0 15 2			# not asked for: means nothing
keys j
wait_for 'row 2 of'
keys F12
wait_for 'mouse on'
wait_modes 1001

tab=$(tm capture-pane -p | sed -n '2s/Files.*//p' | wc -m)	# the tab of the files
report 0 "$tab" 2
report 0 "$tab" 2 m
wait_for '1 file '
tab=$(tm capture-pane -p | sed -n '2s/Timeline.*//p' | wc -m)
report 0 "$tab" 2
report 0 "$tab" 2 m
wait_for 'busy %'
report 0 5 10			# the name of a row
report 0 5 10 m
wait_for '^>.*Async XLA Ops'
report 0 60 9			# an event
report 0 60 9 m
wait_for 'occurrence [0-9,]* of'
keys Escape
wait_for 'in view: all ops'
report 64 60 9			# the wheel on the plot
wait_for '  view [0-9.]* of'
report 65 60 9
wait_gone '  view [0-9.]* of'
report 0 2 30			# "w" in the key bar
wait_for '  view [0-9.]* of'
keys 0
wait_gone '  view [0-9.]* of'

keys 3				# a drag for the zoom tool
wait_modes 0101			# tmux knows one kind at a time
report 0 50 9
report 32 60 9
report 32 70 9
report 0 70 9 m
wait_for '  view [0-9.]* of'
keys 0 4			# and for the timing tool
wait_gone '  view [0-9.]* of'
report 0 50 9
report 32 70 9
report 0 70 9 m
keys i
wait_for 'marked: interval'
text '1'
wait_modes 1001

keys v				# a menu: outside it closes, a line is taken
wait_for 'f Files'
report 0 60 20
report 0 60 20 m
wait_gone 'f Files'
keys v
wait_for 'f Files'
row=$(tm capture-pane -p | grep -n 'f Files' | cut -d: -f1)
report 0 5 "$row"
report 0 5 "$row" m
wait_for '1 file '
keys v t
wait_for 'marked: interval'

# Each tool drags in its own way: 1 selects what is in a box, 2 pans both ways, 3 zooms up and down, 4 moves an end.
drag() { # COLUMN ROW TO_COLUMN TO_ROW
	report 0 "$1" "$2"
	report 32 "$3" "$4"
	report 0 "$3" "$4" m
}

keys 1 0
drag 40 9 60 9
wait_for '─ [0-9]* selected events: sum [0-9.]* ms'
wait_for 'events of 1 track'
keys y
wait_for ' [0-9]* names copied'
events=$(screen | sed -n 's/.*─ \([0-9]*\) selected events.*/\1/p')
[ "$(tm show-buffer | wc -l)" = "$events" ] || fail "a name for each of $events events"
keys Y d
wait_for 'details copied'
[ "$(tm show-buffer | sed -n '2,/^sum/p' | wc -l)" = $((events + 1)) ] || fail "each event, and the sum"
keys Escape Escape
wait_for 'in view: all ops'
keys 2
drag 60 14 60 9
wait_gone 'XLA Modules'
drag 60 9 60 14
wait_for 'XLA Modules'
keys 3
drag 60 14 60 10
wait_for '  view [0-9.]* of'
drag 60 10 60 14
wait_gone '  view [0-9.]* of'
keys 4
report 0 90 9
report 0 90 9 m
wait_for 'mark cleared'
drag 50 9 60 9
wait_for '├─.*┤'
ends=$(screen | sed -n 4p)
drag 60 9 80 9			# its end
wait_for '├─.* ms ─*┤'
[ "$(screen | sed -n '4s/├.*//p')" = "$(echo "$ends" | sed 's/├.*//')" ] || fail "the begin should stay"
report 0 90 9			# elsewhere
report 0 90 9 m
wait_for 'mark cleared'
drag 50 9 60 9
keys 1 i
wait_for 'marked: interval'

text "$(printf '\033[<999999999999999999999;1;1M')"	# nonsense is read to its end, and nothing of it is typed
report 0 0 0
report 0 500 500
report 3 10 10
keys F12
wait_for 'mouse off'
wait_modes 0000
text ':set mouse on'
keys Enter
wait_modes 1001
keys C-z
wait_for 'shell>'
wait_modes 0000
run fg
wait_for 'marked: interval'
wait_modes 1001
text Q
wait_gone 'marked: interval'
wait_modes 0000
ends_with 0

run 'clear; tpuscope --no-state --view timeline --mouse --demo'
wait_for 'busy %'
wait_modes 1001
text Q
wait_gone 'busy %'
wait_modes 0000
ends_with 0
