#!/bin/sh
# A viewer that is stopped: the shell comes back, also out of a script, a kill ends it at once and touches nothing, and
# it goes on where it was.
. "$top_srcdir/tests/e2e/lib.sh"

stop() {
	wait_for 'busy %'
	keys C-z
	wait_for '[Ss]topped'
}

no_jobs() {
	run 'clear; jobs; echo those were all.'
	wait_for '^those were all'
	shows_not '[Ss]topped' || fail "the viewer should have ended"
}

start 80 24
run 'tpuscope --view timeline --demo'
stop
run 'clear; fg'
wait_for 'busy %'
keys Q
wait_for 'shell>'
ends_with 0

run "clear; sh -c 'tpuscope --view timeline --demo; echo after'"
stop
run 'clear; fg'
wait_for 'busy %'
keys Q
wait_for 'after'

run 'clear; tpuscope --view timeline --demo'
stop
run 'clear; kill %1; kill -s CONT %1; wait; echo here.'
wait_for '^here'
no_jobs

# by others, with the screen as it was: it is restored
run "clear; sh -c 'echo \$\$ >viewer; exec tpuscope --view timeline --demo'"
wait_for 'busy %'
viewer=$(cat viewer)
kill -s STOP "$viewer"
wait_for '[Ss]topped'
kill "$viewer"
kill -s CONT "$viewer"
wait_gone 'busy %'
no_jobs
