# In a terminal: how busy jobs are, query by query, on a screen; from captures, and as an old server says it.
. "$srcdir/tests/cli/joblib.sh"
. "$srcdir/tests/e2e/lib.sh"
trap 'end_jobs; tm kill-server 2>/dev/null; rm -rf "$socket_dir"' EXIT
gzip -dc "$sample" >space.pb
job --space space.pb now

start
run "tpuscope monitor --addr 127.0.0.1:$port,127.0.0.1:1 --duration-ms 10 --attempts 1 --num-queries 3"
wait_for '[12] of 3 queries'
wait_for '4 cores of TPU v5 Lite'
wait_for 'matrix units %, now [0-9]'
wait_for '3 of 3 queries'
keys Down
wait_for '^ Connection refused'
wait_for 'matrix units %, now –'
keys '?'
wait_for 'Close the monitor'
text '/Utilization of the matrix'
keys Enter
wait_for 'Utilization of the matrix units'
keys q
wait_for '3 of 3 queries'
keys t
wait_for 'Python tracer'
keys Escape
wait_gone 'Python tracer'
keys q
wait_for 'shell>'
ends_with 0

job --monitor now
run "clear; tpuscope monitor --addr 127.0.0.1:$port"
wait_for 'of 100 queries'
wait_for 'idle %, now [0-9]'
keys p
wait_for 'paused'
keys Q
wait_for 'shell>'
ends_with 0
