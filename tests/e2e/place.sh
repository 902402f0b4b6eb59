#!/bin/sh
# The command that Y copies opens the place again: the same screen in every view, its messages aside.
. "$top_srcdir/tests/e2e/lib.sh"

has_command() {
	tm show-buffer 2>/dev/null | grep -q "^tpuscope --view $1 "
}

picture() {
	screen | sed '$d' | sed '$d'
}

copies() {
	keys y
	sleep 0.3
	shows 'copied: '
}

is_the_same() {
	picture >again
	cmp -s place again
}

start 120 40
tm set-option -s set-clipboard on
while read -r view typed; do
	run "clear; tpuscope --no-state --view $view --demo"
	wait_for 'tpuscope .*simulated'
	wait_until copies || fail "$view: y should copy a name"	# as soon as there is something to see
	for key in $typed; do
		keys "$key"
	done
	wait_until copies || fail "$view: y should copy a name"	# after those keys
	picture >place
	keys Y c
	wait_for 'command copied'
	wait_until has_command "$view" || fail "$view: the clipboard should have the command"
	command=$(tm show-buffer)
	text Q
	wait_for 'shell>'
	run "clear; $command --no-state"
	wait_until is_the_same || { diff place again; fail "$view: $command should open the same place"; }
	text Q
	wait_for 'shell>'
done <<END
timeline j j j l l f s s
ops j j Enter j
hlo_stats j j > > r j
framework_ops j j r
roofline l l 9
findings j j
overview j l
input j j
memory j j p j
pod 3 j l
files j
END
