#!/bin/sh
# Where nothing can be written, on a full disk or without a home, exports say so, leave nothing behind, and the program goes on and ends well.
. "$srcdir/tests/e2e/lib.sh"
rm -rf folder
mkdir folder

start 120 40
run 'cd folder'
run '(ulimit -f 0; tpuscope --view timeline --demo)'	# every write fails
wait_for 'busy %'
text ':export out.csv'
keys Enter
wait_for 'out.csv: cannot .*: File too large'
keys E
wait_for Tab
text all.json
keys Enter
wait_for 'all.json: cannot .*: File too large'
keys w w j m		# a position that would be kept
wait_for 'busy %'
keys Q
wait_gone 'busy %'
ends_with 0
[ -z "$(ls -A folder)" ] || fail "something was left behind: $(ls -A folder)"
[ -z "$(find state -type f)" ] || fail "something was left behind: $(find state -type f)"

run 'clear; HOME=/dev/null XDG_STATE_HOME=/dev/null/state XDG_CONFIG_HOME=/dev/null tpuscope --view timeline --demo'
wait_for 'busy %'
keys w w j
text ':export nowhere/out.csv'
keys Enter
wait_for 'out.csv: cannot create a file there: No such file or directory'
keys Q
wait_gone 'busy %'
ends_with 0
