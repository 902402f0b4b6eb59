#!/bin/sh
# Two captures: --against and :against, the view Diff with keys and mouse, jumps into the base and back, what cannot be
# compared, positions that are kept.
. "$top_srcdir/tests/e2e/lib.sh"
sample=$top_srcdir/data/sample/simulated-v5e-4chip.xplane.pb.gz
gzip -dc "$sample" >new.pb
python3 -B "$top_srcdir/tests/lib/slower.py" new.pb base.pb -10 || { echo "python3 makes the base"; exit 77; }

start 80 24
run 'clear; tpuscope --mouse new.pb --against base.pb'
wait_for 'WHERE THE DIFFERENCE COMES FROM'
shows 'against base base.pb' || fail 'the title should name the base'
shows 'sum of all rows = .* the difference of the steps' || fail 'the waterfall should add up'
keys u u
wait_for 'New  *Δ'
keys T
wait_for 'whole run'
keys BSpace
wait_for 'New  *Δ'
keys b
wait_for 'whole run'
shows ' base base.pb' || fail 'the title should say that this is the base'
keys Y
wait_for '^ copy'
shows 'command that reopens' && fail 'the command would open the other capture'
keys Escape
wait_gone '^ copy'
keys F5
wait_for 'this is the base of a comparison'
keys BSpace BSpace
wait_for 'against base base.pb'
shows 'New  *Δ' || fail 'the page should be the one that was left'
keys x
wait_for ' base base.pb'
keys v h
wait_for 'self .* Δ time'
keys q
wait_for 'against base base.pb'
wait_for 'New  *Δ'
text ':against nothing.pb'
keys Enter
wait_for 'cannot compare with nothing.pb: '
shows 'against base base.pb' || fail 'the base that was there should stay'
text ':against'
keys Enter
wait_for 'compared with nothing from now on'
shows_not 'Diff' || fail 'there should be no view Diff'
text ':against base'
keys Tab Enter
wait_for 'waterfall *changes'	# not only the title
text "$(printf '\033[<0;20;5M')"	# its tab
wait_for 'Evidence'
keys F5
wait_for 'against base base.pb'
wait_for 'Evidence'
keys Q
wait_for 'shell>'
ends_with 0
run 'clear; tpuscope new.pb --against base.pb'
wait_for 'Evidence'
keys Q
wait_for 'shell>'
ends_with 0
run 'clear; tpuscope new.pb'
wait_for 'Findings'
shows_not 'no data for' || fail 'without a base the saved view should not be missed'
text "$(printf ':against base.pb\r:')"	# it arrives while the prompt is open
sleep 2
text against
keys Enter
wait_for 'nothing to compare with'
sleep 1
shows_not 'Diff' || fail 'what was called off should not be compared with'
keys Q
wait_for 'shell>'
ends_with 0
