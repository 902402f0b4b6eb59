#!/bin/sh
# The triage view restores its position: problem, buffer, page, and the line of the log with its filter.
. "$top_srcdir/tests/e2e/lib.sh"
rm -rf texts
mkdir texts
cp "$top_srcdir/tests/fuzz/corpus/triage/list" texts/list.txt
for i in 1 2 3 4 5 6 7 8 9; do
	echo "W1121 07:59:39.${i}00000   14571 init.cc:$i] slow disk $i"
	echo "I1121 07:59:39.${i}10000   14571 init.cc:$i] fine $i"
done >texts/use.log
echo 'E1121 07:59:40.906386   14571 init.cc:12] The TPU is already in use by process with pid 4242.' >>texts/use.log

# again PATTERN: quits, opens it again and waits for the position
again() {
	keys Q
	wait_gone 'problem . of 2'
	ends_with 0
	run 'clear; tpuscope texts'
	wait_for 'position restored'
	keys C-l
	wait_for "$1"
}

start 100 30
run 'tpuscope texts'
wait_for 'problem 1 of 2'
keys Q
wait_gone 'problem . of 2'
ends_with 0
[ ! -e state ] || fail "something was written, and nothing had changed"
run 'clear; tpuscope texts'
wait_for 'problem 1 of 2'
keys j
wait_for 'buffer 2 of'
again 'buffer 2 of'
keys Enter
wait_for 'XLA label'
again 'XLA label'
keys Escape
wait_for 'LARGEST BUFFERS'
keys e
wait_for 'problem 2 of 2'
again 'problem 2 of 2'
keys 2 k k k
wait_for 'line 13 of 19   filtered'
again 'line 13 of 19   filtered'
wait_for 'warnings and errors'
keys Escape
wait_for 'Another process holds the TPU'
keys Q
wait_gone 'problem . of 2'
ends_with 0
run 'clear; tpuscope --no-state texts'
wait_for 'problem 1 of 2'
keys Q
wait_gone 'problem . of 2'
ends_with 0
# What has no trace and no findings opens in the view that has data; a key pressed before that stays with the findings.
run "clear; tpuscope --no-state $top_srcdir/tests/fuzz/corpus/hlo/shared"
wait_for 'no findings; Alt-1 shows what was checked'
wait_for 'peak '
keys M-1
wait_for 'What was checked'
keys Q
wait_for 'shell>'
ends_with 0
