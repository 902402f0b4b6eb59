#!/bin/sh
# `y` copies the selection to the terminal's clipboard (OSC 52) and to a file, because terminals do not report whether it worked;
# `E` writes the view.
. "$top_srcdir/tests/e2e/lib.sh"

buffer_has() {
	tm show-buffer 2>/dev/null | grep -q -e "$1"
}

start 100 30
tm set-option -s set-clipboard on
mkdir -p tmp
run "TMPDIR=$PWD/tmp tpuscope --no-state --view timeline --demo"
wait_for 'busy %'
keys j j j Enter
wait_for 'occurrence'
keys y
wait_for 'copied .* to tmux'
wait_until buffer_has '^duration  *[0-9.]* ' || fail "the clipboard should have the event"
buffer_has '^track  *XLA Ops' || fail "and its track"
tm show-buffer | cmp - tmp/tpuscope-copy-*-1.txt || fail "the file should have the same"
[ "$(stat -c %a tmp/*-1.txt)" = 600 ] || fail "for the user alone"
tm show-buffer >one
[ "$(LC_ALL=C tr -d '\n\t\040-\176\200-\377' <one | wc -c)" = 0 ] || fail "a control character got through"

keys Escape Escape		# the message, the selection
wait_for 'in view'
keys y
wait_until buffer_has '^name	kind	count	total_ps	self_ps	' || fail "the clipboard should have the table"

keys E
wait_for 'NAME.csv'
text table.csv
keys Enter
wait_for 'table of names written to table.csv'
head -n 1 table.csv | grep -q '^name,kind,count,total_ps,self_ps,' || fail "table.csv: $(head -n 1 table.csv)"
keys E
text table.csv
keys Enter
wait_for 'table.csv: file exists'
keys E
text table.doc
keys Enter
wait_for 'must end in'
[ ! -e table.doc ] || fail "a file of no known form was written"
text ':export table.json'
keys Enter
wait_for 'written to table.json'
grep -q '"tool": *"timeline"' table.json && grep -q '"tracks"' table.json || fail "table.json is not what it should be"
keys i i
wait_for 'busy %  *gaps'
text ':export tracks.csv'
keys Enter
wait_for 'table of tracks written to tracks.csv'
head -n 1 tracks.csv | grep -q '^host,plane,line,events,busy_ps,' || fail "tracks.csv: $(head -n 1 tracks.csv)"
keys '#'
wait_for 'infeed'
text ':export steps.csv'
keys Enter
wait_for 'table of steps written to steps.csv'
head -n 1 steps.csv | grep -q '^label,step_name,duration_ps,' || fail "steps.csv: $(head -n 1 steps.csv)"
keys v f
wait_for '1 file '
keys E
text files.txt
keys Enter
wait_for 'written to files.txt'
grep -q 'simulated' files.txt || fail "files.txt should name the file"
text Q
wait_for 'shell>'

# No clipboard: only the file.
rm -f tmp/*
run "clear; TERM=vt100 TMPDIR=$PWD/tmp tpuscope --no-state --view timeline --demo"
wait_for 'busy %'
keys y
wait_for 'clipboard$'
[ "$(ls tmp | wc -l)" = 1 ] || fail "there should be one file"
[ "$(stat -c %a tmp/*)" = 600 ] || fail "for the user alone"
grep -q '^name	kind	count' tmp/* || fail "with the table"
text Q
wait_for 'shell>'
