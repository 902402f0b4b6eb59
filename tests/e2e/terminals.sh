#!/bin/sh
# Terminals with fewer features: it draws, answers a key and ends with status 0; where it cannot work at all it says so in one line.
. "$top_srcdir/tests/e2e/lib.sh"

works() { # SETTING...
	run "clear; $* tpuscope --view timeline --demo"
	wait_for 'busy %'
	keys '?'
	wait_for 'Zoom in around the cursor'
	keys Q
	wait_for 'shell>'
	ends_with 0
}

start 80 24
for term in tmux-256color screen xterm vt100 linux; do
	works TERM=$term
done

run 'clear; LC_ALL=C tpuscope --demo'
wait_for '^ evidence'
screen | LC_ALL=C grep '[^ -~]' && fail "only ASCII belongs on this terminal"
keys Q
wait_for 'shell>'
ends_with 0

# names that machines behind ssh rarely know
for term in xterm-ghostty wezterm foot-extra xterm-kitty alacritty-direct st-256color nonsense; do
	works TERMINFO_DIRS= TERM=$term
done
run 'clear; TERM=nonsense tpuscope --view timeline --demo'
wait_for 'does not know the terminal nonsense: it is used as xterm'
keys Q
wait_for 'shell>'

for how in TERM=dumb TERM=; do
	run "clear; $how tpuscope --demo"
	wait_for '^tpuscope: '
	ends_with 2
done
