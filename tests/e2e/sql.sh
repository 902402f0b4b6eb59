#!/bin/sh
# Queries in the viewer: rows, where they lead and back, history, completion, mistakes, a query that is canceled, export.
. "$top_srcdir/tests/e2e/lib.sh"
"$tpuscope" --version | grep -q +sqlite || { echo "SKIP: built without SQLite"; exit 77; }
rm -f query.csv query.json

start 80 24
run 'clear; tpuscope --demo'
wait_for 'by severity'
text ':sql'
keys Enter
wait_for 'EXAMPLES'
wait_for 'Tab completes, Up: earlier queries'
text ':sql SELECT 5 AS as_elsewhere'
keys Enter
wait_for '1 row'
shows as_elsewhere || fail 'a query may begin as outside of the prompt'
text ':sql'
keys Enter
wait_for 'Tab completes, Up: earlier queries'
keys C-u
text 'SELECT id, name FROM sli'
keys Tab
text " WHERE kind = 'ops' LIMIT 7"
keys Enter
wait_for '7 rows'
keys j j Enter
wait_for 'whole run'
keys BSpace
wait_for '3 of 7'
text 'i )'
keys Enter			# what was there is there to be changed
wait_for 'SQL: .*syntax error'
text 'i'
keys C-u Up Up Enter
wait_for '7 rows'
text ':sql WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT count(*) FROM t'
keys Enter
wait_for 'running; Esc cancels'
keys Escape
wait_for 'query canceled'
text ':sql DELETE FROM slices'
keys Enter
wait_for 'may not be modified'
text ':sql SELECT 1 AS one, 2 AS two'
keys Enter
wait_for '1 row'
keys E
wait_for 'sql.csv'
keys C-u
text 'query.csv'
keys Enter
wait_for 'exported'
text ':export query.json'
keys Enter
wait_for 'query.json'
keys Q
wait_for 'shell>'
ends_with 0
grep -q '^one,two' query.csv && grep -q '^1,2' query.csv || fail "the CSV is $(cat query.csv)"
python3 -c 'import json; d = json.load(open("query.json")); assert d["rows"] == [[1, 2]], d' || fail "the JSON is $(cat query.json)"
run 'clear; tpuscope --demo'	# the last query is back
wait_for 'one  *two'
keys Q
wait_for 'shell>'
ends_with 0
