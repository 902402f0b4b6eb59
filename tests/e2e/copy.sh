#!/bin/sh
# `y` copies the name of the selection to the terminal's clipboard (OSC 52), `Y` offers more: the command among it opens the same
# place again. `E` writes the view. No other key writes a file.
. "$top_srcdir/tests/e2e/lib.sh"

buffer_has() {
	tm show-buffer 2>/dev/null | grep -q -e "$1"
}

start 100 30
tm set-option -s set-clipboard on
rm -rf tmp *.csv *.json files.txt
mkdir -p tmp
run "TMPDIR=$PWD/tmp tpuscope --no-state --view timeline --demo"
wait_for 'busy %'
keys j j j Enter
wait_for 'occurrence'
keys y
wait_for 'name copied: '
wait_until buffer_has .
tm show-buffer >one
[ "$(wc -l <one)" = 0 ] || fail "a name is no line"
grep -q "^$(tm capture-pane -p | sed -n 's/.*name copied: \([^ ]*\).*/\1/p')\$" one || fail "the clipboard should have the name"
keys Y
wait_for 'command that reopens'
keys d
wait_for 'details copied: '
wait_until buffer_has '^duration  *[0-9.]* ' || fail "the clipboard should have the event"
buffer_has '^track  *XLA Ops' || fail "and its track"
tm show-buffer >one
[ "$(LC_ALL=C tr -d '\n\t\040-\176\200-\377' <one | wc -c)" = 0 ] || fail "a control character got through"
[ -z "$(ls tmp)" ] || fail "copying should write no file"

keys Escape Escape		# the message, the selection
wait_for 'in view'
keys Y d
wait_until buffer_has '^name	kind	count	total_ps	self_ps	' || fail "the clipboard should have the table"

keys v h
wait_for 'HLO op expression'
keys j j Y r
wait_for 'row copied: '
wait_until buffer_has '^rank	' || fail "a row has the ids of its columns above"
[ "$(tm show-buffer | wc -l)" = 2 ] || fail "a row is one line below them"
keys Y t
wait_for 'table copied'
tm show-buffer | head -n 1 | grep -q 'rank.*self' || tm show-buffer | head -n 1 | grep -q 'total_self_time' || fail "the table has the columns that are shown"
tm show-buffer | grep -q "␍" && fail "the ends of lines of CSV are copied as signs"
keys Y h
wait_for 'HLO copied'
wait_until buffer_has '^%.* = ' || fail "the clipboard should have the HLO text"
keys y
wait_for 'name copied'
name=$(tm show-buffer)
keys Y c
wait_for 'command copied'
wait_until buffer_has '^tpuscope --view hlo_stats --place .* --demo$' || fail "the clipboard should have the command"
command=$(tm show-buffer)
text Q
wait_for 'shell>'
run "clear; $command --no-state"
wait_for "─ $name "
text Q
wait_for 'shell>'

run "clear; tpuscope --no-state --view timeline --demo"
wait_for 'busy %'
keys E
wait_for '>timeline.csv'	# a proposal, which typing replaces
text table.csv
keys Enter
wait_for 'table names written to table.csv'
head -n 1 table.csv | grep -q '^name,kind,count,total_ps,self_ps,' || fail "table.csv: $(head -n 1 table.csv)"
keys E
text table.csv
keys Enter
wait_for '>table-2.csv  *that file exists; this name is free'
keys Enter
wait_for 'table names written to table-2.csv'
cmp table.csv table-2.csv || fail "the same again"
keys E
text table.doc
keys Enter
wait_for 'must end in'
[ ! -e table.doc ] || fail "a file of no known form was written"
text ':export table.json'
keys Enter
wait_for 'view exported to table.json'
grep -q '"tool": *"trace"' table.json && grep -q '"tracks"' table.json || fail "table.json is not what it should be"
keys i i
wait_for 'busy %  *gaps'
text ':export tracks.csv'
keys Enter
wait_for 'table tracks written to tracks.csv'
head -n 1 tracks.csv | grep -q '^host,plane,line,events,busy_ps,' || fail "tracks.csv: $(head -n 1 tracks.csv)"
keys '#'
wait_for 'to the median'
text ':export steps.csv'
keys Enter
wait_for 'table steps written to steps.csv'
head -n 1 steps.csv | grep -q '^label,step_name,duration_ps,' || fail "steps.csv: $(head -n 1 steps.csv)"
keys v f
wait_for '1 file '
keys E
text files.txt
keys Enter
wait_for 'view exported to files.txt'
grep -q 'simulated' files.txt || fail "files.txt should name the file"
text Q
wait_for 'shell>'

# No clipboard: that is said, and nothing is written.
run "clear; TMUX= TERM=vt100 TMPDIR=$PWD/tmp tpuscope --no-state --view timeline --demo"
wait_for 'busy %'
keys j j j Enter y
wait_for 'not copied: this terminal has no clipboard'
[ -z "$(ls tmp)" ] || fail "copying should write no file"
text Q
wait_for 'shell>'
