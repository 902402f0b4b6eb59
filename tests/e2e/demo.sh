#!/bin/sh
# A walk through the bundled sample in a real terminal.
. "$top_srcdir/tests/e2e/lib.sh"

start 120 40
run 'sh -c "echo \$\$ >pid; exec tpuscope --demo"'
wait_for simulated

# It opens with the findings; the proof of one is in its own view, and e walks those that are proved there.
wait_for 'Proof'
wait_for '^ 1 of [0-9]'
keys j
wait_for '^ 2 of [0-9]'
text '/Elementwise'
keys Enter
wait_for 'hit 1 of'
keys Enter
wait_for 'ops of the finding'
keys e
wait_for 'finding [12] of [0-9]*: '
keys M-1
wait_for 'checks passed'

keys M-3
wait_for 'XLA Ops'
wait_for '/device:TPU:0\|TPU:0'

# The help comes from the table of keys and closes again.
keys '?'
wait_for 'Zoom in around the cursor'
keys Escape
wait_gone 'Zoom in around the cursor'

# Search finds, counts and moves.
text '/all-reduce'
keys Enter
wait_for 'hit [0-9][0-9,]* of [0-9]'
before=$(screen | grep -o 'hit [0-9][0-9,]* of [0-9][0-9,]*')
keys n
wait_until shows_not "$before" || fail "n should go to the next hit"

# Every size shows something sensible; the program keeps running on a small screen.
tm resize-window -x 80 -y 24
wait_for simulated
tm resize-window -x 40 -y 10
wait_until test "$(screen | wc -l)" -le 10
tm resize-window -x 120 -y 40
wait_for 'XLA Ops'

# A terminal that was small for a moment has lost what did not fit, although the size is the old one when it is asked.
tm send-keys -R
wait_gone 'XLA Ops'
kill -WINCH "$(cat pid)"
wait_for 'XLA Ops'

# Suspended and back.
keys C-z
wait_for 'shell>'
run fg
wait_for 'XLA Ops'

keys Q
wait_for 'shell>'
ends_with 0
