# A logdir that gets a new run, a run that gets the file of another host, and a text that grows: said, offered with one key, and nothing jumps.
. "$srcdir/tests/e2e/lib.sh"
rm -rf log && mkdir -p log/plugins/profile/2024_01_01
zcat "$srcdir/data/sample/simulated-v5e-4chip.xplane.pb.gz" >log/plugins/profile/2024_01_01/h.xplane.pb
start
run "tpuscope log"
wait_for '1 Findings'
keys M-3
wait_for 'whole run'
mkdir log/plugins/profile/2024_02_02 # not yet
cp log/plugins/profile/2024_01_01/h.xplane.pb log/plugins/profile/2024_02_02/h.xplane.pb
keys j
wait_for 'new run 2024_02_02: F5 opens it'
screen | grep -q 'whole run' || fail "the view changed"
keys F5
wait_gone 'new run 2024'
run ":view files"
wait_for '2024_02_02'
keys M-3
wait_for 'whole run'
zcat "$srcdir/data/sample/simulated-v5e-4chip.xplane.pb.gz" >log/plugins/profile/2024_02_02/late.xplane.pb # of another host
keys j
wait_for 'new file late.xplane.pb: F5 opens it with the others'
screen | grep -q 'whole run' || fail "the view changed"
keys F5
wait_gone 'new file late'
run ":view files"
wait_for 'late.xplane.pb'
keys Q
wait_for 'shell>'
mkdir nested && mv log nested/log # a folder above the logdir: its runs are known, though they are named otherwise
run "clear; tpuscope nested"
wait_for '1 Findings'
keys M-3
wait_for 'whole run'
keys j
sleep 1
screen | grep -q 'new run' && fail "the run that is open is said to be new"
keys Q
wait_for 'shell>'
cp "$srcdir/tests/fuzz/corpus/ptxla/steps" metrics.txt
run "clear; tpuscope metrics.txt"
wait_for 'PyTorch'
cat "$srcdir/tests/fuzz/corpus/ptxla/steps" >>metrics.txt
keys j
wait_for 'grew after it was opened'
keys F5
wait_gone 'grew after'
keys Q
wait_for 'shell>'
